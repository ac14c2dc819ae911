"""The check library of tool-call references: small predicates over a solution or over one call of it.

Each is strict where a lax comparison loses meaning: nothing is deleted from a text, a boolean is never a number at any
depth, a list element or an argument too many is seen, and matching never depends on the order of calls. A check is
pure; it raises `Absent` where it finds nothing to look at, and no other exception on any JSON value.

Inside a `one_to_one` the view is one call, so that `at` is a pointer such as `/arguments/city`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from verifierbench.core import Absent, Check, at

from .dates import parse_date

_Policy: TypeAlias = Mapping[str, Any]
"""A policy as plain JSON data, as a reference holds it: {"policy": kind, …}."""


def accepts(policy: _Policy, value: Any) -> bool:
    """Whether a value is right under a policy."""
    return _ACCEPTS[policy["policy"]](policy, value)


def same(one: Any, other: Any) -> bool:
    """Equality of JSON values: numbers by value, booleans apart from numbers, key order free."""
    if is_number(one) and is_number(other):
        return bool(one == other)
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(part, other[key]) for key, part in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def is_number(value: Any) -> bool:
    """Whether a JSON value is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def plain(text: str) -> str:
    """A text without its letter case and its outer or repeated spaces (C9); idempotent."""
    return " ".join(filter(None, text.casefold().split(" ")))


def paired(policies: Sequence[_Policy], values: Sequence[Any]) -> bool:
    """Whether each policy can have a value of its own, with none of either left over."""
    if len(policies) != len(values):
        return False
    owner: dict[int, int] = {}
    fits = [[accepts(policy, value) for value in values] for policy in policies]

    def place(row: int, seen: set[int]) -> bool:
        for column, fit in enumerate(fits[row]):
            if fit and column not in seen:
                seen.add(column)
                if column not in owner or place(owner[column], seen):
                    owner[column] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(policies)))


def _exact(policy: _Policy, value: Any) -> bool:
    return same(policy["value"], value)


def _wording(policy: _Policy, value: Any) -> bool:
    return isinstance(value, str) and plain(value) == plain(policy["text"])


def _number(policy: _Policy, value: Any) -> bool:
    return is_number(value) and bool(value == policy["value"])


def _date(policy: _Policy, value: Any) -> bool:
    return isinstance(value, str) and (day := parse_date(value)) is not None and day == parse_date(policy["text"])


def _list(policy: _Policy, value: Any) -> bool:
    items = policy["items"]
    return isinstance(value, list) and len(value) == len(items) and all(map(accepts, items, value))


def _set(policy: _Policy, value: Any) -> bool:
    return isinstance(value, list) and paired(policy["items"], value)


def _object(policy: _Policy, value: Any) -> bool:
    keys, defaults = policy["keys"], policy.get("defaults", {})
    if not isinstance(value, dict) or not keys.keys() <= value.keys() <= keys.keys() | defaults.keys():
        return False
    return all(accepts(keys.get(key) or defaults[key], part) for key, part in value.items())


def _one_of(policy: _Policy, value: Any) -> bool:
    return any(accepts(part, value) for part in (*policy["of"], *policy.get("undecided", ())))


def _fits(policy: _Policy, value: Any) -> bool:
    import jsonschema  # heavy, and few references leave a value open

    return bool(jsonschema.Draft202012Validator(policy["schema"]).is_valid(value))


_ACCEPTS: dict[str, Callable[[_Policy, Any], bool]] = {
    "exact": _exact,
    "wording": _wording,
    "number": _number,
    "date": _date,
    "list": _list,
    "set": _set,
    "object": _object,
    "one_of": _one_of,
    "fits": _fits,
}


def _value(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"at": pointer, "right": policy, "may_omit": bool}`: the value there is right, or may be and is absent."""
    try:
        value = at(view, parameters["at"])
    except Absent:
        return bool(parameters.get("may_omit", False))
    return accepts(parameters["right"], value)


def _tool(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"name": str}`: the call names exactly this tool."""
    return bool(at(view, "/name") == parameters["name"])


def _only_arguments(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"names": [str]}`: the call has no argument beside these."""
    return set(at(view, "/arguments")) <= set(parameters["names"])


def _turn_count(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"count": int}`: the solution has exactly so many turns."""
    return bool(len(at(view, "/solution/turns")) == parameters["count"])


def _call_count(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"turn": int, "count": int}`: the turn has exactly so many calls."""
    return bool(len(at(view, f"/solution/turns/{parameters['turn']}/calls")) == parameters["count"])


def _before(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"turn": int, "first": selector, "then": selector}`: no call of `then` stands before one of `first`.

    A selector is `{"name": tool, "arguments": {name: {"right": policy, "may_omit": bool}}}`. Where one of the two is
    not called the order holds: that a call is missing is the matching's business.
    """
    calls = at(view, f"/solution/turns/{parameters['turn']}/calls")
    firsts = [place for place, call in enumerate(calls) if _selected(parameters["first"], call)]
    thens = [place for place, call in enumerate(calls) if _selected(parameters["then"], call)]
    return not firsts or not thens or max(firsts) < min(thens)


def _selected(selector: Mapping[str, Any], call: Mapping[str, Any]) -> bool:
    given = call["arguments"]
    return call["name"] == selector["name"] and all(
        accepts(part["right"], given[name]) if name in given else part.get("may_omit", False)
        for name, part in selector["arguments"].items()
    )


CHECKS: dict[str, Check] = {
    "tool": _tool,
    "only_arguments": _only_arguments,
    "turn_count": _turn_count,
    "call_count": _call_count,
    "before": _before,
    **dict.fromkeys(_ACCEPTS, _value),
}
"""Name → check. An argument's atom carries its policy's kind as the name of its check."""


_LIBRARY = ("checks.py", "dates.py", "session/checks.py", "session/protocol.py", "../guest/diffs.py")


def library_version() -> str:
    """SHA-256 of the source that decides: this module, the dates it reads, and the checks of executable tasks."""
    here = Path(__file__).parent
    return hashlib.sha256(b"\0".join((here / name).read_bytes() for name in _LIBRARY)).hexdigest()
