"""Tells whether a query's rows are those of its tables, so that FOR UPDATE can lock them; and finds these tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from model.ids.global_id import GlobalId
from planner.ir.relation import (
    Filter,
    FlatMap,
    Get,
    Join,
    Let,
    Map,
    Negate,
    Project,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)


def items_of_from(relation: Relation) -> Iterator[GlobalId]:
    """Yields the relations of FROM, of subqueries there too; not those of WITH, nor of subqueries in conditions."""
    match relation:
        case Get(id=id_):
            yield id_
        case Map() | Project() | Filter() | TopK() | FlatMap() | Window() | Reduce():
            yield from items_of_from(relation.input)
        case Join(left=left, right=right):
            yield from items_of_from(left)
            yield from items_of_from(right)
        case Let(body=body):
            yield from items_of_from(body)
        case _:
            pass


def computed(relation: Relation, view: Callable[[GlobalId], Relation | None]) -> str | None:
    """Returns the clause by which rows are not those of tables, or None; `view` gives a view's query."""
    match relation:
        case Get(id=id_):
            return computed_view(id_, view)
        case Map() | Project() | Filter() | TopK() | FlatMap():
            return computed(relation.input, view)
        case Join(left=left, right=right):
            return computed(left, view) or computed(right, view)
        case Let(body=body):
            return computed(body, view)
        case Union() | Threshold() | Negate():
            return "UNION/INTERSECT/EXCEPT"
        case Window():
            return "window functions"
        case Reduce(aggregates=()):
            return "DISTINCT clause"
        case Reduce(key=()):
            return "aggregate functions"
        case Reduce():
            return "GROUP BY clause"
        case _:
            return None


def computed_view(id_: GlobalId, view: Callable[[GlobalId], Relation | None]) -> str | None:
    """Does the same for a relation by its id; a UNION has no rows to lock, as in PostgreSQL, and hinders nobody."""
    query = rows = view(id_)
    while isinstance(rows, Map | Project):
        rows = rows.input
    return None if query is None or isinstance(rows, Union | Threshold | Negate) else computed(query, view)
