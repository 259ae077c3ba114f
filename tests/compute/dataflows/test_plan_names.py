"""A raised number makes the states anew of the views that use what it is the number of, and of no others."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal

import pytest

from compute.maintain import step_numbers
from compute.maintain.plan import MaintenancePlan
from compute.maintain.plan_names import name_of
from compute.maintain.planning.maintained import plan_maintenance
from compute.protocol.plan_form import form_of, nodes_of
from model.ids.global_id import GlobalId
from planner.functions import answer_numbers
from planner.ir.aggregate import Aggregate
from planner.ir.relation import FlatMap
from planner.ir.scalar import Call
from planner.rules.pipeline import optimize
from tests.compute.maintain.relations import RELATIONS

_VIEW = GlobalId.user(9)


def _plans(view: GlobalId = _VIEW) -> dict[str, MaintenancePlan]:
    return {name: plan_maintenance(((view, optimize(each)),), (view,)) for name, each in RELATIONS.items()}


def _names(plans: dict[str, MaintenancePlan]) -> dict[str, str]:
    return {name: name_of(plan) for name, plan in plans.items()}


def _uses(plan: MaintenancePlan) -> set[str]:
    return {
        name
        for node in nodes_of(plan)
        for name in (type(node).__name__, node.function if isinstance(node, Call | Aggregate | FlatMap) else "")
    }


@pytest.mark.parametrize("key", ["sum_int4", "avg_numeric", "add_int4_int4", "min_text", "divide_int4_int4"])
def test_a_mended_function_is_seen_by_the_views_that_use_it_alone(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plans = _plans()
    before = _names(plans)
    monkeypatch.setattr(answer_numbers, "RAISED", {key: 2})
    second = _names(plans)
    monkeypatch.setattr(answer_numbers, "RAISED", {key: 3})
    third = _names(plans)
    using = {name for name, plan in plans.items() if key in _uses(plan)}
    assert {name for name in plans if before[name] != second[name]} == using
    assert {name for name in plans if second[name] != third[name]} == using
    assert using < plans.keys()


@pytest.mark.parametrize("class_", ["JoinStep", "GroupStep", "AccumulateStep", "TopK", "Case", "LetRecursive"])
def test_a_mended_step_is_seen_by_the_views_that_use_it_alone(class_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plans = _plans()
    before = _names(plans)
    monkeypatch.setattr(step_numbers, "RAISED", {class_: 2})
    after = _names(plans)
    using = {name for name, plan in plans.items() if class_ in _uses(plan)}
    assert {name for name in plans if before[name] != after[name]} == using
    assert using and using < plans.keys()


def test_other_plans_have_other_names_whatever_their_outputs_are_called() -> None:
    plans = _plans()
    names = _names(plans)
    assert len(set(names.values())) == len({form_of((plan.steps, plan.outputs)) for plan in plans.values()})
    assert names == _names(_plans(GlobalId.user(77)))


def test_names_are_equal_in_every_process() -> None:
    code = "from tests.compute.dataflows.test_plan_names import _names, _plans; print(sorted(_names(_plans()).items()))"
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == repr(sorted(_names(_plans()).items()))


@dataclass(frozen=True)
class _Node:
    left: object
    added: int = 0


def test_a_form_leaves_out_what_has_its_default_and_tells_values_apart() -> None:
    @dataclass(frozen=True)
    class Before:
        left: object

    Before.__name__ = "_Node"
    assert form_of(Before(1)) == form_of(_Node(1)) != form_of(_Node(1, 1))
    values = (1, 1.0, True, "1", b"1", Decimal(1), Decimal("1.0"), (1,), [1], frozenset((1,)), 2**70, None, 0.0, -0.0)
    assert len({form_of(value) for value in values}) == len(values)
    assert form_of(frozenset("abc")) == form_of(frozenset("cba"))


def test_transient_ids_count_by_their_order_alone() -> None:
    one, two, three = map(GlobalId.transient, (1, 2, 3))
    assert form_of((one, two, one)) == form_of((three, one, three)) != form_of((one, two, two))
    assert form_of(GlobalId.user(1)) != form_of(GlobalId.user(2))
