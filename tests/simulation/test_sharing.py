"""Views that share dataflows pass their seeds, they do come to share them, and each planted bug is seen."""

from __future__ import annotations

import pytest

from tests.simulation.kept_interpreted import Witness
from tests.simulation.sharing import run_sharing
from tests.simulation.sharing_planted import BUGS

pytestmark = pytest.mark.slow

_BUG_SEEDS_MAX = 1_000


def test_no_seed_shows_a_violation_of_those_that_share(simulation_seeds: range) -> None:
    # One of these takes as long as some of the others; of a few it may be luck that none has its replica go on.
    seeds, witness = range(max(6, len(simulation_seeds) // 5)), Witness()
    shown = {seed: found for seed in seeds if (found := run_sharing(seed, witness=witness))}
    assert not shown
    assert witness.taken >= 4 * len(seeds), "dataflows become one"
    assert witness.resumed >= len(seeds), "replicas go on with those that are one"


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_of_sharing_is_seen(bug: str) -> None:
    planted = BUGS[bug]
    for seed in range(planted.first, planted.first + _BUG_SEEDS_MAX):
        try:
            found = run_sharing(seed, planted.plant)
        except TypeError:  # what is planted no longer fits what it replaces
            raise
        except Exception as error:  # noqa: BLE001  a bug may break more than what clients see
            found = [repr(error)]
        if found:
            return
    pytest.fail(f"{_BUG_SEEDS_MAX} seeds don't show: {bug}")
