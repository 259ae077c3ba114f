"""Time zones by any name PostgreSQL takes: IANA names in any case, abbreviations, POSIX forms such as `EST5`."""

from __future__ import annotations

import datetime
import re
import zoneinfo
from functools import lru_cache

from model.text.zone_abbreviations import ABBREVIATIONS

_POSIX = re.compile(r"(?:<[A-Za-z0-9+-]+>|[A-Za-z]{3,})?([+-]?)(\d{1,3})(?::(\d\d?))?(?::(\d\d?))?")
_UTC_NAMES = ("utc", "gmt", "z", "zulu", "ut", "uct")
_POSIX_HOURS_MAX = 167


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    return {name.lower(): name for name in zoneinfo.available_timezones()}


def fixed_zone(seconds: int) -> datetime.tzinfo:
    """A zone always `seconds` east of UTC."""
    return datetime.timezone(datetime.timedelta(seconds=seconds)) if seconds else datetime.UTC


@lru_cache(maxsize=1024)
def named_zone(name: str) -> datetime.tzinfo | None:
    """A zone by its full name, whatever the case; None when there is none."""
    lowered = name.lower()
    if lowered in _UTC_NAMES:
        return datetime.UTC
    known = _names().get(lowered)
    return zoneinfo.ZoneInfo(known) if known is not None else None


@lru_cache(maxsize=1024)
def abbreviated_zone(word: str) -> datetime.tzinfo | None:
    """A zone by its abbreviation (`pst`); None when there is none."""
    known = ABBREVIATIONS.get(word.lower())
    if known is None:
        return datetime.UTC if word.lower() in _UTC_NAMES else None
    return fixed_zone(known) if isinstance(known, int) else named_zone(known)


@lru_cache(maxsize=1024)
def posix_zone(name: str) -> datetime.tzinfo | None:
    """`EST5`, `<+03>-3`, `-3`: POSIX counts westward, a bare number (as in SET TIME ZONE) too."""
    match = _POSIX.fullmatch(name)
    if match is None or int(match[2]) > _POSIX_HOURS_MAX:
        return None
    seconds = int(match[2]) * 3600 + int(match[3] or 0) * 60 + int(match[4] or 0)
    if seconds >= 86400:
        return None
    return fixed_zone(seconds if match[1] == "-" else -seconds)


def find_zone(name: str) -> datetime.tzinfo | None:
    """A zone as the TimeZone setting and AT TIME ZONE take it; None when it isn't recognized."""
    return named_zone(name) or abbreviated_zone(name) or posix_zone(name)


def session_zone(name: str) -> datetime.tzinfo:
    """The zone of a setting that was accepted before."""
    zone = find_zone(name)
    assert zone is not None, f"time zone {name} was accepted but is not known"
    return zone


def local_to_utc(local: datetime.datetime, zone: datetime.tzinfo) -> datetime.datetime:
    """A zoneless time in `zone`, as UTC. A time that a change of clocks skips is read by the offset before it; one
    that happens twice by the offset after it. OverflowError outside years 1 to 9999."""
    if zone is datetime.UTC:
        return local.replace(tzinfo=zone)
    early = local.replace(tzinfo=zone, fold=0).utcoffset()
    late = local.replace(tzinfo=zone, fold=1).utcoffset()
    assert early is not None and late is not None
    return (local - min(early, late)).replace(tzinfo=datetime.UTC)
