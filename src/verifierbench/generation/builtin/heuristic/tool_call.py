"""Judges tool calls: they exist, fit their schemas, take their values from the request, and leave nothing out.

Nothing here knows the task. A solution fails at the first objection; every objection is one function that yields
sentences, so that a person can see which rule spoke.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any

from verifierbench.generation.builtin.heuristic.grounding import (
    DAYS,
    MONTHS,
    RELATIVE,
    STOP,
    Text,
    content,
    dates,
    fold,
    number_places,
    number_stands,
    numbers,
    same,
    scalars,
    spelled,
    squeeze,
    stem,
    string_stands,
    times,
    words,
)

TYPES = {
    "dict": "object",
    "map": "object",
    "hashmap": "object",
    "float": "number",
    "double": "number",
    "tuple": "array",
    "list": "array",
    "arraylist": "array",
    "int": "integer",
    "long": "integer",
    "str": "string",
    "bool": "boolean",
    "char": "string",
}
PYTHON = {"object": dict, "array": list, "string": str, "boolean": bool}


def verify(solution: Any, env: Any) -> str:
    """PASS where no rule objects."""
    try:
        task = Task(env.task)
    except Exception:
        return "FAIL"
    return "FAIL" if next(objections(solution, task), None) else "PASS"


class Task:
    """The public material, read for what the rules need."""

    def __init__(self, public: dict[str, Any]) -> None:
        materials = public.get("materials", {})
        self.tools = {tool["name"]: tool for tool in _tools(materials)}
        self.turns = _user_turns(materials)
        spoken = [public.get("instruction", ""), *_prose(materials)]
        self.request = re.sub(r"(?m)^\s*(user|system|assistant)\s*:", "", "\n".join(spoken))
        self.text = Text(self.request)
        self.about = frozenset(stem(word) for tool in self.tools.values() for word in words(_described(tool)))


def _tools(node: Any) -> Iterator[dict[str, Any]]:
    """Whatever in the materials looks like a tool definition, in the common spellings."""
    if isinstance(node, list):
        for part in node:
            yield from _tools(part)
    elif isinstance(node, dict):
        schema = next(
            (node[key] for key in ("parameters", "arguments", "inputSchema", "input_schema") if key in node), None
        )
        if (
            isinstance(node.get("name"), str)
            and isinstance(schema, dict | type(None))
            and (schema or "description" in node)
        ):
            yield {"name": node["name"], "description": node.get("description") or "", "parameters": schema or {}}
        else:
            for part in node.values():
                yield from _tools(part)


def _user_turns(materials: dict[str, Any]) -> int:
    """How many turns the user takes, where a material lists them; else 1."""
    for name, value in materials.items():
        if re.search(r"turn|conversation|dialog|message", name) and isinstance(value, list) and value:
            users = [turn for turn in value if not isinstance(turn, dict) or turn.get("role", "user") == "user"]
            return len(users)
    return 1


def _prose(materials: dict[str, Any]) -> list[str]:
    """Text of the materials that are not tool definitions: profiles, earlier messages, conversations."""
    found = []
    for value in materials.values():
        if not list(_tools(value)):
            found += [str(leaf) for leaf in scalars(value) if isinstance(leaf, str | int | float)]
    return found


def _described(tool: dict[str, Any]) -> str:
    return f"{tool['name']} {tool['description']}"


# Objections


def objections(solution: Any, task: Task) -> Iterator[str]:
    """Everything that speaks against a solution."""
    shape = list(_shape(solution, task))
    if shape:
        yield from shape
        return
    calls = [call for turn in solution["turns"] for call in turn["calls"]]
    rules = (
        (_schema, _values, _left_out, _repeats, _wrong_tool, _refused, _order, _swapped, _uncovered)
        if calls
        else (_silence,)
    )
    for rule in rules:
        try:
            yield from rule(solution, calls, task)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, re.error, OverflowError):
            continue


def _shape(solution: Any, task: Task) -> Iterator[str]:
    turns = solution.get("turns") if isinstance(solution, dict) else None
    if not isinstance(turns, list) or not turns:
        yield "no turns"
        return
    if len(turns) != task.turns and task.turns > 1:
        yield "another number of turns than the user takes"
    for turn in turns:
        calls = turn.get("calls") if isinstance(turn, dict) else None
        if not isinstance(calls, list):
            yield "a turn without a list of calls"
            continue
        for call in calls:
            if not (
                isinstance(call, dict) and isinstance(call.get("name"), str) and isinstance(call.get("arguments"), dict)
            ):
                yield "a call without a name and arguments"


def _schema(_: Any, calls: list[Any], task: Task) -> Iterator[str]:
    for call in calls:
        tool = task.tools.get(call["name"])
        if tool is None:
            yield f"no tool is called {call['name']}"
        else:
            yield from _misfit(call["arguments"], {"type": "object", **tool["parameters"]}, "arguments")


def _misfit(value: Any, spec: dict[str, Any], where: str) -> Iterator[str]:
    """Where a value leaves its schema."""
    kinds = spec.get("type", "any")
    kinds = [
        TYPES.get(str(kind).lower(), str(kind).lower()) for kind in (kinds if isinstance(kinds, list) else [kinds])
    ]
    if value is None and "null" not in kinds and "any" not in kinds:
        yield f"{where} is null"
        return
    if not any(_is(value, kind) for kind in kinds):
        yield f"{where} is not {kinds}"
        return
    options = spec.get("enum")
    options = options if isinstance(options, list) and not isinstance(value, list) else []
    if options and not any(same(value, option) for option in options):
        yield f"{where} is not among its options"
    yield from _out_of_bounds(value, spec, where)
    if isinstance(value, dict):
        yield from _members(value, spec, where)
    if isinstance(value, list):
        inner = {"enum": spec["enum"]} if spec.get("enum") else {}
        for number, item in enumerate(value):
            yield from _misfit(item, inner | (spec.get("items") or {}), f"{where}[{number}]")


def _is(value: Any, kind: str) -> bool:
    if kind == "integer":
        return not isinstance(value, bool) and (
            isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        )
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, PYTHON[kind]) if kind in PYTHON else True


def _out_of_bounds(value: Any, spec: dict[str, Any], where: str) -> Iterator[str]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = spec.get("minimum", value), spec.get("maximum", value)
        if not low <= value <= high:
            yield f"{where} is out of bounds"
    if isinstance(value, str) and isinstance(spec.get("pattern"), str) and not re.search(spec["pattern"], value):
        yield f"{where} does not match its pattern"


def _members(value: dict[str, Any], spec: dict[str, Any], where: str) -> Iterator[str]:
    known = spec.get("properties")
    if not isinstance(known, dict):
        return
    for name in spec.get("required") or []:
        if name not in value:
            yield f"{where}.{name} is missing"
    for name, part in value.items():
        if name in known:
            yield from _misfit(part, known[name], f"{where}.{name}")
        elif known and not isinstance(spec.get("additionalProperties"), dict):
            yield f"{where}.{name} is unknown"


# Values


def _values(_: Any, calls: list[Any], task: Task) -> Iterator[str]:
    for call in calls:
        tool = task.tools[call["name"]]
        for name, value, spec in _leaves(call["arguments"], tool["parameters"]):
            if not _stands(name, value, spec, task):
                yield f"{name}={value!r} does not follow from the request"


def _leaves(value: Any, spec: dict[str, Any], name: str = "") -> Iterator[tuple[str, Any, dict[str, Any]]]:
    if isinstance(value, dict):
        known = spec.get("properties") or {}
        for key, part in value.items():
            yield from _leaves(part, known.get(key, {}), key)
    elif isinstance(value, list):
        shared: dict[str, Any] = {k: spec[k] for k in ("description", "enum", "default") if k in spec}
        if same(value, spec.get("default")):
            return
        for part in value:
            yield from _leaves(part, {**shared, **(spec.get("items") or {})}, name)
    else:
        yield name, value, spec


def _stands(name: str, value: Any, spec: dict[str, Any], task: Task) -> bool:
    description = f"{name} {spec.get('description', '')}"
    if isinstance(value, str) and isinstance(spec.get("enum"), list):
        return _chosen(value, [str(option) for option in spec["enum"]], task)
    if "default" in spec and same(value, spec["default"]):
        return True
    if isinstance(value, bool):
        return _flag(name if "default" in spec else description, value, task)
    if isinstance(value, int | float):
        by_default = "default" in description.lower() and float(value) in numbers(description)
        return by_default or number_stands(float(value), task.text, description)
    return not isinstance(value, str) or _text_stands(value, description, task)


def _text_stands(value: str, description: str, task: Task) -> bool:
    if re.search(r"default\w*\W+(is|to|=|:)?\W*" + re.escape(value.lower()), description.lower()):
        return True
    return _written(value, task) and _in_form(value, description) and string_stands(value, task.text, description)


def _written(value: str, task: Task) -> bool:
    """A code is written as the request writes it, letter case and all."""
    code = re.fullmatch(r"(?=.*\d)(?=.*[A-Za-z])[\w.#/-]+|\S+@\S+", value)
    return (
        not code or value in task.request or fold(value) not in task.text.folded or bool(dates(value) or times(value))
    )


FORMS = (
    ("yyyy-mm-dd", r"\d{4}-\d{2}-\d{2}"),
    ("mm/dd/yyyy", r"\d{2}/\d{2}/\d{4}"),
    ("dd/mm/yyyy", r"\d{2}/\d{2}/\d{4}"),
    ("dd.mm.yyyy", r"\d{2}\.\d{2}\.\d{4}"),
    ("mm-dd-yyyy", r"\d{2}-\d{2}-\d{4}"),
    ("hh:mm", r"\d{2}:\d{2}"),
)


def _in_form(value: str, description: str) -> bool:
    """Where a description names one form for dates or times, the value contains it."""
    asked = [form for name, form in FORMS if name in description.lower()]
    return not asked or not (dates(value) or times(value)) or any(re.search(form, value) for form in asked)


def _flag(name: str, value: bool, task: Task) -> bool:
    """A flag is set where the request speaks of it: on, unless something there says no."""
    named = set(content(name)) - {"is", "includ", "enabl", "allow", "ha", "with"}
    if not named:
        return True
    if not named & task.text.stems:
        return False
    refused = re.search(
        r"\b(no|not|without|don'?t|exclud\w*|skip|disable\w*|except|never|avoid|off)\b", task.text.folded
    )
    return value or bool(refused)


def _chosen(value: str, options: list[str], task: Task) -> bool:
    """An option the request names beats one it does not."""
    named = [option for option in options if _named(option, task)]
    return not named or value in named


def _named(option: str, task: Task) -> bool:
    parts = content(option)
    return bool(parts) and all(part in task.text.stems or part in task.text.tokens for part in parts)


def _left_out(_: Any, calls: list[Any], task: Task) -> Iterator[str]:
    """An option the request names, where the only call leaves its parameter to another default."""
    if len(calls) != 1:
        return
    for key, spec in (task.tools[calls[0]["name"]]["parameters"].get("properties") or {}).items():
        options = [str(option) for option in spec.get("enum") or []]
        named = [option for option in options if _named(option, task)]
        if key not in calls[0]["arguments"] and named and "default" in spec and str(spec["default"]) not in named:
            yield f"{key} is left to its default, and the request names {named}"


def _repeats(_: Any, calls: list[Any], task: Task) -> Iterator[str]:
    """Two calls of a tool that differ in nothing but unstated defaults are one call made twice."""
    for one, other in itertools.combinations(calls, 2):
        if one["name"] != other["name"]:
            continue
        keys = {*one["arguments"], *other["arguments"]}
        differing = [key for key in keys if not same(one["arguments"].get(key), other["arguments"].get(key))]
        spec = task.tools[one["name"]]["parameters"].get("properties") or {}
        if all(_unsaid(call["arguments"].get(key), spec.get(key, {})) for key in differing for call in (one, other)):
            yield f"{one['name']} is called twice for the same thing"


def _unsaid(value: Any, spec: dict[str, Any]) -> bool:
    return value is None or ("default" in spec and same(value, spec["default"]))


def _wrong_tool(_: Any, calls: list[Any], task: Task) -> Iterator[str]:
    scores = _scores(task)
    used = {call["name"] for call in calls}
    best = max((score for name, score in scores.items() if name not in used), default=0.0)
    for name in used:
        if len(scores) > 1 and scores[name] < 0.4 * best:
            yield f"another tool fits the request far better than {name}"
    if not any(_fits(task.tools[name], task) for name in used):
        yield "no tool called has to do with the request"


def _scores(task: Task) -> dict[str, float]:
    """How much each tool's vocabulary shares with the request; words of many tools count less."""
    vocabulary = {name: (set(content(name)), set(content(tool["description"]))) for name, tool in task.tools.items()}
    shared = {
        word: sum(word in names or word in said for names, said in vocabulary.values())
        for names, said in vocabulary.values()
        for word in names | said
    }
    return {
        name: sum(3 / shared[word] for word in names & task.text.stems)
        + sum(1 / shared[word] for word in (said - names) & task.text.stems) / max(1.0, len(said) / 12)
        for name, (names, said) in vocabulary.items()
    }


