"""Parking fees in cents."""


def fee(minutes):
    """What a stay of that many minutes costs."""
    if minutes <= 30:
        return 0
    hours = minutes // 60
    return hours * 180
