"""Casts of dates and moments that stand beside another type in a comparison: they never fail.

PostgreSQL compares a date with a timestamp, and a timestamp with a timestamptz, though no timestamp is so late: such a
value is behind all finite ones, and before infinity. Times before 1970 are before all of mz_now()'s, and so are 0.
"""

from __future__ import annotations

from dataclasses import replace

from model.errors.sql_error import SqlError
from model.types.scalar_type import (
    DATE,
    MZ_TIMESTAMP,
    TIMESTAMP,
    TIMESTAMPTZ,
    ScalarType,
    TypeName,
)
from model.types.wide_time import BEFORE_ALL, BEHIND_ALL, AnyDate, AnyMoment, micros_of
from planner.functions.casts.other import array_cast
from planner.functions.casts.record_casts import IMPLICIT, cast
from planner.functions.casts.time import nearest_milliseconds
from planner.functions.signature import Cast, Function, Volatility
from planner.functions.time.moments import Zone, from_local, midnight
from planner.ir.scalar import Call, Scalar, SessionName, scalar_type


def _midnight(day: AnyDate) -> AnyMoment:
    try:
        return midnight(day)
    except SqlError:
        return BEHIND_ALL


def _zoned(moment: AnyMoment, zone: Zone) -> AnyMoment:
    if moment == BEHIND_ALL:
        return moment
    try:
        return from_local(moment, zone)
    except SqlError:
        return BEHIND_ALL if micros_of(moment) > 0 else BEFORE_ALL


_ZONE = (SessionName.TIME_ZONE,)
_CASTS: tuple[Cast, ...] = (
    cast(DATE, TIMESTAMP, IMPLICIT, _midnight),
    cast(
        DATE,
        TIMESTAMPTZ,
        IMPLICIT,
        lambda day, zone: _zoned(_midnight(day), zone),
        session=_ZONE,
        volatility=Volatility.STABLE,
    ),
    cast(TIMESTAMP, TIMESTAMPTZ, IMPLICIT, _zoned, session=_ZONE, volatility=Volatility.STABLE),
    # Taken as fallible: filters ask infallible conditions first, and bounds beside others would be a step of their own.
    cast(DATE, MZ_TIMESTAMP, IMPLICIT, lambda day: nearest_milliseconds(_midnight(day)), fallible=True),
    cast(TIMESTAMP, MZ_TIMESTAMP, IMPLICIT, nearest_milliseconds, fallible=True),
    cast(TIMESTAMPTZ, MZ_TIMESTAMP, IMPLICIT, nearest_milliseconds, fallible=True),
)


def _renamed(function: Function) -> Function:
    return replace(function, key=function.key.replace("cast", "compared", 1))


_BY_CAST: dict[str, Function] = {
    each.function.key: _renamed(each.function) for one in _CASTS for each in (one, array_cast(one))
}
FUNCTIONS: tuple[Function, ...] = tuple(_BY_CAST.values())
_COMPARISONS = frozenset(
    f"{word}_{name}_{name}"
    for word in ("eq", "ne", "lt", "le", "gt", "ge")
    for name in (TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ, TypeName.MZ_TIMESTAMP)
)


def compares_times(function: str) -> bool:
    """Tells whether a function of this key compares moments."""
    return function in _COMPARISONS


def compared(value: Scalar, given: Scalar) -> Scalar:
    """Returns an operand of a comparison of moments, or an array of operands: where it was cast from `given`, by a cast
    that never fails."""
    function = _BY_CAST.get(value.function) if isinstance(value, Call) else None
    if function is None or _kind(scalar_type(given)) == _kind(scalar_type(value)):
        return value
    assert isinstance(value, Call)
    return Call(function.key, value.arguments, value.type)


def _kind(type_: ScalarType) -> TypeName:
    return (type_.element or type_).name
