"""What the soak calls level."""

from __future__ import annotations

import random

from benchmarks.leveling import fit

_SECONDS = [float(second) for second in range(0, 1800, 5)]


def test_a_start_is_no_growth() -> None:
    assert fit(_SECONDS, [min(second, 300.0) for second in _SECONDS]).level


def test_noise_and_saw_teeth_are_level() -> None:
    source = random.Random(1)
    assert fit(_SECONDS, [100 + source.random() * 20 for _ in _SECONDS]).level
    assert fit(_SECONDS, [100 + second % 120 for second in _SECONDS]).level


def test_a_leak_is_growth_and_its_slope_is_told() -> None:
    fitted = fit(_SECONDS, [500 + second / 10 for second in _SECONDS])
    assert not fitted.level
    assert abs(fitted.slope - 360) < 1e-6


def test_what_falls_or_is_nothing_is_level() -> None:
    assert fit(_SECONDS, [5000 - second for second in _SECONDS]).level
    assert fit(_SECONDS, [0.0] * len(_SECONDS)).level
