"""Clocks, in seconds."""

import time

__all__ = ["ManualClock", "SystemClock"]


class SystemClock:
    """The machine's own, never set back."""

    def now(self):
        return time.monotonic()


class ManualClock:
    """Moves when it is told to."""

    def __init__(self, start=0.0):
        self._now = start

    def now(self):
        return self._now

    def advance(self, seconds):
        self._now += seconds
