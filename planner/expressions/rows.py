"""ROW(…) and (a, b): their fields, where `t.*` stands for all columns of t."""

from __future__ import annotations

from typing import Any

from model.types.scalar_type import ScalarType, TypeName
from planner.expressions.planner import Expressions, handles
from planner.expressions.stars import star_columns
from planner.ir.scalar import RowOf, Scalar, scalar_type
from planner.types.coercion import held_within


def row_fields(expressions: Expressions, node: Any) -> list[Scalar]:
    """Returns the fields, perhaps of unknown type."""
    return [field for item in node.args for field in expanded(expressions, item)]


def expanded(expressions: Expressions, item: Any) -> list[Scalar]:
    """Returns one expression, or the columns of `table.*`."""
    if item.WhichOneof("node") == "column_ref" and item.column_ref.fields[-1].WhichOneof("node") == "a_star":
        return [scalar for _, scalar in star_columns(expressions, item.column_ref)]
    return [expressions.plan(item)]


@handles("row_expr")
def plan_row(expressions: Expressions, node: Any) -> Scalar:
    """Plans a row; its fields keep unknown types until its use is known."""
    fields = tuple(map(held_within, row_fields(expressions, node)))
    types = tuple((f"f{at}", scalar_type(field)) for at, field in enumerate(fields, start=1))
    return RowOf(fields, ScalarType(TypeName.RECORD, fields=types))
