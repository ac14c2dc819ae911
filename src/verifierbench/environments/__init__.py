"""The budget of a case and the cache of evidence that every public environment shares."""

from .budget import BudgetedEnvironment
from .cache import EvidenceCache
from .cached import CachedEnvironment
from .lazy import LazyEnvironment
from .repeatability import Quarantined, quarantine

__all__ = [
    "BudgetedEnvironment",
    "CachedEnvironment",
    "EvidenceCache",
    "LazyEnvironment",
    "Quarantined",
    "quarantine",
]
