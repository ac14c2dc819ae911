"""The dates of a rule."""

import datetime
import itertools

from ._vendor import monthmath

__all__ = ["between", "occurrences", "take"]


def occurrences(rule):
    """All dates of a rule, without end."""
    for number in itertools.count():
        yield _nth(rule, number)


def take(rule, count):
    """The first dates of a rule, as a list."""
    return list(itertools.islice(occurrences(rule), count))


def between(rule, start, end):
    """The dates of a rule from start to end, both included."""
    found = []
    for number in itertools.count(max(0, _skipped(rule, start))):
        day = _nth(rule, number)
        if day > end:
            return found
        if day >= start:
            found.append(day)


def _skipped(rule, start):
    """How many dates lie before start and need not be looked at; one less is as good."""
    if rule.unit in ("days", "weeks"):
        return (start - rule.first) // datetime.timedelta(**{rule.unit: rule.every})
    months = 12 * (start.year - rule.first.year) + start.month - rule.first.month
    return months // (rule.every if rule.unit == "months" else 12 * rule.every)


def _nth(rule, number):
    """Counted from the first date: counting from the one before would forget its day in a short month."""
    distance = number * rule.every
    if rule.unit == "days":
        return rule.first + datetime.timedelta(days=distance)
    if rule.unit == "weeks":
        return rule.first + datetime.timedelta(weeks=distance)
    if rule.unit == "months":
        return monthmath.shift(rule.first, distance)
    return monthmath.shift(rule.first, 12 * distance)
