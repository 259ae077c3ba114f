"""Clients in each other's way pass their seeds, and each planted bug is seen."""

from __future__ import annotations

import pytest

from tests.simulation.contention import BUGS, run_contention

_BUG_SEEDS_MAX = 1_000


def test_no_seed_shows_a_violation_of_those_in_each_others_way(simulation_seeds: range) -> None:
    seeds = range(len(simulation_seeds) // 10)
    shown = {seed: found for seed in seeds if (found := run_contention(seed))}
    assert not shown


@pytest.mark.in_part(3, first=1)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_of_those_in_each_others_way_is_seen(bug: str) -> None:
    assert any(run_contention(seed, BUGS[bug]) for seed in range(_BUG_SEEDS_MAX))
