"""What planning shares, refuses and says."""

from __future__ import annotations

import pytest

from compute.maintain.description import recomputed
from compute.maintain.plan import MaintenancePlan, Step
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.steps.accumulate import AccumulateStep
from compute.maintain.steps.delay import DelayStep
from compute.maintain.steps.group import GroupStep
from compute.maintain.steps.join import JoinStep
from compute.maintain.steps.parts import Maintenance
from compute.maintain.steps.prefix import OrderedPrefix
from compute.maintain.steps.recompute import RecomputeStep
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4, INT8, REGCLASS, array_of
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Filter,
    Get,
    Join,
    JoinKind,
    LocalGet,
    Map,
    Negate,
    Project,
    Recursive,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
)
from planner.ir.scalar import Call, Column, Literal
from tests.compute.maintain.planning.reference import Contents
from tests.compute.maintain.planning.test_golden_maintenance import TABLES as STATEMENTS
from tests.compute.maintain.planning.test_golden_maintenance import planned, relation_of
from tests.planner.rules.plans import PAIR, TABLES, call
from tests.planner.small_catalog import SmallCatalog

T, U, _ = TABLES
K, X = Column(0, INT4), Column(1, INT4)
COUNT = Aggregate("count_star", (), INT8)
FIRST, SECOND = GlobalId.user(8), GlobalId.user(9)
EQUAL = call("eq_int4_int4", Column(0, INT4), Column(2, INT4))


def kinds(plan: MaintenancePlan) -> list[type[Step]]:
    return [type(step) for step in plan.steps]


def reduced(relation: Relation) -> Reduce:
    return Reduce(relation, (K,), (COUNT,), ("k", "n"))


def test_objects_read_those_before_them() -> None:
    counts = reduced(T)
    many = Filter(Get(FIRST, relation_desc_of(counts)), (call("gt_int8_int8", Column(1, INT8), Literal(1, INT8)),))
    plan = plan_maintenance(((FIRST, counts), (SECOND, many)), (SECOND, FIRST))
    assert kinds(plan) == [AccumulateStep]
    rows: dict[GlobalId, list[Row]] = {T.id: [(1, 1), (1, 2), (2, 2)]}
    contents = Contents(rows, 0).of_plan(plan)
    assert contents == {SECOND: {(1, 2): 1}, FIRST: {(1, 2): 1, (2, 1): 1}}
    assert [id_ for id_, _ in plan.outputs] == [SECOND, FIRST]


def test_objects_that_nobody_reads_are_not_planned() -> None:
    assert kinds(plan_maintenance(((FIRST, reduced(T)), (SECOND, T)), (SECOND,))) == []


def test_equal_steps_are_one() -> None:
    both = Join(JoinKind.INNER, reduced(T), reduced(T), (EQUAL,))
    assert kinds(plan_maintenance(((FIRST, both), (SECOND, reduced(T))), (FIRST, SECOND))) == [AccumulateStep, JoinStep]


def test_steps_that_differ_in_the_scale_of_a_number_are_two() -> None:
    """1.0 and 1.00 are equal, but are not written alike."""
    catalog = SmallCatalog()
    catalog.run("create table t (n numeric)")
    parts = [f"select n * {number} from t group by n * {number}" for number in ("1.0", "1.00")]
    assert len(planned(relation_of(catalog, " union all ".join(parts))).steps) == 2


def test_a_long_segment_is_made_once_for_several_readers() -> None:
    long: Relation = T
    for _step in range(5):
        long = Union((Filter(long, (call("is_not_null_any", K),)), U))
    readers = Union((reduced(Project(long, (1, 0))), reduced(long)))
    seen = Get(FIRST, relation_desc_of(long))
    again = Union((reduced(Project(seen, (1, 0))), reduced(seen)))
    assert kinds(plan_maintenance(((SECOND, readers),), (SECOND,))) == [AccumulateStep] * 2
    plan = plan_maintenance(((FIRST, long), (SECOND, again)), (SECOND,))
    assert kinds(plan) == [DelayStep, AccumulateStep, AccumulateStep]
    assert plan.steps[0] == DelayStep(long)


def test_a_left_join_with_unique_rows_is_one_step_more() -> None:
    plan = plan_maintenance(((FIRST, Join(JoinKind.LEFT, U, reduced(T), (EQUAL,))),), (FIRST,))
    assert kinds(plan) == [AccumulateStep, JoinStep]
    plan = plan_maintenance(((FIRST, Join(JoinKind.SEMI, U, reduced(T), (EQUAL,))),), (FIRST,))
    assert kinds(plan) == [AccumulateStep, JoinStep]


