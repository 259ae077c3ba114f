"""Dates, times, timestamps and intervals between the years 1 and 9999; 22008 outside.

Calendar arithmetic is exact in microseconds since 1970. Session zones other than UTC go to Python.
"""

from __future__ import annotations

from compute.scalars.failure import Failure
from compute.scalars.family import Lower, Lowerings, checked, plain, shared, template
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import call, when
from compute.scalars.value import Value, derived
from model.types.scalar_type import BOOL, DATE, INT8, INTERVAL, ScalarType

_DAY = "86400000000L"
_FIRST_DAY, _LAST_DAY = "-719162L", "2932896L"
FIRST_MICROS, LAST_MICROS = "-62135596800000000L", "253402300799999999L"


def micros(sql: str) -> str:
    """Returns microseconds since 1970, of a timestamp or timestamptz; the Spark session's zone is UTC."""
    return f"unix_micros(CAST({sql} AS TIMESTAMP_LTZ))"


def _shift_date(sign: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        arguments = layers.once_all(*arguments)
        date, days = arguments if arguments[0].type == DATE else arguments[::-1]
        moved = f"CAST(unix_date({date.sql}) AS BIGINT) {sign} {days.sql}"
        moved_value = layers.once(derived(f"({moved})", INT8, plain(date), plain(days)))
        inside = f"{moved_value.sql} BETWEEN {_FIRST_DAY} AND {_LAST_DAY}"
        text = when((inside, f"date_from_unix_date(CAST({moved_value.sql} AS INT))"))
        return checked(layers, text, type_, Failure.DATE_RANGE, *arguments, over=(moved_value,))

    return lower


def _shifted(target: str, sign: int) -> Lower:
    """Adds months by the calendar, then days, then time; each step must stay inside the range of years."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        if len(arguments) == 3 and arguments[2].constant != "UTC":
            return None
        arguments = layers.once_all(*arguments[:2])
        moment, interval = arguments if arguments[0].type != INTERVAL else arguments[::-1]
        minus = "" if sign > 0 else "- "
        base = _plain(layers, f"CAST({moment.sql} AS DATE)", moment)
        rest = f"({micros(moment.sql)} - CAST(unix_date({base.sql}) AS BIGINT) * {_DAY})"
        months = f"({minus}CAST({interval.sql}.months AS BIGINT))"
        place = _plain(
            layers, f"(CAST(year({base.sql}) AS BIGINT) * 12L + month({base.sql}) - 1L + {months})", base, interval
        )
        inside = f"{place.sql} BETWEEN 12L AND 119999L"
        date = when((inside, f"add_months({base.sql}, CAST({months} AS INT))"))
        start = _plain(layers, f"(CAST(unix_date({date}) AS BIGINT) * {_DAY} + {rest})", place, moment)
        days = f"try_multiply({minus}CAST({interval.sql}.days AS BIGINT), {_DAY})"
        middle = _plain(layers, call("try_add", start.sql, days), start, interval)
        inside = f"{middle.sql} BETWEEN {FIRST_MICROS} AND {LAST_MICROS}"
        function = "try_add" if sign > 0 else "try_subtract"
        end = _plain(
            layers, when((inside, call(function, middle.sql, f"{interval.sql}.microseconds"))), middle, interval
        )
        inside = f"{end.sql} BETWEEN {FIRST_MICROS} AND {LAST_MICROS}"
        text = when((inside, f"CAST(timestamp_micros({end.sql}) AS {target})"))
        return checked(layers, text, type_, Failure.TIMESTAMP_RANGE, *arguments, over=(end,))

    return lower


def _plain(layers: Layers, text: str, *sources: Value) -> Value:
    return layers.once(derived(text, BOOL, *(plain(source) for source in sources)))


def _difference(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Subtracts timestamps: whole days, and the rest as time."""
    later, earlier = arguments
    span = layers.once(derived(f"({micros(later.sql)} - {micros(earlier.sql)})", INT8, later, earlier))
    parts = f"'months', 0, 'days', CAST(({span.sql} div {_DAY}) AS INT), 'microseconds', ({span.sql} % {_DAY})"
    return derived(when((f"{span.sql} IS NOT NULL", f"named_struct({parts})")), type_, span)


def _in_utc(text: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        moment, zone = arguments
        if zone.constant != "UTC":
            return None
        return derived(text.format(moment.sql), type_, moment)

    return lower


_TIME_OF = f"pmod(unix_micros(CAST({{0}} AS TIMESTAMP_LTZ)), {_DAY})"

LOWERINGS: Lowerings = {
    "add_date_int4": _shift_date("+"),
    "add_int4_date": _shift_date("+"),
    "subtract_date_int4": _shift_date("-"),
    "subtract_date_date": template("datediff({0}, {1})"),
    "add_date_interval": _shifted("TIMESTAMP_NTZ", 1),
    "add_interval_date": _shifted("TIMESTAMP_NTZ", 1),
    "subtract_date_interval": _shifted("TIMESTAMP_NTZ", -1),
    "add_timestamp_interval": _shifted("TIMESTAMP_NTZ", 1),
    "add_interval_timestamp": _shifted("TIMESTAMP_NTZ", 1),
    "subtract_timestamp_interval": _shifted("TIMESTAMP_NTZ", -1),
    "add_timestamptz_interval": _shifted("TIMESTAMP_LTZ", 1),
    "add_interval_timestamptz": _shifted("TIMESTAMP_LTZ", 1),
    "subtract_timestamptz_interval": _shifted("TIMESTAMP_LTZ", -1),
    "subtract_timestamp_timestamp": _difference,
    "subtract_timestamptz_timestamptz": _difference,
    "cast_date_timestamp": template("CAST({0} AS TIMESTAMP_NTZ)"),
    "cast_timestamp_date": template("CAST({0} AS DATE)"),
    "cast_timestamp_time": template(_TIME_OF),
    "cast_date_timestamptz": _in_utc("CAST({0} AS TIMESTAMP_LTZ)"),
    "cast_timestamp_timestamptz": _in_utc("CAST({0} AS TIMESTAMP_LTZ)"),
    "cast_timestamptz_timestamp": _in_utc("CAST({0} AS TIMESTAMP_NTZ)"),
    "cast_timestamptz_date": _in_utc("CAST({0} AS DATE)"),
    "cast_timestamptz_time": _in_utc(_TIME_OF),
    "cast_time_interval": shared(
        "CASE WHEN {0} IS NOT NULL THEN named_struct('months', 0, 'days', 0, 'microseconds', {0}) END"
    ),
    "cast_interval_time": template(f"pmod({{0}}.microseconds, {_DAY})"),
}
