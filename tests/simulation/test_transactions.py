"""Transactions beside DDL pass their seeds, and each planted bug is seen."""

from __future__ import annotations

import pytest

from tests.simulation.transactions import BUGS, run_transactions

_BUG_SEEDS_MAX = 1_000


def test_no_seed_shows_a_violation_of_transactions(simulation_seeds: range) -> None:
    # One of these takes as long as ten of the others.
    seeds = range(len(simulation_seeds) // 10)
    shown = {seed: found for seed in seeds if (found := run_transactions(seed))}
    assert not shown


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_of_transactions_is_seen(bug: str) -> None:
    assert any(run_transactions(seed, BUGS[bug]) for seed in range(_BUG_SEEDS_MAX))
