"""Fault cases of a sink in several ranges of keys, and drivers with a defect that are seen by them there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.compute.sinks.faults.cases import CASES, Case
from tests.compute.sinks.faults.defects import Sound
from tests.compute.sinks.faults.kinds import run_case

_RANGES = 3


def _in_ranges(kinds: Callable[[Case], tuple[str, ...]]) -> pytest.MarkDecorator:
    params = ((case, kind) for case in CASES for kind in case.ranged(kinds(case)))
    return pytest.mark.parametrize(
        ("case", "kind"), [pytest.param(case, kind, id=f"{case.number}-{kind}") for case, kind in params]
    )


@_in_ranges(lambda case: case.kinds)
def test_a_fault_in_ranges_loses_nothing_and_doubles_nothing(
    case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    run_case(case, kind, tmp_path, request, Sound, _RANGES)


@_in_ranges(lambda case: case.seen_on)
def test_a_driver_with_a_defect_is_seen_in_ranges(
    case: Case, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(AssertionError):
        run_case(case, kind, tmp_path, request, case.defect, _RANGES)
