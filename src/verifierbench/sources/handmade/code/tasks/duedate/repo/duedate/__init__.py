"""Repeating dates.

>>> from datetime import date
>>> take(parse("every 2 weeks", date(2024, 1, 1)), 2)
[datetime.date(2024, 1, 1), datetime.date(2024, 1, 15)]
"""

from .phrases import parse, phrase
from .rule import UNITS, Rule
from .series import between, occurrences, take

__all__ = ["UNITS", "Rule", "between", "occurrences", "parse", "phrase", "take"]
