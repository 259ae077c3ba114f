"""ROW(…) and (a, b): their fields, where `t.*` stands for all columns of t."""

from __future__ import annotations

from typing import Any

from model.scalar_type import ScalarType, TypeName
from planner.expressions.planner import Expressions, handles
from planner.expressions.stars import star_columns
from planner.ir.scalar import RowOf, Scalar, scalar_type


def row_fields(expressions: Expressions, node: Any) -> list[Scalar]:
    """The fields, perhaps of unknown type."""
    fields: list[Scalar] = []
    for item in node.args:
        is_column = item.WhichOneof("node") == "column_ref"
        if is_column and item.column_ref.fields[-1].WhichOneof("node") == "a_star":
            fields.extend(scalar for _, scalar in star_columns(expressions, item.column_ref))
        else:
            fields.append(expressions.plan(item))
    return fields


@handles("row_expr")
def plan_row(expressions: Expressions, node: Any) -> Scalar:
    """Its fields keep unknown types until it is known what becomes of it."""
    fields = tuple(row_fields(expressions, node))
    types = tuple((f"f{at}", scalar_type(field)) for at, field in enumerate(fields, start=1))
    return RowOf(fields, ScalarType(TypeName.RECORD, fields=types))
