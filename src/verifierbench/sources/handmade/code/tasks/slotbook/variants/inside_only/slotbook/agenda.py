"""A day's appointments."""

from .clock import DAY, format_time, parse_time
from .slots import gaps, merge, overlaps

__all__ = ["Agenda"]


class Agenda:
    """Appointments with titles, in the order they were added."""

    def __init__(self):
        self._entries = []

    def add(self, title, start, end):
        """Add an appointment; times are "HH:MM"."""
        slot = (parse_time(start), parse_time(end))
        if slot[1] < slot[0]:
            raise ValueError(f"{title} ends before it starts")
        self._entries.append((title, slot))

    def titles(self):
        """All titles, in the order they were added."""
        return [title for title, _ in self._entries]

    def busy(self):
        """Blocks of busy time, as pairs of "HH:MM"."""
        return [_pair(block) for block in merge(self._slots())]

    def free(self, start="00:00", end="24:00"):
        """Free time between two times, as pairs of "HH:MM"."""
        return [_pair(gap) for gap in gaps(self._slots(), parse_time(start), parse_time(end))]

    def minutes(self):
        """Minutes that are busy."""
        slots = set(self._slots())
        return sum(slot[1] - slot[0] for slot in slots if not any(_within(slot, other) for other in slots - {slot}))

    def clashes(self):
        """Pairs of titles whose appointments overlap, earlier added first."""
        found = []
        for number, (title, slot) in enumerate(self._entries):
            for other, other_slot in self._entries[number + 1 :]:
                if overlaps(slot, other_slot):
                    found.append((title, other))
        return found

    def share(self):
        """Busy part of the day, between 0.0 and 1.0."""
        return self.minutes() / DAY

    def _slots(self):
        return [slot for _, slot in self._entries]


def _within(slot, other):
    return other[0] <= slot[0] and slot[1] <= other[1]


def _pair(slot):
    return (format_time(slot[0]), format_time(slot[1]))
