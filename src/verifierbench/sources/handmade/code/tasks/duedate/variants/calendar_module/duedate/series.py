"""The dates of a rule."""

import calendar
import datetime
import itertools

__all__ = ["between", "occurrences", "take"]


def occurrences(rule):
    """All dates of a rule, without end."""
    if rule.unit in ("days", "weeks"):
        step = datetime.timedelta(**{rule.unit: rule.every})
        day = rule.first
        while True:
            yield day
            day += step
    months = rule.every * (12 if rule.unit == "years" else 1)
    year, month = rule.first.year, rule.first.month
    while True:
        _, longest = calendar.monthrange(year, month)
        yield datetime.date(year, month, min(rule.first.day, longest))
        carry, month = divmod(month - 1 + months, 12)
        year, month = year + carry, month + 1


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
