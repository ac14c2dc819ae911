"""The dates of a rule."""

import itertools

__all__ = ["between", "occurrences", "take"]


def occurrences(rule):
    """All dates of a rule, without end."""
    number = 0
    while True:
        yield rule.date(number)
        number += 1


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
