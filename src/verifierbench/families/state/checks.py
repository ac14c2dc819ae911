"""What a state reference is built from: pure checks over a conversation and what its replay was seen to do.

They read the view `{"solution", "runs": {"replay": {"results", "changes"}}}`. Checks on the state read the differences
between the initial state and the end; checks on the way look at successful calls unless told otherwise, for
a call that failed did nothing; checks on messages are in `said`, on facts that must be told in `facts`. Those that
say "every" hold where there is nothing to speak of: that something happened is another check's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from verifierbench.core import Absent, Check, at

from ..guest.diffs import fits, matches, same
from .content import is_solution
from .facts import asserted
from .said import (
    answer_is,
    answer_tells,
    consented,
    last_word,
    not_stated,
    not_told,
    result_told,
    tells,
    told,
    told_by_user,
    told_only_after,
    told_only_returned,
)
from .trace import Changed, changed, performed, selected
from .values import all_changed_to, always_among, told_before, user_told_before

# The end state ------------------------------------------------------------------------------------------------------


def well_formed(view: Any, parameters: Mapping[str, Any]) -> bool:  # noqa: ARG001
    """The solution meets the family's schema."""
    return is_solution(at(view, "/solution"))


def replayed(view: Any, parameters: Mapping[str, Any]) -> bool:  # noqa: ARG001
    """The environment replayed the events and reported every call and what they changed."""
    performed(view)
    changed(view)
    return True


def changed_to(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The value at a path is another than at first, and a right one: `{"path", "value" | "among" | "tells"}`.

    `among` lists right values; `tells` is `{"words": [..], "numbers": [..]}` that a text has to contain.
    """
    path = parameters["path"]
    for change in changed(view):
        if change.how != "removed" and f"{path}/".startswith(f"{change.path}/"):
            return _right(at(change.new, path[len(change.path) :]), parameters)
    raise Absent(path)


def unchanged(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Nothing at a path, below it or around it is other than at first: `{"path": pattern}`."""
    return not any(_touches(change.path, parameters["path"]) for change in changed(view))


def record_added(view: Any, parameters: Mapping[str, Any]) -> bool:
    """A record is there that was not: `{"under": pointer, "fields", "among", "tells", "count": exactly n, else some}`.

    Which identifier or place the new record got is free. `fields` have these values, `among` one of several, and
    `tells` gives texts that must contain `{"words", "numbers"}`; a count of 0 says that no such record was added.
    """
    return _counted(sum(_described(one.new, parameters) for one in _members(view, "added", parameters)), parameters)


def record_removed(view: Any, parameters: Mapping[str, Any]) -> bool:
    """A record with these fields was there and is no more: as `record_added`."""
    return _counted(sum(_described(one.old, parameters) for one in _members(view, "removed", parameters)), parameters)


def only_changed(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Nothing differs from the initial state but: `{"changed": [pattern], "added": {parent: n}, "removed": [pattern]}`.

    A pattern is a pointer in which `*` stands for one token; `n` bounds what may be added below a parent. All parts may
    be left out: `{}` says that nothing changed.
    """
    below: Counter[str] = Counter()
    for change in changed(view):
        if change.how == "added":
            below[change.path.rpartition("/")[0]] += 1
        elif not any(matches(change.path, pattern) for pattern in parameters.get(change.how, ())):
            return False
    allowed = parameters.get("added", {})
    return all(count <= _bound(parent, allowed) for parent, count in below.items())


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
        changed_to,
        all_changed_to,
        unchanged,
        record_added,
        record_removed,
        only_changed,
        called,
        not_called,
        all_succeeded,
        always_with,
        always_among,
        preceded,
        never_after,
        told_by_user,
        consented,
        told,
        told_before,
        user_told_before,
        not_told,
        told_only_after,
        not_stated,
        result_told,
        told_only_returned,
        asserted,
        last_word,
        answer_is,
        answer_tells,
    )
}


def _members(view: Any, how: str, parameters: Mapping[str, Any]) -> list[Changed]:
    """What was added to a table or removed from it."""
    under = parameters["under"]
    return [change for change in changed(view) if change.how == how and change.path.rpartition("/")[0] == under]


def _described(record: Any, parameters: Mapping[str, Any]) -> bool:
    among, told_in = parameters.get("among", {}), parameters.get("tells", {})
    return (
        fits(record, parameters.get("fields", {}))
        and all(key in record and _right(record[key], {"among": values}) for key, values in among.items())
        and all(key in record and _right(record[key], {"tells": what}) for key, what in told_in.items())
    )


def _right(value: Any, policy: Mapping[str, Any]) -> bool:
    if "tells" in policy:
        return isinstance(value, str) and tells([value], policy["tells"])
    return any(same(value, right) for right in policy.get("among", [policy.get("value")]))


def _touches(path: str, pattern: str) -> bool:
    """Whether one of two paths lies on the other."""
    have, want = path.split("/"), pattern.split("/")
    return all(w in ("*", h) for h, w in zip(have, want, strict=False))


def _bound(parent: str, allowed: Mapping[str, int]) -> int:
    return max((count for pattern, count in allowed.items() if matches(parent, pattern)), default=0)


def _counted(count: int, parameters: Mapping[str, Any]) -> bool:
    return count == parameters["count"] if "count" in parameters else count >= 1
