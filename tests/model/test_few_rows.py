"""Rows of small tables are made Python's once, forgotten with their table, and taken as they were given only where
Arrow gives back the same."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pyarrow as pa
import pytest

from model.physical.columns import DIFF_COLUMN, rows_from_arrow, rows_to_arrow
from model.types.datum import Datum
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, DATE, FLOAT4, INT2, INT4, INT8, NUMERIC, TEXT, TIMESTAMP, ScalarType
from model.updates.update import FEW_ROWS, come_back_unchanged, known_rows_of, remember_rows, signed_rows

_DESC = relation_desc(("a", INT4), ("b", TEXT))


@pytest.mark.parametrize(
    ("type_", "datums"),
    [
        (BOOL, (True, False, None)),
        (INT2, (-(2**15), 0, None)),
        (INT4, (2**31 - 1, -1)),
        (INT8, (-(2**63), 2**63 - 1)),
        (TEXT, ("", "ä€", "x" * 9000, None)),
        (DATE, (datetime.date(1, 1, 1), datetime.date(9999, 12, 31))),
        (TIMESTAMP, (datetime.datetime(2026, 11, 26, 1, 2, 3, 999_999), None)),
    ],
)
def test_what_comes_back_unchanged_does(type_: ScalarType, datums: tuple[Datum, ...]) -> None:
    desc = relation_desc(("a", type_))
    assert come_back_unchanged(desc.types)
    rows = [(datum,) for datum in datums]
    back = rows_from_arrow(rows_to_arrow(rows, desc), desc)
    assert back == rows
    assert [type(datum) for (datum,) in back] == [type(datum) for (datum,) in rows]


@pytest.mark.parametrize(("type_", "datum"), [(FLOAT4, 0.1), (NUMERIC, Decimal("1.50000"))])
def test_what_arrow_writes_differently_is_not_taken_for_what_it_was_given(type_: ScalarType, datum: Datum) -> None:
    desc = relation_desc(("a", INT4), ("b", type_))
    assert not come_back_unchanged(desc.types)
    assert repr(rows_from_arrow(rows_to_arrow([(1, datum)], desc), desc)) != repr([(1, datum)])


def test_rows_are_known_as_long_as_their_table_lives() -> None:
    table = _signed([((1, "x"), -1), ((2, "y"), 1)])
    assert known_rows_of(table) is None
    assert list(signed_rows(table, _DESC)) == [((1, "x"), -1), ((2, "y"), 1)]
    assert known_rows_of(table) is signed_rows(table, _DESC)
    for _ in range(100):
        # Whatever table comes to have the number of one that is gone.
        del table
        table = _signed([((3, "z"), 1)])
        assert known_rows_of(table) is None
        remember_rows(table, (((3, "z"), 1),))


def test_a_table_without_diffs_asserts_its_rows() -> None:
    assert list(signed_rows(rows_to_arrow([(1, "x")], _DESC), _DESC)) == [((1, "x"), 1)]


def test_many_rows_are_not_kept() -> None:
    table = _signed([((number, ""), 1) for number in range(FEW_ROWS + 1)])
    assert len(signed_rows(table, _DESC)) == FEW_ROWS + 1
    assert known_rows_of(table) is None


def _signed(rows: list[tuple[tuple[Datum, ...], int]]) -> pa.Table:
    table = rows_to_arrow([row for row, _ in rows], _DESC)
    return table.append_column(DIFF_COLUMN, pa.array([diff for _, diff in rows], pa.int64()))