def _fits(tool: dict[str, Any], task: Task) -> bool:
    generic = {
        "get",
        "find",
        "search",
        "calculat",
        "comput",
        "check",
        "creat",
        "list",
        "data",
        "inform",
        "retriev",
        "detail",
    }
    by_name = set(content(tool["name"])) - generic
    by_text = set(content(tool["description"])) - generic
    return bool(by_name & task.text.stems) or len(by_text & task.text.stems) >= 2


NOT = r"\b(?:don'?t|do not|never|no need to|without|not to|leave|rather than|instead of)\b"


def _refused(_: Any, calls: list[Any], task: Task) -> Iterator[str]:
    """A tool whose own words the request uses only where it says no."""
    clauses = [clause for clause in re.split(r"[.;!?,\n]|\bbut\b|\band\b", task.text.folded) if clause.strip()]
    wanted = {part for clause in clauses if not re.search(NOT, clause) for part in content(clause)}
    for name in {call["name"] for call in calls}:
        own = set(content(name))
        for clause in clauses:
            if re.search(NOT, clause) and own and own <= set(content(clause)) and not own <= wanted:
                yield f"the request says not to {name}"


def _order(_: Any, calls: list[Any], task: Task) -> Iterator[str]:
    """`Do this before that`: the call the first half speaks of comes first."""
    names = list(dict.fromkeys(call["name"] for call in calls))
    for sentence in re.split(r"(?<=[.!?;])\s+|\n\s*\n", task.text.folded) if len(names) > 1 else ():
        halves = re.match(r"(.*?)\b(before|after)\b(?! (?:noon|midnight|\d))(.*)", sentence, re.DOTALL)
        if not halves:
            continue
        first, last = (_meant(half, names, task) for half in (halves[1], halves[3]))
        if halves[2] == "after":
            first, last = last, first
        if first and last and first != last and names.index(last) < names.index(first):
            yield f"{last} comes before {first}"


