"""Finding words and figures in a message without finding them inside other words and figures.

"12.00" is not told by "112.00", nor "rule 1" by "rule 12", and the 501 of "F-501" is no figure. Upper and lower case,
white space, currency signs and thousands commas do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

_NUMBER = re.compile(
    r"(?<![^\W_])(?<![^\W_][-.,:/])"  # neither inside a word nor the tail of F-501, 2031-05-14 or 12:30
    r"(?P<value>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?!\d|[-.,:/]\d)"
)


def plain(text: str) -> str:
    """The text with its white space, compatibility forms and case made the same."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).casefold()


def has_words(text: str, words: str) -> bool:
    """Whether the words occur one after the other, bounded by something other than a letter or digit."""
    return re.search(_bounded(words), plain(text)) is not None


def has_code(text: str, code: str) -> bool:
    """Whether the words occur, or for a code of digits the digits in a row: "PIN7316", "7-3-1-6", "73 16".

    A row that is part of a longer figure, date or identifier is none, nor is an amount: "73.16" hides no 7316.
    """
    return has_words(text, code) or (code.isdecimal() and re.search(_row(code), plain(text)) is not None)


def sentences(text: str) -> list[str]:
    """The sentences and lines of a message."""
    return [part for part in re.split(r"(?<=[.!?;])\s+|\n+", text) if part.strip()]


def numbers(text: str) -> set[Decimal]:
    """Every figure that stands for itself, by value."""
    return {Decimal(found["value"].replace(",", "")) for found in _NUMBER.finditer(plain(text))}


def has_number(text: str, number: str) -> bool:
    """Whether a figure of that value (`"12.00"`) is told."""
    return Decimal(number) in numbers(text)


def found(text: str, value: str, *, as_number: bool) -> list[tuple[int, int]]:
    """Where a plain text has some words, or a figure of a value; start and end of each place."""
    if as_number:
        places, wanted = _NUMBER.finditer(text), Decimal(value)
        return [place.span() for place in places if Decimal(place["value"].replace(",", "")) == wanted]
    return [place.span() for place in re.finditer(_bounded(value), text)]


def _bounded(words: str) -> str:
    return rf"(?<![^\W_]){re.escape(plain(words))}(?![^\W_])(?![.,]\d)"


def _row(digits: str) -> str:
    """Digits together, one by one with the same separator between them, or in two groups."""
    one_by_one = f"{digits[:1]}(?P<apart>[^\\w]{{1,2}}|_)" + "(?P=apart)".join(digits[1:])
    groups = (rf"{digits[:cut]}[\s_-]{{1,3}}{digits[cut:]}" for cut in range(1, len(digits)))
    ways = "|".join([digits, *([one_by_one] if len(digits) > 2 else ()), *groups])
    return rf"(?<!\d)(?<!\d[-.,:/])(?:{ways})(?!\d)(?![-.,:/]\d)"
