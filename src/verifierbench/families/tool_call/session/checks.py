"""The checks of executable tasks: what a turn brought about, what it left alone, what was looked up, what was said.

They read the view `{"solution", "runs": {"session", "start"}}`; turns count from 0. Like all checks of this family they
are pure, raise `Absent` where there is nothing to look at, and compare values by the family's policies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from verifierbench.core import Absent, Check, at

from ...guest.diffs import Change, changes, matches
from ..checks import accepts
from .protocol import results, state


def after_turn(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"turn", "at": pointer, "right": policy}`: the value there in the state after the turn is right."""
    return accepts(parameters["right"], at(state(view, parameters["turn"]), parameters["at"]))


def gone_after_turn(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"turn", "at": pointer}`: nothing is there in the state after the turn."""
    found = state(view, parameters["turn"])
    try:
        at(found, parameters["at"])
    except Absent:
        return True
    return False


def turn_frame(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Nothing else changed from the start of the turn to its end.

    `{"turn", "under": [pointer], "changed": [pattern], "removed": [pattern], "added": {parent: n},
    "inside": [{"at", "value", "free"}]}`. What stands at or below a pointer of `under` is other atoms' business. A
    pattern is a pointer in which `*` stands for one token; `n` bounds what may be added below a parent. What was
    added at `at`, where something was, equals `value` but for what stands at or below the pointers `free` inside it.
    """
    turn, under = parameters["turn"], parameters["under"]
    before, after = state(view, turn - 1), state(view, turn)
    found = (change for change in changes(before, after) if not any(_below(change.path, pin) for pin in under))
    return _licensed(found, parameters) and all(_equal_inside(after, part) for part in parameters.get("inside", ()))


def looked_up(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"turn", "ways": [selector], "sole": bool}`: some call of the turn is one of the ways and succeeded.

    A selector is `{"name", "arguments": {name: {"right": policy, "may_omit"}}, "result": {pointer: policy}}`;
    arguments it does not name must not be there. `sole` says that none of these tools could select anything else, and
    decides nothing.
    """
    played = results(view, parameters["turn"])
    return any(_selected(way, result) for way in parameters["ways"] for result in played)


def replied(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"turn"}`: the turn's message says something."""
    message = at(view, f"/solution/turns/{parameters['turn']}/message")
    return isinstance(message, str) and bool(message.strip())


def available(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`{"tools": {name: first turn}}`: every call names a tool that is there in its turn."""
    tools = parameters["tools"]
    turns = enumerate(at(view, "/solution/turns"))
    return all(tools.get(call["name"], turn + 1) <= turn for turn, one in turns for call in one["calls"])


CHECKS: dict[str, Check] = {
    check.__name__: check for check in (after_turn, gone_after_turn, turn_frame, looked_up, replied, available)
}


def _licensed(found: Any, parameters: Mapping[str, Any]) -> bool:
    below: Counter[str] = Counter()
    for change in found:
        if change.how == "added":
            below[change.path.rpartition("/")[0]] += 1
        elif not _matches_one(change, parameters.get(change.how, ())):
            return False
    allowed = parameters.get("added", {})
    return all(count <= allowed.get(parent, 0) for parent, count in below.items())


def _equal_inside(after: Any, part: Mapping[str, Any]) -> bool:
    try:
        found = at(after, part["at"])
    except Absent:
        return True
    return all(any(_below(change.path, pin) for pin in part["free"]) for change in changes(part["value"], found))


def _below(path: str, pointer: str) -> bool:
    return path == pointer or path.startswith(f"{pointer}/")


def _matches_one(change: Change, patterns: Any) -> bool:
    return any(matches(change.path, pattern) for pattern in patterns)


def selects(way: Mapping[str, Any], name: str, given: Mapping[str, Any]) -> bool:
    """Whether a call is what a selector asks for, whatever it returned."""
    wanted = way["arguments"]
    if name != way["name"] or not given.keys() <= wanted.keys():
        return False
    return all(accepts(p["right"], given[n]) if n in given else p.get("may_omit", False) for n, p in wanted.items())


def _selected(way: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    if "error" in result or not selects(way, result["name"], result["arguments"]):
        return False
    try:
        return all(accepts(right, at(result["result"], pointer)) for pointer, right in way.get("result", {}).items())
    except Absent:
        return False
