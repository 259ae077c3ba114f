"""date_trunc, date_bin, age and OVERLAPS."""

from __future__ import annotations

import datetime
from calendar import monthrange
from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Interval
from model.types.scalar_type import BOOL, INT4, INTERVAL, TEXT, TIME, TIMESTAMP, TIMESTAMPTZ, XID, ScalarType, type_text
from model.types.time_of_day import time_to_micros
from model.types.wide_time import CYCLE_MICROS, CYCLE_YEARS, AnyMoment, WideMoment, infinite, micros_of
from planner.functions.failures import datetime_overflow, invalid_parameter
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.functions.time.date_time import shift_time
from planner.functions.time.date_units import MICROSECOND_UNITS, unit_named
from planner.functions.time.moments import (
    MICROSECOND,
    MICROSECONDS_MAX,
    MICROSECONDS_PER_DAY,
    Zone,
    add_interval,
    add_interval_in_zone,
    date_of_moment,
    from_local,
    from_local_micros,
    micros_between,
    midnight,
    moment_of,
    near_moment,
    shift_micros,
    to_local,
    to_near_local,
    zone_named,
)
from planner.ir.scalar import SessionName

_MICROS_OF_2000 = micros_of(datetime.datetime(2000, 1, 1))
_MONTHS = {"month": 1, "quarter": 3}
_YEARS = {"year": 1, "decade": 10, "century": 100, "millennium": 1000}


_NOT_TRUNCATED = frozenset(("dow", "isodow", "doy", "isoyear", "epoch", "julian"))


def _unit(word: str, type_: ScalarType, truncates: frozenset[str]) -> str:
    name = unit_named(word)
    if name is None or name in _NOT_TRUNCATED:
        raise invalid_parameter(f'unit "{word.lower()}" not recognized for type {type_text(type_)}')
    if name not in truncates:
        message = f'unit "{word.lower()}" not supported for type {type_text(type_)}'
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    return name


_UNITS = frozenset((*MICROSECOND_UNITS, "day", "week", *_MONTHS, *_YEARS))


def _first_year(year: int, unit: str) -> int:
    """Returns a period's first year. Centuries and millennia begin in a year 1, decades in a year 0."""
    length = _YEARS[unit]
    if unit in ("year", "decade"):
        return year // length * length
    return (year - 1) // length * length + 1


def truncate(word: str, moment: AnyMoment) -> AnyMoment:
    """Returns the beginning of the unit that the moment lies in."""
    if infinite(moment):
        return moment
    start, cycles = _begin(_unit(word, TIMESTAMP, _UNITS), *near_moment(moment))
    return start if not cycles else moment_of(micros_of(start) + cycles * CYCLE_MICROS)


