"""One version."""

import functools
import re

__all__ = ["Version"]

_FORM = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?")


@functools.total_ordering
class Version:
    """A version number; compares with other versions."""

    def __init__(self, text):
        found = _FORM.fullmatch(text)
        if not found:
            raise ValueError(f"not a version: {text!r}")
        self.text = text
        self.release = tuple(int(part) for part in found.group(1, 2, 3))
        self.pre = tuple(found.group(4).split(".")) if found.group(4) else ()
        self.build = found.group(5) or ""
        if "" in self.pre:
            raise ValueError(f"an empty part: {text!r}")

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"Version({self.text!r})"

    def __eq__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.release == other.release and _compare(self.pre, other.pre) == 0

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        if self.release != other.release:
            return self.release < other.release
        return _compare(self.pre, other.pre) < 0

    def __hash__(self):
        return hash((self.release, tuple(int(part) if part.isdigit() else part for part in self.pre)))


def _compare(one, other):
    """Negative, zero or positive, as pre-release one comes before, with or after the other."""
    if not one or not other:
        return len(other) - len(one)
    for mine, theirs in zip(one, other):
        if mine.isdigit() and theirs.isdigit():
            mine, theirs = int(mine), int(theirs)
        elif mine.isdigit() or theirs.isdigit():
            return -1 if mine.isdigit() else 1
        if mine != theirs:
            return -1 if mine < theirs else 1
    return len(one) - len(other)
