"""Running figures."""

__all__ = ["running_max"]


def running_max(values):
    """The largest of each value and all before it."""
    largest = []
    for value in values:
        largest.append(value if not largest or value > largest[-1] else largest[-1])
    return largest
