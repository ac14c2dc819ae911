"""Choosing versions."""

import operator

from .version import Version

__all__ = ["latest", "satisfies"]

_OPERATORS = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}


def satisfies(text, wanted):
    """Whether a version meets all conditions, as in ">=1.0.0, <2.0.0"."""
    version = Version(text)
    return all(compare(version, bound) for compare, bound in _conditions(wanted))


def latest(texts, wanted="", pre=False):
    """The text of the highest version that meets the conditions, or None."""
    found = [version for version in map(Version, texts) if satisfies(version.text, wanted) and (pre or not version.pre)]
    highest = max(found, default=None)
    return next((text for text in texts if Version(text) == highest), None)


def _conditions(wanted):
    for part in filter(None, (part.strip() for part in wanted.split(","))):
        for sign, compare in _OPERATORS.items():
            if part.startswith(sign):
                yield compare, Version(part[len(sign) :].strip())
                break
        else:
            raise ValueError(f"not a condition: {part!r}")
