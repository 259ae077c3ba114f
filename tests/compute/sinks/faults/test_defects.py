"""A driver with a defect is seen by the fault case that is meant to see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compute.sinks.faults.cases import CASES, Case
from tests.compute.sinks.faults.kinds import run_case


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "kind"),
    [pytest.param(case, kind, id=f"{case.number}-{kind}") for case in CASES for kind in case.seen_on],
)
def test_a_driver_with_a_defect_is_seen(case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with pytest.raises(AssertionError):
        run_case(case, kind, tmp_path, request, case.defect)
