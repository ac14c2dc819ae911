"""What we need beside the vendored monthmath."""

from ._vendor import monthmath

__all__ = ["shift"]


def shift(day, months, wanted=None):
    """Like `monthmath.shift`, for the wanted day of the month where there is one."""
    moved = monthmath.shift(day, months)
    return moved.replace(day=min(wanted or day.day, monthmath.month_length(moved.year, moved.month)))
