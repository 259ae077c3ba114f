"""Dates, times, timestamps and intervals in all of PostgreSQL's years, the infinities included; 22008 outside.

Calendar arithmetic is exact in microseconds since 1970, and Spark's calendar has all years that stand in collections.
The infinities are the ends of the integers (model.physical.wide_times): arithmetic leaves them as they are, and each
expression that adds or subtracts asks for them first. Sums that 64 bits can't hold are NULL until their error is found.
Session zones other than UTC go to Python.
"""

from __future__ import annotations

from dataclasses import replace

from compute.scalars.failure import Failure, failing_when, first_error
from compute.scalars.family import Lower, Lowerings, checked, plain, shared, template
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import call, when
from compute.scalars.value import Value, derived
from model.physical import wide_times
from model.physical.wide_times import DATE_ENDS, MOMENT_ENDS
from model.types.scalar_type import BOOL, DATE, INT8, INTERVAL, ScalarType, TypeName
from model.types.wide_time import DAY_MAX, DAY_MIN, MICROS_MIN

_DAY = "86400000000L"
_INFINITE_DAY = f"{DATE_ENDS[1]}L"
FIRST_MICROS, LAST_MICROS = f"{MICROS_MIN}L", f"{wide_times.LAST_MICROS}L"
_INFINITE_MICROS = f"{MOMENT_ENDS[1]}L"
LAST_DAY_OF_MOMENTS = MOMENT_ENDS[1] // 86_400_000_000
_FIRST_MONTH, _LAST_MONTH = "-56547L", "3531335L"
"""Months since the year 0, in which timestamps may lie."""
_INFINITY, _INFINITY_BEFORE = f"timestamp_micros({_INFINITE_MICROS})", f"timestamp_micros(-{_INFINITE_MICROS} - 1L)"


def micros(sql: str) -> str:
    """Returns microseconds since 1970, of a timestamp or timestamptz; the Spark session's zone is UTC."""
    return f"unix_micros(CAST({sql} AS TIMESTAMP_LTZ))"


def days(sql: str) -> str:
    """Counts the days since 1970 of a date, as a bigint."""
    return f"CAST(unix_date({sql}) AS BIGINT)"


def finite_micros(count: str) -> str:
    """Tells whether microseconds are those of a moment, and not of an infinity."""
    return f"{count} BETWEEN -{_INFINITE_MICROS} AND {LAST_MICROS}"


def finite_days(count: str) -> str:
    """Tells whether days are those of a date, and not of an infinity."""
    return f"{count} BETWEEN -{_INFINITE_DAY} AND {DATE_ENDS[1] - 1}L"


def finite(moment: Value) -> str:
    """Tells whether a date, a timestamp or a timestamptz is no infinity."""
    return finite_days(days(moment.sql)) if moment.type.name is TypeName.DATE else finite_micros(micros(moment.sql))


