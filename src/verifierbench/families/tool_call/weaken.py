"""Ways to make an atom of this family less strict: what a careless reference would have written instead.

Two tables: how a check is loosened, and how a policy is. A looser policy that could refuse something the policy takes
stands beside it in a `one_of`, so that a weakening never refuses more. What amounts to dropping the atom is not
listed: the mutation check drops every atom anyway. Nor is what only an attack would try (a number as text, another
letter case, a tool of a longer name): which attacks a task gets is for its season to draw, and potency measures them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from verifierbench.core import Atom, Weakening

_Policy: TypeAlias = Mapping[str, Any]
_Laxer: TypeAlias = tuple[str, str, _Policy]
"""Operator, part, the policy that takes the place of the whole."""

LOOSEN, PER_ARGUMENT = "loosen", "per_argument"
_ANY: _Policy = {"policy": "fits", "schema": {}}
_TYPES = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}


def weaken(atom: Atom) -> Iterator[Weakening]:
    """What takes an atom's place, part by part; nothing for a check that is as lax as the library can say it."""
    return _CHECKS.get(atom.check, _value)(atom)


# Checks ---------------------------------------------------------------------------------------------------------------


def _only_arguments(atom: Atom) -> Iterator[Weakening]:
    schema = {"type": "object", "maxProperties": len(atom.parameters["names"]) + 1}
    yield _looser(atom, "one more", "/arguments", {"policy": "fits", "schema": schema})


def _turn_count(atom: Atom) -> Iterator[Weakening]:
    yield _one_more(atom, "/solution/turns")


def _call_count(atom: Atom) -> Iterator[Weakening]:
    yield _one_more(atom, f"/solution/turns/{atom.parameters['turn']}/calls")


def _one_more(atom: Atom, pointer: str) -> Weakening:
    count = atom.parameters["count"]
    schema = {"type": "array", "minItems": count, "maxItems": count + 1}
    return _looser(atom, "one more", pointer, {"policy": "fits", "schema": schema})


def _none(_atom: Atom) -> Iterator[Weakening]:
    return iter(())


def _value(atom: Atom) -> Iterator[Weakening]:
    """An argument's atom: it may be left out, or its policy is laxer."""
    if not atom.parameters.get("may_omit", False):
        yield Weakening(operator=LOOSEN, part="omitted", node=_with(atom, {"may_omit": True}))
    for operator, part, policy in _laxer(atom.parameters["right"]):
        node = replace(_with(atom, {"right": policy}), check=policy["policy"])
        yield Weakening(operator=operator, part=part, node=node)


_CHECKS: dict[str, Callable[[Atom], Iterator[Weakening]]] = {
    "tool": _none,
    "only_arguments": _only_arguments,
    "turn_count": _turn_count,
    "call_count": _call_count,
    "before": _none,
}


def _looser(atom: Atom, part: str, pointer: str, policy: _Policy) -> Weakening:
    """The place a check of its own kind looks at, under a policy instead."""
    node = replace(atom, check=policy["policy"], parameters={"at": pointer, "right": policy, "may_omit": False})
    return Weakening(operator=LOOSEN, part=part, node=node)


def _with(atom: Atom, parameters: Mapping[str, Any]) -> Atom:
    return replace(atom, parameters={**atom.parameters, **parameters})


# Policies -------------------------------------------------------------------------------------------------------------


def _laxer(policy: _Policy) -> Iterator[_Laxer]:
    yield from _POLICIES[policy["policy"]](policy)
    if type(gold := _gold(policy)) in _TYPES:
        yield LOOSEN, "type", _or(policy, {"type": _TYPES[type(gold)]})


def _exact(policy: _Policy) -> Iterator[_Laxer]:
    if isinstance(policy["value"], str):
        yield from _text(policy)


def _number(policy: _Policy) -> Iterator[_Laxer]:
    value = policy["value"]
    about = max(1, abs(value) / 10)
    yield LOOSEN, "about", _or(policy, {"type": "number", "minimum": value - about, "maximum": value + about})


