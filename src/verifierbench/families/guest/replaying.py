"""Replaying a conversation in an environment: the calls in order, and what each of them and all of them changed.

    {"results": [{"name", "arguments", "result" or "error", "changed"}, …],
     "changes": [{"path", "how", "old", "new"}, …]}

A worker script brings `perform`, which makes one call, and `snapshot`, which returns the state as JSON. What a call
changed is found by comparing snapshots: neither its name nor its success says so, for a read may leave a trace and a
call that fails may have done half of its work. Messages are passed over. An added value has no `old`, a removed one no
`new`. Standard library only, for it runs in a guarded worker.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .diffs import changes, pointed, same

MOST_EVENTS = 400
ROLES = ("assistant", "user")
SHAPE = 'a request is {"events": [...]}'


def complaint(request: Any) -> str:
    """Why something is no request; empty for one that is."""
    if not isinstance(request, dict) or set(request) != {"events"} or not isinstance(request["events"], list):
        return SHAPE
    if len(request["events"]) > MOST_EVENTS:
        return f"at most {MOST_EVENTS} events are replayed"
    wrong = next((number for number, event in enumerate(request["events"]) if not is_event(event)), None)
    return "" if wrong is None else f"event {wrong} is neither a message nor a call of the assistant or the user"


def is_event(event: Any) -> bool:
    """Whether a value is a message or a call, and nothing more."""
    if not isinstance(event, dict) or event.get("role") not in ROLES:
        return False
    if set(event) == {"role", "message"}:
        return isinstance(event["message"], str)
    call = event.get("call")
    if set(event) != {"role", "call"} or not isinstance(call, dict) or set(call) != {"name", "arguments"}:
        return False
    return isinstance(call["name"], str) and isinstance(call["arguments"], dict)


def replay(
    request: Mapping[str, Any], perform: Callable[[str, str, Any], dict[str, Any]], snapshot: Callable[[], Any]
) -> dict[str, Any]:
    """Make the calls of a well-formed request.

    `perform(role, name, arguments)` returns `{"result": …}` or `{"error": text}` and never raises; `snapshot()`
    returns the state as JSON of its own, which later calls leave alone.
    """
    results: list[dict[str, Any]] = []
    first = before = snapshot()
    for event in request["events"]:
        if "call" not in event:
            continue
        name, arguments = event["call"]["name"], event["call"]["arguments"]
        outcome = perform(event["role"], name, copy.deepcopy(arguments))
        after = snapshot()
        results.append({"name": name, "arguments": arguments, **outcome, "changed": not same(before, after)})
        before = after
    return {"results": results, "changes": list(described(first, before))}


def described(before: Any, after: Any) -> Iterator[dict[str, Any]]:
    """Every difference with the values on both its sides."""
    for change in changes(before, after):
        old = {} if change.how == "added" else {"old": pointed(before, change.path)}
        new = {} if change.how == "removed" else {"new": pointed(after, change.path)}
        yield {"path": change.path, "how": change.how, **old, **new}
