"""extract, date_part, date_trunc, date_bin, for units and bins that are literals; the Spark session's zone is UTC.

Units that Spark has no exact expression for (julian, time zones, centuries to truncate to) go to Python.
"""

from __future__ import annotations

import datetime

from compute.scalars.dates import FIRST_MICROS, LAST_DAY_OF_MOMENTS, LAST_MICROS, days, finite, finite_micros, micros
from compute.scalars.failure import Failure, failing_when
from compute.scalars.family import Lower, Lowerings, checked, plain
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import literal, when
from compute.scalars.value import Value, derived
from model.types.datum import Interval
from model.types.scalar_type import DATE, FLOAT8, INT8, ScalarType, TypeName
from model.types.wide_time import DAY_MIN
from planner.functions.time.date_units import MICROSECOND_UNITS, unit_named
from planner.functions.time.moments import MICROSECONDS_MAX, micros_between

_DAY_MICROS = 86_400_000_000
_DAY = f"{_DAY_MICROS}L"
_MIDDLE = {
    TypeName.DATE: datetime.date(1970, 1, 1),
    TypeName.TIMESTAMP: datetime.datetime(1970, 1, 1),
    TypeName.TIMESTAMPTZ: datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC),
}
_CALENDAR = {
    "day": "day({0})",
    "month": "month({0})",
    "quarter": "quarter({0})",
    "week": "weekofyear({0})",
    "dow": "(dayofweek({0}) - 1)",
    "isodow": "(weekday({0}) + 1)",
    "doy": "dayofyear({0})",
}
_YEARS = {
    "year": ("year({0})", "{0}", "({0} - 1)"),
    "decade": ("year({0})", "({0} div 10)", "(- ((9 - {0}) div 10))"),
    "century": ("year({0})", "(({0} + 99) div 100)", "(- ((100 - {0}) div 100))"),
    "millennium": ("year({0})", "(({0} + 999) div 1000)", "(- ((1000 - {0}) div 1000))"),
    "isoyear": ("extract(YEAROFWEEK FROM {0})", "{0}", "({0} - 1)"),
}
"""The year that counts, and from it the part of years from 1, and of those before, of which 0 is 1 BC."""
_CLOCK = {
    "microseconds": ("({0} % 60000000L)", 0),
    "milliseconds": ("({0} % 60000000L)", 3),
    "second": ("({0} % 60000000L)", 6),
    "minute": ("(({0} div 60000000L) % 60L)", 0),
    "hour": ("({0} div 3600000000L)", 0),
}
_STARTS = {
    "day": "{0}",
    "week": "date_sub({0}, weekday({0}))",
    "month": "trunc({0}, 'MM')",
    "quarter": "trunc({0}, 'QUARTER')",
    "year": "trunc({0}, 'YEAR')",
}


def _unit(arguments: tuple[Value, ...]) -> str | None:
    """Returns the unit; None when it is no literal, or the zone is not UTC."""
    word = arguments[0].constant
    if not isinstance(word, str) or (len(arguments) == 3 and arguments[2].constant != "UTC"):
        return None
    return unit_named(word)


