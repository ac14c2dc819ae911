"""Arithmetic on slots: tuples (start, end), in minutes."""

__all__ = ["gaps", "merge", "overlaps"]


def merge(slots):
    """Join slots that overlap or touch; the blocks come sorted, the argument stays as it is."""
    slots = list(slots)
    for start, end in slots:
        if end < start:
            raise ValueError(f"ends before it starts: {(start, end)!r}")
    # At one and the same minute openings come before closings, so that touching slots join.
    events = sorted([(start, 0) for start, _ in slots] + [(end, 1) for _, end in slots])
    blocks = []
    depth = 0
    for at, closing in events:
        if not closing:
            if depth == 0:
                block_start = at
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                blocks.append((block_start, at))
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
