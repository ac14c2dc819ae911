"""What a state reference is built from: pure checks over a conversation and what its replay was seen to do.

They read the view `{"solution", "runs": {"replay": {"results", "state"}, "initial": {"state"}}}`. Checks on the state
compare the replayed end with the initial state; checks on the way look at successful calls unless told otherwise, for
a call that failed did nothing; checks on messages are in `said`. Those that
say "every" hold where there is nothing to speak of: that something happened is another check's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from verifierbench.core import Absent, Check, at

from ..diffs import changes, fits, matches, same
from .content import is_solution
from .said import (
    answer_is,
    answer_tells,
    consented,
    last_word,
    not_stated,
    not_told,
    result_told,
    told,
    told_by_user,
    told_only_after,
    told_only_returned,
)
from .trace import INITIAL, REPLAY, performed, selected

# The end state ------------------------------------------------------------------------------------------------------


def well_formed(view: Any, parameters: Mapping[str, Any]) -> bool:  # noqa: ARG001
    """The solution meets the family's schema."""
    return is_solution(at(view, "/solution"))


def replayed(view: Any, parameters: Mapping[str, Any]) -> bool:  # noqa: ARG001
    """The environment replayed the events and reported every call and the state."""
    performed(view)
    return isinstance(_end(view), dict | list)


def state_is(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The value at a pointer into the end state: `{"pointer", "value"}`."""
    return same(at(_end(view), parameters["pointer"]), parameters["value"])


def state_has(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The end state has a record with these fields: `{"under": pointer, "fields", "count": exactly n, else some}`."""
    return _counted(sum(fits(row, parameters["fields"]) for row in _rows(_end(view), parameters)), parameters)


def state_lacks(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The end state has no record with these fields: `{"under": pointer, "fields"}`."""
    return not any(fits(row, parameters["fields"]) for row in _rows(_end(view), parameters))


def record_added(view: Any, parameters: Mapping[str, Any]) -> bool:
    """A record with these fields is there that was not: `{"under": pointer, "fields", "count": exactly n, else some}`.

    Which identifier or place the new record got is free.
    """
    under = parameters["under"]
    added = [change.path for change in changes(at(_start(view), under), at(_end(view), under)) if change.how == "added"]
    rows = [at(at(_end(view), under), path) for path in added]
    return _counted(sum(fits(row, parameters["fields"]) for row in rows), parameters)


def only_changed(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Nothing differs from the initial state but: `{"changed": [pattern], "added": {parent: n}, "removed": [pattern]}`.

    A pattern is a pointer in which `*` stands for one token; `n` bounds what may be added below a parent. All parts may
    be left out: `{}` says that nothing changed.
    """
    below: Counter[str] = Counter()
    for change in changes(_start(view), _end(view)):
        if change.how == "added":
            below[change.path.rpartition("/")[0]] += 1
        elif not any(matches(change.path, pattern) for pattern in parameters.get(change.how, ())):
            return False
    allowed = parameters.get("added", {})
    return all(count <= allowed.get(parent, 0) for parent, count in below.items())


# The way ------------------------------------------------------------------------------------------------------------


def called(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Calls of a pattern are there: `{"call", "at_least": 1, "at_most": no bound}`."""
    count = len(selected(view, parameters["call"]))
    return bool(parameters.get("at_least", 1) <= count <= parameters.get("at_most", count))


def not_called(view: Any, parameters: Mapping[str, Any]) -> bool:
    """No call of a pattern is there: `{"call"}`."""
    return not selected(view, parameters["call"])


def all_succeeded(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Every call of a pattern succeeded: `{"call"}`."""
    return not selected(view, {**parameters["call"], "outcome": "error"})


def always_with(view: Any, parameters: Mapping[str, Any]) -> bool:
    """In every call of a pattern these arguments, where it has them, have these values: `{"call", "arguments"}`."""
    wanted = parameters["arguments"].items()
    calls = selected(view, parameters["call"])
    return all(key not in call.arguments or same(call.arguments[key], value) for call in calls for key, value in wanted)


def preceded(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Before every call of one pattern there is one of each of others: `{"call", "by": [pattern]}`."""
    firsts = [min((call.place for call in selected(view, pattern)), default=None) for pattern in parameters["by"]]
    calls = selected(view, parameters["call"])
    return all(first is not None and first < call.place for call in calls for first in firsts)


def never_after(view: Any, parameters: Mapping[str, Any]) -> bool:
    """No call of a pattern comes after one of another: `{"call", "after": pattern}`."""
    first = min((call.place for call in selected(view, parameters["after"])), default=None)
    return first is None or all(call.place < first for call in selected(view, parameters["call"]))


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        well_formed,
        replayed,
        state_is,
        state_has,
        state_lacks,
        record_added,
        only_changed,
        called,
        not_called,
        all_succeeded,
        always_with,
        preceded,
        never_after,
        told_by_user,
        consented,
        told,
        not_told,
        told_only_after,
        not_stated,
        result_told,
        told_only_returned,
        last_word,
        answer_is,
        answer_tells,
    )
}


def _start(view: Any) -> Any:
    return at(view, f"/runs/{INITIAL}/state")


def _end(view: Any) -> Any:
    return at(view, f"/runs/{REPLAY}/state")


def _rows(state: Any, parameters: Mapping[str, Any]) -> Iterable[Any]:
    table = at(state, parameters["under"])
    if not isinstance(table, dict | list):
        raise Absent(parameters["under"])
    return table.values() if isinstance(table, dict) else table


def _counted(count: int, parameters: Mapping[str, Any]) -> bool:
    return count == parameters["count"] if "count" in parameters else count >= 1
