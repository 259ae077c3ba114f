"""A fault between runtime and driver loses nothing and doubles nothing; `test_defects.py` holds that it would show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compute.sinks.faults.cases import Case
from tests.compute.sinks.faults.defects import Sound
from tests.compute.sinks.faults.kinds import parametrize_cases, run_case


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    parametrize_cases(metafunc, lambda case: case.kinds)


@pytest.mark.slow
def test_a_fault_loses_nothing_and_doubles_nothing(
    case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    run_case(case, kind, tmp_path, request, Sound)
