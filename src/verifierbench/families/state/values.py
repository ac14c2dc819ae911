"""Checks on several values at once: a record's fields that belong together, an argument that has a choice.

What one call writes together is one goal, so its fields stand in one atom: none of them could go wrong alone in a way
that another would not show. Registered in `checks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifierbench.core import Absent, at

from ..guest.diffs import same
from .said import tells
from .trace import changed, messages, selected


def all_changed_to(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Each value at a path is another than at first, and a right one: `{"values": {path: [right value, …]}}`."""
    return all(any(same(_now(view, path), right) for right in among) for path, among in parameters["values"].items())


def always_among(view: Any, parameters: Mapping[str, Any]) -> bool:
    """In every call of a pattern an argument, where there, is one of these: `{"call", "argument", "among": [..]}`."""
    key, among = parameters["argument"], parameters["among"]
    calls = [call for call in selected(view, parameters["call"]) if key in call.arguments]
    return all(any(same(call.arguments[key], value) for value in among) for call in calls)


def told_before(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Before every call of a pattern the assistant told all of these: `{"call", "words": [..], "numbers": [..]}`.

    A list among the words is a choice.
    """
    said = messages(view, "assistant")
    return all(
        tells([message.text for message in said if message.place < call.place], parameters)
        for call in selected(view, parameters["call"])
    )


def user_told_before(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Before every call of a pattern the user told all of these: as `told_before`."""
    said = messages(view, "user")
    return all(
        tells([message.text for message in said if message.place < call.place], parameters)
        for call in selected(view, parameters["call"])
    )


def _now(view: Any, path: str) -> Any:
    """What stands at the end at a path that differs; raises `Absent` where nothing differs."""
    for change in changed(view):
        if change.how != "removed" and f"{path}/".startswith(f"{change.path}/"):
            return at(change.new, path[len(change.path) :])
    raise Absent(path)