def _begin(unit: str, moment: datetime.datetime, cycles: int) -> tuple[datetime.datetime, int]:
    """Returns the beginning of the unit in which a moment lies that is `cycles` of 400 years further than it says, and
    the beginning's own cycles."""
    start = datetime.datetime.combine(moment.date(), datetime.time())
    if unit in MICROSECOND_UNITS:
        micros = micros_between(moment, start)
        return start + datetime.timedelta(microseconds=micros - micros % MICROSECOND_UNITS[unit]), cycles
    if unit == "week":
        return start - datetime.timedelta(days=start.weekday()), cycles
    if unit in _MONTHS:
        length = _MONTHS[unit]
        return start.replace(month=(start.month - 1) // length * length + 1, day=1), cycles
    if unit in _YEARS:
        further = cycles * CYCLE_YEARS
        year = _first_year(start.year + further, unit) - further
        if year < datetime.MINYEAR:
            # A millennium may begin three cycles before.
            further_cycles, year = divmod(year - 1, CYCLE_YEARS)
            return start.replace(year=year + 1, month=1, day=1), cycles + further_cycles
        return start.replace(year=year, month=1, day=1), cycles
    return start, cycles


def _truncate_zoned(word: str, moment: AnyMoment, zone: Zone) -> AnyMoment:
    """Truncates a moment in its zone: below a day the clock never jumps, so the result keeps the moment's offset."""
    if infinite(moment):
        return moment
    unit = _unit(word, TIMESTAMPTZ, _UNITS)
    local, cycles = to_near_local(moment, zone)
    begun, begun_cycles = _begin(unit, local, cycles)
    if unit in MICROSECOND_UNITS:
        return shift_micros(moment, micros_between(begun, local), datetime.UTC)
    if not begun_cycles:
        return from_local(begun, zone)
    return from_local_micros(micros_of(begun) + begun_cycles * CYCLE_MICROS, zone)


def _truncate_in_zone(word: str, moment: AnyMoment, zone: str) -> AnyMoment:
    return _truncate_zoned(word, moment, zone_named(zone))


def _toward_zero(value: int, unit: int) -> int:
    return int(abs(value) // unit * unit) * (-1 if value < 0 else 1)


def truncate_interval(word: str, value: Interval) -> Interval:
    """Returns the interval with only the unit's field and those above it."""
    name = unit_named(word)
    if name == "week":
        message = f'unit "{word.lower()}" not supported for type interval'
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail="Months usually have fractional weeks.")
    unit = _unit(word, INTERVAL, _UNITS)
    if unit in _YEARS:
        return Interval(_toward_zero(value.months, 12 * _YEARS[unit]), 0, 0)
    if unit in _MONTHS:
        return Interval(_toward_zero(value.months, _MONTHS[unit]), 0, 0)
    if unit == "day":
        return Interval(value.months, value.days, 0)
    return Interval(value.months, value.days, _toward_zero(value.microseconds, MICROSECOND_UNITS[unit]))


def date_bin(stride: Interval, moment: AnyMoment, origin: AnyMoment, zone: datetime.tzinfo | None = None) -> AnyMoment:
    """Returns the beginning of the moment's bin, bins of `stride` counted from `origin`; `zone` is UTC for moments of
    timestamptz."""
    if infinite(moment):
        return moment
    if infinite(origin):
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "origin out of range")
    if stride.months:
        message = "timestamps cannot be binned into intervals containing months or years"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    width = stride.days * MICROSECONDS_PER_DAY + stride.microseconds
    if width <= 0:
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "stride must be greater than zero")
    distance = micros_between(moment, origin)
    if max(width, abs(distance)) > MICROSECONDS_MAX:
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "interval out of range")
    return shift_micros(origin, distance // width * width, zone)


def _bin_zoned(stride: Interval, moment: AnyMoment, origin: AnyMoment) -> AnyMoment:
    return date_bin(stride, moment, origin, datetime.UTC)


NearMoment = tuple[datetime.datetime, int]
"""A moment in a near year, and the cycles of 400 years to add."""


def age(later: AnyMoment, earlier: AnyMoment) -> Interval:
    return _age(near_moment(_as_finite(later)), near_moment(_as_finite(earlier)))


def _as_finite(moment: AnyMoment) -> AnyMoment:
    """Returns a moment of the calendar: PostgreSQL takes infinity for the number that it is, and has no date for
    -infinity."""
    if not infinite(moment):
        return moment
    if micros_of(moment) < 0:
        raise datetime_overflow("timestamp")
    return WideMoment(MICROSECONDS_MAX + _MICROS_OF_2000)


def _age(later_near: NearMoment, earlier_near: NearMoment) -> Interval:
    """Returns the years, months, days and time between, counted by the calendar; days are borrowed from the earlier
    month."""
    sign = 1
    (later, later_cycles), (earlier, earlier_cycles) = later_near, earlier_near
    if (later - earlier) // MICROSECOND + (later_cycles - earlier_cycles) * CYCLE_MICROS < 0:
        sign, later, later_cycles, earlier, earlier_cycles = -1, earlier, earlier_cycles, later, later_cycles
    years = later.year - earlier.year + (later_cycles - earlier_cycles) * CYCLE_YEARS
    months = years * 12 + later.month - earlier.month
    days = later.day - earlier.day
    micros = time_to_micros(later.time()) - time_to_micros(earlier.time())
    if micros < 0:
        micros, days = micros + MICROSECONDS_PER_DAY, days - 1
    while days < 0:
        # PostgreSQL borrows the days of the month of its first argument's earlier side, whichever came first.
        days, months = days + monthrange(earlier.year, earlier.month)[1], months - 1
    return Interval(sign * months, sign * days, sign * micros)


def _age_zoned(later: AnyMoment, earlier: AnyMoment, zone: str) -> Interval:
    return _age(to_near_local(_as_finite(later), zone), to_near_local(_as_finite(earlier), zone))


def _today(now: datetime.datetime, zone: str) -> AnyMoment:
    return midnight(date_of_moment(to_local(now, zone)))


def _age_of(moment: AnyMoment, now: datetime.datetime, zone: str) -> Interval:
    """Returns the age up to today's midnight."""
    return age(_today(now, zone), moment)


def _age_of_zoned(moment: AnyMoment, now: datetime.datetime, zone: str) -> Interval:
    return _age_zoned(from_local(_today(now, zone), zone), moment, zone)


def overlap(start: Any, end: Any, other_start: Any, other_end: Any) -> bool | None:
    """Tells whether two periods share a moment; their ends may come in any order, a NULL end leaves a period open."""
    first, second = _period(start, end), _period(other_start, other_end)
    if first is None or second is None:
        return None
    if first[0] == second[0]:
        return None if first[1] is None or second[1] is None else True
    earlier, later = (first, second) if first[0] < second[0] else (second, first)
    if earlier[1] is not None and later[0] < earlier[1]:
        return True
    return None if earlier[1] is None or later[1] is None else False


def _period(start: Any, end: Any) -> tuple[Any, Any] | None:
    if start is None or end is None:
        known = end if start is None else start
        return None if known is None else (known, None)
    return (start, end) if start <= end else (end, start)


def _overlaps(type_: ScalarType, add: Callable[..., Any], session: tuple[SessionName, ...] = ()) -> list[Function]:
    """Tells whether two periods overlap, given by their ends, or by a start and a length; what adds a length may take
    the session's zone."""

    def evaluator(first: bool, second: bool) -> Callable[..., bool | None]:
        def end_of(start: Any, length: Any, zone: tuple[Any, ...]) -> Any:
            return None if start is None or length is None else add(start, length, *zone)

        def evaluate(a: Any, b: Any, c: Any, d: Any, *zone: Any) -> bool | None:
            return overlap(a, end_of(a, b, zone) if first else b, c, end_of(c, d, zone) if second else d)

        return evaluate

    rows = [function("overlaps", (type_, type_, type_, type_), BOOL, overlap, strict=False)]
    for first, second in ((True, True), (True, False), (False, True)):
        arguments = (type_, INTERVAL if first else type_, type_, INTERVAL if second else type_)
        rows.append(
            function(
                "overlaps",
                arguments,
                BOOL,
                evaluator(first, second),
                strict=False,
                fallible=True,
                session=session,
                volatility=_STABLE if session else Volatility.IMMUTABLE,
            )
        )
    return rows


_ZONE = (SessionName.TIME_ZONE,)
_NOW = (SessionName.NOW, SessionName.TIME_ZONE)
_STABLE = Volatility.STABLE

FUNCTIONS: tuple[Function, ...] = (
    function("date_trunc", (TEXT, TIMESTAMP), TIMESTAMP, truncate, fallible=True),
    function(
        "date_trunc",
        (TEXT, TIMESTAMPTZ),
        TIMESTAMPTZ,
        _truncate_zoned,
        fallible=True,
        session=_ZONE,
        volatility=_STABLE,
    ),
    function("date_trunc", (TEXT, TIMESTAMPTZ, TEXT), TIMESTAMPTZ, _truncate_in_zone, fallible=True),
    function("date_trunc", (TEXT, INTERVAL), INTERVAL, truncate_interval, fallible=True),
    function("date_bin", (INTERVAL, TIMESTAMP, TIMESTAMP), TIMESTAMP, date_bin, fallible=True),
    function("date_bin", (INTERVAL, TIMESTAMPTZ, TIMESTAMPTZ), TIMESTAMPTZ, _bin_zoned, fallible=True),
    function("age", (TIMESTAMP, TIMESTAMP), INTERVAL, age, fallible=True),
    function("age", (TIMESTAMPTZ, TIMESTAMPTZ), INTERVAL, _age_zoned, fallible=True, session=_ZONE, volatility=_STABLE),
    function("age", (TIMESTAMP,), INTERVAL, _age_of, fallible=True, session=_NOW, volatility=_STABLE),
    function("age", (TIMESTAMPTZ,), INTERVAL, _age_of_zoned, fallible=True, session=_NOW, volatility=_STABLE),
    *_overlaps(TIMESTAMP, add_interval),
    *_overlaps(TIMESTAMPTZ, add_interval_in_zone, session=_ZONE),
    *_overlaps(TIME, shift_time),
    function("age", (XID,), INT4, lambda _xid: 0, volatility=_STABLE),
)
