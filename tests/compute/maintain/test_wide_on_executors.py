"""Tasks of executors that are processes of their own maintain as those of this process do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compute.maintain.wide_on_executors import on_executors


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_tasks_of_executors_maintain_as_well(tmp_path: Path, whole: bool) -> None:
    names = ["group by key, 1", "full join", "group failing"]
    if whole:
        names += ["inner join", "distinct"]
    told = on_executors(tmp_path, "local-cluster[2,1,1024]", names)
    assert int(told["tasks"]) >= 2 * 3 * (len(names) - 1), "steps of later ticks were wide"