def _meant(words_: str, names: list[str], task: Task) -> str | None:
    """The one tool a clause shares most words with, if there is one."""
    said = set(content(words_))
    shares = sorted(((len(said & set(content(_described(task.tools[name])))), name) for name in names), reverse=True)
    return shares[0][1] if shares[0][0] > shares[1][0] else None


def _swapped(_: Any, calls: list[Any], task: Task) -> Iterator[str]:
    for call in calls:
        yield from _swapped_within(call, task)
    for name in {call["name"] for call in calls}:
        yield from _swapped_between([call["arguments"] for call in calls if call["name"] == name], task)


def _swapped_within(call: dict[str, Any], task: Task) -> Iterator[str]:
    """Two values of one call, each nearer to the other's name than to its own."""
    plain = [(key, value) for key, value in call["arguments"].items() if isinstance(value, str | int | float)]
    for (p, a), (q, b) in itertools.combinations(plain, 2):
        if isinstance(a, bool) or isinstance(b, bool) or type(a) is not type(b) or a == b:
            continue
        own, other = _distance(p, a, task) + _distance(q, b, task), _distance(p, b, task) + _distance(q, a, task)
        if other < own < 10**6:
            yield f"{p} and {q} look exchanged"
    for key, value in plain:
        if isinstance(value, str) and _contradicted(key, value, task):
            yield f"{key}={value!r} stands where its opposite is named"


