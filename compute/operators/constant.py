"""Constant: rows in the plan itself."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql import DataFrame

from compute.operators.context import Context
from compute.operators.rendered import Rendered, physical_forms, scan, select_list
from compute.scalars.spark_sql import Sql, literal
from compute.spark.frames import frame_of
from compute.spark.schema import spark_fields
from model.physical.columns import column_name, rows_to_arrow
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.ir.relation import Constant

_INLINE_CELLS_MAX = 1000
_INLINE_LENGTH_MAX = 1 << 20
"""Of all texts and bytes: Spark's parser takes many times as much memory as the text that it reads."""


def render_constant(node: Constant, context: Context) -> Rendered:
    """Few rows are written into the query; many go to Spark as an Arrow table."""
    rows = [row for row, count in node.rows for _ in range(count)]
    forms = physical_forms(node.desc)
    columns = [column_name(i) for i in range(len(forms))]
    if not rows or not forms:
        return Rendered(_without_values(len(rows), node.desc), forms)
    if len(rows) * len(forms) > _INLINE_CELLS_MAX or _length(rows) > _INLINE_LENGTH_MAX:
        return Rendered(scan(context.add_view(_frame(rows, node.desc, context)), forms), forms)
    tuples = ", ".join(
        "(" + ", ".join(literal(value, form.type) for value, form in zip(row, forms, strict=True)) + ")" for row in rows
    )
    return Rendered(Sql(f"SELECT {', '.join(columns)} FROM VALUES {tuples} AS t({', '.join(columns)})"), forms)


def _without_values(count: int, desc: RelationDesc) -> Sql:
    columns = select_list([literal(None, type_) for type_ in desc.types], None)
    rows = ", ".join("(0)" for _ in range(max(count, 1)))
    return Sql(f"SELECT {columns} FROM VALUES {rows} AS t(q)" + ("" if count else " WHERE false"))


def _length(rows: list[Row]) -> int:
    return sum(len(value) for row in rows for value in row if isinstance(value, str | bytes))


def _frame(rows: list[Row], desc: RelationDesc, context: Context) -> DataFrame:
    table: pa.Table = rows_to_arrow(rows, desc)
    return frame_of(context.spark, table, spark_fields(table.schema))
