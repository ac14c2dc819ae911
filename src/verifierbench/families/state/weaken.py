"""Ways to make an atom of this family less strict: what a careless reference would have written instead.

A table from checks to their weakenings. What is asked of several things is asked of all but one where each is a duty of
its own (a consent, a receipt, a step that comes first), and of one alone where they describe one thing together (the
fields of a record, what counts as private). A field is never freed alone, nor one path: an environment writes
the fields of a record together, so what one of them lets through another still holds, in every state that can occur.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from verifierbench.core import AnyOf, Atom, Node, Weakening

from .facts import is_number

_Parameters: TypeAlias = Mapping[str, Any]
_Laxer: TypeAlias = tuple[str, str, Node]
"""Operator, part, what takes the place of the atom."""

LOOSEN, PER_PATH = "loosen", "per_path"
_ANY_NUMBER = 1_000_000


def weaken(atom: Atom) -> Iterator[Weakening]:
    """What takes an atom's place, part by part; nothing for a check that is as lax as the library can say it."""
    for operator, part, node in _CHECKS.get(atom.check, _none)(atom):
        yield Weakening(operator=operator, part=part, node=node)


def _none(_atom: Atom) -> Iterator[_Laxer]:
    return iter(())


# The end state ------------------------------------------------------------------------------------------------------


def _record(atom: Atom) -> Iterator[_Laxer]:
    """A record of one field, of any fields, or as many as there may be; one too many where there may be none."""
    fields, count = atom.parameters.get("fields", {}), atom.parameters.get("count")
    for key, what in atom.parameters.get("tells", {}).items():
        for part, fewer in _less(what):
            yield PER_PATH, f"{key} {part}", _but(atom, tells={**atom.parameters["tells"], key: fewer})
    if count is None:
        yield LOOSEN, "any record", _with(atom, {"under": atom.parameters["under"]})
        for key in fields if len(fields) > 1 else ():
            yield PER_PATH, f"only {key}", _but(atom, fields={key: fields[key]})
    elif count > 0:
        yield LOOSEN, "at least one", _with(atom, {k: part for k, part in atom.parameters.items() if k != "count"})
    else:
        yield LOOSEN, "no two", AnyOf(of=(atom, replace(_but(atom, count=1), name=f"{atom.name} (or one)")))


def _changed_to(atom: Atom) -> Iterator[_Laxer]:
    """A text tells less."""
    if "tells" in atom.parameters:
        for part, fewer in _less(atom.parameters["tells"]):
            yield PER_PATH, part, _but(atom, tells=fewer)


def _only_changed(atom: Atom) -> Iterator[_Laxer]:
    """In the tables that may be written to, everything may change."""
    added = atom.parameters.get("added", {})
    changed, removed = atom.parameters.get("changed", []), atom.parameters.get("removed", [])
    around = (f"/{parent.split('/')[1]}" for parent in added)
    tables = dict.fromkeys([*(table for pattern in (*changed, *removed) for table in _table(pattern)), *around, *added])
    if tables:
        below = [f"{table}{depth}" for table in tables for depth in ("", "/*", "/*/*", "/*/*/*")]
        free = {
            "changed": [*changed, *(f"{path}/*" for path in below if path not in tables)],
            "removed": [*removed, *(f"{path}/*" for path in below)],
            "added": dict.fromkeys(below, _ANY_NUMBER),
        }
        yield LOOSEN, "whole tables", _but(atom, **free)


def _table(pattern: str) -> Iterator[str]:
    """The table of a path to a record's field; a path of another depth names none."""
    table, _, record_and_field = pattern[1:].partition("/")
    if table != "*" and record_and_field.count("/") == 1:
        yield f"/{table}"


# The way ------------------------------------------------------------------------------------------------------------


def _called(atom: Atom) -> Iterator[_Laxer]:
    least, most = atom.parameters.get("at_least", 1), atom.parameters.get("at_most")
    if most is not None:
        yield LOOSEN, "one more", _but(atom, at_most=most + 1)
    if least > 1:
        yield LOOSEN, "one less", _but(atom, at_least=least - 1)


def _not_called(atom: Atom) -> Iterator[_Laxer]:
    yield LOOSEN, "once", _once(atom, atom.parameters["call"])


def _all_succeeded(atom: Atom) -> Iterator[_Laxer]:
    yield LOOSEN, "one failed", _once(atom, {**atom.parameters["call"], "outcome": "error"})


def _always_with(atom: Atom) -> Iterator[_Laxer]:
    wanted = atom.parameters["arguments"]
    for key in wanted if len(wanted) > 1 else ():
        yield PER_PATH, key, _but(atom, arguments={k: value for k, value in wanted.items() if k != key})


def _preceded(atom: Atom) -> Iterator[_Laxer]:
    """One step need not come first; one counts that failed or was done to another record."""
    by = atom.parameters["by"]
    for place, pattern in enumerate(by):
        before, after, what = by[:place], by[place + 1 :], f"by {place} {pattern.get('name', '')}"
        if len(by) > 1:
            yield PER_PATH, what, _but(atom, by=[*before, *after])
        if "arguments" in pattern:
            tried = {key: part for key, part in pattern.items() if key != "arguments"} | {"outcome": "any"}
            yield LOOSEN, f"{what} tried", _but(atom, by=[*before, tried, *after])


