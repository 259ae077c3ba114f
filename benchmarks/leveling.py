"""Whether what is sampled over time has levelled off: a straight line fitted to the last two thirds.

growth = slope · length of that stretch / mean        0.1: a tenth more at its end than at its beginning
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

GROWTH_MAX = 0.1


@dataclass(frozen=True, slots=True)
class Fit:
    """`slope` in units an hour, `mean` in units; both of the last two thirds of the samples."""

    mean: float
    slope: float
    growth: float

    @property
    def level(self) -> bool:
        """What falls is level too."""
        return self.growth <= GROWTH_MAX


def fit(seconds: Sequence[float], values: Sequence[float]) -> Fit:
    """Of samples in order of time, at least six."""
    assert len(seconds) == len(values) >= 6, len(values)
    third = len(seconds) // 3
    times, rest = seconds[third:], values[third:]
    slope, _ = statistics.linear_regression(times, rest)
    mean = statistics.fmean(rest)
    growth = slope * (times[-1] - times[0]) / mean if mean else 0.0
    return Fit(mean, slope * 3600, growth)