def _part(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    unit, moment = _unit(arguments), arguments[1]
    if unit is None:
        return None
    is_date = moment.type.name is TypeName.DATE
    is_time = moment.type.name is TypeName.TIME
    if not is_time:
        moment = layers.once(moment)
    if unit in _CALENDAR and not is_time:
        date = layers.once(derived(f"CAST({moment.sql} AS DATE)", moment.type, moment))
        return _number(layers, when((finite(moment), _CALENDAR[unit].format(date.sql))), 0, type_, date, moment)
    if unit in _YEARS and not is_time:
        return _growing(layers, _year_part(layers, unit, moment), 0, type_, moment)
    if is_date and unit != "epoch":
        return None
    if unit == "epoch":
        if is_date:
            return _growing(layers, f"({days(moment.sql)} * 86400L)", 0, type_, moment, shown=6)
        if not is_time:
            return _growing(layers, micros(moment.sql), 6, type_, moment)
        return _number(layers, moment.sql, 6, type_, moment)
    clock = _CLOCK.get(unit)
    if clock is None:
        return None
    text, scale = clock
    if is_time:
        return _number(layers, text.format(moment.sql), scale, type_, moment)
    of_day = f"pmod({micros(moment.sql)}, {_DAY})"
    return _number(layers, when((finite(moment), text.format(of_day))), scale, type_, moment)


def _part_of_date(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    """Lowers date_part, which takes a date for the moment at which it begins."""
    word, date = arguments
    date = layers.once(date)
    part = _part(layers, (word, plain(date)), type_)
    if part is None:
        return None
    late = f"{days(date.sql)} > {LAST_DAY_OF_MOMENTS}L AND {finite(date)}"
    return derived(part.sql, type_, date, part, error=failing_when(late, Failure.DATE_FOR_TIMESTAMP))


def _year_part(layers: Layers, unit: str, moment: Value) -> str:
    counted, since_christ, before = _YEARS[unit]
    date = f"CAST({moment.sql} AS DATE)"
    year = layers.once(derived(when((finite(moment), counted.format(date))), moment.type, plain(moment)))
    return when((f"{year.sql} > 0", since_christ.format(year.sql)), otherwise=before.format(year.sql))


def _growing(
    layers: Layers, text: str, scale: int, type_: ScalarType, moment: Value, *, shown: int | None = None
) -> Value:
    """Returns a part that grows with time, which is infinite where the moment is."""
    beyond = f"{moment.sql} IS NOT NULL AND NOT {finite(moment)}"
    part = when((finite(moment), text))
    if type_ == FLOAT8:
        value = _number(layers, part, 0, type_, moment)
        if scale:
            # Rounded before the division, as PostgreSQL does.
            value = derived(f"({value.sql} / 1{'0' * scale}D)", type_, value)
        before = f"{moment.sql} < {literal(_MIDDLE[moment.type.name], moment.type)}"
        end = when((before, "double('-Infinity')"), otherwise="double('Infinity')")
        return derived(when((beyond, end), otherwise=value.sql), type_, moment)
    value = _number(layers, part, scale, type_, moment)
    if shown is not None:
        form = (19 + shown, shown)
        value = derived(f"CAST({value.sql} AS DECIMAL({form[0]},{form[1]}))", type_, moment, decimal=form)
    own = failing_when(beyond, Failure.INFINITE_NUMERIC)
    return derived(value.sql, type_, moment, decimal=value.decimal, error=own)


def _number(layers: Layers, text: str, scale: int, type_: ScalarType, *sources: Value) -> Value:
    """Returns a whole number of 10^-scale as numeric, or as the nearest double."""
    exact = f"CAST({text} AS DECIMAL(19,0))"
    form = (19, 0)
    if scale:
        form = (19 + scale, scale)
        exact = f"CAST(({exact} * 0.{'0' * (scale - 1)}1BD) AS DECIMAL({form[0]},{scale}))"
    if type_ == FLOAT8:
        return derived(f"CAST({exact} AS DOUBLE)", type_, *sources)
    return derived(exact, type_, *sources, decimal=form)


def _truncated(target: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        unit, moment = _unit(arguments), arguments[1]
        if unit in MICROSECOND_UNITS:
            since = layers.once(derived(micros(moment.sql), INT8, moment))
            begun = f"{since.sql} - pmod({since.sql}, {MICROSECOND_UNITS[unit]}L)"
            text = f"timestamp_micros({when((finite_micros(since.sql), begun), otherwise=since.sql)})"
            return derived(f"CAST({text} AS {target})", type_, since)
        if unit not in _STARTS:
            return None
        moment = layers.once(moment)
        date = layers.once(derived(f"CAST({moment.sql} AS DATE)", moment.type, plain(moment)))
        start = layers.once(derived(when((finite(moment), _STARTS[unit].format(date.sql))), DATE, plain(date)))
        inside = f"unix_date({start.sql}) >= {DAY_MIN}"
        text = when((inside, f"CAST({start.sql} AS {target})"), (f"NOT {finite(moment)}", moment.sql))
        return checked(layers, text, type_, Failure.TIMESTAMP_RANGE, moment, over=(start,))

    return lower


def _binned(target: str) -> Lower:
    """Lowers date_bin for valid strides; the function in Python reports the faults of others."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        stride, moment, origin = arguments[0].constant, arguments[1], arguments[2].constant
        if not isinstance(stride, Interval) or not isinstance(origin, datetime.datetime) or stride.months:
            return None
        width = stride.days * _DAY_MICROS + stride.microseconds
        if not 0 < width <= MICROSECONDS_MAX:
            return None
        begin = micros_between(origin, datetime.datetime(1970, 1, 1, tzinfo=origin.tzinfo))
        since = layers.once(derived(micros(moment.sql), INT8, moment))
        distance = f"try_subtract({since.sql}, ({begin}L))"
        bin_start = when((finite_micros(since.sql), f"try_subtract({since.sql}, pmod({distance}, {width}L))"))
        start = layers.once(derived(bin_start, INT8, since))
        inside = f"{start.sql} BETWEEN {FIRST_MICROS} AND {LAST_MICROS}"
        text = when(
            (inside, f"CAST(timestamp_micros({start.sql}) AS {target})"),
            (f"NOT {finite_micros(since.sql)}", f"CAST(timestamp_micros({since.sql}) AS {target})"),
        )
        return checked(layers, text, type_, Failure.TIMESTAMP_RANGE, moment, over=(since, start))

    return lower


LOWERINGS: Lowerings = {
    **{f"extract_text_{of}": _part for of in ("timestamp", "timestamptz", "date", "time")},
    **{f"date_part_text_{of}": _part for of in ("timestamp", "timestamptz", "time")},
    "date_part_text_date": _part_of_date,
    "date_trunc_text_timestamp": _truncated("TIMESTAMP_NTZ"),
    "date_trunc_text_timestamptz": _truncated("TIMESTAMP_LTZ"),
    "date_bin_interval_timestamp_timestamp": _binned("TIMESTAMP_NTZ"),
    "date_bin_interval_timestamptz_timestamptz": _binned("TIMESTAMP_LTZ"),
}
