"""date_trunc, date_bin, age and OVERLAPS."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.times.near_years import CYCLE_DAYS, CYCLE_YEARS
from model.types.datum import Interval
from model.types.scalar_type import BOOL, INT4, INTERVAL, TEXT, TIME, TIMESTAMP, TIMESTAMPTZ, XID, ScalarType, type_text
from planner.functions.failures import datetime_overflow, invalid_parameter
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.functions.time.date_time import shift_time
from planner.functions.time.date_units import MICROSECOND_UNITS, unit_named
from planner.functions.time.moments import (
    MICROSECONDS_MAX,
    MICROSECONDS_PER_DAY,
    Zone,
    add_interval,
    add_interval_in_zone,
    from_local,
    from_near_local,
    micros_between,
    midnight,
    shift_micros,
    to_local,
    to_near_local,
    zone_named,
)
from planner.ir.scalar import SessionName

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
    """Centuries and millennia begin in a year 1, decades in a year 0."""
    length = _YEARS[unit]
    if unit in ("year", "decade"):
        return year // length * length
    return (year - 1) // length * length + 1


def truncate(
    word: str, moment: datetime.datetime, type_: ScalarType = TIMESTAMP, further_years: int = 0
) -> datetime.datetime:
    """Returns the beginning of the unit that the moment lies in. The moment's true year is its own and `further_years`;
    the beginning is given as many years before its true one."""
    unit = _unit(word, type_, _UNITS)
    start = midnight(moment.date())
    if unit in MICROSECOND_UNITS:
        micros = micros_between(moment, start)
        return shift_micros(start, micros - micros % MICROSECOND_UNITS[unit])
    if unit == "week":
        return shift_micros(start, -start.weekday() * MICROSECONDS_PER_DAY)
    if unit in _MONTHS:
        length = _MONTHS[unit]
        return start.replace(month=(start.month - 1) // length * length + 1, day=1)
    if unit in _YEARS:
        year = _first_year(start.year + further_years, unit) - further_years
        if year < datetime.MINYEAR:
            raise datetime_overflow("timestamp")
        return start.replace(year=year, month=1, day=1)
    return start


def _truncate_zoned(word: str, moment: datetime.datetime, zone: Zone) -> datetime.datetime:
    """Truncates a moment in its zone: below a day the clock never jumps, so the result keeps the moment's offset."""
    unit = _unit(word, TIMESTAMPTZ, _UNITS)
    local, cycles = to_near_local(moment, zone)
    begun = truncate(word, local, TIMESTAMPTZ, cycles * CYCLE_YEARS)
    if unit in MICROSECOND_UNITS:
        return shift_micros(moment, micros_between(begun, local))
    return from_near_local(begun, cycles, zone)


def _truncate_in_zone(word: str, moment: datetime.datetime, zone: str) -> datetime.datetime:
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


def date_bin(stride: Interval, moment: datetime.datetime, origin: datetime.datetime) -> datetime.datetime:
    """Returns the beginning of the moment's bin, bins of `stride` counted from `origin`."""
    if stride.months:
        message = "timestamps cannot be binned into intervals containing months or years"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    width = stride.days * MICROSECONDS_PER_DAY + stride.microseconds
    if width <= 0:
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "stride must be greater than zero")
    distance = micros_between(moment, origin)
    if max(width, abs(distance)) > MICROSECONDS_MAX:
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "interval out of range")
    return shift_micros(origin, distance // width * width)


def _days_in_month(moment: datetime.datetime) -> int:
    following = (moment.replace(day=28) + datetime.timedelta(days=4)).replace(day=1)
    return (following - datetime.timedelta(days=1)).day


def age(later: datetime.datetime, earlier: datetime.datetime) -> Interval:
    """Years, months, days and time between, counted by the calendar; days are borrowed from the earlier month."""
    sign = 1
    if later < earlier:
        sign, later, earlier = -1, earlier, later
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    days = later.day - earlier.day
    micros = micros_between(later, midnight(later.date())) - micros_between(earlier, midnight(earlier.date()))
    if micros < 0:
        micros, days = micros + MICROSECONDS_PER_DAY, days - 1
    while days < 0:
        # PostgreSQL borrows the days of the month of its first argument's earlier side, whichever came first.
        days, months = days + _days_in_month(earlier), months - 1
    return Interval(sign * months, sign * days, sign * micros)


def _age_zoned(later: datetime.datetime, earlier: datetime.datetime, zone: str) -> Interval:
    (first, first_cycles), (second, second_cycles) = to_near_local(later, zone), to_near_local(earlier, zone)
    # An age is the same between two local times of which both are 400 years nearer.
    if first_cycles != second_cycles and first_cycles:
        second = shift_micros(second, -first_cycles * CYCLE_DAYS * MICROSECONDS_PER_DAY)
    elif first_cycles != second_cycles:
        first = shift_micros(first, -second_cycles * CYCLE_DAYS * MICROSECONDS_PER_DAY)
    return age(first, second)


def _age_of(moment: datetime.datetime, now: datetime.datetime, zone: str) -> Interval:
    """Returns the age up to today's midnight."""
    return age(midnight(to_local(now, zone).date()), moment)


def _age_of_zoned(moment: datetime.datetime, now: datetime.datetime, zone: str) -> Interval:
    today = midnight(to_local(now, zone).date())
    return _age_zoned(from_local(today, zone), moment, zone)


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
    """Periods by their ends, or by a start and a length; what adds a length may take the session's zone."""

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
    function("date_bin", (INTERVAL, TIMESTAMPTZ, TIMESTAMPTZ), TIMESTAMPTZ, date_bin, fallible=True),
    function("age", (TIMESTAMP, TIMESTAMP), INTERVAL, age),
    function("age", (TIMESTAMPTZ, TIMESTAMPTZ), INTERVAL, _age_zoned, fallible=True, session=_ZONE, volatility=_STABLE),
    function("age", (TIMESTAMP,), INTERVAL, _age_of, session=_NOW, volatility=_STABLE),
    function("age", (TIMESTAMPTZ,), INTERVAL, _age_of_zoned, fallible=True, session=_NOW, volatility=_STABLE),
    *_overlaps(TIMESTAMP, add_interval),
    *_overlaps(TIMESTAMPTZ, add_interval_in_zone, session=_ZONE),
    *_overlaps(TIME, shift_time),
    function("age", (XID,), INT4, lambda _xid: 0, volatility=_STABLE),
)
