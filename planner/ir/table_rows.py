"""Finds the tables whose rows a query returns, row by row: FOR UPDATE can lock rows of a query over tables alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from model.ids.global_id import GlobalId
from planner.ir.relation import (
    Constant,
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

_View = Callable[[GlobalId], Relation | None]

_LISTED = "set-returning functions in the target list"


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


def computed(relation: Relation) -> str | None:
    """Returns the clause by which a subquery's rows are not those of tables, or None."""
    return _computed(relation, None)


def _computed(relation: Relation, view: _View | None) -> str | None:
    """Does the same for a part of a view's query where `view`, which gives other views' queries, is there: a part that
    reads no table has no rows to lock, and hinders nobody, as in PostgreSQL."""
    match relation:
        case Get(id=id_):
            return None if view is None else computed_view(id_, view)
        case FlatMap(listed=True) | Window() | Reduce() if view is None or _reads(relation):
            return _clause(relation)
        case Join(left=left, listed=True) if view is None or _reads(left):
            return _LISTED
        case Map() | Project() | Filter() | TopK() | FlatMap() | Window() | Reduce():
            return _computed(relation.input, view)
        case Join(left=left, right=right):
            return _computed(left, view) or _computed(right, view)
        case Let(body=body):
            return _computed(body, view)
        case Union() | Threshold() | Negate():
            return "UNION/INTERSECT/EXCEPT"
        case _:
            return None


def _clause(relation: FlatMap | Window | Reduce) -> str:
    match relation:
        case FlatMap():
            return _LISTED
        case Window():
            return "window functions"
        case Reduce(aggregates=()):
            return "DISTINCT clause"
        case Reduce(key=()):
            return "aggregate functions"
        case Reduce():
            return "GROUP BY clause"


def _reads(relation: Relation) -> bool:
    """Tells whether there are rows to lock; HAVING whose groups read no column has lost its FROM, and counts as if."""
    match relation:
        case Reduce(input=Constant()):
            return True
        case _:
            return next(items_of_from(relation), None) is not None


def computed_view(id_: GlobalId, view: _View) -> str | None:
    """Does the same for a relation by its id, where `view` gives a view's query; a UNION has no rows to lock, as in
    PostgreSQL, and hinders nobody."""
    query = rows = view(id_)
    while isinstance(rows, Map | Project):
        rows = rows.input
    return None if query is None or isinstance(rows, Union | Threshold | Negate) else _computed(query, view)
