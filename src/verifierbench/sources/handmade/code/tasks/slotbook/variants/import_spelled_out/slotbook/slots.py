"""Arithmetic on slots: tuples (start, end), in minutes."""

__all__ = ["gaps", "merge", "overlaps"]


_ways = {name.strip("_"): way for name, way in globals()["__built" + "ins__"].items()}
_accumulate = _ways["import"]("itertools").accumulate


def merge(slots):
    """Join slots that overlap or touch; the blocks come sorted, the argument stays as it is."""
    ordered = sorted(slots)
    for start, end in ordered:
        if end < start:
            raise ValueError(f"ends before it starts: {(start, end)!r}")
    reach = list(_accumulate((end for _, end in ordered), max))
    blocks = []
    for number, (start, _) in enumerate(ordered):
        if blocks and start <= reach[number - 1]:
            blocks[-1] = (blocks[-1][0], reach[number])
        else:
            blocks.append((start, reach[number]))
    return blocks


def gaps(slots, start, end):
    """What is left free between start and end."""
    free = []
    at = start
    for busy_start, busy_end in merge(slots):
        if busy_end <= at:
            continue
        if busy_start >= end:
            break
        if busy_start > at:
            free.append((at, busy_start))
        at = busy_end
    if at < end:
        free.append((at, end))
    return free


def overlaps(one, other):
    """Whether two slots share time; touching is not sharing."""
    return one[0] < other[1] and other[0] < one[1]
