"""The SELECT list: stars spread out, expressions planned, columns named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from model.scalar_type import TypeName
from model.sqlstate import Sqlstate
from planner.expressions.columns import field_at, only_item, star_fields
from planner.expressions.missing_names import missing_table
from planner.expressions.planner import Expressions
from planner.ir.columns import deepen
from planner.ir.scalar import Scalar, scalar_type
from planner.scope.analysis import Analysis
from planner.scope.names import column_name, location_of, strings


@dataclass(slots=True)
class Target:
    """A result column; `scalar` may be of unknown type until the query is finished."""

    name: str
    scalar: Scalar
    location: int


_TARGETS_MAX = 1664
"""PostgreSQL's bound, with what ORDER BY and the like need beside what is asked for."""


def check_target_count(analysis: Analysis, count: int) -> None:
    """SqlError 54011 for more columns than a result may have."""
    if count > _TARGETS_MAX:
        message = f"target lists can have at most {_TARGETS_MAX} entries"
        raise analysis.error(Sqlstate.TOO_MANY_COLUMNS, message)


def plan_targets(expressions: Expressions, nodes: Iterable[Any]) -> list[Target]:
    """The result columns of a SELECT or RETURNING list."""
    targets: list[Target] = []
    for node in nodes:
        target = node.res_target
        value = target.val
        if value.WhichOneof("node") == "column_ref" and value.column_ref.fields[-1].WhichOneof("node") == "a_star":
            targets.extend(star_targets(expressions, value.column_ref))
            continue
        if value.WhichOneof("node") == "a_indirection":
            last = value.a_indirection.indirection[-1]
            if last.WhichOneof("node") == "a_star":
                targets.extend(_record_star(expressions, value.a_indirection))
                continue
        scalar = expressions.plan(value)
        name = target.name or column_name(value, expressions.analysis.subquery_columns)
        targets.append(Target(name, scalar, location_of(value)))
    return targets


def star_targets(expressions: Expressions, node: Any) -> list[Target]:
    """The columns that `*` or `table.*` means."""
    analysis = expressions.analysis
    if len(node.fields) == 1:
        fields = star_fields(expressions.scope)
        if not expressions.scope.items:
            message = "SELECT * with no tables specified is not valid"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.location)
        return [Target(field.name, _read(expressions, field.scalar, 0, node), node.location) for field in fields]
    parts = strings(node.fields[:-1])
    found = only_item(expressions, parts, node.location)
    if found is None:
        raise missing_table(analysis, expressions.scope, parts[-1], node.location)
    depth, _, item = found
    return [Target(f.name, _read(expressions, f.scalar, depth, node), node.location) for f in item.fields]


def _read(expressions: Expressions, scalar: Scalar, depth: int, node: Any) -> Scalar:
    if depth == 0 and expressions.scope.select is not None:
        expressions.scope.select.column_places.setdefault(scalar, node.location)
    return deepen(scalar, depth)


def _record_star(expressions: Expressions, node: Any) -> list[Target]:
    """`(expression).*`."""
    value = expressions.plan(node.arg)
    location = location_of(node.arg)
    if len(node.indirection) > 1:
        raise expressions.analysis.unsupported("row expansion via *", location)
    if scalar_type(value).name is not TypeName.RECORD:
        message = f"type {scalar_type(value)} is not composite"
        raise expressions.analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, location)
    return [
        Target(name, field_at(expressions.analysis, value, at, type_, location), location)
        for at, (name, type_) in enumerate(scalar_type(value).fields)
    ]
