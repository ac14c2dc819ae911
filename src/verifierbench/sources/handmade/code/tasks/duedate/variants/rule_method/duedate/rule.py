"""What a rule is."""

import datetime

from ._vendor import monthmath

__all__ = ["UNITS", "Rule"]

UNITS = ("days", "weeks", "months", "years")


class Rule:
    """Every so many units, from a first date on: a plain `date`, without a time of day."""

    def __init__(self, first, every=1, unit="months"):
        if unit not in UNITS:
            raise ValueError(f"no such unit: {unit!r}")
        if every < 1:
            raise ValueError("a rule must move forward")
        if type(first) is not datetime.date:
            raise TypeError(f"not a plain date: {first!r}")
        self.first = first
        self.every = every
        self.unit = unit

    def date(self, number):
        """The date of that number; the first has number 0."""
        steps = number * self.every
        if self.unit in ("days", "weeks"):
            return self.first + datetime.timedelta(**{self.unit: steps})
        return monthmath.shift(self.first, steps if self.unit == "months" else 12 * steps)

    def __repr__(self):
        return f"Rule({self.first!r}, {self.every!r}, {self.unit!r})"

    def __eq__(self, other):
        if not isinstance(other, Rule):
            return NotImplemented
        return (self.first, self.every, self.unit) == (other.first, other.every, other.unit)

    def __hash__(self):
        return hash((self.first, self.every, self.unit))
