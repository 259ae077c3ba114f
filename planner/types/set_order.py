"""ORDER BY of a query whose only columns are its results: UNION and its kin, VALUES."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType
from planner.ir.aggregate import SortKey
from planner.ir.scalar import Column
from planner.scope.analysis import Analysis
from planner.scope.names import location_of, strings
from planner.scope.ordering import sort_directions
from planner.types.comparability import check_order


def order_by_columns(
    analysis: Analysis, select: Any, names: Sequence[str], types: Sequence[ScalarType], what: str
) -> tuple[SortKey, ...]:
    """Plans keys by name or ordinal; raises 0A000 for expressions."""
    keys: list[SortKey] = []
    for node in select.sort_clause:
        at = _column(analysis, node.sort_by.node, names, what)
        check_order(analysis, types[at], location_of(node.sort_by.node))
        descending, nulls_first = sort_directions(analysis, node.sort_by)
        keys.append(SortKey(Column(at, types[at]), descending, nulls_first))
    return tuple(keys)


def _column(analysis: Analysis, node: Any, names: Sequence[str], what: str) -> int:
    place = location_of(node)
    if node.WhichOneof("node") == "a_const" and node.a_const.WhichOneof("val") == "ival":
        number = node.a_const.ival.ival
        if not 1 <= number <= len(names):
            message = f"ORDER BY position {number} is not in select list"
            raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, place)
        return int(number) - 1
    if node.WhichOneof("node") == "column_ref" and len(node.column_ref.fields) == 1:
        name = strings(node.column_ref.fields)[0]
        found = [at for at, candidate in enumerate(names) if candidate == name]
        if len(found) > 1:
            raise analysis.error(Sqlstate.AMBIGUOUS_COLUMN, f'ORDER BY "{name}" is ambiguous', place)
        if found:
            return found[0]
        raise analysis.error(Sqlstate.UNDEFINED_COLUMN, f'column "{name}" does not exist', place)
    if what == "VALUES":
        raise analysis.unsupported("an expression in ORDER BY of VALUES", place)
    raise analysis.error(
        Sqlstate.FEATURE_NOT_SUPPORTED,
        "invalid UNION/INTERSECT/EXCEPT ORDER BY clause",
        place,
        detail="Only result column names can be used, not expressions or functions.",
        hint="Add the expression/function to every SELECT, or move the UNION into a FROM clause.",
    )
