"""Finds the rows of a collection that a statement can need, by comparisons of integers with constants.

Spark filters anyway, and its readers skip row groups by statistics. Narrowing is for rows outside files: retracted rows
would otherwise all be sent to Spark and joined, for each statement. And it is for whole files: each costs Spark some
milliseconds before it finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from compute.replica.contents.shard_contents import Contents
from model.ids.global_id import GlobalId
from model.physical.columns import column_name
from planner.interpret.reach import infallible
from planner.ir.relation import Filter, Get, Relation
from planner.ir.scalar import Call, Column, Literal, Scalar
from planner.ir.visit import inputs_of, subqueries_of
from storage.persist.state import Part

ROWS_MIN = 1_000
FILES_MIN = 3
"""Fewer rows and files are sent as they are: plans of statements that differ in constants have inputs in common."""

_LEAST, _GREATEST = -(1 << 63), (1 << 63) - 1
_OPERATORS = {
    f"{name}_{type_}_{type_}": (low, high)
    for type_ in ("int2", "int4", "int8")
    for name, low, high in (("eq", 0, 0), ("lt", None, -1), ("le", None, 0), ("gt", 1, None), ("ge", 0, None))
}
"""What is added to the constant for the least and the greatest value of the column."""

Bounds = Mapping[int, tuple[int, int]]
"""By column, the least and the greatest value that matter."""


def bounds_of(relation: Relation, id_: GlobalId) -> Bounds:
    """Returns the bounds that the single read of the collection asks for; none for several reads."""
    reads = list(_reads(relation, id_, ()))
    if len(reads) != 1:
        return {}
    bounds: dict[int, tuple[int, int]] = {}
    for predicate in reads[0]:
        match predicate:
            case Call(function=name, arguments=(Column(index=index), Literal(value=int() as value))) if (
                name in _OPERATORS
            ):
                low, high = _OPERATORS[name]
                least, greatest = bounds.get(index, (_LEAST, _GREATEST))
                least = least if low is None else max(least, value + low)
                greatest = greatest if high is None else min(greatest, value + high)
                bounds[index] = least, greatest
            case _ if not infallible(predicate):
                # It may fail for a row that a later one leaves out; whether it does must not hang on where rows lie.
                break
    return bounds


def worth_narrowing(contents: Contents) -> bool:
    return contents.rows_here >= ROWS_MIN or len(contents.files) >= FILES_MIN


def narrowed(contents: Contents, bounds: Bounds, outside: Callable[[Part], bool]) -> Contents:
    """Returns the contents without rows outside the bounds, and without files that lie `outside`."""
    return Contents(
        tuple(part for part in contents.plain if not outside(part)),
        tuple(part for part in contents.mixed if not outside(part)),
        _within(contents.added, bounds),
        _within(contents.cancelled, bounds),
    )


def _reads(relation: Relation, id_: GlobalId, predicates: tuple[Scalar, ...]) -> Iterator[tuple[Scalar, ...]]:
    """Yields the predicates right above each read of the collection."""
    match relation:
        case Get(id=found):
            if found == id_:
                yield predicates
        case Filter(input=below, predicates=asked):
            yield from _reads(below, id_, (*asked, *predicates))
        case _:
            for below in inputs_of(relation):
                yield from _reads(below, id_, ())
    for subquery in subqueries_of(relation):
        yield from _reads(subquery, id_, ())


def _within(rows: pa.Table, bounds: Bounds) -> pa.Table:
    for index, (least, greatest) in bounds.items():
        if least > greatest or rows.num_rows == 0:
            return rows.slice(0, 0)
        column = rows.column(column_name(index))
        rows = rows.filter(pc.and_(pc.greater_equal(column, least), pc.less_equal(column, greatest)))
    return rows
