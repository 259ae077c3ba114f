"""Every operator of maintained views has all its parts, and docs/operators.md tells of them."""

from __future__ import annotations

import sys
import typing

import pytest

from compute.maintain.plan import Step
from compute.maintain.steps.parts import Maintenance
from tests.tidy.sources import ROOT
from tools.generate_operator_docs import TARGET, document, parts_of

_STEPS = typing.get_args(Step)
_GOLDEN = ROOT / "tests/compute/maintain/planning/golden/maintenance.txt"
_REFERENCE = ROOT / "tests/compute/maintain/planning/reference.py"
_WITHOUT_KERNEL = {"RecomputeStep"}


def test_the_page_is_what_the_steps_say() -> None:
    assert (ROOT / TARGET).read_text() == document(), "run python -m tools.generate_operator_docs"


@pytest.mark.parametrize("step", _STEPS, ids=lambda step: step.__name__)
def test_an_operator_has_all_its_parts(step: type) -> None:
    parts = parts_of(step)
    assert (ROOT / parts["stage"]).exists(), "a step has a stage in a file of the same name"
    assert bool(parts["kernels"]) != (step.__name__ in _WITHOUT_KERNEL)
    assert step.__doc__
    assert (sys.modules[step.__module__].__doc__ or "").count("\n\n") >= 1, "the law, then how it is held"
    assert f"case {step.__name__}(" in _REFERENCE.read_text(), "what it means in the most obvious form"


def test_every_word_of_explain_is_in_a_recorded_plan() -> None:
    recorded = _GOLDEN.read_text()
    assert all(f"[{word.value}]" in recorded for word in Maintenance)
