"""Hashing, pushing predicates down and remembering give the rows that nested loops give."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from model.types.datum import Row
from model.types.scalar_type import BOOL, INT4, TEXT
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_relation
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Filter, Join, JoinKind, Map, Project, Reduce, Relation
from planner.ir.scalar import (
    And,
    Call,
    Exists,
    Literal,
    Or,
    OuterColumn,
    Quantifier,
    Scalar,
    SubqueryCompare,
    SubqueryValue,
)
from tests.planner.interpret.samples import (
    PAIRS,
    call,
    constant,
    equal,
    int_column,
    integer,
    less,
    text_column,
)


def _same(relation: Relation) -> None:
    context = EvaluationContext()
    assert Counter(evaluate_relation(relation, context)) == Counter(evaluate_relation(relation, context, obvious=True))


def _predicates(integers: tuple[int, ...], texts: tuple[int, ...]) -> st.SearchStrategy[Scalar]:
    number = st.one_of(st.sampled_from(integers).map(int_column), st.integers(0, 3).map(integer))
    word = st.sampled_from(texts).map(text_column)
    leaf = st.one_of(
        st.builds(equal, number, number),
        st.builds(less, number, number),
        st.builds(lambda a, b: call("eq_text_text", a, b), word, word),
        st.builds(lambda a: Call("is_null_any", (a,), BOOL), number),
        st.builds(lambda a, b: call("not_distinct_int4_int4", a, b), number, number),
    )
    return st.one_of(
        leaf,
        st.builds(lambda a, b: And((a, b)), leaf, leaf),
        st.builds(lambda a, b: Or((a, b)), leaf, leaf),
        st.builds(lambda a: Call("not_bool", (a,), BOOL), leaf),
    )


_JOINED = _predicates((0, 2), (1, 3))


@given(st.sampled_from(JoinKind), PAIRS, PAIRS, st.lists(_JOINED, max_size=3))
def test_joins_agree(kind: JoinKind, left: list[Row], right: list[Row], on: list[Scalar]) -> None:
    _same(Join(kind, constant(left), constant(right), tuple(on)))


@given(
    st.sampled_from(JoinKind),
    PAIRS,
    PAIRS,
    PAIRS,
    st.lists(_JOINED, max_size=2),
    st.lists(_predicates((0, 2, 4), (1, 3, 5)), max_size=3),
)
def test_filters_over_joins_agree(
    kind: JoinKind, first: list[Row], second: list[Row], third: list[Row], on: list[Scalar], where: list[Scalar]
) -> None:
    inner = Join(JoinKind.INNER, constant(first), constant(second), tuple(on))
    if kind in (JoinKind.SEMI, JoinKind.ANTI):
        kind = JoinKind.LEFT
    _same(Filter(Join(kind, inner, constant(third), ()), tuple(where)))


def _outer(predicate: Scalar) -> Scalar:
    """`inner.a = outer.a AND predicate`."""
    return And((equal(int_column(0), OuterColumn(1, 0, INT4)), predicate))


@given(PAIRS, PAIRS, _predicates((0,), (1,)))
def test_correlated_subqueries_agree(outer: list[Row], inner: list[Row], predicate: Scalar) -> None:
    matching = Filter(constant(inner), (_outer(predicate),))
    counted = Reduce(matching, (), (Aggregate("count_star", (), INT4),), ("c",))
    _same(Map(constant(outer), (Exists(matching), SubqueryValue(counted, INT4)), ("e", "c")))


@given(PAIRS, PAIRS, st.sampled_from(Quantifier), st.sampled_from((equal, less)))
def test_membership_agrees(outer: list[Row], inner: list[Row], quantifier: Quantifier, comparison: object) -> None:
    assert callable(comparison)
    condition = comparison(OuterColumn(1, 0, INT4), int_column(0))
    plain = SubqueryCompare(quantifier, condition, Project(constant(inner), (0,)))
    related = SubqueryCompare(
        quantifier,
        condition,
        Project(Filter(constant(inner), (call("eq_text_text", text_column(1), OuterColumn(1, 1, TEXT)),)), (0,)),
    )
    _same(Map(constant(outer), (plain, related, Literal(1, INT4)), ("p", "r", "one")))
