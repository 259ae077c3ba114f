"""Numerics of different scales within arrays and records: values are PostgreSQL's, whatever zeros are shown."""

from __future__ import annotations

from decimal import Decimal

import pytest

from model.types.datum import Datum
from planner.interpret.context import EvaluationContext
from server.pgwire.encoding.numbers import send_numeric
from tests.planner.empty_catalog import run_select

_ASKED = {
    "SELECT ARRAY[1.5] UNION ALL SELECT ARRAY[2.555]": [[Decimal("1.5")], [Decimal("2.555")]],
    "VALUES (ARRAY[1.50]), (ARRAY[2.5])": [[Decimal("1.5")], [Decimal("2.5")]],
    "SELECT greatest(ARRAY[1.50], ARRAY[2.5])": [[Decimal("2.5")]],
    "SELECT CASE WHEN true THEN ARRAY[1.255] ELSE ARRAY[1.5] END": [[Decimal("1.255")]],
    "SELECT p FROM (VALUES (ROW(1.50)), (ROW(2.555))) v(p)": [[Decimal("1.5")], [Decimal("2.555")]],
    "SELECT * FROM (VALUES (ROW(1.50))) v(x) FULL JOIN (VALUES (ROW(1.5))) w(x) USING (x)": [[Decimal("1.5")]],
}


def _numbers(datum: Datum) -> list[Decimal]:
    assert isinstance(datum, tuple)
    return [item for item in datum if isinstance(item, Decimal)]


@pytest.mark.parametrize("sql", _ASKED)
def test_values_of_other_scales_meet_in_one_column(sql: str) -> None:
    _, rows = run_select(sql, EvaluationContext())
    assert [_numbers(row[0]) for row in rows] == _ASKED[sql]


@pytest.mark.parametrize("text", ["2.555", "1.5", "-0.125", "0", "12345678901234567890.5"])
def test_no_decimal_is_cut_on_its_way_to_a_client(text: str) -> None:
    value, shown = Decimal(text), send_numeric(1)(Decimal(text))
    more = len(text.partition(".")[2]) > 1
    assert shown == (send_numeric(None)(value) if more else send_numeric(1)(value.quantize(Decimal("0.1"))))
