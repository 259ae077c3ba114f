"""What each relation means, by example."""

from __future__ import annotations

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Interval, Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import FLOAT8, INT4, INT8, INTERVAL, TEXT
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query, evaluate_relation, evaluate_scalar
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.query import Query
from planner.ir.relation import (
    Filter,
    Finishing,
    FlatMap,
    Join,
    JoinKind,
    Let,
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
from planner.ir.scalar import (
    FALSE,
    TRUE,
    And,
    Call,
    Case,
    Coalesce,
    Column,
    Literal,
    Or,
    OuterColumn,
    Scalar,
    SubqueryValue,
)
from tests.planner.interpret.samples import constant, equal, int_column, integer, less, quotient

_NOTHING = EvaluationContext()
_ONE = relation_desc(("n", INT4))
_FAILS = equal(quotient(integer(1), integer(0)), integer(1))


def _rows(relation: Relation) -> list[Row]:
    return sorted(evaluate_relation(relation, _NOTHING), key=repr)


def _value(scalar: Scalar) -> object:
    return evaluate_scalar(scalar, _NOTHING)


def test_false_wins_over_an_error_in_a_conjunction_and_true_in_a_disjunction() -> None:
    assert _value(And((_FAILS, FALSE))) is False
    assert _value(Or((_FAILS, TRUE))) is True
    for scalar in (And((_FAILS, TRUE)), Or((_FAILS, FALSE)), And((_FAILS, Literal(None, TRUE.type)))):
        with pytest.raises(SqlError) as caught:
            _value(scalar)
        assert caught.value.sqlstate is Sqlstate.DIVISION_BY_ZERO


def test_case_and_coalesce_do_not_evaluate_what_they_do_not_need() -> None:
    fails = quotient(integer(1), integer(0))
    assert _value(Case(((TRUE, integer(1)), (_FAILS, fails)), fails, INT4)) == 1
    assert _value(Coalesce((integer(None), integer(2), fails), INT4)) == 2


def test_a_filter_drops_rows_whose_other_predicates_fail() -> None:
    rows = constant([(0, "x"), (1, "y")])
    divides = equal(quotient(integer(1), int_column(0)), integer(1))
    assert _rows(Filter(rows, (divides, less(integer(0), int_column(0))))) == [(1, "y")]
    with pytest.raises(SqlError):
        _rows(Filter(rows, (divides,)))


def test_multiplicities_add_up_and_a_threshold_drops_what_falls_below_zero() -> None:
    two, one = constant([(1, "x"), (1, "x")]), constant([(1, "x"), (2, "y")])
    assert _rows(Union((two, one))) == [(1, "x"), (1, "x"), (1, "x"), (2, "y")]
    assert _rows(Threshold(Union((two, Negate(one))))) == [(1, "x")]
    assert _rows(Union((two, Negate(constant([(1, "x")]))))) == [(1, "x")]


def test_equal_intervals_and_nans_are_one_group_but_stay_apart_in_a_union() -> None:
    month, days = Interval(1, 0, 0), Interval(0, 30, 0)
    rows = constant([(month,), (days,)], relation_desc(("i", INTERVAL)))
    assert {repr(value) for (value,) in evaluate_relation(Union((rows,)), _NOTHING)} == {repr(month), repr(days)}
    assert len(_rows(Reduce(rows, (Column(0, INTERVAL),), (), ("i",)))) == 1
    nans = constant([(float("nan"),), (float("nan"),)], relation_desc(("f", FLOAT8)))
    assert len(_rows(Reduce(nans, (Column(0, FLOAT8),), (), ("f",)))) == 1


def test_a_reduce_without_key_answers_over_no_rows() -> None:
    empty = constant([])
    count = Aggregate("count_star", (), INT8)
    total = Aggregate("sum_int4", (int_column(0),), INT8)
    assert _rows(Reduce(empty, (), (count, total), ("c", "s"))) == [(0, None)]
    assert _rows(Reduce(empty, (int_column(0),), (count,), ("a", "c"))) == []


def test_aggregates_filter_then_drop_duplicates_then_follow_their_order() -> None:
    rows = constant([(3, "c"), (1, "a"), (2, "b"), (1, "a"), (None, "n")])
    collect = Aggregate(
        "array_agg_anynonarray",
        (int_column(0),),
        INT4,
        distinct=True,
        condition=less(int_column(0), integer(3)),
        order=(SortKey(int_column(0), True, True),),
    )
    assert _rows(Reduce(rows, (), (collect,), ("x",))) == [((2, 1),)]


def test_an_aggregate_without_order_takes_its_arguments_in_their_own_order() -> None:
    rows = constant([(3, "c"), (None, "n"), (1, "a")])
    collect = Aggregate("array_agg_anynonarray", (int_column(0),), INT4)
    assert _rows(Reduce(rows, (), (collect,), ("x",))) == [((1, 3, None),)]


def test_top_k_breaks_ties_by_the_whole_row() -> None:
    rows = constant([(1, "z"), (1, "x"), (1, "y"), (0, "w")])
    order = (SortKey(int_column(0), True, True),)
    assert _rows(TopK(rows, (), order, Literal(2, INT8), None)) == [(1, "x"), (1, "y")]
    assert _rows(TopK(rows, (0,), order, Literal(1, INT8), Literal(1, INT8))) == [(1, "y")]
    with pytest.raises(SqlError) as caught:
        _rows(TopK(rows, (), order, Literal(-1, INT8), None))
    assert caught.value.sqlstate is Sqlstate.INVALID_ROW_COUNT_IN_LIMIT_CLAUSE


def test_recursion_ends_when_a_round_adds_nothing() -> None:
    base = constant([(1,)], _ONE)
    last = LocalGet(7, _ONE)
    step = Project(
        Map(
            Filter(last, (less(int_column(0), integer(4)),)),
            (Call("add_int4_int4", (int_column(0), integer(1)), INT4),),
            ("n",),
        ),
        (1,),
    )
    assert _rows(Recursive(7, base, step, False)) == [(1,), (2,), (3,), (4,)]
    assert _rows(Recursive(7, base, last, True)) == [(1,)]


def test_a_let_is_evaluated_once_for_all_its_uses() -> None:
    volatile = Map(constant([(1,)], _ONE), (Call("random", (), FLOAT8),), ("r",))
    use = LocalGet(1, relation_desc(("n", INT4), ("r", FLOAT8)))
    first, second = evaluate_relation(Let(1, volatile, Union((use, use))), _NOTHING)
    assert first == second


def test_a_lateral_join_sees_the_left_row() -> None:
    series = FlatMap(
        constant([()], relation_desc()),
        "generate_series_int4_int4",
        (integer(1), OuterColumn(1, 0, INT4)),
        relation_desc(("g", INT4)),
        ordinality=True,
    )
    left = constant([(2, "x"), (0, "y")])
    assert _rows(Join(JoinKind.INNER, left, series, (), True)) == [(2, "x", 1, 1), (2, "x", 2, 2)]
    assert _rows(Join(JoinKind.LEFT, left, series, (), True))[0] == (0, "y", None, None)


def test_a_full_join_keeps_the_unmatched_rows_of_both_sides() -> None:
    join = Join(
        JoinKind.FULL,
        constant([(1, "l"), (None, "l")]),
        constant([(1, "r"), (2, "r")]),
        (equal(int_column(0), int_column(2)),),
    )
    assert _rows(join) == [(1, "l", 1, "r"), (None, "l", None, None), (None, None, 2, "r")]


def test_a_subquery_of_more_than_one_row_is_no_value() -> None:
    many = SubqueryValue(Project(constant([(1, "x"), (2, "y")]), (0,)), INT4)
    with pytest.raises(SqlError) as caught:
        _value(many)
    assert caught.value.sqlstate is Sqlstate.CARDINALITY_VIOLATION


def test_a_query_sorts_skips_limits_and_projects_in_this_order() -> None:
    rows = constant([(2, "b"), (None, "n"), (1, "a"), (3, "c")])
    finishing = Finishing((SortKey(int_column(0), True, False),), Literal(2, INT8), Literal(1, INT8), (1,))
    query = Query(rows, finishing, relation_desc(("b", TEXT)))
    assert evaluate_query(query, _NOTHING) == [("b",), ("a",)]
