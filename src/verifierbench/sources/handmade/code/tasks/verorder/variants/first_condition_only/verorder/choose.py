"""Choosing versions."""

import operator
import re

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
_CONDITION = re.compile(r"(>=|<=|==|!=|>|<)\s*([^\s,]+)")


def satisfies(text, wanted):
    """Whether a version meets all conditions, as in ">=1.0.0, <2.0.0"."""
    version = Version(text)
    return all(compare(version, bound) for compare, bound in _conditions(wanted))


def latest(texts, wanted="", pre=False):
    """The text of the highest version that meets the conditions, or None."""
    found = [text for text in texts if satisfies(text, wanted) and (pre or not Version(text).pre)]
    return max(found, key=Version, default=None)


def _conditions(wanted):
    if not wanted.strip(" ,"):
        return
    found = _CONDITION.match(wanted.strip(" ,"))
    if not found:
        raise ValueError(f"not a condition: {wanted!r}")
    yield _OPERATORS[found[1]], Version(found[2])
