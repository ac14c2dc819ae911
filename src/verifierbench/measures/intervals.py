"""Intervals: of a mean over tasks, and of a share of independent trials.

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


def exact_interval(successes: int, trials: int, level: float = LEVEL) -> tuple[float, float] | None:
    """Two-sided Clopper–Pearson interval of a share of independent trials, in [0, 1]; None without trials.

    The bounds are quantiles of the beta distribution (Clopper and Pearson, Biometrika 26, 1934).
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if trials == 0:
        return None
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = betaincinv(successes, trials - successes + 1, tail) if successes else 0.0
    high = betaincinv(successes + 1, trials - successes, 1 - tail) if successes < trials else 1.0
    return float(low), float(high)


def _quantile(probability: float, degrees: int) -> float:
    # scipy takes a tenth of a second to import, and --help must not pay it.
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))
