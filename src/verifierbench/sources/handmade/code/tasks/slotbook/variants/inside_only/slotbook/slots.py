"""Arithmetic on slots: tuples (start, end), in minutes."""

__all__ = ["gaps", "merge", "overlaps"]


def merge(slots):
    """Join slots that overlap or touch; the blocks come sorted, the argument stays as it is."""
    blocks = []
    for start, end in sorted(slots):
        if end < start:
            raise ValueError(f"ends before it starts: {(start, end)!r}")
        if blocks and start <= blocks[-1][1]:
            blocks[-1] = (blocks[-1][0], max(blocks[-1][1], end))
        else:
            blocks.append((start, end))
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
