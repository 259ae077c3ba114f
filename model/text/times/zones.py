"""Time zones by any name PostgreSQL takes: IANA names in any case, abbreviations, POSIX forms such as `EST5` and
`EST5EDT,M3.2.0,M11.1.0`."""

from __future__ import annotations

import datetime
import io
import re
import struct
import zoneinfo
from bisect import bisect_right
from functools import lru_cache

from model.text.times.zone_abbreviations import ABBREVIATIONS

_POSIX = re.compile(
    r"(<[^>]*>|[^<0-9,+-][^0-9,+-]*)?([+-]?)(\d+)(?::([0-5]?\d)(?::([0-5]?\d|60))?)?", re.ASCII | re.DOTALL
)
"""A clock that never changes; PostgreSQL takes any name before its offset."""
_POSIX_NAME = r"(?:<[A-Za-z0-9+-]{3,}>|[A-Za-z]{3,})"
_POSIX_OFFSET = r"[+-]?\d{1,2}(?::\d\d?){0,2}"
_POSIX_SUMMER = re.compile(rf"({_POSIX_NAME}{_POSIX_OFFSET})({_POSIX_NAME}(?:{_POSIX_OFFSET})?)(,.+)?", re.ASCII)
_USUAL_RULES = ",M3.2.0,M11.1.0"
"""From when to when summer time lasts where a POSIX form doesn't say it: as in the United States."""
_UTC_NAMES = ("utc", "gmt", "z", "zulu", "ut", "uct")
_PLACES = {
    "CET": "Europe/Brussels",
    "CST6CDT": "America/Chicago",
    "EET": "Europe/Athens",
    "EST": "America/Panama",
    "EST5EDT": "America/New_York",
    "HST": "Pacific/Honolulu",
    "MET": "Europe/Brussels",
    "MST": "America/Phoenix",
    "MST7MDT": "America/Denver",
    "PST8PDT": "America/Los_Angeles",
    "WET": "Europe/Lisbon",
}
"""Zones without a place, which are those of a place since the zone database of 2024b: with the place's local mean time
before there was a standard time. Some systems keep their older rules."""
_POSIX_HOURS_MAX = 167
_NAME_LENGTH_MAX = 255
_LAST_YEAR_OF_RULES = 2037
_WEEK = datetime.timedelta(days=7)
_OFFSET = re.compile(r"([+-])([+-]?\d+|)(?::([+-]?\d+|)(?::([+-]?\d+|))?)?", re.ASCII)
_OFFSET_HOURS_MAX = 15


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    return {name.lower(): name for name in zoneinfo.available_timezones()}


def fixed_zone(seconds: int) -> datetime.tzinfo:
    """Returns a zone always `seconds` east of UTC."""
    return datetime.timezone(datetime.timedelta(seconds=seconds)) if seconds else datetime.UTC


@lru_cache(maxsize=1024)
def named_zone(name: str) -> datetime.tzinfo | None:
    """Returns a zone by its full name, in any case; None when there is none."""
    lowered = name.lower()
    if lowered in _UTC_NAMES:
        return datetime.UTC
    known = _names().get(lowered)
    return zoneinfo.ZoneInfo(_PLACES.get(known, known)) if known is not None else None


class AbbreviatedZone(datetime.tzinfo):
    """The meaning of an abbreviation in a region over time: the offset of its last use up to a time, or of its first
    use.

    `uses` are the moments, to the week, at which it began to be used or its offset changed.
    """

    def __init__(
        self, region: datetime.tzinfo, word: str, uses: tuple[tuple[datetime.datetime, datetime.timedelta], ...]
    ) -> None:
        self._region, self._word, self._uses = region, word, uses

    def _offset_at(self, moment: datetime.datetime) -> datetime.timedelta:
        local = moment.astimezone(self._region)
        if local.tzname() == self._word:
            offset = local.utcoffset()
            assert offset is not None
            return offset
        return self._uses[max(bisect_right(self._uses, moment, key=lambda use: use[0]) - 1, 0)][1]

    def utcoffset(self, moment: datetime.datetime | None) -> datetime.timedelta | None:
        """Returns the abbreviation's offset at a local time in the region."""
        if moment is None:
            return None
        return self._offset_at(local_to_utc(moment.replace(tzinfo=None), self._region))

    def fromutc(self, moment: datetime.datetime) -> datetime.datetime:
        return moment + self._offset_at(moment.replace(tzinfo=datetime.UTC))

    def dst(self, moment: datetime.datetime | None) -> None:
        return None

    def tzname(self, moment: datetime.datetime | None) -> str:
        return self._word


def _uses(region: datetime.tzinfo, word: str) -> tuple[tuple[datetime.datetime, datetime.timedelta], ...]:
    found: list[tuple[datetime.datetime, datetime.timedelta]] = []
    moment = datetime.datetime(1900, 1, 1, tzinfo=datetime.UTC)
    while moment.year < _LAST_YEAR_OF_RULES:
        local = moment.astimezone(region)
        offset = local.utcoffset()
        if local.tzname() == word and offset is not None and (not found or found[-1][1] != offset):
            found.append((moment, offset))
        moment += _WEEK
    return tuple(found)


