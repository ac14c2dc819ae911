"""The interval over tasks.

The task is the cluster, so the standard error is sd(J_t)/√T over the T tasks' values and the quantile is Student's t
with T - 1 degrees of freedom. Pooling the cases instead would claim an interval less than half as wide as it is.
The interval is not clipped to the figure's range: one that leaves the range says that T is too small for it, and
clipping would hide that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

LEVEL = 0.95
"""Coverage of every interval that is reported."""


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean, summed exactly so that the order of tasks cannot matter."""
    return math.fsum(values) / len(values)


def t_interval(values: Sequence[float], level: float = LEVEL) -> tuple[float, float] | None:
    """Two-sided interval of the mean of independent values, in their unit; None for fewer than two."""
    count = len(values)
    if count < 2:
        return None
    centre = mean(values)
    variance = math.fsum((value - centre) ** 2 for value in values) / (count - 1)
    reach = _quantile((1 + level) / 2, count - 1) * math.sqrt(variance / count)
    return centre - reach, centre + reach


def _quantile(probability: float, degrees: int) -> float:
    # scipy takes a tenth of a second to import, and --help must not pay it.
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))