def _text(policy: _Policy) -> Iterator[_Laxer]:
    if text := _gold(policy):
        yield LOOSEN, "contains", {"policy": "one_of", "of": [policy, _containing(text)]}


def _date(policy: _Policy) -> Iterator[_Laxer]:
    yield LOOSEN, "any date", _or(policy, {"type": "string", "pattern": r"\d"})


def _list(policy: _Policy) -> Iterator[_Laxer]:
    if len({str(item) for item in policy["items"]}) > 1:
        yield LOOSEN, "order", {"policy": "set", "items": policy["items"]}
    yield from _set(policy)


def _set(policy: _Policy) -> Iterator[_Laxer]:
    """Elements that are missing, there twice, or of no matter are other faults: each is overlooked by itself."""
    items = [_schema(item) for item in policy["items"]]
    yield LOOSEN, "more elements", _or(policy, {"type": "array", "allOf": [{"contains": item} for item in items]})
    if len(items) > 1:
        yield LOOSEN, "fewer elements", _or(policy, {"type": "array", "minItems": 1, "items": {"anyOf": items}})
    for place in range(len(items)):
        freed = [_ANY if at == place else item for at, item in enumerate(policy["items"])]
        yield PER_ARGUMENT, str(place), {**policy, "items": freed}


def _object(policy: _Policy) -> Iterator[_Laxer]:
    keys = policy["keys"]
    required = {key: _schema(part) for key, part in keys.items()}
    more = {"type": "object", "required": list(required), "properties": required}
    yield LOOSEN, "more keys", _or(policy, more)
    for table in ("keys", "defaults"):
        for key in policy.get(table, {}):
            yield PER_ARGUMENT, key, {**policy, table: {**policy[table], key: _ANY}}
    for key, part in keys.items():
        optional = {**policy, "keys": {k: p for k, p in keys.items() if k != key}}
        optional["defaults"] = {**policy.get("defaults", {}), key: part}
        yield PER_ARGUMENT, f"{key} omitted", optional


def _one_of(policy: _Policy) -> Iterator[_Laxer]:
    if isinstance(_gold(policy), str):
        yield from _text(policy)


def _open(_policy: _Policy) -> Iterator[_Laxer]:
    return iter(())


_POLICIES: dict[str, Callable[[_Policy], Iterator[_Laxer]]] = {
    "exact": _exact,
    "wording": _text,
    "number": _number,
    "date": _date,
    "list": _list,
    "set": _set,
    "object": _object,
    "one_of": _one_of,
    "fits": _open,
}


def _gold(policy: _Policy) -> Any:
    """The right value, or what tells its type."""
    match policy:
        case {"policy": "list" | "set"}:
            return []
        case {"policy": "object"}:
            return {}
        case {"policy": "one_of", "of": [first, *_]}:
            return _gold(first)
        case {"value": value} | {"text": value}:
            return value
    return None


def _or(policy: _Policy, schema: Mapping[str, Any]) -> _Policy:
    return {"policy": "one_of", "of": [policy, {"policy": "fits", "schema": schema}]}


def _containing(text: str) -> _Policy:
    return {"policy": "fits", "schema": {"type": "string", "pattern": _anywhere(text)}}


def _anywhere(text: str) -> str:
    return f"(?i:{' +'.join(map(re.escape, text.split()))})"


def _schema(policy: _Policy) -> Mapping[str, Any]:
    """A JSON Schema that takes about what a policy takes; where it takes less the policy stands beside it."""
    match policy:
        case {"policy": "wording", "text": text}:
            return {"type": "string", "pattern": f"^ *{_anywhere(text)} *$"}
        case {"policy": "exact" | "number", "value": value}:
            return {"const": value}
        case {"policy": "one_of", "of": parts}:
            return {"anyOf": [_schema(part) for part in parts]}
        case {"policy": "object", "keys": keys}:
            return {"type": "object", "properties": {key: _schema(part) for key, part in keys.items()}}
    return {}