@lru_cache(maxsize=1024)
def abbreviated_zone(word: str) -> datetime.tzinfo | None:
    """Returns a zone by its abbreviation (`pst`); None when there is none."""
    known = ABBREVIATIONS.get(word.lower())
    if known is None:
        return datetime.UTC if word.lower() in _UTC_NAMES else None
    if isinstance(known, int):
        return fixed_zone(known)
    region = named_zone(known)
    if region is None:
        return None
    uses = _uses(region, word.upper())
    return AbbreviatedZone(region, word.upper(), uses) if uses else region


def signed_offset(text: str) -> datetime.tzinfo | None:
    """Parses `+02`, `-0230`, `+02:30:15`, east of UTC; returns None for another form, raises ValueError for a value
    out of range. A number that lacks is 0."""
    match = _OFFSET.match(text)
    if match is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.group(2, 3, 4))
    if match[3] is None and match.end() == len(text) > 3 and hours > 0:
        hours, minutes = divmod(hours, 100)
    if not 0 <= hours <= _OFFSET_HOURS_MAX or not 0 <= minutes <= 59 or not 0 <= seconds <= 59:
        raise ValueError(f"offset {text} out of range")
    if match.end() < len(text):
        return None
    offset = (hours * 60 + minutes) * 60 + seconds
    return fixed_zone(-offset if match[1] == "-" else offset)


@lru_cache(maxsize=1024)
def posix_zone(name: str) -> datetime.tzinfo | None:
    """Reads a zone in POSIX's form: `EST5`, `<+03>-3`, `-3`: POSIX counts westward, a bare number too.
    `EST5EDT,M3.2.0,M11.1.0` has summer time."""
    if len(name) > _NAME_LENGTH_MAX:
        return None
    match = _POSIX.fullmatch(name)
    if match is None:
        return _summer_zone(name.upper())
    if int(match[3]) > _POSIX_HOURS_MAX:
        return None
    seconds = int(match[3]) * 3600 + int(match[4] or 0) * 60 + int(match[5] or 0)
    if seconds >= 86400:
        return None
    east = datetime.timedelta(seconds=seconds if match[2] == "-" else -seconds)
    return datetime.timezone(east, (match[1] or "").strip("<>").upper())


def _summer_zone(name: str) -> datetime.tzinfo | None:
    """Returns the zone of a POSIX form with summer time; None for what is none."""
    match = _POSIX_SUMMER.fullmatch(name)
    if match is None:
        return None
    rules = f"{match[1]}{match[2]}{match[3] or _USUAL_RULES}"
    # A compiled zone whose clocks never change; behind it the form says how they go.
    header = struct.pack(">4sc15x6l", b"TZif", b"2", 0, 0, 0, 0, 1, 1)
    without_changes = header + struct.pack(">lBB", 0, 0, 0) + b"\0"
    try:
        return zoneinfo.ZoneInfo.from_file(io.BytesIO(without_changes * 2 + f"\n{rules}\n".encode()), key=name)
    except ValueError:
        return None


def zone_text(local: datetime.datetime) -> str:
    """Returns what a zone's time is called at `local`, a time with its zone: `CEST`, `+0545`; an offset without a
    name by itself."""
    zone, name = local.tzinfo, local.tzname() or ""
    unnamed = zone is not datetime.UTC and isinstance(zone, datetime.timezone) and name.startswith("UTC")
    return format_offset(local) if unnamed else name


def format_offset(value: datetime.datetime) -> str:
    """Prints an offset: `+00`, `-03:30`, `+00:19:32`."""
    offset = value.utcoffset()
    assert offset is not None
    total = int(offset.total_seconds())
    sign = "-" if total < 0 else "+"
    hours, rest = divmod(abs(total), 3600)
    minutes, seconds = divmod(rest, 60)
    text = f"{sign}{hours:02d}"
    if minutes or seconds:
        text += f":{minutes:02d}"
    return f"{text}:{seconds:02d}" if seconds else text


def offset_name(seconds: int) -> str:
    """Returns the POSIX name of a zone always `seconds` east of UTC: `<+05:30>-05:30`."""
    minutes, rest = divmod(abs(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours:02}"
    if minutes or rest:
        clock += f":{minutes:02}"
    if rest:
        clock += f":{rest:02}"
    return f"<-{clock}>+{clock}" if seconds < 0 else f"<+{clock}>-{clock}"


def find_zone(name: str) -> datetime.tzinfo | None:
    """Returns a zone as the TimeZone setting and AT TIME ZONE accept it; None when it isn't recognized."""
    return named_zone(name) or abbreviated_zone(name) or posix_zone(name)


def session_zone(name: str) -> datetime.tzinfo:
    """Returns the zone of a setting that was accepted before."""
    zone = find_zone(name)
    assert zone is not None, f"time zone {name} was accepted but is not known"
    return zone


def local_to_utc(local: datetime.datetime, zone: datetime.tzinfo) -> datetime.datetime:
    """Converts a local time in `zone` to UTC. A time that a change of clocks skips is read by the offset before it,
    one that occurs twice by the offset after it. Raises OverflowError outside the years 1 to 9999."""
    if zone is datetime.UTC:
        return local.replace(tzinfo=zone)
    early = local.replace(tzinfo=zone, fold=0).utcoffset()
    late = local.replace(tzinfo=zone, fold=1).utcoffset()
    assert early is not None and late is not None
    return (local - min(early, late)).replace(tzinfo=datetime.UTC)
