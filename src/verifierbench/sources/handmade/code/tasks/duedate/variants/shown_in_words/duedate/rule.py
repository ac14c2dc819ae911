"""What a rule is."""

import datetime

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

    def __repr__(self):
        return f"<every {self.every} {self.unit} from {self.first}>"

    def __eq__(self, other):
        if not isinstance(other, Rule):
            return NotImplemented
        return (self.first, self.every, self.unit) == (other.first, other.every, other.unit)

    def __hash__(self):
        return hash((self.first, self.every, self.unit))
