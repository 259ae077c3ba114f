"""Clusters of several replicas pass their seeds, and each planted bug is seen."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from tests.simulation.clusters import run_clusters
from tests.simulation.clusters_planted import BUGS
from tests.simulation.kept_interpreted import Witness

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1200),
]  # a cluster that never comes up to date takes its time

_BUG_SEEDS_MAX = 300


def test_no_seed_shows_a_violation_of_clusters(simulation_seeds: range) -> None:
    with capture_logs():
        # One of these takes as long as some of the others.
        seeds = range(max(4, len(simulation_seeds) // 5))
        witness = Witness()
        shown = {seed: found for seed in seeds if (found := run_clusters(seed, witness=witness))}
    assert not shown
    assert witness.copied >= len(seeds), "replicas copy what others have"


@pytest.mark.in_part(3)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_of_clusters_is_seen(bug: str) -> None:
    planted = BUGS[bug]
    for seed in range(planted.first, planted.first + _BUG_SEEDS_MAX):
        try:
            with capture_logs():
                found = run_clusters(seed, planted.plant)
        except (TypeError, AttributeError):  # what is planted no longer fits what it replaces
            raise
        except Exception as error:  # noqa: BLE001  a bug may break more than what clients see
            found = [repr(error)]
        if found:
            return
    pytest.fail(f"{_BUG_SEEDS_MAX} seeds don't show: {bug}")
