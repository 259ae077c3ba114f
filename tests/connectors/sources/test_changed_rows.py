"""Changes of upstream's tables as rows of collections: where decimals are stored, and where they are not."""

from __future__ import annotations

import pyarrow as pa

from connectors.postgres.source.postgres_columns import changed_columns
from connectors.sources.decode.changed_rows import changed_rows
from model.external.publications import PublishedColumn, PublishedTable
from model.physical.columns import DIFF_COLUMN, rows_from_arrow
from model.types.column_layout import dropped_name
from model.types.decimals_columns import with_added_column, with_decimals_columns
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import INT4, NUMERIC, TEXT, ScalarType

_ERROR = ColumnDesc("err", TEXT)
_OF_TWO = relation_desc(("id", INT4), ("n", NUMERIC))


def _table(**columns: ScalarType) -> PublishedTable:
    told = tuple(PublishedColumn(name, type_, 0, -1) for name, type_ in columns.items())
    return PublishedTable("public", "t", 1, "", told)


def _shown(desc: RelationDesc, error_at: int | None, changes: pa.Table) -> list[list[str]]:
    rows = changed_rows(changes, desc, error_at)
    assert rows.column_names[-1] == DIFF_COLUMN
    return [list(map(str, row)) for row in rows_from_arrow(rows, desc)]


def _changes(table: PublishedTable, *columns: list[str | None]) -> pa.Table:
    return changed_columns(table, [pa.array(texts, pa.string()) for texts in columns], 1)


def test_rows_show_the_decimals_of_their_texts() -> None:
    desc = RelationDesc((*with_decimals_columns(_OF_TWO).columns, _ERROR))
    texts: list[str | None] = ["1.50", "-0.000", None, "7", f"{'1' * 20}.{'0' * 30}"]
    rows = _shown(desc, None, _changes(_table(id=INT4, n=NUMERIC), [*"12345"], texts))
    assert [row[1] for row in rows] == ["1.50", "0.000", "None", "7", texts[-1]]
    assert [row[2] for row in rows] == ["2", "3", "None", "0", "30"]


def test_what_no_decimal_holds_is_an_error_without_decimals() -> None:
    desc = RelationDesc((*with_decimals_columns(_OF_TWO).columns, _ERROR))
    rows = _shown(desc, None, _changes(_table(id=INT4, n=NUMERIC), ["1", "2", "3"], ["NaN", "1.20", f"0.{'0' * 18}1"]))
    assert [row[:3] for row in rows] == [["None"] * 3, ["2", "1.20", "2"], ["None"] * 3]
    assert [row[3][:5] for row in rows] == ["0A000", "None", "22003"]


def test_a_table_of_before_stores_none() -> None:
    desc = RelationDesc((*_OF_TWO.columns, _ERROR))
    rows = _shown(desc, None, _changes(_table(id=INT4, n=NUMERIC), ["1"], ["1.50"]))
    assert rows == [["1", "1.5", "None"]]


def test_columns_added_later_stand_behind_the_errors() -> None:
    stored = with_decimals_columns(_OF_TWO)
    hidden = RelationDesc((*stored.columns, ColumnDesc(dropped_name(4), TEXT)))
    desc = with_added_column(hidden, ColumnDesc("m", NUMERIC))
    at = stored.arity
    # As long as the table is followed as it was, the new column is NULL.
    assert _shown(desc, at, _changes(_table(id=INT4, n=NUMERIC), ["1"], ["1.50"])) == [
        ["1", "1.50", "2", "None", "None", "None"]
    ]
    told = _changes(_table(id=INT4, n=NUMERIC, m=NUMERIC), ["1"], ["1.50"], ["2.000"])
    assert _shown(desc, at, told) == [["1", "1.50", "2", "None", "2.000", "3"]]
