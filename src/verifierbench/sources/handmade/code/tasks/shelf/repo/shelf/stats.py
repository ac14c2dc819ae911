"""What a cache has been doing."""

__all__ = ["Stats"]


class Stats:
    """Counters."""

    def __init__(self):
        self.hits = 0
        self.misses = 0
        self.evictions = 0

    def as_tuple(self):
        return (self.hits, self.misses, self.evictions)

    def ratio(self):
        """Hits among all lookups, 0.0 when there were none."""
        lookups = self.hits + self.misses
        return self.hits / lookups if lookups else 0.0
