"""monthmath 1.2: arithmetic on months."""

import datetime

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year):
    """Whether February has 29 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year, month):
    """Days of a month."""
    return 29 if month == 2 and is_leap(year) else _LENGTHS[month - 1]


def shift(day, months):
    """The same day of another month, or that month's last day."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return datetime.date(year, month, min(day.day, month_length(year, month)))
