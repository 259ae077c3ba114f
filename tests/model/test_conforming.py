"""What was written before a column became wide reads as if it had been written since."""

from __future__ import annotations

import decimal

from hypothesis import given
from hypothesis import strategies as st

from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.physical.conforming import conformed
from model.types.column_layout import is_dropped_name
from model.types.datum import Row
from model.types.decimals_columns import with_decimals_columns
from model.types.narrow_columns import NarrowColumn, narrow_columns, narrow_name
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import NUMERIC, TEXT, WIDE

BEFORE = with_decimals_columns(RelationDesc((ColumnDesc("a", TEXT), ColumnDesc("n", NUMERIC))))
AFTER = RelationDesc(
    (BEFORE.columns[0], ColumnDesc(narrow_name(1, 3), NUMERIC), BEFORE.columns[2], ColumnDesc("n", WIDE))
)
NUMBERS = st.none() | st.decimals(
    allow_nan=False, allow_infinity=False, places=18, min_value=-(10**19), max_value=10**19
)
DECIMALS = st.none() | st.integers(min_value=0, max_value=30)


def shown(value: decimal.Decimal | None, told: int | None) -> Row:
    """Returns the row that holds a number with so many decimals, or with as many as it needs."""
    return ("x", value, None if value is None else told)


def test_the_pair_is_found_by_its_name() -> None:
    assert narrow_columns(AFTER.columns) == (NarrowColumn(1, 2, 3),)
    assert narrow_columns(BEFORE.columns) == ()
    assert is_dropped_name(AFTER.columns[1].name)


@given(st.lists(st.tuples(NUMBERS, DECIMALS), max_size=20))
def test_rows_are_the_same_whichever_form_they_were_stored_in(numbers: list[tuple[decimal.Decimal, int]]) -> None:
    stored = rows_to_arrow([shown(*each) for each in numbers], BEFORE)
    seen = [row[1] for row in rows_from_arrow(stored, BEFORE)]
    read = conformed(stored, AFTER)
    rows = rows_from_arrow(read, AFTER)
    assert [repr(row) for row in rows] == [repr(("x", None, None, value)) for value in seen]
    written = rows_to_arrow(rows, AFTER)
    assert written.equals(read.cast(written.schema))
    assert conformed(written, AFTER) is written
