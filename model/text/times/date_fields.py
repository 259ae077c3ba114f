"""The text of a date or time taken apart into fields, whatever the order and form that PostgreSQL accepts.

The text is cut into tokens (words, numbers, dates, clock times, offsets); each token fills fields; nothing may be
filled twice. What the fields mean together is decided in `dates_and_times`.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES, field_overflow, invalid_datetime
from model.text.times.date_numbers import DateOrder, NumericFields, two_digit_year
from model.text.times.zones import abbreviated_zone, fixed_zone, named_zone, posix_zone, signed_offset

_MONTH_NAMES = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTHS = {name[:n]: i + 1 for i, name in enumerate(_MONTH_NAMES) for n in (3, len(name))} | {"sept": 9}
_WEEKDAY_NAMES = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_WEEKDAYS = frozenset(name[:n] for name in _WEEKDAY_NAMES for n in (3, len(name))) | {"tues", "weds", "thur", "thurs"}
_SPECIALS = frozenset(("now", "today", "tomorrow", "yesterday", "epoch", "infinity", "-infinity", "+infinity"))
_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\n\v\f\r!-*,/:-@\[-`{-~]+)
    | (?P<clock>\d+:\d+(?::\d+)?(?:\.\d*)?)
    | (?P<doy>\d{3,}-\d{3}(?![\d-]))
    | (?P<date>\d+(?P<sep>[-/.])(?:\d+|[A-Za-z]+)(?P=sep)\d+)
    | (?P<named>[A-Za-z]+(?P<sep2>[-/.])\d+(?P=sep2)\d+)
    | (?P<zone>[+-]\d+(?::\d+)*)
    | (?P<number>\d+(?:\.\d*)?|\.\d+)
    | (?P<special>[+-](?i:infinity)\b)
    | (?P<julian>[jJ]\d+(?:\.\d*)?)
    | (?P<mark>[tT](?=\d))
    | (?P<word>[aApP][mM](?=[+-]\d)|[A-Za-z]+(?:[_/][A-Za-z0-9_+/-]+|(?:[+-]?\d+(?:[A-Za-z]+)?)?(?=[ \t]|$)|))
    """,
    re.VERBOSE | re.ASCII,
)
_TEXT_LENGTH_MAX = 255
_TIMES_OF_DAY = ("time", "time with time zone")


@dataclass(slots=True)
class DateFields:
    """The fields that a text has; None for missing ones. `micros` is since midnight, up to a whole day; `zone` an
    offset or a zone; `special` a word such as `epoch`; `julian` a Julian day."""

    numbers: NumericFields
    micros: int | None = None
    zone: datetime.tzinfo | None = None
    zone_has_rules: bool = False
    special: str | None = None
    julian: int | None = None
    before_christ: bool = False
    meridiem: str | None = None
    marked: bool = False


def clock_micros(text: str, source: str) -> int:
    """Microseconds of `hh:mm[:ss[.ffffff]]`; up to a whole day, with a 60th second taken."""
    whole, _, fraction = text.partition(".")
    parts = whole.split(":")
    micros = round(float("0." + fraction) * 1_000_000) if fraction else 0
    if len(parts) == 2 and "." in text:
        # `mm:ss.f` has no hours in PostgreSQL.
        parts = ["0", *parts]
    if any(len(part) > 9 for part in parts):
        raise field_overflow(source)
    hour, minute, second = int(parts[0]), int(parts[1]), int(parts[2]) if len(parts) > 2 else 0
    return micros_of(hour, minute, second, micros, source)


def micros_of(hour: int, minute: int, second: int, micros: int, source: str) -> int:
    total = ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros
    if hour > 24 or minute > 59 or second > 60 or total > 86_400_000_000:
        raise field_overflow(source)
    return total


def read_fields(text: str, type_text: str, order: DateOrder) -> DateFields:
    """Cuts and fills; SqlError 22007, 22008, 22009 or 22023."""
    fields = DateFields(NumericFields(order, text, type_text))
    body = text.strip(SPACES)
    if not body or len(body) > _TEXT_LENGTH_MAX:
        raise invalid_datetime(type_text, text)
    position = 0
    while position < len(body):
        match = _TOKEN.match(body, position)
        if match is None:
            raise invalid_datetime(type_text, text)
        if match.lastgroup != "space":
            _take(fields, match, text, type_text)
        position = match.end()
    if fields.marked:
        raise invalid_datetime(type_text, text)
    _apply_meridiem(fields, text)
    return fields


def _take(fields: DateFields, match: re.Match[str], text: str, type_text: str) -> None:
    kind = next(name for name, value in match.groupdict().items() if value is not None and "sep" not in name)
    token = match[0]
    match kind:
        case "clock":
            _set_clock(fields, clock_micros(token, text), text, type_text)
            fields.marked = False
        case "doy":
            for part in token.split("-"):
                fields.numbers.add(part)
        case "julian":
            _take_julian(fields, token[1:], text, type_text)
        case "mark":
            fields.marked = True
        case "date":
            _take_date(fields, token.split(match["sep"]), text, type_text)
        case "named":
            _take_date(fields, token.split(match["sep2"]), text, type_text)
        case "zone":
            _take_offset(fields, token, text, type_text)
        case "number":
            _take_number(fields, token, text, type_text)
        case "special":
            _set_special(fields, token.lower(), text, type_text)
        case _:
            _take_word(fields, token, text, type_text)


