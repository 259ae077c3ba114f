"""Whole numbers of any length: of the least type that holds them, or refused by PostgreSQL's code."""

from __future__ import annotations

import decimal

import pytest
from postgast import pg_query_pb2 as tree

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT4, INT8, WIDE, ScalarType, shown_numeric
from planner.scope.analysis import Analysis
from planner.types.literals import constant


def number(text: str) -> tuple[object, ScalarType]:
    analysis: Analysis = None  # type: ignore[assignment]
    literal = constant(analysis, tree.A_Const(fval=tree.Float(fval=text)))
    return literal.value, literal.type


@pytest.mark.parametrize(
    ("text", "value", "type_"),
    [
        ("0", 0, INT4),
        ("2147483648", 1 << 31, INT8),
        ("-9223372036854775808", -(1 << 63), INT8),
        ("9223372036854775808", decimal.Decimal(1 << 63), shown_numeric(0)),
        ("9" * 20, decimal.Decimal("9" * 20), shown_numeric(0)),
        ("9" * 21, decimal.Decimal("9" * 21), WIDE),
        ("0" * 5_000 + "7", 7, INT4),
        ("-" + "0" * 5_000 + "7", -7, INT4),
        ("0x" + "0" * 5_000 + "f", 15, INT4),
    ],
)
def test_a_whole_number_has_the_least_type_that_holds_it(text: str, value: object, type_: ScalarType) -> None:
    assert number(text) == (value, type_)


@pytest.mark.parametrize("text", ["9" * 131_073, "-" + "9" * 300_000, "0x" + "f" * 108_900, "0b" + "1" * 436_000])
def test_one_that_no_type_holds_is_out_of_range(text: str) -> None:
    with pytest.raises(SqlError) as raised:
        number(text)
    assert raised.value.sqlstate is Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE
