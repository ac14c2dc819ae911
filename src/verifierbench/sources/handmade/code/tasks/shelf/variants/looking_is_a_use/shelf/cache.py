"""The cache."""

from collections import OrderedDict

from .clock import SystemClock
from .stats import Stats

__all__ = ["Cache"]


class Cache:
    """At most `capacity` entries, each fresh for `lifetime` seconds; the least recently used comes first inside."""

    def __init__(self, capacity, lifetime=None, clock=None):
        if capacity < 1:
            raise ValueError("a cache holds at least one entry")
        self._capacity = capacity
        self._lifetime = lifetime
        self.stats = Stats()
        self._clock = clock or SystemClock()
        self._values = OrderedDict()
        self._deadlines = {}

    def get(self, key, default=None):
        """The value of a fresh entry, or the default."""
        if not self._is_fresh(key):
            self._drop(key)
            self.stats.misses += 1
            return default
        self.stats.hits += 1
        self._values.move_to_end(key)
        return self._values[key]

    def set(self, key, value):
        """Put an entry, in place of one with the same key."""
        if key not in self._values and len(self._values) >= self._capacity:
            self._make_room()
        self._values[key] = value
        self._values.move_to_end(key)
        if self._lifetime is not None:
            self._deadlines[key] = self._clock.now() + self._lifetime

    def delete(self, key):
        """Whether there was a fresh entry to delete."""
        fresh = self._is_fresh(key)
        self._drop(key)
        return fresh

    def keys(self):
        """Keys of fresh entries, the least recently used first."""
        return [key for key in self._values if self._is_fresh(key)]

    def __contains__(self, key):
        if not self._is_fresh(key):
            self._drop(key)
            return False
        self._values.move_to_end(key)
        return True

    def __len__(self):
        return len(self.keys())

    def _is_fresh(self, key):
        if key not in self._values:
            return False
        deadline = self._deadlines.get(key)
        return deadline is None or self._clock.now() < deadline

    def _drop(self, key):
        self._values.pop(key, None)
        self._deadlines.pop(key, None)

    def _make_room(self):
        for key in [key for key in self._values if not self._is_fresh(key)]:
            self._drop(key)
        if len(self._values) >= self._capacity:
            self._drop(next(iter(self._values)))
            self.stats.evictions += 1
