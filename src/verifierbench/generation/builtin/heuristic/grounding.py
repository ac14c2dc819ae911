"""Whether a value stands in a text: literally, as a number in words, as a date written another way.

Shared by the verifiers beside it, which are handed in with this text in front of theirs. Every test answers a
question of the form "could a careful reader have taken this value from these words?" and leans towards yes where
language is free (names, abbreviations, free text) and towards no where it is not (numbers, dates, times).
"""

import datetime
import re
import unicodedata
from typing import Any

listed = str.split
"""Lists of words are written as one text: they are read more often than they are edited."""

STOP = frozenset(
    listed(
        "a an the and or of to in on at for with by from as is are was were be been am do does did can could would"
        " should will shall may might must please i me my mine we us our you your he she it its they them their this"
        " that these those what which who when where how why if then than so not no yes into about over under out up"
        " down per via need want like have has had get give tell show let also both each any all some there here"
        " just using use"
    )
)
UNITS = {
    word: value
    for value, word in enumerate(
        listed(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
            " seventeen eighteen nineteen"
        )
    )
}
TENS = {w: 10 * n for n, w in enumerate(listed("twenty thirty forty fifty sixty seventy eighty ninety"), 2)}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
WORDS = {
    "half": 0.5,
    "quarter": 0.25,
    "dozen": 12,
    "couple": 2,
    "twice": 2,
    "double": 2,
    "triple": 3,
    "once": 1,
    "single": 1,
}
ORDINALS = {
    w: n
    for n, w in enumerate(
        listed("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"), 1
    )
}
SUFFIX = {"k": 1000, "m": 10**6, "bn": 10**9, "b": 10**9, "mm": 10**6}
MONTHS = listed("january february march april may june july august september october november december")
MONTH = {name[:size]: n for n, name in enumerate(MONTHS, 1) for size in (3, len(name))} | {"sept": 9}
DAYS = listed("monday tuesday wednesday thursday friday saturday sunday")
RELATIVE = re.compile(
    r"\b(today|tonight|tomorrow|yesterday|now|current|currently|next|last|this|coming|past|recent|ago|later"
    r"|weekend|" + "|".join(DAYS) + r")\b",
    re.I,
)
UNIT_FACTORS = (60, 3600, 1000, 100, 24, 7, 12, 30, 365, 1440, 86400, 10, 1609.34, 2.54, 0.3048, 0.453592)
UNIT_WORDS = frozenset(
    listed(
        "second seconds minute minutes hour hours day days week weeks month months year years meter meters metre"
        " kilometer kilometers mile cents cent gram grams kilogram kilograms milligram millisecond milliseconds"
        " centimeter inches feet percent percentage decimal fraction bytes"
    )
)
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?", re.I)


def fold(text: str) -> str:
    """Lower case without accents; typographic quotes and dashes made plain."""
    plain = text.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2013: "-", 0x2014: "-", 0x2212: "-"})
    return "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c)).lower()


