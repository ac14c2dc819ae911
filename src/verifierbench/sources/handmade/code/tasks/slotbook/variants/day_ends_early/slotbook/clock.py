"""Times of day as minutes after midnight."""

__all__ = ["DAY", "format_time", "parse_time"]

DAY = 24 * 60


def parse_time(text):
    """Minutes of "HH:MM"."""
    hours, colon, minutes = text.partition(":")
    if not (colon and hours.isdigit() and minutes.isdigit() and len(minutes) == 2):
        raise ValueError(f"not a time: {text!r}")
    value = int(hours) * 60 + int(minutes)
    if int(minutes) > 59 or value >= DAY:
        raise ValueError(f"no such time: {text!r}")
    return value


def format_time(value):
    """ "HH:MM" of minutes."""
    if not 0 <= value <= DAY:
        raise ValueError(f"not within a day: {value!r}")
    return f"{value // 60:02d}:{value % 60:02d}"
