"""Random texts of dates, times and intervals: the tokens that PostgreSQL's reading knows, joined by random separators.

Few of them mean something; all tell whether tokens are cut, taken and refused in the same order.
"""

from __future__ import annotations

import random

_DATES = (
    *("1999", "2001", "99", "1", "02", "2", "13", "31", "366", "038", "20070201", "990108", "0", "00", "99999999999"),
    *("Jan", "january", "Feb", "sept", "mon", "Sat", "tuesday", "1999-01-08", "1999-1-8", "01/02/03", "1.2.2003"),
    *("8-jan-1999", "jan-8-1999", "99-Jan-08", "1999.038", "1999-038", "1999/038", "2001-02", "02-03", "2001-"),
    *("2001-jan", "2001-02-30", "feb-29-2001", "00-00-00", "2000-00-01", "8jan", "8-jan99", "J2451187", "j", "julian"),
)
_TIMES = (
    *("04:05", "04:05:06", "04:05:06.789", "9::60", "23:59:60", "25:00", "12:30", "0:0.5", "13:00", "05:06.7"),
    *("0405", "040506", "152327.5", "1.5", ".5", "040506-08", "20010101T040506", "T04", "T0405", "T04:05", "t"),
    *("am", "pm", "AM", "bc", "AD", "epoch", "allballs", "at", "on", "dst", "d", "y", "h", "m", "abc"),
)
_ZONES = (
    *("z", "utc", "PST", "pdt", "MET", "msk", "EST5EDT", "America/New_York", "GMT+3", "MST+7:00", "etc/gmt-3"),
    *("Nowhere/Land", "+03", "-08", "-0800", "+5:30", "-7:", "+16", "+1:60", "-08:30:15", "- 08", "+1999", "x1"),
)
_SPANS = (
    *("1", "2", "-1", "+3", "1.5", "-1.5", ".5", "1.", "1-2", "-1-2", "1-", "-1-", "1-13", "1--2", "04:05", "0"),
    *("04:05:06", "-04:05:06.7", "+1:2", "9::60", "2:03", "1:61", "5:06.7", "- 1", "1/2", "1.0000001", "1.5.2"),
    *("99999999999", "9223372036854775807", "2147483648", "1e3", "1d", "2h3m", "-5min", "1y2mon", "3.5hours"),
    *("day", "days", "hour", "hrs", "min", "m", "s", "second", "ms", "usec", "week", "mon", "months", "year", "yr"),
    *("decade", "cent", "c", "millennia", "millisecond", "microseconds", "ago", "AGO", "@", "quarter", "timezone"),
    *("P1Y", "P1Y2M3DT4H5M6S", "PT5", "P1", "jan", "x", "."),
)
_SEPARATORS = (" ", " ", " ", " ", " ", "", "  ", "T", "t", ", ", "-", "/", ":", ".", "+", "@", " T ", "\t", "_")


def random_time(type_name: str, random_: random.Random) -> str:
    """Draws a text of one to six tokens for a type of dates, times or intervals."""
    pieces = (_SPANS,) if type_name == "interval" else (_DATES, _TIMES, _TIMES, _ZONES)
    text = ""
    for _ in range(random_.choice((1, 2, 2, 3, 3, 4, 6))):
        kind = random_.choice(pieces)
        # A zone's name goes on into what touches it.
        text += (" " if kind is _ZONES else random_.choice(_SEPARATORS)) if text else ""
        text += random_.choice(kind) + (" " if kind is _ZONES else "")
    return text
