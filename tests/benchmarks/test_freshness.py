"""How delays are told from what was acknowledged and what was seen."""

from __future__ import annotations

from benchmarks.freshness import Acknowledged, Seen


def test_a_commit_is_visible_when_the_counts_reach_it() -> None:
    written = Acknowledged([10, 20, 30, 40], [1.0, 2.0, 3.0, 4.0])
    seen = Seen([0, 15, 20, 35], [0.5, 1.5, 2.5, 2.75])
    assert seen.delays(written) == [0.5, 0.5, 0.0]