def _distance(name: str, value: Any, task: Task) -> int:
    """Characters between the nearest mention of a parameter's own word and its value; large where one is not there."""
    own = [word for word in words(name) if word not in STOP and len(word) > 2]
    marks = [match.start() for word in own for match in re.finditer(rf"\b{re.escape(word)}", task.text.folded)]
    places = _places(value, task)
    return min((abs(mark - place) for mark in marks for place in places), default=10**6)


def _places(value: Any, task: Task) -> list[int]:
    if isinstance(value, int | float):
        return [place for place, readings in number_places(task.request) if float(value) in readings]
    pattern = rf"(?<![\w.]){re.escape(fold(value))}(?![\w])" if value else r"(?!)"
    return [match.start() for match in re.finditer(pattern, task.text.folded)]


def _contradicted(key: str, value: str, task: Task) -> bool:
    """`to`-like parameters with a value the request only has after `from`, and the reverse."""
    name = set(words(key))
    start = bool(name & {"from", "origin", "source", "departure", "start", "sender"})
    end = bool(name & {"to", "destination", "target", "arrival", "end", "recipient", "receiver"})
    if start == end or not value.strip():
        return False
    head = re.escape(fold(value).split(",")[0])
    after_from = re.search(rf"\bfrom (the )?{head}\b", task.text.folded)
    after_to = re.search(rf"\b(to|for|into) (the )?{head}\b", task.text.folded)
    return bool(after_to and not after_from) if start else bool(after_from and not after_to)