def _set_clock(fields: DateFields, micros: int, text: str, type_text: str) -> None:
    if fields.micros is not None:
        raise invalid_datetime(type_text, text)
    fields.micros = micros


def _set_special(fields: DateFields, word: str, text: str, type_text: str) -> None:
    if fields.special is not None:
        raise invalid_datetime(type_text, text)
    fields.special = word.lstrip("+")


def _take_date(fields: DateFields, parts: list[str], text: str, type_text: str) -> None:
    """Three parts with one separator; a month in letters stands anywhere and goes first."""
    for part in parts:
        if not part.isdigit():
            month = _MONTHS.get(part.lower())
            if month is None:
                raise invalid_datetime(type_text, text)
            fields.numbers.set_text_month(month)
    for part in parts:
        if part.isdigit():
            fields.numbers.add(part)


def _take_offset(fields: DateFields, token: str, text: str, type_text: str) -> None:
    if fields.zone is not None or (fields.micros is None and not fields.numbers.complete):
        raise invalid_datetime(type_text, text)
    try:
        fields.zone = signed_offset(token)
    except ValueError:
        message = f'time zone displacement out of range: "{text}"'
        raise SqlError(Sqlstate.INVALID_TIME_ZONE_DISPLACEMENT_VALUE, message) from None
    if fields.zone is None:
        raise invalid_datetime(type_text, text)


def _take_number(fields: DateFields, token: str, text: str, type_text: str) -> None:
    whole, point, fraction = token.partition(".")
    marked, fields.marked = fields.marked, False
    run_as_clock = marked or (fields.micros is None and (fields.numbers.complete or type_text in _TIMES_OF_DAY))
    if run_as_clock and len(whole) in (4, 6):
        digits = f"{whole[:2]}:{whole[2:4]}:{whole[4:] or '00'}" + (f".{fraction}" if point else "")
        _set_clock(fields, clock_micros(digits, text), text, type_text)
    elif marked and len(whole) == 2 and not point:
        _set_clock(fields, clock_micros(f"{whole}:00", text), text, type_text)
    elif not point and len(whole) >= 6:
        year, month, day = whole[:-4], whole[-4:-2], whole[-2:]
        number = int(year) if len(year) > 2 else two_digit_year(int(year))
        fields.numbers.set_date(number, int(month), int(day))
    elif point and len(whole) >= 3 and len(fraction) == 3:
        fields.numbers.set_day_of_year(int(whole), int(fraction))
    elif point or not whole:
        raise invalid_datetime(type_text, text)
    else:
        fields.numbers.add(whole)


def _take_julian(fields: DateFields, digits: str, text: str, type_text: str) -> None:
    """Takes a Julian day; its fraction is the time of day."""
    day, _, fraction = digits.partition(".")
    if fields.julian is not None or not fields.numbers.empty or len(day) > 9:
        raise invalid_datetime(type_text, text)
    fields.julian = int(day)
    if fraction.strip("0"):
        _set_clock(fields, round(float("0." + fraction) * 86_400_000_000), text, type_text)


def _take_word(fields: DateFields, token: str, text: str, type_text: str) -> None:
    word = token.lower()
    if word in _MONTHS:
        fields.numbers.set_text_month(_MONTHS[word])
    elif word in ("am", "pm"):
        fields.meridiem = word
    elif word in ("ad", "bc"):
        fields.before_christ = word == "bc"
    elif word in _SPECIALS:
        _set_special(fields, word, text, type_text)
    elif word == "allballs":
        _set_clock(fields, 0, text, type_text)
        fields.zone = fixed_zone(0)
    elif word not in _WEEKDAYS and word not in ("at", "on"):
        _take_zone(fields, token, text, type_text)


def _take_zone(fields: DateFields, token: str, text: str, type_text: str) -> None:
    """Takes a zone. A word with a digit or a slash can only be a zone, so its error says so."""
    known_before = fields.numbers.complete or fields.micros is not None
    zone = abbreviated_zone(token) or named_zone(token) or posix_zone(token)
    if zone is None and known_before and re.search(r"[/_0-9+-]", token):
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'time zone "{token.lower()}" not recognized')
    if zone is None or fields.zone is not None:
        raise invalid_datetime(type_text, text)
    fields.zone = zone
    fields.zone_has_rules = not isinstance(zone, datetime.timezone)


def _apply_meridiem(fields: DateFields, text: str) -> None:
    if fields.meridiem is None or fields.micros is None:
        return
    hour, rest = divmod(fields.micros, 3_600_000_000)
    if hour > 12:
        raise field_overflow(text)
    if fields.meridiem == "pm":
        hour = hour if hour == 12 else hour + 12
    elif hour == 12:
        hour = 0
    fields.micros = hour * 3_600_000_000 + rest
