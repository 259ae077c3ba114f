"""range_agg and range_intersect_agg: ranges and multiranges as sets, of which NULLs are left out."""

from __future__ import annotations

from functools import reduce
from typing import Any

from model.order.ranges import Multirange, common_part, intersection, multirange
from model.types.datum import Range
from model.types.range_types import multirange_of
from model.types.scalar_type import ScalarType
from planner.functions.rows import ANYMULTIRANGE, ANYRANGE, first_type
from planner.functions.signature import AggregateFunction

Rows = list[tuple[Any, ...]]
Types = tuple[ScalarType, ...]


def _united(types: Types, rows: Rows) -> Multirange | None:
    return multirange(types[0], [range_ for (range_,) in rows]) if rows else None


def _all_united(types: Types, rows: Rows) -> Multirange | None:
    return multirange(types[0], [range_ for (ranges,) in rows for range_ in ranges]) if rows else None


def _intersected(types: Types, rows: Rows) -> Range | None:
    return reduce(lambda a, b: intersection(types[0], a, b), (row[0] for row in rows)) if rows else None


def _all_intersected(types: Types, rows: Rows) -> Multirange | None:
    return reduce(lambda a, b: common_part(types[0], a, b), (row[0] for row in rows)) if rows else None


AGGREGATES: tuple[AggregateFunction, ...] = (
    AggregateFunction(
        "range_agg_anyrange", "range_agg", (ANYRANGE,), lambda types: multirange_of(types[0]), _united, typed=True
    ),
    AggregateFunction("range_agg_anymultirange", "range_agg", (ANYMULTIRANGE,), first_type, _all_united, typed=True),
    AggregateFunction(
        "range_intersect_agg_anyrange", "range_intersect_agg", (ANYRANGE,), first_type, _intersected, typed=True
    ),
    AggregateFunction(
        "range_intersect_agg_anymultirange",
        "range_intersect_agg",
        (ANYMULTIRANGE,),
        first_type,
        _all_intersected,
        typed=True,
    ),
)