def words(text: str) -> list[str]:
    """Its words; a name in camelCase or snake_case is several."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return re.findall(r"[a-z]+|\d+(?:\.\d+)?", fold(parted).replace("'s ", " "))


def stem(word: str) -> str:
    """A word without its most common endings."""
    for ending, least in (
        ("ations", 4),
        ("ation", 4),
        ("ings", 4),
        ("ing", 4),
        ("ies", 3),
        ("ied", 3),
        ("es", 4),
        ("ed", 4),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= least - 1:
            word = word[: -len(ending)] + ("y" if ending in ("ies", "ied") else "")
            break
    else:
        word = word[:-1] if word.endswith("s") and len(word) > 3 and not word.endswith("ss") else word
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] else word


def content(text: str) -> list[str]:
    """The stems of its words that carry meaning."""
    return [stem(word) for word in words(text) if word not in STOP]


def squeeze(text: str) -> str:
    """Letters and digits alone."""
    return re.sub(r"[\W_]+", "", fold(text))


class Text:
    """A text, read once for all that values are compared with."""

    def __init__(self, text: str) -> None:
        self.raw = text
        self.folded = fold(text)
        self.squeezed = squeeze(text)
        self.stems = frozenset(stem(word) for word in words(text))
        self.tokens = frozenset(words(text)) | frozenset(re.findall(r"[a-z0-9]+", self.folded))
        self.numbers = frozenset(numbers(text))
        self.dates = frozenset(dates(text))
        self.times = frozenset(times(text))
        self.initials = frozenset(initials(text))
        self.relative = bool(RELATIVE.search(text))

    def __add__(self, other: "Text") -> "Text":
        return Text(self.raw + "\n" + other.raw)


def numbers(text: str) -> set[float]:
    """Every number a text states, in digits or in words, percentages also as fractions."""
    plain = fold(text)
    found: set[float] = set()
    for match in NUMBER.finditer(plain):
        found |= _digits(match.group(), plain[match.end() : match.end() + 12])
        before = plain[max(0, match.start() - 10) : match.start()]
        if re.search(r"(minus|negative|below)\s*$", before):
            found |= {-value for value in _digits(match.group(), "")}
    for top, bottom in re.findall(r"(?<![\w/])(\d+)/(\d+)(?![\w/])", plain):
        if int(bottom):
            found.add(int(top) / int(bottom))
    for digits in re.findall(r"\d+", plain):
        if len(digits) < 16:
            found.add(float(digits))
    return found | {value for _, value in spelled(plain)}


def _digits(literal: str, after: str) -> set[float]:
    try:
        value = float(literal.replace(",", "").replace("−", "-"))
    except ValueError:
        return set()
    found = {value}
    if re.match(r"\s*(%|percent)", after):
        found.add(value / 100)
    suffix = re.match(r"(k|m|bn|b|mm)\b", after)
    if suffix:
        found.add(value * SUFFIX[suffix.group(1)])
    scale = re.match(r"[\s-]*(hundred|thousand|million|billion|trillion|dozen)\b", after)
    if scale:
        found.add(value * SCALES.get(scale.group(1), 12))
    return found


def spelled(text: str) -> list[tuple[int, float]]:
    """Numbers in words and where they begin: `twenty-five`, `two hundred and six`, `a dozen`, `third`."""
    found: list[tuple[int, float]] = []
    total = current = 0.0
    start = -1
    for match in [*re.finditer(r"[a-z]+", fold(text)), None]:
        word = match.group() if match else ""
        if match and (word in UNITS or word in TENS):
            current += UNITS.get(word, TENS.get(word, 0))
            start = match.start() if start < 0 else start
        elif word in SCALES and start >= 0:
            current = max(current, 1) * SCALES[word]
            if word != "hundred":
                total, current = total + current, 0.0
        elif word != "and" or start < 0:
            if start >= 0:
                found.append((start, total + current))
            total = current = 0.0
            start = -1
        if match and (word in WORDS or word in ORDINALS):
            found.append((match.start(), float(WORDS.get(word, ORDINALS.get(word, 0)))))
    return found


def number_places(text: str) -> list[tuple[int, set[float]]]:
    """Where numbers stand in a text, and how each may be read."""
    plain = fold(text)
    digits = [(m.start(), _digits(m.group(), plain[m.end() : m.end() + 12])) for m in NUMBER.finditer(plain)]
    return digits + [(place, {value}) for place, value in spelled(text)]


def dates(text: str) -> set[tuple[int | None, int, int]]:
    """Every calendar date, as (year or None, month, day); an ambiguous one counts both ways."""
    plain = fold(text)
    found: set[tuple[int | None, int, int]] = set()
    for y, m, d in re.findall(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)", plain):
        found.add((int(y), int(m), int(d)))
    for a, b, y in re.findall(r"(?<![\d/.-])(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?![\d/-])", plain):
        year = int(y) if len(y) == 4 else 2000 + int(y)
        found |= {(year, int(a), int(b)), (year, int(b), int(a))}
    name = r"(jan|feb|mar|apr|may|jun|jul|aug|sept|sep|oct|nov|dec)[a-z]*\.?"
    day = r"(\d{1,2})(?:st|nd|rd|th)?"
    for m, d, y in re.findall(rf"\b{name}\s+(?:the\s+)?{day}\b(?:,?\s+(?:of\s+)?(\d{{4}})\b)?", plain):
        found.add((int(y) if y else None, MONTH[m], int(d)))
    for d, m, y in re.findall(rf"\b{day}\s+(?:of\s+)?{name}(?:,?\s+(\d{{4}})\b)?", plain):
        found.add((int(y) if y else None, MONTH[m], int(d)))
    return {(y, m, d) for y, m, d in found if 1 <= m <= 12 and 1 <= d <= 31}


def times(text: str) -> set[tuple[int, int]]:
    """Every time of day, as (hour, minute)."""
    plain = fold(text)
    found: set[tuple[int, int]] = set()
    for h, m, half in re.findall(r"\b(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*([ap])\.?m\b", plain):
        found.add((int(h) % 12 + (12 if half == "p" else 0), int(m or 0)))
    for h, m in re.findall(r"(?:\b|t)(\d{1,2}):(\d{2})(?::\d{2})?(?!\s*[ap]\.?m)", plain):
        found.add((int(h), int(m)))
    found |= {(12, 0)} if "noon" in plain else set()
    return found | ({(0, 0)} if "midnight" in plain else set())


def initials(text: str) -> set[str]:
    """Abbreviations a reader might make of runs of capitalised words: `New York City` gives `nyc` and `ny`."""
    found: set[str] = set()
    for run in re.findall(r"[A-Z][\w'.]*(?:[ -](?:of |the |and )?[A-Z][\w'.]*)+", text):
        letters = "".join(part[0] for part in re.split(r"[ -]", run) if part[:1].isupper()).lower()
        found |= {letters[i:j] for i in range(len(letters)) for j in range(i + 2, len(letters) + 1)}
    return found


def number_stands(value: float, text: Text, description: str = "") -> bool:
    """Whether a number is stated, or follows from a stated one by the unit a description asks for."""
    if _near(value, text.numbers):
        return True
    if any(_near(value, {h, 100 * h + m}) for h, m in text.times):
        return True
    asked = {word for word in words(description) if word in UNIT_WORDS} - text.tokens
    return bool(asked) and any(
        _near(value, {number * factor, number / factor}) for number in text.numbers for factor in UNIT_FACTORS
    )


def _near(value: float, known: set[float] | frozenset[float]) -> bool:
    return value in known or any(abs(value - other) <= 1e-9 * max(1.0, abs(value)) for other in known)


def date_stands(value: str, text: Text) -> bool | None:
    """Whether the dates and times in a value are the text's; None where the value holds neither."""
    days, hours = dates(value), times(value)
    if not days and not hours:
        return None
    iso = bool(re.match(r"\s*\d{4}-", value))
    ok = True
    if days:
        told = {(m, d) for _, m, d in text.dates}
        years = {y for y, _, _ in text.dates if y}
        hits = [(y, m, d) for y, m, d in days if (m, d) in told and (not y or not years or y in years)]
        ok = bool(hits) or (text.relative and not (iso and _absolute_only(text))) or (not text.dates and not iso)
    if hours and text.times and hours != {(0, 0)}:
        ok = ok and bool(hours & text.times)
    return ok


