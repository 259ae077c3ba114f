"""interval in text: the four IntervalStyles."""

from __future__ import annotations

from collections.abc import Callable

from model.types.datum import Interval

_HOUR = 3_600_000_000
_MINUTE = 60_000_000


def interval_formatter(style: str) -> Callable[[Interval], str]:
    """Returns an output function for postgres, postgres_verbose, sql_standard or iso_8601."""
    return {
        "postgres_verbose": format_verbose,
        "sql_standard": format_sql_standard,
        "iso_8601": format_iso_8601,
    }.get(style, format_postgres)


def _years_months(value: Interval) -> tuple[int, int]:
    """Returns years and months, both of the sign of the whole."""
    years, months = divmod(abs(value.months), 12)
    return (-years, -months) if value.months < 0 else (years, months)


def _clock_parts(micros: int) -> tuple[int, int, str]:
    """Returns hours, minutes and seconds (with their fraction, two digits at least) of the absolute value."""
    hours, rest = divmod(abs(micros), _HOUR)
    minutes, rest = divmod(rest, _MINUTE)
    return hours, minutes, _seconds_text(rest, 2)


def _seconds_text(micros: int, width: int) -> str:
    seconds, fraction = divmod(micros, 1_000_000)
    text = f"{seconds:0{width}d}"
    return f"{text}.{fraction:06d}".rstrip("0") if fraction else text


def format_postgres(value: Interval) -> str:
    """Writes `1 year 2 mons 3 days 04:05:06`; a positive part after a negative one shows its sign."""
    parts: list[str] = []
    negative_before = False
    for number, unit in zip((*_years_months(value), value.days), ("year", "mon", "day"), strict=True):
        if number:
            sign = "+" if negative_before and number > 0 else ""
            parts.append(f"{sign}{number} {unit}{'' if number == 1 else 's'}")
            negative_before = number < 0
    if value.microseconds or not parts:
        sign = "-" if value.microseconds < 0 else "+" if negative_before else ""
        hours, minutes, seconds = _clock_parts(value.microseconds)
        parts.append(f"{sign}{hours:02d}:{minutes:02d}:{seconds}")
    return " ".join(parts)


def format_verbose(value: Interval) -> str:
    """Prints `@ 1 year 2 mons ago`; the first part's sign decides about `ago`, later parts show theirs against it."""
    negative = value.microseconds < 0
    hours, rest = divmod(abs(value.microseconds), _HOUR)
    minutes, micros = divmod(rest, _MINUTE)
    signed = (*_years_months(value), value.days, -hours if negative else hours, -minutes if negative else minutes)
    parts: list[str] = []
    ago: bool | None = None
    for number, unit in zip(signed, ("year", "mon", "day", "hour", "min"), strict=True):
        if number:
            ago = number < 0 if ago is None else ago
            shown = -number if ago else number
            parts.append(f"{shown} {unit}{'' if shown == 1 else 's'}")
    if micros:
        ago = negative if ago is None else ago
        sign = "-" if negative != ago else ""
        plural = "" if micros == 1_000_000 else "s"
        parts.append(f"{sign}{_seconds_text(micros, 1)} sec{plural}")
    if not parts:
        return "@ 0"
    return "@ " + " ".join(parts) + (" ago" if ago else "")


def format_sql_standard(value: Interval) -> str:
    """Prints `1-2` or `3 4:05:06`; every part signed when both kinds or both signs are there."""
    years, months = _years_months(value)
    hours, minutes, seconds = _clock_parts(value.microseconds)
    values = (value.months, value.days, value.microseconds)
    has_day_time = value.days != 0 or value.microseconds != 0
    if not any(values):
        return "0"
    mixed_signs = any(v < 0 for v in values) and any(v > 0 for v in values)
    if mixed_signs or (value.months and has_day_time):
        year_sign, day_sign, time_sign = ("-" if v < 0 else "+" for v in values)
        clock = f"{time_sign}{hours}:{minutes:02d}:{seconds}"
        return f"{year_sign}{abs(years)}-{abs(months)} {day_sign}{abs(value.days)} {clock}"
    sign = "-" if min(values) < 0 else ""
    if value.months:
        return f"{sign}{abs(years)}-{abs(months)}"
    if value.days:
        return f"{sign}{abs(value.days)} {hours}:{minutes:02d}:{seconds}"
    return f"{sign}{hours}:{minutes:02d}:{seconds}"


def format_iso_8601(value: Interval) -> str:
    """Writes `P1Y2M3DT4H5M6S`; each part has its own sign."""
    years, months = _years_months(value)
    text = "P" + "".join(f"{n}{u}" for n, u in ((years, "Y"), (months, "M"), (value.days, "D")) if n)
    if value.microseconds:
        sign = "-" if value.microseconds < 0 else ""
        hours, rest = divmod(abs(value.microseconds), _HOUR)
        minutes, micros = divmod(rest, _MINUTE)
        text += "T" + "".join(f"{sign}{n}{u}" for n, u in ((hours, "H"), (minutes, "M")) if n)
        text += f"{sign}{_seconds_text(micros, 1)}S" if micros else ""
    return text if text != "P" else "PT0S"
