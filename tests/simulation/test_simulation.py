"""The system passes its seeds, and the checkers see each planted bug.

`--simulation-seeds N` runs N seeds instead of CI's few.
"""

from __future__ import annotations

import pytest

from tests.simulation.planted import BUGS, Planted
from tests.simulation.run import run_seed

pytestmark = pytest.mark.slow

BUG_SEEDS_MAX = 1_000


def test_no_seed_shows_a_violation(simulation_seeds: range) -> None:
    shown = {seed: found for seed in simulation_seeds if (found := run_seed(seed))}
    assert not shown


def test_no_seed_shows_a_violation_of_several_replicas(simulation_seeds: range) -> None:
    seeds = range(len(simulation_seeds) // 5)
    shown = {seed: found for seed in seeds if (found := run_seed(seed, replicas=2 + seed % 2))}
    assert not shown


@pytest.mark.in_part(3, first=1)
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_is_seen(bug: Planted) -> None:
    for seed in range(bug.first, bug.first + BUG_SEEDS_MAX):
        try:
            found = run_seed(seed, bug.plant, bug.consensus)
        except TypeError:  # what is planted no longer fits what it replaces
            raise
        except (AssertionError, Exception) as error:  # noqa: BLE001  a bug may break more than what clients see
            found = [repr(error)]
        if found:
            return
    pytest.fail(f"{BUG_SEEDS_MAX} seeds don't show: {bug.name}")


def test_a_seed_decides_everything() -> None:
    assert run_seed(3) == run_seed(3)
