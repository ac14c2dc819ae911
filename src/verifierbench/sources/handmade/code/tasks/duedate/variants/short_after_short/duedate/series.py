"""The dates of a rule."""

import datetime
import itertools

from ._vendor import monthmath

__all__ = ["between", "occurrences", "take"]


def occurrences(rule):
    """All dates of a rule, without end."""
    day = rule.first
    for number in itertools.count(1):
        yield day
        if rule.unit == "months":
            day = _back(monthmath.shift(day, rule.every), day, rule)
        else:
            day = _nth(rule, number)


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


def _back(day, before, rule):
    """After a short month, the day the rule began with."""
    return day.replace(day=rule.first.day) if before.day < rule.first.day else day


def _nth(rule, number):
    """Counted from the first date: counting from the one before would forget its day in a short month."""
    distance = number * rule.every
    if rule.unit == "days":
        return rule.first + datetime.timedelta(days=distance)
    if rule.unit == "weeks":
        return rule.first + datetime.timedelta(weeks=distance)
    return monthmath.shift(rule.first, 12 * distance)
