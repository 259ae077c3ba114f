"""Stars: the columns that `*`, `t.*` and `(expression).*` stand for."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import TypeName
from planner.expressions.columns import field_at, only_item, star_fields
from planner.expressions.missing_names import missing_table
from planner.expressions.planner import Expressions
from planner.ir.columns import deepen
from planner.ir.scalar import Scalar, scalar_type
from planner.scope.names import location_of, strings


def star_columns(expressions: Expressions, node: Any) -> list[tuple[str, Scalar]]:
    """Returns the columns, by name, that `*` or `table.*` means."""
    analysis = expressions.analysis
    if len(node.fields) == 1:
        fields = star_fields(expressions.scope)
        if not expressions.scope.items:
            message = "SELECT * with no tables specified is not valid"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.location)
        return [(field.name, _read(expressions, field.taken(), 0, node)) for field in fields]
    parts = strings(node.fields[:-1])
    found = only_item(expressions, parts, node.location)
    if found is None:
        raise missing_table(analysis, expressions.scope, parts[-1], node.location)
    depth, _, item = found
    return [(field.name, _read(expressions, field.taken(), depth, node)) for field in item.fields]


def record_columns(expressions: Expressions, node: Any) -> list[tuple[str, Scalar]]:
    """Returns the fields, by name, that `(expression).*` means."""
    if len(node.indirection) > 1:
        raise expressions.analysis.unsupported("row expansion via *", location_of(node.arg))
    return fields_of(expressions, node.arg)


def fields_of(expressions: Expressions, node: Any) -> list[tuple[str, Scalar]]:
    """Returns the fields, by name, of the rows that an expression gives. Raises SqlError 42809 where it gives none."""
    value = expressions.plan(node)
    location = location_of(node)
    if scalar_type(value).name is not TypeName.RECORD:
        message = f"type {scalar_type(value)} is not composite"
        raise expressions.analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, location)
    return [
        (name, field_at(expressions.analysis, value, at, type_, location))
        for at, (name, type_) in enumerate(scalar_type(value).fields)
    ]


def _read(expressions: Expressions, scalar: Scalar, depth: int, node: Any) -> Scalar:
    if depth == 0 and expressions.scope.select is not None:
        expressions.scope.select.column_places.setdefault(scalar, node.location)
    return deepen(scalar, depth)
