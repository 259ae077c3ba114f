"""Fault cases of a sink in several ranges of keys, and drivers with a defect that are seen by them there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compute.sinks.faults.cases import Case
from tests.compute.sinks.faults.defects import Sound
from tests.compute.sinks.faults.kinds import parametrize_cases, run_case

_RANGES = 3


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    seen = metafunc.function is test_a_driver_with_a_defect_is_seen_in_ranges
    parametrize_cases(metafunc, lambda case: case.ranged(case.seen_on if seen else case.kinds))


def test_a_fault_in_ranges_loses_nothing_and_doubles_nothing(
    case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    run_case(case, kind, tmp_path, request, Sound, _RANGES)


def test_a_driver_with_a_defect_is_seen_in_ranges(
    case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(AssertionError):
        run_case(case, kind, tmp_path, request, case.defect, _RANGES)
