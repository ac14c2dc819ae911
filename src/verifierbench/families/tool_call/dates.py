"""Dates in the spellings that convention C11 takes for the same day, and no others.

An all-numeric date that does not begin with its year (05/03/2031) is not among them: it can be read as two days.
"""

from __future__ import annotations

import datetime
import re

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NUMBER = {name: number for number, full in enumerate(_MONTHS, 1) for name in (full, full[:3])}
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})(?P<mark>[-/])(?P<month>\d{2})(?P=mark)(?P<day>\d{2})")
_DAY_FIRST = re.compile(r"(?P<day>\d{1,2}) (?P<month>[a-z]+),? (?P<year>\d{4})")
_MONTH_FIRST = re.compile(r"(?P<month>[a-z]+) (?P<day>\d{1,2}),? (?P<year>\d{4})")


def parse_date(text: str) -> datetime.date | None:
    """The day a text names in one of the spellings, or None."""
    if not text.isascii():
        return None
    for form in (_YEAR_FIRST, _DAY_FIRST, _MONTH_FIRST):
        if found := form.fullmatch(text.lower()):
            month = _NUMBER.get(found["month"]) or (int(found["month"]) if found["month"].isdecimal() else 0)
            return _day(int(found["year"]), month, int(found["day"]))
    return None


def spellings(day: datetime.date) -> tuple[str, ...]:
    """The ways to write a day, ISO first; `parse_date` reads each back."""
    name = _MONTHS[day.month - 1].capitalize()
    return (
        day.isoformat(),
        f"{day.day} {name} {day.year:04}",
        f"{name} {day.day}, {day.year:04}",
        f"{day.day} {name[:3]} {day.year:04}",
        day.strftime("%Y/%m/%d") if day.year >= 1000 else day.isoformat(),
    )


def _day(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None
