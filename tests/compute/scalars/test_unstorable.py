"""Values that no column holds: an error of their row, and of no other row of the batch."""

from __future__ import annotations

import decimal
from typing import Any

import pyarrow as pa
import pytest

from compute.scalars.python_worker import evaluated_columns
from model.physical.columns import column_from_arrow
from model.types.datum import Datum, Range
from model.types.range_types import range_of
from model.types.scalar_type import NUMERIC, TEXT, TIMESTAMP, TIMESTAMPTZ, ScalarType, TypeName, array_of
from model.types.wide_time import INFINITE, MICROS_END, WideMoment

_LATE, _INFINITE = WideMoment(MICROS_END - 1), WideMoment(INFINITE)
_LARGE = decimal.Decimal("1e50")
_RANGES = range_of(TIMESTAMP)
assert _RANGES is not None


@pytest.mark.parametrize(("type_", "refused", "held", "sqlstate"), [
    (TIMESTAMP, _LATE, _INFINITE, "22008"),
    (TIMESTAMPTZ, _LATE, _INFINITE, "22008"),
    (array_of(TIMESTAMP), (_INFINITE, None, _LATE), (_INFINITE, None), "22008"),
    (array_of(NUMERIC), (_LARGE,), (decimal.Decimal(1),), "22003"),
    (ScalarType(TypeName.LIST, member=TIMESTAMP), (_LATE,), (_INFINITE,), "22008"),
    (ScalarType(TypeName.RECORD, fields=(("a", TEXT), ("b", TIMESTAMP))), ("x", _LATE), ("x", _INFINITE), "22008"),
    (_RANGES, Range(None, _LATE, False, False), Range(None, _INFINITE, False, False), "22008"),
])  # fmt: skip
def test_a_value_that_no_column_holds_is_an_error_of_its_row(
    type_: ScalarType, refused: Any, held: Any, sqlstate: str
) -> None:
    def evaluate(text: Datum) -> Datum:
        value: Datum = refused if text == "refused" else held
        return value

    answers = evaluated_columns((pa.array(["held", "refused", "held"]),), (TEXT,), evaluate, type_)
    assert column_from_arrow(answers.field("value"), type_) == [held, None, held]
    told = answers.field("err").to_pylist()
    assert told[0] is None and told[2] is None
    assert told[1].startswith(sqlstate)
