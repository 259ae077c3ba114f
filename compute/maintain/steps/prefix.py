"""Finds operators that need only the first rows of groups: ordered limits, and least or greatest values."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.scalar_type import TypeName
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Reduce, Relation, TopK
from planner.ir.scalar import Case, Column, Literal, Scalar, scalar_type

CODED = frozenset(
    (
        TypeName.BOOL,
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.FLOAT4,
        TypeName.FLOAT8,
        TypeName.NUMERIC,
        TypeName.TEXT,
        TypeName.VARCHAR,
        TypeName.BPCHAR,
        TypeName.NAME,
        TypeName.UUID,
        TypeName.BYTEA,
        TypeName.DATE,
        TypeName.TIME,
        TypeName.TIMESTAMP,
        TypeName.TIMESTAMPTZ,
        TypeName.INTERVAL,
        TypeName.OID,
        TypeName.MZ_TIMESTAMP,
    )
)
"""Types whose order an int8 can stand for, if not for each value by itself."""


@dataclass(frozen=True, slots=True)
class OrderedPrefix:
    """The first `rows` rows by `order` are all that the operator reads of a group."""

    order: SortKey
    rows: int


def prefix_of(operator: Relation, keys: int) -> OrderedPrefix | None:
    """Returns the prefix that the operator reads of groups with `keys` keys; None for whole groups."""
    match operator:
        case TopK() if len(operator.group) == keys:
            return _limited(operator)
        case Reduce() if len(operator.key) == keys:
            return _extreme(operator.aggregates)
        case _:
            return None


def _limited(top: TopK) -> OrderedPrefix | None:
    limit = _number(top.limit)
    offset = 0 if top.offset is None else _number(top.offset)
    types = relation_desc_of(top.input).types
    if limit is None or offset is None:
        return None
    # Ties are broken by the whole row; what is the same throughout a group orders nothing.
    orders = (*top.order, *(SortKey(Column(at, type_), False, False) for at, type_ in enumerate(types)))
    grouped = {Column(at, types[at]) for at in top.group}
    order = next((each for each in orders if each.expression not in grouped), None)
    return OrderedPrefix(order, max(limit + offset, 1)) if order is not None and _coded(order.expression) else None


def _number(scalar: Scalar | None) -> int | None:
    return scalar.value if isinstance(scalar, Literal) and isinstance(scalar.value, int) else None


def _extreme(aggregates: tuple[Aggregate, ...]) -> OrderedPrefix | None:
    """Returns the prefix for the single value that all aggregates ask for."""
    orders = {order_of(aggregate) for aggregate in aggregates}
    order = orders.pop() if len(orders) == 1 else None
    return None if order is None else OrderedPrefix(order, 1)


def order_of(aggregate: Aggregate) -> SortKey | None:
    """Returns the order in which the aggregate's answer comes first, or None. NULLs, which the aggregate ignores,
    come last."""
    word = aggregate.function.partition("_")[0]
    if word not in ("min", "max") or len(aggregate.arguments) != 1:
        return None
    (value,) = aggregate.arguments
    if aggregate.condition is not None:
        type_ = scalar_type(value)
        value = Case(((aggregate.condition, value),), Literal(None, type_), type_)
    return SortKey(value, word == "max", False) if _coded(value) else None


def _coded(value: Scalar) -> bool:
    return scalar_type(value).name in CODED