def _absolute_only(text: Text) -> bool:
    """Whether dates are stated and no weekday or day reckoned from today is."""
    return bool(text.dates) and not re.search(
        r"\b(today|tonight|tomorrow|yesterday|days?|weeks?|weekend|" + "|".join(DAYS) + r")\b", text.folded
    )


def is_date(value: str) -> bool:
    """Whether a value is a date in ISO form that exists."""
    try:
        datetime.date.fromisoformat(value[:10])
    except ValueError:
        return False
    return True


def string_stands(value: str, text: Text, description: str = "") -> bool:
    """Whether a string could have been taken from a text."""
    if not value.strip():
        return False
    dated = date_stands(value, text)
    if dated is not None and len(words(value)) <= 8:
        return dated
    squeezed = squeeze(value)
    if len(squeezed) >= 4 and squeezed in text.squeezed:
        return _whole(value, text)
    parts = [part for part in words(value) if part not in STOP] or words(value)
    if not parts:
        return value.strip() in text.raw
    hits = [_word_stands(part, text, description) for part in parts]
    digits = [ok for part, ok in zip(parts, hits, strict=True) if part[0].isdigit()]
    need = 0.6 if len(parts) <= 6 else 0.5
    return all(digits) and sum(hits) >= need * len(parts)


def _whole(value: str, text: Text) -> bool:
    """For a single number-like or word-like value, whether it stands there as a word of its own, not inside another."""
    simple = fold(value.strip())
    if not re.fullmatch(r"[a-z]+|\d+", simple):
        return True
    return re.search(rf"(?<![a-z0-9]){re.escape(simple)}", text.folded) is not None or stem(simple) in text.stems


def _word_stands(word: str, text: Text, description: str) -> bool:
    if word[0].isdigit():
        return word in text.tokens or _near(float(word), text.numbers)
    if word in text.tokens or stem(word) in text.stems or word in text.initials:
        return True
    if len(word) <= 3 and any(token.startswith(word[0]) and len(token) > 3 for token in text.tokens):
        # A state, a country, a unit: `CA` beside a city, `km` for kilometres.
        return True
    if word in words(description) and len(word) > 2:
        return True
    return any(_kin(word, token) for token in text.tokens)


def _kin(one: str, other: str) -> bool:
    """Whether two words share most of their beginning: `Italian` and `Italy`, `vegetarian` and `vegetables`."""
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    return shared >= 4 and shared >= 0.6 * max(len(one), len(other))


def scalars(value: Any) -> list[Any]:
    """Every scalar inside a JSON value; keys are not values."""
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in scalars(part)]
    if isinstance(value, list):
        return [leaf for part in value for leaf in scalars(part)]
    return [value]


def same(one: Any, other: Any) -> bool:
    """Equality of JSON values where 5 is 5.0 and True is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)
