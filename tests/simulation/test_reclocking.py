"""Sources pass their seeds, and each planted bug is seen."""

from __future__ import annotations

import pytest

from model.errors.sql_error import SqlError
from tests.simulation.reclocking import run_reclocking
from tests.simulation.reclocking_planted import BUGS

pytestmark = pytest.mark.slow

_BUG_SEEDS_MAX = 1_000


def test_no_seed_shows_a_violation_of_sources(simulation_seeds: range) -> None:
    # One of these takes as long as ten of the others.
    seeds = range(len(simulation_seeds) // 10)
    shown = {seed: found for seed in seeds if (found := run_reclocking(seed))}
    assert not shown


def test_no_seed_shows_a_violation_of_sources_that_tasks_read_by_ranges(simulation_seeds: range) -> None:
    seeds = range(max(1, len(simulation_seeds) // 20))
    shown = {seed: found for seed in seeds if (found := run_reclocking(seed, by_ranges=True))}
    assert not shown


def test_no_seed_shows_a_violation_of_sources_whose_tables_come_and_go(simulation_seeds: range) -> None:
    seeds = range(max(1, len(simulation_seeds) // 20))
    shown = {seed: found for seed in seeds if (found := run_reclocking(seed, with_tables=True))}
    assert not shown


@pytest.mark.in_part(3, first=2)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_of_sources_is_seen(bug: str) -> None:
    planted = BUGS[bug]
    for seed in range(planted.first, planted.first + _BUG_SEEDS_MAX):
        try:
            found = run_reclocking(seed, planted.plant, by_ranges=planted.by_ranges, with_tables=planted.with_tables)
        except (AssertionError, SqlError) as error:  # shards that disagree for good stop their source
            found = [str(error)]
        if found:
            return
    pytest.fail(f"{_BUG_SEEDS_MAX} seeds don't show: {bug}")
