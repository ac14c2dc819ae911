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
        day = _restored(_step(rule, day), rule)


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
    return monthmath.shift(day, 12 * rule.every)


def _restored(day, rule):
    """In a month that is long enough, the day the rule began with."""
    if rule.unit in ("days", "weeks"):
        return day
    longest = monthmath.month_length(day.year, day.month)
    return day.replace(day=min(rule.first.day, longest))
