"""Arithmetic on slots: tuples (start, end), in minutes."""

__all__ = ["gaps", "merge", "overlaps"]


class Block:
    """A block while it grows; equal when both ends are."""

    def __init__(self, start, end):
        self.start, self.end = start, end

    def __eq__(self, other):
        return isinstance(other, Block) and (self.start, self.end) == (other.start, other.end)

    __hash__ = None


def merge(slots):
    """Join slots that overlap or touch; the blocks come sorted, the argument stays as it is."""
    blocks = []
    for start, end in sorted(slots):
        if end < start:
            raise ValueError(f"ends before it starts: {(start, end)!r}")
        if blocks and start <= blocks[-1].end:
            blocks[-1].end = max(blocks[-1].end, end)
        else:
            blocks.append(Block(start, end))
    return [(block.start, block.end) for block in blocks]


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
