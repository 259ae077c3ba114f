"""Functions that return rows: generate_series, generate_subscripts, unnest, and cutting text into rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from model.errors.sql_error import SqlError
from model.text.numerics import EXACT
from model.types.arrays import Array
from model.types.datum import Interval
from model.types.range_types import range_in
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import (
    BOOL,
    INT4,
    INT8,
    INTERVAL,
    NUMERIC,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
    ScalarType,
)
from model.types.wide_time import AnyMoment, infinite
from planner.functions.collections.array_shapes import dimensions
from planner.functions.failures import invalid_parameter
from planner.functions.numbers.decimals import hold
from planner.functions.rows import ANYARRAY, ANYMULTIRANGE, element_of, key_of
from planner.functions.signature import TableFunction
from planner.functions.text.characters import string_to_array
from planner.functions.time.moments import Zone, add_interval, add_interval_in_zone, zone_named
from planner.ir.scalar import SessionName

Row = tuple[Any, ...]
Types = tuple[ScalarType, ...]


def one_column(name: str, type_: ScalarType) -> Callable[[Types], RelationDesc]:
    """Describes rows of one column, named like the function."""
    desc = relation_desc((name, type_))
    return lambda types: desc


def _zero_step() -> SqlError:
    return invalid_parameter("step size cannot equal zero")


def _endless(moment: AnyMoment) -> SqlError:
    """Returns 22023 for a series that stays where it is; PostgreSQL repeats its value for ever."""
    if infinite(moment):
        return invalid_parameter("a series of timestamps cannot leave infinity")
    return invalid_parameter("the step of a series of timestamps leads back to where it begins")


def _integers(start: int, stop: int, step: int = 1) -> Iterator[Row]:
    if step == 0:
        raise _zero_step()
    return zip(range(start, stop + (1 if step > 0 else -1), step))


def _numerics(start: Decimal, stop: Decimal, step: Decimal = Decimal(1)) -> Iterator[Row]:
    for value, what in ((start, "start"), (stop, "stop"), (step, "step size")):
        if not value.is_finite():
            problem = "NaN" if value.is_nan() else "infinity"
            raise invalid_parameter(f"{what} {'value ' if what != 'step size' else ''}cannot be {problem}")
    if step == 0:
        raise _zero_step()
    value = start
    while value <= stop if step > 0 else value >= stop:
        yield (value,)
        value = hold(EXACT.add(value, step))


def _moments(
    start: AnyMoment,
    stop: AnyMoment,
    step: Interval,
    add: Callable[[AnyMoment, Interval], AnyMoment],
) -> Iterator[Row]:
    forward = step.span()
    if forward == 0:
        raise _zero_step()
    moment = start
    while moment <= stop if forward > 0 else moment >= stop:
        yield (moment,)
        before, moment = moment, add(moment, step)
        if moment == before:
            raise _endless(moment)


def _timestamps(start: AnyMoment, stop: AnyMoment, step: Interval) -> Iterator[Row]:
    return _moments(start, stop, step, add_interval)


def _zoned_timestamps(start: AnyMoment, stop: AnyMoment, step: Interval, zone: Zone) -> Iterator[Row]:
    return _moments(start, stop, step, lambda moment, by: add_interval_in_zone(moment, by, zone))


def _timestamps_of_zone(start: AnyMoment, stop: AnyMoment, step: Interval, zone: str) -> Iterator[Row]:
    return _zoned_timestamps(start, stop, step, zone_named(zone))


def _subscripts(types: Types, array: Array, dimension: int, backward: bool = False) -> list[Row]:
    shape = dimensions(types, array)
    if not 1 <= dimension <= len(shape):
        return []
    first, length = shape[dimension - 1]
    rows: list[Row] = [(index,) for index in range(first, length + first)]
    return rows[::-1] if backward else rows


def _unnest(array: Array) -> list[Row]:
    return [(item,) for item in array]


def _unnest_several(*arrays: Array | None) -> list[Row]:
    """Unnests arrays side by side, the shorter ones filled up with NULLs."""
    return list(zip_longest(*(array or () for array in arrays)))


def _unnest_desc(types: Types) -> RelationDesc:
    return relation_desc(*(("unnest", element_of(type_)) for type_ in types))


def _ranges_desc(types: Types) -> RelationDesc:
    return relation_desc(("unnest", range_in(types[0])))


def _text_rows(*arguments: Any) -> list[Row]:
    return [(item,) for item in string_to_array(*arguments) or ()]


def _series(
    arguments: Types, result: ScalarType, evaluate: Callable[..., Iterable[Row]], **options: Any
) -> TableFunction:
    return TableFunction(
        key_of("generate_series", arguments),
        "generate_series",
        arguments,
        one_column("generate_series", result),
        evaluate,
        fallible=True,
        **options,
    )


def _plain(
    name: str, arguments: Types, result: Callable[[Types], RelationDesc], evaluate: Callable[..., list[Row]]
) -> TableFunction:
    return TableFunction(key_of(name, arguments), name, arguments, result, evaluate)


def _subscripting(arguments: Types) -> TableFunction:
    name = "generate_subscripts"
    return TableFunction(key_of(name, arguments), name, arguments, one_column(name, INT4), _subscripts, typed=True)


_ZONE = (SessionName.TIME_ZONE,)

TABLE_FUNCTIONS: tuple[TableFunction, ...] = (
    _series((INT4, INT4), INT4, _integers),
    _series((INT4, INT4, INT4), INT4, _integers),
    _series((INT8, INT8), INT8, _integers),
    _series((INT8, INT8, INT8), INT8, _integers),
    _series((NUMERIC, NUMERIC), NUMERIC, _numerics),
    _series((NUMERIC, NUMERIC, NUMERIC), NUMERIC, _numerics),
    _series((TIMESTAMP, TIMESTAMP, INTERVAL), TIMESTAMP, _timestamps),
    _series((TIMESTAMPTZ, TIMESTAMPTZ, INTERVAL), TIMESTAMPTZ, _zoned_timestamps, session=_ZONE),
    _series((TIMESTAMPTZ, TIMESTAMPTZ, INTERVAL, TEXT), TIMESTAMPTZ, _timestamps_of_zone),
    _subscripting((ANYARRAY, INT4)),
    _subscripting((ANYARRAY, INT4, BOOL)),
    _plain("unnest", (ANYARRAY,), _unnest_desc, _unnest),
    _plain("unnest", (ANYMULTIRANGE,), _ranges_desc, _unnest),
    TableFunction(
        "unnest_several_anyarray",
        "unnest_several",
        (ANYARRAY,),
        _unnest_desc,
        _unnest_several,
        strict=False,
        variadic=True,
    ),
    TableFunction(
        "string_to_table_text_text",
        "string_to_table",
        (TEXT, TEXT),
        one_column("string_to_table", TEXT),
        _text_rows,
        strict=False,
    ),
    TableFunction(
        "string_to_table_text_text_text",
        "string_to_table",
        (TEXT, TEXT, TEXT),
        one_column("string_to_table", TEXT),
        _text_rows,
        strict=False,
    ),
)