def test_rows_that_are_unique_by_other_columns_than_those_joined_on_may_be_many() -> None:
    counts = reduced(T)
    on = call("eq_int8_int8", Column(3, INT8), Call("cast_int4_int8", (K,), INT8))
    rows: dict[GlobalId, list[Row]] = {T.id: [(5, 0), (6, 0)], U.id: [(1, 0), (2, 0)]}
    for kind, expected in (
        (JoinKind.SEMI, {(1, 0): 1}),
        (JoinKind.LEFT, {(1, 0, 5, 1): 1, (1, 0, 6, 1): 1, (2, 0, None, None): 1}),
    ):
        plan = plan_maintenance(((FIRST, Join(kind, U, counts, (on,))),), (FIRST,))
        assert Contents(rows, 0).of_plan(plan)[FIRST] == expected


def test_a_group_whose_rows_a_filter_leaves_out_is_still_there() -> None:
    asked = call("gt_int4_int4", X, Literal(0, INT4))
    some = Aggregate("count_any", (X,), INT8, distinct=True, condition=asked)
    plan = plan_maintenance(((FIRST, Reduce(T, (K,), (some, some), ("k", "m", "n"))),), (FIRST,))
    rows: dict[GlobalId, list[Row]] = {T.id: [(1, 0), (2, 1), (2, 1), (2, 2)]}
    assert Contents(rows, 0).of_plan(plan)[FIRST] == {(1, 0, 0): 1, (2, 2, 2): 1}


def test_what_a_recursion_takes_away_is_an_input_before_it_is_taken_away() -> None:
    last = LocalGet(1, PAIR)
    stepped = Project(Join(JoinKind.INNER, last, T, (call("eq_int4_int4", X, Column(2, INT4)),)), (0, 3))
    recursive = Recursive(1, T, Threshold(Union((stepped, Negate(U)))), True)
    plan = plan_maintenance(((FIRST, recursive),), (FIRST,))
    rows: dict[GlobalId, list[Row]] = {T.id: [(1, 2), (2, 3), (3, 4)], U.id: [(1, 4)]}
    contents = Contents(rows, 0).of_plan(plan)[FIRST]
    assert contents == {(1, 2): 1, (2, 3): 1, (3, 4): 1, (1, 3): 1, (2, 4): 1}
    assert recomputed(plan) == ["WITH RECURSIVE"]


def test_rows_that_are_distinct_already_are_not_made_so_again() -> None:
    distinct = Reduce(reduced(T), (K, Column(1, INT8)), (), ("k", "n"))
    assert kinds(plan_maintenance(((FIRST, distinct),), (FIRST,))) == [AccumulateStep]
    assert kinds(plan_maintenance(((FIRST, Threshold(reduced(T))),), (FIRST,))) == [AccumulateStep]


def test_a_join_on_what_can_be_no_key_is_recomputed() -> None:
    desc = relation_desc(("r", array_of(REGCLASS)), ("k", INT4))
    left, right = Get(GlobalId.user(1), desc), Get(GlobalId.user(2), desc)
    arrays = Column(0, array_of(REGCLASS)), Column(2, array_of(REGCLASS))
    on = Call("lt_anyarray_anyarray", arrays, BOOL)
    plan = plan_maintenance(((FIRST, Join(JoinKind.ANTI, left, right, (on,))),), (FIRST,))
    assert kinds(plan) == [RecomputeStep]
    assert recomputed(plan) == ["anti join on values that can't be keys"]
    rows: dict[GlobalId, list[Row]] = {left.id: [((1,), 1), ((3,), 1), (None, 1)], right.id: [((2,), 5)]}
    assert Contents(rows, 0).of_plan(plan)[FIRST] == {((3,), 1): 1, (None, 1): 1}
    assert recomputed(plan_maintenance(((FIRST, Join(JoinKind.INNER, left, right, (on,))),), (FIRST,))) == []


def test_what_reads_all_rows_for_each_change_says_so() -> None:
    listed = Aggregate("array_agg_anynonarray", (X,), array_of(INT4))
    plan = plan_maintenance(((FIRST, Reduce(T, (), (listed, COUNT), ("l", "n"))),), (FIRST,))
    assert kinds(plan) == [GroupStep]
    assert recomputed(plan) == ["array_agg, count of all rows"]
    assert recomputed(plan_maintenance(((FIRST, Reduce(T, (K,), (listed,), ("k", "l"))),), (FIRST,))) == []


def test_the_greatest_of_all_rows_needs_the_first_of_them() -> None:
    largest = Aggregate("max_int4", (X,), INT4)
    plan = plan_maintenance(((FIRST, Reduce(T, (), (largest, COUNT), ("m", "n"))),), (FIRST,))
    assert [step.maintenance for step in plan.steps] == [Maintenance.PREFIX, Maintenance.ACCUMULABLE, Maintenance.JOIN]
    assert recomputed(plan) == []


