"""Ordered-set aggregates in Spark: rows are sorted and numbered, and only those that the aggregate reads are gathered.

mode             the first of those rows that tie with the most others
percentile_disc  the row at ceil(fraction n)
percentile_cont  the rows around fraction (n - 1), between which a Python worker takes the value
"""

from __future__ import annotations

from compute.operators.group_columns import GroupColumns, PlaceColumns, RowOrder, exact
from compute.operators.order import exact_order_of
from compute.scalars.comparisons import holds, sortable
from compute.scalars.python_worker import FORMS, PlacedWorker
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value
from model.physical.arrays import ITEMS
from model.types.scalar_type import BOOL, INT8, ScalarType
from planner.functions.registry import AGGREGATES
from planner.functions.signature import RowsRead
from planner.ir.aggregate import Aggregate


def lower_ordered_set(
    groups: GroupColumns, aggregate: Aggregate, arguments: tuple[Value, ...], condition: Sql | None
) -> Value | None:
    """Returns the aggregate over the rows for which `condition` is true; None for an aggregate that reads all rows of
    a group, and for values whose order Spark can't make total."""
    reads = AGGREGATES[aggregate.function].reads
    if reads is RowsRead.ALL or not _ordered_totally(arguments[-1].type):
        return None
    *direct, value = (exact(groups, argument) for argument in arguments)
    (key,) = aggregate.order
    there = [f"{each.sql} IS NOT NULL" for each in (*direct, value)]
    counted = " AND ".join(there if condition is None else [condition, *there])
    direction = f"{'DESC' if key.descending else 'ASC'} NULLS LAST"
    tie = exact_order_of(value.sql, value.type)
    ties = () if tie is None else (f"{tie} ASC NULLS LAST",)
    places = groups.places(RowOrder(counted, sortable(value.sql, value.type), direction, ties))
    only = f" FILTER (WHERE {counted})"
    if reads is RowsRead.MOST_FREQUENT:
        rank = f"struct({places.last} - {places.first}, -{places.place})"
        return groups.partial(f"max_by({value.sql}, {rank}){only}", value.type, value.decimal)
    (fraction,) = direct
    rows = f"collect_list(named_struct('place', {places.place} - 1L, 'value', {value.sql}))"
    parts = (
        groups.partial(f"any_value({fraction.sql}){only}", fraction.type),
        groups.partial(f"count(1){only}", INT8),
        groups.partial(f"{rows} FILTER (WHERE {counted} AND {_is_read(reads, fraction, places)})", BOOL),
    )
    worker = PlacedWorker(aggregate.function, (fraction.type, value.type), aggregate.type)
    return groups.python.placed(groups.finals, worker, parts)


def _ordered_totally(type_: ScalarType) -> bool:
    """Returns whether values of the type that are equal and differ in form are told apart by `exact_order_of`."""
    return exact_order_of("", type_) is not None or not any(holds(type_, name) for name in FORMS)


def _is_read(reads: RowsRead, fraction: Value, places: PlaceColumns) -> str:
    """Returns the condition for a row that the aggregate reads: the first always, beside which the fraction stands."""
    read = _at if fraction.type.element is None else _at_any
    return f"({places.place} = 1 OR {read(reads, fraction.sql, places)})"


def _at(reads: RowsRead, fraction: str, places: PlaceColumns) -> str:
    if reads is RowsRead.AT_FRACTION:
        return f"{places.place} = greatest(ceil({fraction} * CAST({places.count} AS DOUBLE)), 1L)"
    place = f"{fraction} * CAST({places.count} - 1L AS DOUBLE)"
    return f"{places.place} - 1L IN (floor({place}), ceil({place}))"


def _at_any(reads: RowsRead, fractions: str, places: PlaceColumns) -> str:
    return f"exists({fractions}.{ITEMS}, fraction -> {_at(reads, 'fraction', places)})"
