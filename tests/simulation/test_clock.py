"""Time keeps its promises through jumps of the wall clock, and each planted bug is seen."""

from __future__ import annotations

import pytest

from tests.simulation.clock import BUGS, run_clock

_BUG_SEEDS_MAX = 1_000


def test_no_seed_shows_a_violation_of_time(simulation_seeds: range) -> None:
    # One of these takes as long as some of the others.
    seeds = range(max(1, len(simulation_seeds) // 20))
    shown = {seed: found for seed in seeds if (found := run_clock(seed))}
    assert not shown


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_of_time_is_seen(bug: str) -> None:
    assert any(run_clock(seed, BUGS[bug]) for seed in range(_BUG_SEEDS_MAX))
