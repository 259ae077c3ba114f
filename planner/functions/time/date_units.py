"""The names of units of time, as extract, date_part and date_trunc take them."""

from __future__ import annotations

_NAMES: dict[str, tuple[str, ...]] = {
    "microseconds": ("microseconds", "microsecond", "microsecon", "us", "usec", "usecs", "useconds", "usecond"),
    "milliseconds": ("milliseconds", "millisecond", "millisecon", "ms", "msec", "msecs", "mseconds", "msecond"),
    "second": ("second", "seconds", "sec", "secs", "s"),
    "minute": ("minute", "minutes", "min", "mins", "m"),
    "hour": ("hour", "hours", "hr", "hrs", "h"),
    "day": ("day", "days", "d"),
    "week": ("week", "weeks", "w"),
    "month": ("month", "months", "mon", "mons"),
    "quarter": ("quarter", "qtr"),
    "year": ("year", "years", "yr", "yrs", "y"),
    "decade": ("decade", "decades", "dec", "decs"),
    "century": ("century", "centuries", "cent", "c"),
    "millennium": ("millennium", "millennia", "mil", "mils"),
    "isoyear": ("isoyear",),
    "dow": ("dow",),
    "isodow": ("isodow",),
    "doy": ("doy",),
    "epoch": ("epoch",),
    "julian": ("julian", "jd", "j"),
    "timezone": ("timezone",),
    "timezone_hour": ("timezone_hour", "timezone_h"),
    "timezone_minute": ("timezone_minute", "timezone_m"),
}
_BY_WORD = {word: name for name, words in _NAMES.items() for word in words}

MICROSECOND_UNITS: dict[str, int] = {
    "microseconds": 1,
    "milliseconds": 1_000,
    "second": 1_000_000,
    "minute": 60_000_000,
    "hour": 3_600_000_000,
}
"""The units below a day, in microseconds."""


def unit_named(word: str) -> str | None:
    """Returns the unit's own name; None for a word that is none."""
    return _BY_WORD.get(word.lower())
