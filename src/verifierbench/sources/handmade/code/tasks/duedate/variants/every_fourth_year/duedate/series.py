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
    for day in occurrences(rule):
        if day > end:
            return found
        if day >= start:
            found.append(day)


def _nth(rule, number):
    """Counted from the first date: counting from the one before would forget its day in a short month."""
    distance = number * rule.every
    if rule.unit == "days":
        return rule.first + datetime.timedelta(days=distance)
    if rule.unit == "weeks":
        return rule.first + datetime.timedelta(weeks=distance)
    if rule.unit == "months":
        return monthmath.shift(rule.first, distance)
    year = rule.first.year + distance
    if (rule.first.month, rule.first.day) == (2, 29) and year % 4:
        return datetime.date(year, 2, 28)
    return rule.first.replace(year=year)
