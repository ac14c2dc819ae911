"""Compass bearings in degrees."""

POINTS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]


def turn(bearing, degrees):
    """The bearing after a turn to the right by that many degrees."""
    turned = (bearing + degrees) % 360
    return turned


def name(bearing):
    """A point of the compass."""
    eighth = (bearing + 22.5) // 45
    return POINTS[int(eighth) % 8]
