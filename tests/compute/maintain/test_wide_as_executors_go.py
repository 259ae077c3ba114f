"""Executors come and go while their tasks maintain, and nobody sees a difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compute.maintain.wide_on_executors import on_executors


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_executors_come_and_go_and_nobody_sees_a_difference(tmp_path: Path) -> None:
    """One is killed before and after each of a join's two jobs, and of that which exports; a tick waits while there is
    none, or is cancelled."""
    told = on_executors(tmp_path, "standalone", ["inner join"])
    assert told["killed"] == 6
    assert told["waited"] and told["dropped"]
