"""Small relations and the expressions over them, for tests and for hypothesis."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from model.types.datum import Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, INT4, TEXT
from planner.ir.relation import Constant
from planner.ir.scalar import Call, Column, Literal, Scalar

PAIR = relation_desc(("a", INT4), ("b", TEXT))
_VALUES = st.one_of(st.none(), st.integers(0, 3))
_TEXTS = st.one_of(st.none(), st.sampled_from(("x", "y", "z")))
PAIRS = st.lists(st.tuples(_VALUES, _TEXTS), max_size=6)


def constant(rows: Iterable[Row], desc: RelationDesc = PAIR) -> Constant:
    """A relation of these rows."""
    return Constant(tuple((row, 1) for row in rows), desc)


def int_column(index: int) -> Column:
    return Column(index, INT4)


def text_column(index: int) -> Column:
    return Column(index, TEXT)


def integer(value: int | None) -> Literal:
    return Literal(value, INT4)


def call(function: str, *arguments: Scalar) -> Call:
    """A predicate."""
    return Call(function, arguments, BOOL)


def equal(left: Scalar, right: Scalar) -> Call:
    return call("eq_int4_int4", left, right)


def less(left: Scalar, right: Scalar) -> Call:
    return call("lt_int4_int4", left, right)


def quotient(left: Scalar, right: Scalar) -> Call:
    return Call("divide_int4_int4", (left, right), INT4)