def _shift_date(sign: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        arguments = layers.once_all(*arguments)
        date, count = arguments if arguments[0].type == DATE else arguments[::-1]
        moved_value = layers.once(derived(f"({days(date.sql)} {sign} {count.sql})", INT8, plain(date), plain(count)))
        inside = f"{moved_value.sql} BETWEEN {DAY_MIN}L AND {DAY_MAX}L"
        moved = (inside, f"date_from_unix_date(CAST({moved_value.sql} AS INT))")
        text = when((f"NOT {finite(date)} AND {count.sql} IS NOT NULL", date.sql), moved)
        return checked(layers, text, type_, Failure.DATE_RANGE, *arguments, over=(moved_value,))

    return lower


def _days_between(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    later, earlier = arguments = layers.once_all(*arguments)
    text = when((f"{finite(later)} AND {finite(earlier)}", f"datediff({later.sql}, {earlier.sql})"))
    return checked(layers, text, type_, Failure.INFINITE_DATES, *arguments)


def _shifted(target: str, sign: int) -> Lower:
    """Adds months by the calendar, then days, then time; each step must stay inside the range of timestamps."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        if len(arguments) == 3 and arguments[2].constant != "UTC":
            return None
        arguments = layers.once_all(*arguments[:2])
        moment, interval = arguments if arguments[0].type != INTERVAL else arguments[::-1]
        minus = "" if sign > 0 else "- "
        begin = midnight_micros(moment.sql) if moment.type == DATE else micros(moment.sql)
        begun = _plain(layers, begin, moment)
        base = _plain(layers, moment.sql if moment.type == DATE else f"CAST({moment.sql} AS DATE)", moment)
        months = f"({minus}CAST({interval.sql}.months AS BIGINT))"
        place = _plain(
            layers, f"(CAST(year({base.sql}) AS BIGINT) * 12L + month({base.sql}) - 1L + {months})", base, interval
        )
        inside = f"{place.sql} BETWEEN {_FIRST_MONTH} AND {_LAST_MONTH}"
        date = when((inside, f"add_months({base.sql}, CAST({months} AS INT))"))
        of_day = f"pmod({begun.sql}, {_DAY})"
        start = _plain(layers, call("try_add", call("try_multiply", days(date), _DAY), of_day), place, begun)
        further = f"try_multiply({minus}CAST({interval.sql}.days AS BIGINT), {_DAY})"
        inside = f"{start.sql} BETWEEN {FIRST_MICROS} AND {LAST_MICROS}"
        middle = _plain(layers, when((inside, call("try_add", start.sql, further))), start, interval)
        inside = f"{middle.sql} BETWEEN {FIRST_MICROS} AND {LAST_MICROS}"
        function = "try_add" if sign > 0 else "try_subtract"
        end = _plain(
            layers, when((inside, call(function, middle.sql, f"{interval.sql}.microseconds"))), middle, interval
        )
        inside = f"{end.sql} BETWEEN {FIRST_MICROS} AND {LAST_MICROS}"
        text = when(
            (f"NOT {finite_micros(begun.sql)} AND {interval.sql} IS NOT NULL", _moment(begun.sql, target)),
            (inside, _moment(end.sql, target)),
        )
        if moment.type == DATE:
            late = f"{begun.sql} IS NULL AND {moment.sql} IS NOT NULL AND {interval.sql} IS NOT NULL"
            begun = replace(begun, error=failing_when(late, Failure.DATE_FOR_TIMESTAMP))
            arguments = (*arguments, begun)
        return checked(layers, text, type_, Failure.TIMESTAMP_RANGE, *arguments, over=(begun, end))

    return lower


def midnight_micros(date: str) -> str:
    """Returns the microseconds since 1970 of the moment at which a date begins, an infinity for one; NULL for a date
    behind all timestamps. `date` is used several times."""
    return when(
        (f"unix_date({date}) BETWEEN {DAY_MIN} AND {LAST_DAY_OF_MOMENTS}", f"({days(date)} * {_DAY})"),
        (f"unix_date({date}) = {DATE_ENDS[1]}", _INFINITE_MICROS),
        (f"{days(date)} = {DATE_ENDS[0]}L", f"(-{_INFINITE_MICROS} - 1L)"),
    )


def _moment(count: str, target: str) -> str:
    return f"CAST(timestamp_micros({count}) AS {target})"


def _plain(layers: Layers, text: str, *sources: Value) -> Value:
    return layers.once(derived(text, BOOL, *(plain(source) for source in sources)))


def _difference(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Subtracts timestamps: whole days, and the rest as time."""
    later, earlier = layers.once_all(*arguments)
    both = when(
        (f"{finite(later)} AND {finite(earlier)}", call("try_subtract", micros(later.sql), micros(earlier.sql)))
    )
    either = f"(NOT {finite(later)} OR NOT {finite(earlier)})"
    span = layers.once(derived(both, INT8, plain(later), plain(earlier)))
    parts = f"'months', 0, 'days', CAST(({span.sql} div {_DAY}) AS INT), 'microseconds', ({span.sql} % {_DAY})"
    value = when((f"{span.sql} IS NOT NULL", f"named_struct({parts})"))
    present = f"{span.sql} IS NULL AND {later.sql} IS NOT NULL AND {earlier.sql} IS NOT NULL"
    infinite = failing_when(f"{present} AND {either}", Failure.INFINITE_TIMESTAMPS)
    overflow = failing_when(f"{present} AND NOT {either}", Failure.INTERVAL_RANGE)
    return derived(value, type_, span, later, earlier, error=first_error(infinite, overflow))


def _midnight(target: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        (date,) = layers.once_all(*arguments)
        inside = f"unix_date({date.sql}) BETWEEN {DAY_MIN} AND {LAST_DAY_OF_MOMENTS}"
        text = when(
            (inside, f"CAST({date.sql} AS {target})"),
            (f"unix_date({date.sql}) = {DATE_ENDS[1]}", f"CAST({_INFINITY} AS {target})"),
            (f"{days(date.sql)} = {DATE_ENDS[0]}L", f"CAST({_INFINITY_BEFORE} AS {target})"),
        )
        return checked(layers, text, type_, Failure.DATE_FOR_TIMESTAMP, date)

    return lower


def _compared_midnight(target: str) -> Lower:
    """Casts a date for a comparison: one behind all moments is a number between theirs and infinity."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        (date,) = layers.once_all(*arguments)
        count = call("coalesce", midnight_micros(date.sql), f"({LAST_MICROS} + 1L)")
        return derived(when((f"{date.sql} IS NOT NULL", _moment(count, target))), type_, date)

    return lower


def _day_of(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    (moment,) = layers.once_all(*arguments)
    ends = when(
        (f"{micros(moment.sql)} > 0L", f"date_from_unix_date({DATE_ENDS[1]})"),
        otherwise=f"date_from_unix_date(-{DATE_ENDS[1]} - 1)",
    )
    text = when((finite(moment), f"CAST({moment.sql} AS DATE)"), (f"{moment.sql} IS NOT NULL", ends))
    return derived(text, type_, moment)


def _time_of(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Returns the time of day, which an infinity has not."""
    (moment,) = layers.once_all(*arguments)
    return derived(when((finite(moment), f"pmod({micros(moment.sql)}, {_DAY})")), type_, moment)


def _recast(target: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        return derived(f"CAST({arguments[0].sql} AS {target})", type_, *arguments)

    return lower


def _in_utc(lower_plain: Lower) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        moment, zone = arguments
        return lower_plain(layers, (moment,), type_) if zone.constant == "UTC" else None

    return lower


def _is_finite(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    return derived(f"({finite(arguments[0])})", type_, *arguments)


LOWERINGS: Lowerings = {
    "add_date_int4": _shift_date("+"),
    "add_int4_date": _shift_date("+"),
    "subtract_date_int4": _shift_date("-"),
    "subtract_date_date": _days_between,
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
    **{f"isfinite_{name}": _is_finite for name in ("date", "timestamp", "timestamptz")},
    "cast_date_timestamp": _midnight("TIMESTAMP_NTZ"),
    "compared_date_timestamp": _compared_midnight("TIMESTAMP_NTZ"),
    "compared_date_timestamptz": _in_utc(_compared_midnight("TIMESTAMP_LTZ")),
    "compared_timestamp_timestamptz": _in_utc(_recast("TIMESTAMP_LTZ")),
    "cast_timestamp_date": _day_of,
    "cast_timestamp_time": _time_of,
    "cast_date_timestamptz": _in_utc(_midnight("TIMESTAMP_LTZ")),
    "cast_timestamp_timestamptz": _in_utc(_recast("TIMESTAMP_LTZ")),
    "cast_timestamptz_timestamp": _in_utc(_recast("TIMESTAMP_NTZ")),
    "cast_timestamptz_date": _in_utc(_day_of),
    "cast_timestamptz_time": _in_utc(_time_of),
    "cast_time_interval": shared(
        "CASE WHEN {0} IS NOT NULL THEN named_struct('months', 0, 'days', 0, 'microseconds', {0}) END"
    ),
    "cast_interval_time": template(f"pmod({{0}}.microseconds, {_DAY})"),
}
