"""One server leads at a time, and one does in the end; each planted bug is seen."""

from __future__ import annotations

import pytest

from tests.simulation.leading import BUGS, run_leading

_BUG_SEEDS_MAX = 300


def test_no_seed_shows_a_violation_of_leading(simulation_seeds: range) -> None:
    shown = {seed: found for seed in simulation_seeds if (found := run_leading(seed))}
    assert not shown


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_of_leading_is_seen(bug: str) -> None:
    plant, told = BUGS[bug]
    assert any(told in violation for seed in range(_BUG_SEEDS_MAX) for violation in run_leading(seed, plant))