def _swapped_between(arguments: list[dict[str, Any]], task: Task) -> Iterator[str]:
    """In parallel calls, the values of two parameters should follow the request in the same order."""
    varying = {}
    for key in arguments[0] if len(arguments) > 1 else ():
        places = [
            _places(each.get(key, ""), task) for each in arguments if not isinstance(each.get(key), dict | list | bool)
        ]
        firsts = [place[0] for place in places if len(place) == 1]
        if len(firsts) == len(arguments) == len(set(firsts)):
            varying[key] = firsts
    for (p, one), (q, other) in itertools.combinations(varying.items(), 2):
        if sorted(range(len(one)), key=one.__getitem__) != sorted(range(len(other)), key=other.__getitem__):
            yield f"{p} and {q} are paired differently than in the request"


# What is missing


def _uncovered(solution: dict[str, Any], calls: list[Any], task: Task) -> Iterator[str]:
    given = [leaf for call in calls for leaf in scalars(call["arguments"])]
    answers = [leaf for turn in solution["turns"] for leaf in scalars(turn.get("answer")) if leaf is not None]
    said = Text("\n".join(str(leaf) for leaf in [*given, *answers]))
    amounts = {
        float(leaf) for leaf in given if isinstance(leaf, int | float) and not isinstance(leaf, bool)
    } | said.numbers
    for literal in _stated_numbers(task.request):
        if not _number_used(literal, amounts, said, calls, task):
            yield f"nothing uses the number {literal}"
    for _, value in spelled(task.request):
        if value > 3 and not _number_used(f"{value:g}", amounts, said, calls, task):
            yield f"nothing uses the number {value:g}"
    for quoted in _quoted(task.request):
        if squeeze(quoted) not in said.squeezed and not set(content(quoted)) <= task.about | said.stems:
            yield f"nothing uses {quoted!r}"
    for name in _proper_names(task.request):
        if not _name_used(name, said, task):
            yield f"nothing uses the name {name}"


def _stated_numbers(request: str) -> list[str]:
    """Numbers in digits that are not part of a date, a time, a code or an enumeration's mark."""
    plain = re.sub(r"(?m)^\s*\d+[.)]\s", " ", request)
    for pattern in (
        r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}",
        r"\d{1,2}:\d{2}(:\d{2})?\s*([apAP]\.?[mM])?",
        r"\d{1,2}\s*[apAP]\.?[mM]\b",
    ):
        plain = re.sub(pattern, " ", plain)
    month = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
    plain = re.sub(
        rf"(?i)\b{month}\s+\d{{1,2}}(st|nd|rd|th)?(,?\s+\d{{4}})?|\b\d{{1,2}}(st|nd|rd|th)?\s+(of\s+)?{month}(,?\s+\d{{4}})?",
        " ",
        plain,
    )
    return re.findall(r"(?<![\w.\-/])\d[\d,]*(?:\.\d+)?(?=[\s.,;:!?)%'\"]|$)", plain)


