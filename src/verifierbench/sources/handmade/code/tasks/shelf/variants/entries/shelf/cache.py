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
        self._entries = OrderedDict()

    def get(self, key, default=None):
        """The value of a fresh entry, or the default."""
        if not self._is_fresh(key):
            self._drop(key)
            self.stats.misses += 1
            return default
        self.stats.hits += 1
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def set(self, key, value):
        """Put an entry, in place of one with the same key."""
        self._drop(key)
        if len(self._entries) >= self._capacity:
            self._sweep()
        if len(self._entries) >= self._capacity:
            self._entries.popitem(last=False)
            self.stats.evictions += 1
        self._entries[key] = (value, None if self._lifetime is None else self._clock.now() + self._lifetime)

    def delete(self, key):
        """Whether there was a fresh entry to delete."""
        fresh = self._is_fresh(key)
        self._drop(key)
        return fresh

    def keys(self):
        """Keys of fresh entries, the least recently used first."""
        return [key for key in self._entries if self._is_fresh(key)]

    def __contains__(self, key):
        return self._is_fresh(key)

    def __len__(self):
        return len(self.keys())

    def _is_fresh(self, key):
        if key not in self._entries:
            return False
        _, deadline = self._entries[key]
        return deadline is None or self._clock.now() < deadline

    def _drop(self, key):
        self._entries.pop(key, None)

    def _sweep(self):
        fresh = self.keys()
        self._entries = OrderedDict((key, self._entries[key]) for key in fresh)
