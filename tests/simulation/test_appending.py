"""Histories of transactions that append to lists pass their seeds, and each planted bug is seen."""

from __future__ import annotations

import pytest

from tests.simulation.appending import BUGS, run_appending

_BUG_FIRST_SEED, _BUG_SEEDS_MAX = 2, 300
"""The search begins with the first seed that shows the bugs."""


def test_no_seed_shows_an_anomaly_of_lists(simulation_seeds: range) -> None:
    seeds = range(len(simulation_seeds) // 4)
    shown = {seed: found for seed in seeds if (found := run_appending(seed))}
    assert not shown


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_of_order_is_seen(bug: str) -> None:
    assert any(run_appending(seed, BUGS[bug]) for seed in range(_BUG_FIRST_SEED, _BUG_FIRST_SEED + _BUG_SEEDS_MAX))