def _number_used(
    literal: str, amounts: set[float] | frozenset[float], said: Text, calls: list[Any], task: Task
) -> bool:
    beside = re.search(rf"{re.escape(literal)}.{{0,12}}", task.request, re.DOTALL)
    readings = numbers(beside.group() if beside else literal)
    if any(number_stands(value, said) for value in readings) or squeeze(literal) in said.squeezed:
        return True
    counts = {float(len(calls))} | {
        float(len(leaf)) for call in calls for leaf in call["arguments"].values() if isinstance(leaf, list)
    }
    if readings & counts:
        return True
    derived = any(
        number_stands(value, task.text, " ".join(_hints(calls, task))) and value not in task.text.numbers
        for value in amounts
    )
    return derived or bool(readings & _defaults(calls, task))


def _hints(calls: list[Any], task: Task) -> list[str]:
    return [str(task.tools[call["name"]]["parameters"]) for call in calls]


def _defaults(calls: list[Any], task: Task) -> set[float]:
    """Numbers an argument may leave to its default."""
    found = set()
    for call in calls:
        for key, spec in (task.tools[call["name"]]["parameters"].get("properties") or {}).items():
            if key not in call["arguments"] and isinstance(spec, dict):
                told = re.findall("default.{0,20}", str(spec.get("description", "")))
                found |= numbers(" ".join([str(spec.get("default", "")), *told]))
    return found


def _quoted(request: str) -> list[str]:
    plain = request.translate({0x201C: '"', 0x201D: '"'})
    return [found for found in re.findall(r'"([^"\n]{2,200})"', plain) if words(found)]


def _proper_names(request: str) -> list[str]:
    """Capitalised runs inside sentences that are neither dates nor how the speaker introduces themselves."""
    plain = re.sub(
        r"(?i)\b(i'?m|i am|my name is|this is|hi|hello|hey|dear|thanks|thank you)[, ]+[A-Z][a-z]+", " ", request
    )
    found = []
    for match in re.finditer(r"(?<=[a-z0-9,;)] )[A-Z][\w'&.-]*(?: [A-Z][\w'&.-]*)*", plain):
        run = [
            word for word in re.split(r"[ .]", match.group().rstrip(".,'")) if fold(word).rstrip("s'") not in _COMMON
        ]
        if run and not dates(match.group()) and not times(match.group()) and not RELATIVE.fullmatch(run[0]):
            found.append(" ".join(run))
    return found


_COMMON = {
    *STOP,
    *MONTHS,
    *DAYS,
    "",
    "i'm",
    "i'd",
    "i'll",
    "i've",
    "ok",
    "usa",
    "us",
    "utc",
    "gmt",
    "est",
    "am",
    "pm",
    "mr",
    "mrs",
    "ms",
    "dr",
}


def _name_used(name: str, said: Text, task: Task) -> bool:
    parts = [stem(word) for word in words(name) if word not in STOP]
    if not parts or all(part in task.about for part in parts):
        return True
    if squeeze(name) in said.squeezed or squeeze(name) in said.initials or (Text(name).initials & said.tokens):
        return True
    return sum(part in said.stems or part in task.about for part in parts) >= 0.5 * len(parts)


def _silence(solution: dict[str, Any], _: list[Any], task: Task) -> Iterator[str]:
    """Calling nothing is right where no tool fits, or where what a fitting one requires was not told."""
    fitting = [tool for tool in task.tools.values() if _fits(tool, task)]
    spoken = " ".join(str(turn.get("message") or "") + str(turn.get("answer") or "") for turn in solution["turns"])
    asks = "?" in spoken or bool(re.search(r"\b(missing|provide|specify|need|invalid|incorrect|wrong)\b", fold(spoken)))
    if fitting and not (asks and any(_untold(tool, task) for tool in fitting)):
        yield "a tool fits the request, and none is called"


def _untold(tool: dict[str, Any], task: Task) -> bool:
    """Whether some required parameter finds nothing in the request it could be."""
    spec = tool["parameters"]
    for name in spec.get("required") or []:
        part = (spec.get("properties") or {}).get(name, {})
        kind = TYPES.get(str(part.get("type", "")).lower(), str(part.get("type", "")).lower())
        if kind in ("integer", "number") and not task.text.numbers:
            return True
        if re.search(r"\b(date|YYYY)\b", f"{name} {part.get('description', '')}") and not (
            task.text.dates or task.text.relative
        ):
            return True
        if "id" in words(name) and not re.search(r"\b\w*\d\w*\b", task.request):
            return True
    return False
