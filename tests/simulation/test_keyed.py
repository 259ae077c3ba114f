"""Transactions over keys pass their seeds, and each planted bug is seen."""

from __future__ import annotations

import pytest

from tests.simulation.keyed import BUGS, FIRST_SEEDS, run_keyed

pytestmark = pytest.mark.slow

_BUG_SEEDS_MAX = 1_000


def test_no_seed_shows_a_violation_of_keys(simulation_seeds: range) -> None:
    seeds = range(len(simulation_seeds) // 4)
    shown = {seed: found for seed in seeds if (found := run_keyed(seed))}
    assert not shown


@pytest.mark.in_part(3)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_of_keys_is_seen(bug: str) -> None:
    first = FIRST_SEEDS.get(bug, 0)
    assert any(run_keyed(seed, BUGS[bug]) for seed in range(first, first + _BUG_SEEDS_MAX))