def _once(atom: Atom, pattern: _Parameters) -> Node:
    return replace(atom, check="called", parameters={"call": pattern, "at_least": 0, "at_most": 1})


# What was said ------------------------------------------------------------------------------------------------------


def _told_by_user(atom: Atom) -> Iterator[_Laxer]:
    """A call that fails used nothing."""
    call = atom.parameters["call"]
    if call.get("outcome", "ok") == "any":
        yield LOOSEN, "only where it succeeded", _but(atom, call={**call, "outcome": "ok"})


def _consented(atom: Atom) -> Iterator[_Laxer]:
    """A no is overheard; one of the changes needs no consent; a question leaves out what it is about."""
    calls = atom.parameters["calls"]
    yield LOOSEN, "refusal overheard", _but(atom, no=[])
    for place, asked in enumerate(calls):
        before, after = calls[:place], calls[place + 1 :]
        if len(calls) > 1:
            yield PER_PATH, f"{place}", _but(atom, calls=[*before, *after])
        for what, fewer in _less(asked):
            yield PER_PATH, f"{place} {what}", _but(atom, calls=[*before, fewer, *after])


def _told(atom: Atom) -> Iterator[_Laxer]:
    for what, fewer in _less(atom.parameters):
        yield PER_PATH, what, _with(atom, fewer)
    words = atom.parameters.get("words", [])
    for place, word in enumerate(words):
        if isinstance(word, str) and len(word.split()) > 1:
            yield LOOSEN, f"{word} in part", _but(atom, words=[*words[:place], word.split()[0], *words[place + 1 :]])
    if "after" in atom.parameters:
        anywhere = {key: part for key, part in atom.parameters.items() if key != "after"}
        yield LOOSEN, "at any time", _with(atom, anywhere)


def _not_told(atom: Atom) -> Iterator[_Laxer]:
    kinds = ("words", "numbers")
    parts = [(kind, one) for kind in kinds for one in atom.parameters.get(kind, [])]
    for kind, one in parts if len(parts) > 1 else ():
        yield PER_PATH, f"only {one}", _with(atom, {kind: [one]})


def _result_told(atom: Atom) -> Iterator[_Laxer]:
    """The results of one tool need not be told."""
    call = atom.parameters["call"]
    names = call.get("name", "")
    for name in names if not isinstance(names, str) and len(names) > 1 else ():
        yield PER_PATH, name, _but(atom, call={**call, "name": [one for one in names if one != name]})


def _told_before(atom: Atom) -> Iterator[_Laxer]:
    parts = list(_less(atom.parameters))
    for what, fewer in parts if len(parts) > 1 else ():
        yield PER_PATH, what, _with(atom, fewer)


def _asserted(atom: Atom) -> Iterator[_Laxer]:
    """A rival beside the fact is overlooked; the fact is only looked for, as if a denial or a guess told it."""
    if "rivals" in atom.parameters:
        yield LOOSEN, "rivals overlooked", _but(atom, rivals=[])
    yield LOOSEN, "only looked for", _looked_for(atom)


def _looked_for(atom: Atom) -> Node:
    """Some spelling of the fact is there, whatever is said about it."""
    check = "answer_tells" if atom.parameters.get("where") == "answer" else "told"
    after = {key: part for key, part in atom.parameters.items() if key == "after"}
    kinds = [("numbers" if is_number(spelled) else "words", spelled) for spelled in atom.parameters["fact"]]
    ways = [replace(atom, check=check, parameters={kind: [spelled], **after}) for kind, spelled in kinds]
    if len(ways) == 1:
        return ways[0]
    return AnyOf(of=tuple(replace(way, name=f"{atom.name} ({kinds[n][1]})") for n, way in enumerate(ways)))


def _answer_tells(atom: Atom) -> Iterator[_Laxer]:
    for what, fewer in _less(atom.parameters):
        yield PER_PATH, what, _with(atom, fewer)


def _less(parameters: _Parameters) -> Iterator[tuple[str, dict[str, Any]]]:
    """One word or figure less to tell."""
    for kind in ("words", "numbers"):
        given = parameters.get(kind, [])
        for place, one in enumerate(given):
            what = one if isinstance(one, str) else " or ".join(one)
            yield what, {**parameters, kind: [*given[:place], *given[place + 1 :]]}


_CHECKS: dict[str, Callable[[Atom], Iterator[_Laxer]]] = {
    "changed_to": _changed_to,
    "record_added": _record,
    "record_removed": _record,
    "only_changed": _only_changed,
    "called": _called,
    "not_called": _not_called,
    "all_succeeded": _all_succeeded,
    "always_with": _always_with,
    "preceded": _preceded,
    "told_by_user": _told_by_user,
    "consented": _consented,
    "told": _told,
    "not_told": _not_told,
    "result_told": _result_told,
    "answer_tells": _answer_tells,
    "told_before": _told_before,
    "user_told_before": _told_before,
    "asserted": _asserted,
}


def _with(atom: Atom, parameters: _Parameters) -> Atom:
    return replace(atom, parameters=dict(parameters))


def _but(atom: Atom, **parameters: Any) -> Atom:
    return replace(atom, parameters={**atom.parameters, **parameters})