def test_a_group_is_ordered_by_what_differs_within_it() -> None:
    """`select distinct on (k) … order by k, x`: k is the same throughout."""
    asked = tuple(SortKey(column, False, False) for column in (K, X))
    top = TopK(T, (0,), asked, Literal(1, INT8), None)
    (step,) = plan_maintenance(((FIRST, top),), (FIRST,)).steps
    assert isinstance(step, GroupStep)
    assert step.prefix == OrderedPrefix(asked[1], 1)


def test_an_aggregate_over_all_rows_answers_for_none() -> None:
    distinct = Aggregate("count_any", (X,), INT8, distinct=True)
    for aggregates in ((COUNT,), (distinct,), (COUNT, distinct), (COUNT, Aggregate("min_int4", (X,), INT4))):
        relation = Reduce(T, (), aggregates, tuple("ab"[: len(aggregates)]))
        rows: dict[GlobalId, list[Row]] = {T.id: []}
        contents = Contents(rows, 0).of_plan(plan_maintenance(((FIRST, relation),), (FIRST,)))[FIRST]
        assert contents == {tuple(0 if each.type == INT8 else None for each in aggregates): 1}


def test_an_error_ends_where_its_row_is_judged() -> None:
    """Guards keep errors away, and what fails fails: as by definition."""
    quotient = Call("divide_int4_int4", (Literal(6, INT4), X), INT4)
    large = call("gt_int4_int4", quotient, Literal(1, INT4))
    guard = call("ne_int4_int4", X, Literal(0, INT4))
    rows: dict[GlobalId, list[Row]] = {T.id: [(1, 0), (2, 3)], U.id: [(2, 0)]}

    def contents(relation: Relation) -> dict[Row, int]:
        return dict(Contents(rows, 0).of_plan(plan_maintenance(((FIRST, relation),), (FIRST,)))[FIRST])

    assert contents(Filter(T, (large, guard))) == {(2, 3): 1}
    assert contents(Filter(Filter(T, (guard,)), (large,))) == {(2, 3): 1}
    # The pair that would fail is none: its keys differ.
    assert contents(Join(JoinKind.SEMI, T, U, (EQUAL, large))) == {(2, 3): 1}
    guarded = Aggregate("sum_int4", (quotient,), INT8, condition=guard)
    once = Aggregate("count_any", (K,), INT8, distinct=True)
    assert contents(Reduce(T, (), (guarded, once), ("s", "n"))) == {(2, 2): 1}
    for failing in (Filter(T, (large,)), Map(T, (quotient,), ("q",)), Join(JoinKind.ANTI, T, T, (EQUAL, large))):
        with pytest.raises(SqlError) as caught:
            contents(failing)
        assert caught.value.sqlstate is Sqlstate.DIVISION_BY_ZERO


@pytest.mark.parametrize(
    ("sql", "message", "hint"),
    [
        ("select now()", "now() in what is maintained is not supported", "mz_now()"),
        ("select clock_timestamp()", "clock_timestamp() in what is maintained", "mz_now()"),
        ("select age(placed) from orders", "now() in what is maintained", "mz_now()"),
        ("select session_user", "session_user in what is maintained", "session or the catalog"),
        ("select current_database()", "current_database() in what is maintained", "session or the catalog"),
        (
            "select 'orders'::text::regclass from orders",
            "a cast to regclass in what is maintained",
            "session or the catalog",
        ),
        ("select gen_random_uuid() from orders", "gen_random_uuid() in what is maintained", "each time it is asked"),
        ("select id from orders where id in (select id from customers where random() < 1)", "random() in", "each time"),
        ("select count(*) filter (where mz_now() > placed) from orders", "mz_now() in this place", "compare mz_now()"),
        ("select id from orders where case when mz_now() > placed then true end", "mz_now() in this", "compare"),
        (
            "select o.id from orders o join customers c on case when mz_now() > placed then o.id end = c.id",
            "mz_now() in this place",
            "compare mz_now()",
        ),
        ("select id from orders order by mz_now() limit 1", "mz_now() in this place", "compare mz_now()"),
        (
            "with recursive r as (select 1 as n union select n + 1 from r where mz_now() > n) select * from r",
            "mz_now() in this place",
            "compare mz_now()",
        ),
    ],
)
def test_what_depends_on_reader_or_moment_is_refused_by_name(sql: str, message: str, hint: str) -> None:
    catalog = SmallCatalog()
    for statement in STATEMENTS:
        catalog.run(statement)
    with pytest.raises(SqlError) as caught:
        planned(relation_of(catalog, sql))
    assert caught.value.sqlstate is Sqlstate.FEATURE_NOT_SUPPORTED
    assert message in caught.value.message
    assert caught.value.hint is not None and hint in caught.value.hint
