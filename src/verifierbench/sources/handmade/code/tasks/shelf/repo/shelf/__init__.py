"""A cache of limited size whose entries go stale.

>>> cache = Cache(capacity=1)
>>> cache.set("a", 1)
>>> cache.set("b", 2)
>>> cache.keys()
['b']
"""

from .cache import Cache
from .clock import ManualClock, SystemClock
from .stats import Stats

__all__ = ["Cache", "ManualClock", "Stats", "SystemClock"]
