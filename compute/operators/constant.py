"""Constant: rows in the plan itself."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
from pyspark.sql import DataFrame

from compute.operators.context import Context
from compute.operators.rendered import Rendered, decimals_name, physical_forms, scan, select_list
from compute.scalars.spark_sql import Sql, literal
from compute.spark.frames import frame_of
from compute.spark.schema import spark_fields
from model.physical.columns import column_name, rows_to_arrow
from model.types.datum import Datum, Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT4, has_own_decimals
from planner.functions.numbers.decimals import decimals_if_finite
from planner.ir.relation import Constant

_INLINE_CELLS_MAX = 1000
_INLINE_LENGTH_MAX = 1 << 20
"""Of all texts and bytes: Spark's parser takes many times as much memory as the text that it reads."""


def render_constant(node: Constant, context: Context) -> Rendered:
    """Renders constant rows: few rows are written into the query; many go to Spark as an Arrow table."""
    rows = [row for row, count in node.rows for _ in range(count)]
    forms = physical_forms(node.desc)
    columns = [column_name(i) for i in range(len(forms))]
    if not rows or not forms:
        return Rendered(_without_values(len(rows), node.desc), forms)
    told = [i for i, type_ in enumerate(node.desc.types) if context.shown and has_own_decimals(type_)]
    if told:
        rows = [(*row, *(_decimals(row[i]) for i in told)) for row in rows]
    decimals = [decimals_name(i) for i in told]
    if len(rows) * len(forms) > _INLINE_CELLS_MAX or _length(rows) > _INLINE_LENGTH_MAX:
        desc = RelationDesc((*node.desc.columns, *(ColumnDesc(name, INT4) for name in decimals)))
        more = "".join(f", {column_name(len(forms) + at)} AS {name}" for at, name in enumerate(decimals))
        text = scan(context.add_view(_frame(rows, desc, context)), forms, decimals=more)
        return Rendered(text, forms, shown=frozenset(told))
    types = [*node.desc.types, *(INT4 for _ in told)]
    tuples = ", ".join(
        "(" + ", ".join(literal(value, type_) for value, type_ in zip(row, types, strict=True)) + ")" for row in rows
    )
    names = ", ".join([*columns, *decimals])
    return Rendered(Sql(f"SELECT {names} FROM VALUES {tuples} AS t({names})"), forms, shown=frozenset(told))


def _decimals(value: Datum) -> int | None:
    """Returns the number of decimals that a numeric shows."""
    return decimals_if_finite(value) if isinstance(value, Decimal) else None


def _without_values(count: int, desc: RelationDesc) -> Sql:
    columns = select_list([literal(None, type_) for type_ in desc.types], None)
    rows = ", ".join("(0)" for _ in range(max(count, 1)))
    return Sql(f"SELECT {columns} FROM VALUES {rows} AS t(q)" + ("" if count else " WHERE false"))


def _length(rows: list[Row]) -> int:
    return sum(len(value) for row in rows for value in row if isinstance(value, str | bytes))


def _frame(rows: list[Row], desc: RelationDesc, context: Context) -> DataFrame:
    table: pa.Table = rows_to_arrow(rows, desc)
    return frame_of(context.spark, table, spark_fields(table.schema))
