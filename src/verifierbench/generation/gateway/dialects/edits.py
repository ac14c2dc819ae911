"""A request on its way: what is changed in it, and a note of every change.

The body that came is never touched; whoever reads the notes can tell what the harness had asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from verifierbench.generation.gateway.records import Change

Body: TypeAlias = dict[str, Any]
_ABSENT = object()


class Edits:
    """The body so far and the changes made."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.changes: list[Change] = []

    @property
    def result(self) -> tuple[Body, tuple[Change, ...]]:
        """The body to send on, and its changes."""
        return self.body, tuple(self.changes)

    def get(self, *keys: str) -> Any:
        """The value of a field; None where it is absent."""
        found = _find(self.body, keys)
        return None if found is _ABSENT else found

    def has(self, *keys: str) -> bool:
        """Whether a field is there, even as null."""
        return _find(self.body, keys) is not _ABSENT

    def put(self, value: Any, *keys: str) -> None:
        """Set a field; what stands in its way and is no object makes room."""
        was = self.get(*keys)
        if type(was) is type(value) and was == value:
            return
        parents = (depth for depth in range(1, len(keys)) if not isinstance(self.get(*keys[:depth]), dict))
        depth = next(parents, len(keys))
        for key in reversed(keys[depth:]):
            value = {key: value}
        keys = keys[:depth]
        self._note(keys, self.get(*keys), value)
        self.body = _with(self.body, keys, value)

    def drop(self, *keys: str) -> None:
        """Take a field out."""
        if self.has(*keys):
            self._note(keys, self.get(*keys), None)
            self.body = _without(self.body, keys)

    def leave_out(self, names: Iterable[str]) -> None:
        """Take fields of the body out, those that are null not."""
        for name in names:
            if self.get(name) is not None:
                self.drop(name)

    def rename(self, new: str, *keys: str) -> None:
        """Give a field another name, unless that one is taken."""
        target = (*keys[:-1], new)
        if self.has(*keys):
            value = self.get(*keys)
            self.drop(*keys)
            if not self.has(*target):
                self.put(value, *target)

    def clamp(self, limit: int, *keys: str) -> None:
        """Lower a field to a limit; add it where it is absent, or says "without limit" in one way or another."""
        value = self.get(*keys)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 1 <= value <= limit:
            self.put(limit, *keys)

    def sift(self, keep: Callable[[Any], Any], *keys: str) -> bool:
        """Take the entries for which `keep` is None out of a list; it may also give an entry to put in the place.

        What is no list goes whole: providers read more than they document. True where something was taken out.
        """
        entries = self.get(*keys)
        if not isinstance(entries, list):
            if entries is not None:
                self.drop(*keys)
            return entries is not None
        kept = [keep(entry) for entry in entries]
        changed = [at for at, entry in enumerate(entries) if kept[at] is not entry]
        for at in changed:
            self._note((*keys, str(at)), entries[at], kept[at])
        if changed:
            self.body = _with(self.body, keys, [entry for entry in kept if entry is not None])
        return bool(changed)

    def rewrite(self, settled: Callable[[Any, int], Any], root: str, opaque: frozenset[str]) -> None:
        """Put what `settled` gives for a value and its depth in the value's place, from the outside in.

        What it has put in is not looked at again, nor what stands under a key of `opaque`.
        """
        if self.has(root):
            self.body = {**self.body, root: self._rewritten(self.body[root], (root,), settled, opaque)}

    def _rewritten(
        self, value: Any, keys: tuple[str, ...], settled: Callable[[Any, int], Any], opaque: frozenset[str]
    ) -> Any:
        now = settled(value, len(keys))
        if now is not value:
            self._note(keys, value, now)
            return now
        if isinstance(value, list):
            return [self._rewritten(one, (*keys, str(at)), settled, opaque) for at, one in enumerate(value)]
        if isinstance(value, dict):
            return {
                key: one if key in opaque else self._rewritten(one, (*keys, key), settled, opaque)
                for key, one in value.items()
            }
        return value

    def _note(self, keys: tuple[str, ...], was: Any, now: Any) -> None:
        pointer = "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)
        self.changes.append(Change(field=pointer, was=was, now=now))


def _find(body: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        if not isinstance(body, dict) or key not in body:
            return _ABSENT
        body = body[key]
    return body


def _with(body: Body, keys: tuple[str, ...], value: Any) -> Body:
    first, *rest = keys
    return {**body, first: _with(body.get(first, {}), tuple(rest), value) if rest else value}


def _without(body: Body, keys: tuple[str, ...]) -> Body:
    first, *rest = keys
    if rest:
        return {**body, first: _without(body[first], tuple(rest))}
    return {key: value for key, value in body.items() if key != first}
