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
        return self._key() == other._key()

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self._key() < other._key()

    def __hash__(self):
        return hash(self._key())

    def _key(self):
        # A release comes after all of its pre-releases.
        return (self.release, not self.pre, tuple(_rank(part) for part in self.pre))


def _rank(part):
    """Numbers compare as numbers and come before text."""
    return (0, int(part), "") if part.isdigit() else (1, 0, part)
