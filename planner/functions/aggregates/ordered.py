"""Ordered-set aggregates: percentiles and the mode, of rows in the order that WITHIN GROUP gives them (manual, 9.21).

Rows are the direct arguments, the same in every row of a group, then the value. NULL values do not count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import sort_key
from model.text.floats import format_float8
from model.types.arrays import map_items
from model.types.datum import Interval
from model.types.scalar_type import BOOL, FLOAT8, INTERVAL, ScalarType, array_of
from planner.functions.rows import ANYELEMENT, first_type, key_of, syntax
from planner.functions.signature import AggregateFunction, Function, ResultType, RowsRead
from planner.functions.time.interval import add_intervals, checked, scale_interval


class OrderedRows(Protocol):
    """Rows in order, of which percentiles read some by their places: a list, or what stands for one."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> tuple[Any, ...]: ...


Take = Callable[[OrderedRows, float], Any]
"""The value at a fraction of the rows."""


def is_fraction(value: float) -> bool:
    """Returns whether the value is one that percentiles may be asked for."""
    return 0 <= value <= 1


def _check(fraction: float) -> bool:
    """Returns true for a fraction; raises SqlError 22003 for any other number."""
    if not is_fraction(fraction):
        message = f"percentile value {format_float8(fraction)} is not between 0 and 1"
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message)
    return True


def _discrete(rows: OrderedRows, fraction: float) -> Any:
    """Returns the first value whose share of the rows reaches the fraction."""
    return rows[max(math.ceil(fraction * len(rows)), 1) - 1][-1]


def _continuous(between: Callable[[Any, Any, float], Any]) -> Take:
    def take(rows: OrderedRows, fraction: float) -> Any:
        place = fraction * (len(rows) - 1)
        low, high = math.floor(place), math.ceil(place)
        return rows[low][-1] if low == high else between(rows[low][-1], rows[high][-1], place - low)

    return take


def _between_floats(low: float, high: float, share: float) -> float:
    return low + share * (high - low)


def _between_intervals(low: Interval, high: Interval, share: float) -> Interval:
    whole = Interval(high.months - low.months, high.days - low.days, high.microseconds - low.microseconds)
    return add_intervals(low, scale_interval(checked(whole), share))


def _one(take: Take) -> Callable[[OrderedRows], Any]:
    def evaluate(rows: OrderedRows) -> Any:
        if not len(rows):
            return None
        fraction = rows[0][0]
        _check(fraction)
        return take(rows, fraction)

    return evaluate


def _several(take: Take) -> Callable[[OrderedRows], Any]:
    """Returns the aggregate for an array of fractions, whose NULLs stay NULL."""

    def evaluate(rows: OrderedRows) -> Any:
        if not len(rows):
            return None
        for fraction in rows[0][0]:
            if fraction is not None:
                _check(fraction)

        def taken(fraction: Any) -> Any:
            return None if fraction is None else take(rows, fraction)

        return map_items(taken, rows[0][0])

    return evaluate


def _mode(types: tuple[ScalarType, ...], rows: list[tuple[Any, ...]]) -> Any:
    """Returns the most frequent value; of several the first in order."""
    key = sort_key(types[0])
    counts: dict[Any, int] = {}
    first: dict[Any, Any] = {}
    for (value,) in rows:
        place = key(value)
        counts[place] = counts.get(place, 0) + 1
        first.setdefault(place, value)
    return first[max(counts, key=lambda place: counts[place])] if counts else None


def _row(name: str, value: ScalarType, result: ResultType, take: Take, several: bool) -> AggregateFunction:
    arguments = (array_of(FLOAT8) if several else FLOAT8, value)
    evaluate = (_several if several else _one)(take)
    reads = RowsRead.AT_FRACTION if take is _discrete else RowsRead.AROUND_FRACTION
    key = key_of(name, arguments)
    return AggregateFunction(key, name, arguments, result, evaluate, fallible=True, direct=1, reads=reads)


def _check_of_group(fraction: float, _nothing_read: bool) -> bool:
    """Checks the fraction of a group; `_nothing_read` is the group's, so that no planner takes the call for a
    constant, and raises its error where no group is."""
    return _check(fraction)


FUNCTIONS: tuple[Function, ...] = (syntax("check_fraction", (FLOAT8, BOOL), BOOL, _check_of_group, fallible=True),)

_CONTINUOUS: tuple[tuple[ScalarType, Take], ...] = (
    (FLOAT8, _continuous(_between_floats)),
    (INTERVAL, _continuous(_between_intervals)),
)

AGGREGATES: tuple[AggregateFunction, ...] = (
    *(_row("percentile_cont", type_, type_, take, False) for type_, take in _CONTINUOUS),
    *(_row("percentile_cont", type_, array_of(type_), take, True) for type_, take in _CONTINUOUS),
    _row("percentile_disc", ANYELEMENT, lambda types: types[1], _discrete, False),
    _row("percentile_disc", ANYELEMENT, lambda types: array_of(types[1]), _discrete, True),
    AggregateFunction(
        "mode_anyelement",
        "mode",
        (ANYELEMENT,),
        first_type,
        _mode,
        typed=True,
        direct=0,
        reads=RowsRead.MOST_FREQUENT,
    ),
)
