"""The dates of a rule."""

import datetime
import itertools

from ._vendor import monthmath

__all__ = ["between", "occurrences", "take"]


def occurrences(rule):
    """All dates of a rule, without end."""
    day = rule.first
    while True:
        yield day
        day = _step(rule, day)


def take(rule, count):
    """The first dates of a rule, as a list."""
    return list(itertools.islice(occurrences(rule), count))


def between(rule, start, end):
    """The dates of a rule from start to end, both included."""
    found = []
    for day in occurrences(rule):
        if day > end:
            return found
        if day >= start:
            found.append(day)


def _step(rule, day):
    if rule.unit == "days":
        return day + datetime.timedelta(days=rule.every)
    if rule.unit == "weeks":
        return day + datetime.timedelta(weeks=rule.every)
    if rule.unit == "months":
        return monthmath.shift(day, rule.every)
    return day.replace(year=day.year + rule.every)
