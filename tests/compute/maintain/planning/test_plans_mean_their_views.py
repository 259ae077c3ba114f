"""The law of planning: at every time, the plan's output is the view over the inputs' contents at that time."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from compute.maintain.plan import MaintenancePlan
from compute.maintain.planning.maintained import plan_maintenance
from model.ids.global_id import GlobalId
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_relation
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    LocalGet,
    Map,
    Negate,
    Project,
    Relation,
    Union,
)
from planner.ir.scalar import SessionName
from planner.ir.visit import walk_relation
from planner.rules.pipeline import optimize
from tests.compute.maintain.planning.reference import Contents
from tests.compute.maintain.planning.reference import Rows as Counts
from tests.compute.maintain.planning.views import views
from tests.draws import draws
from tests.planner.rules.plans import CONTENTS, queries
from tests.planner.rules.plans import Contents as Inputs
from tests.planner.rules.typecheck import check_relation

VIEW = GlobalId.user(9)
LINEAR = (Get, LocalGet, Constant, Project, Map, FlatMap, Filter, Negate, Union)
MANY = draws(150, HealthCheck)


def planned(relation: Relation) -> MaintenancePlan:
    """The plan of one view."""
    return plan_maintenance(((VIEW, optimize(relation)),), (VIEW,))


def expected(relation: Relation, inputs: Inputs, time: int) -> Counts:
    """By definition."""
    context = EvaluationContext(session={SessionName.MZ_NOW: time}, collections=inputs.__getitem__)
    return Counter(evaluate_relation(relation, context, obvious=True))


def assert_well_formed(plan: MaintenancePlan) -> None:
    """Segments are linear and well typed, and read the streams before them with their types."""
    segments = [(at, segment) for at, step in enumerate(plan.steps) for segment in step.segments]
    segments += [(len(plan.steps), segment) for _, segment in plan.outputs]
    for end, segment in segments:
        check_relation(segment)
        for node in walk_relation(segment):
            assert isinstance(node, LINEAR), node
            if isinstance(node, LocalGet):
                assert 0 <= node.local_id < end
                assert plan.steps[node.local_id].types == relation_desc_of(node).types


@MANY
@given(queries(1), CONTENTS)
def test_plans_of_queries_with_subqueries_mean_them(relation: Relation, inputs: Inputs) -> None:
    plan = planned(relation)
    assert_well_formed(plan)
    assert Contents(inputs, 0).of_plan(plan)[VIEW] == expected(relation, inputs, 0)


@MANY
@given(views(), CONTENTS, st.integers(0, 4))
def test_plans_of_views_mean_them_at_every_time(relation: Relation, inputs: Inputs, time: int) -> None:
    plan = planned(relation)
    assert_well_formed(plan)
    assert Contents(inputs, time).of_plan(plan)[VIEW] == expected(relation, inputs, time)
