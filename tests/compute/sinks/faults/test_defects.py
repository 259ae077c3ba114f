"""A driver with a defect is seen by the fault case that is meant to see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compute.sinks.faults.cases import Case
from tests.compute.sinks.faults.kinds import parametrize_cases, run_case


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    parametrize_cases(metafunc, lambda case: case.seen_on)


@pytest.mark.slow
def test_a_driver_with_a_defect_is_seen(case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with pytest.raises(AssertionError):
        run_case(case, kind, tmp_path, request, case.defect)
