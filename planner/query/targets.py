"""The SELECT list: stars spread out, expressions planned, columns named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from model.errors.sqlstate import Sqlstate
from planner.expressions.planner import Expressions
from planner.expressions.stars import fields_of, record_columns, star_columns
from planner.ir.scalar import Scalar
from planner.scope.analysis import Analysis
from planner.scope.names import column_name, location_of


@dataclass(slots=True)
class Target:
    """A result column; `scalar` may be of unknown type until the query is finished."""

    name: str
    scalar: Scalar
    location: int


_TARGETS_MAX = 1664
"""PostgreSQL's bound, with what ORDER BY and the like need beside what is asked for."""


def check_target_count(analysis: Analysis, count: int) -> None:
    """Raises SqlError 54011 for more columns than a result may have."""
    if count > _TARGETS_MAX:
        message = f"target lists can have at most {_TARGETS_MAX} entries"
        raise analysis.error(Sqlstate.TOO_MANY_COLUMNS, message)


def plan_targets(expressions: Expressions, nodes: Iterable[Any]) -> list[Target]:
    """Returns the result columns of a SELECT or RETURNING list."""
    targets: list[Target] = []
    for node in nodes:
        target = node.res_target
        value = target.val
        if value.WhichOneof("node") == "column_ref" and value.column_ref.fields[-1].WhichOneof("node") == "a_star":
            targets.extend(_as_targets(star_columns(expressions, value.column_ref), value.column_ref.location))
            continue
        if value.WhichOneof("node") == "a_indirection":
            last = value.a_indirection.indirection[-1]
            if last.WhichOneof("node") == "a_star":
                columns = record_columns(expressions, value.a_indirection)
                targets.extend(_as_targets(columns, location_of(value.a_indirection.arg)))
                continue
        if target.location in expressions.analysis.call_stars and value.WhichOneof("node") == "func_call":
            expressions.analysis.taken_stars.add(target.location)
            targets.extend(_as_targets(fields_of(expressions, value), location_of(value)))
            continue
        scalar = expressions.plan(value)
        name = target.name or column_name(value, expressions.analysis.subquery_columns)
        targets.append(Target(name, scalar, location_of(value)))
    return targets


def _as_targets(columns: Iterable[tuple[str, Scalar]], location: int) -> Iterator[Target]:
    return (Target(name, scalar, location) for name, scalar in columns)
