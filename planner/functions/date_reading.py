"""to_date and to_timestamp: a text read by a template."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field

from model.errors import NotSupported, SqlError
from model.scalar_type import DATE, TEXT, TIMESTAMPTZ
from model.sqlstate import Sqlstate
from planner.functions.date_formatting import DAYS, MONTHS, ROMAN
from planner.functions.date_templates import Node, parse_template
from planner.functions.failures import datetime_overflow
from planner.functions.moments import from_local, shift_micros
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.ir.scalar import SessionName

_WIDTHS = {
    "YYYY": 4, "IYYY": 4, "YYY": 3, "IYY": 3, "YY": 2, "IY": 2, "Y": 1, "I": 1, "MM": 2, "DD": 2, "DDD": 3,
    "IDDD": 3, "HH": 2, "HH12": 2, "HH24": 2, "MI": 2, "SS": 2, "MS": 3, "US": 6, "SSSS": 5, "SSSSS": 5, "D": 1,
    "ID": 1, "WW": 2, "IW": 2, "W": 1, "Q": 1, "CC": 2, "J": 10, "FF1": 1, "FF2": 2, "FF3": 3, "FF4": 4, "FF5": 5,
    "FF6": 6, "TZM": 2, "Y,YYY": 9,
}  # fmt: skip
_SIGNED = frozenset(("YYYY", "IYYY", "CC", "J"))
_MERIDIEMS = {"am": False, "a.m.": False, "pm": True, "p.m.": True}
_JULIAN_OF_ORDINAL_ZERO = 1_721_425
_SEPARATORS = re.compile(r"[^A-Za-z0-9]")


@dataclass(slots=True)
class _Read:
    values: dict[str, int] = field(default_factory=dict)
    pm: bool | None = None
    before_christ: bool = False
    offset_seconds: int | None = None


def _invalid(text: str, pattern: str, detail: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_DATETIME_FORMAT, f'invalid value "{text}" for "{pattern}"', detail=detail)


def _digits(text: str, position: int, node: Node, next_is_digit: bool) -> tuple[int, int]:
    """The number at `position` and where it ends; as many digits as there are when no number follows directly."""
    pattern = node.pattern or ""
    width = _WIDTHS[pattern]
    start = position
    if text[position : position + 1] in ("-", "+") and pattern in _SIGNED:
        position += 1
    end = position
    limit = position + width if next_is_digit and node.fill else len(text)
    while end < min(limit, len(text)) and (text[end].isdigit() or (pattern == "Y,YYY" and text[end] == ",")):
        end += 1
    if end == position:
        raise _invalid(text[start : start + width], node.written, "Value must be an integer.")
    return int(text[start:end].replace(",", "")), end


def _starts_with_digit(node: Node) -> bool:
    return node.pattern in _WIDTHS if node.pattern is not None else node.written.isdigit()


def _word(text: str, position: int, words: tuple[str, ...], node: Node) -> tuple[int, int]:
    rest = text[position:].lower()
    for index, word in enumerate(words):
        if rest.startswith(word.lower()):
            return index, position + len(word)
    shown = re.split(r"\s", text[position:], maxsplit=1)[0]
    raise _invalid(shown, node.written, "The given value did not match any of the allowed values for this field.")


def _take(node: Node, text: str, position: int, following: bool, read: _Read) -> int:
    """Reads one pattern; returns where it ends."""
    match node.pattern:
        case "MONTH":
            # Longest first, so that a full name isn't taken for its abbreviation.
            words = (*MONTHS, *(name[:3] for name in MONTHS))
            index, position = _word(text, position, words, node)
            read.values["MM"] = index % 12 + 1
        case "MON":
            index, position = _word(text, position, tuple(name[:3] for name in MONTHS), node)
            read.values["MM"] = index + 1
        case "DAY" | "DY":
            _, position = _word(text, position, (*DAYS, *(name[:3] for name in DAYS)), node)
        case "RM":
            order = sorted(range(12), key=lambda number: -len(ROMAN[number]))
            index, position = _word(text, position, tuple(ROMAN[number] for number in order), node)
            read.values["MM"] = order[index] + 1
        case "AM" | "PM" | "A.M." | "P.M.":
            words = tuple(_MERIDIEMS)
            index, position = _word(text, position, words, node)
            read.pm = _MERIDIEMS[words[index]]
        case "BC" | "AD" | "B.C." | "A.D.":
            index, position = _word(text, position, ("bc", "b.c.", "ad", "a.d."), node)
            read.before_christ = index < 2
        case "TZH" | "TZ" | "OF":
            position = _take_offset(node, text, position, read)
        case _:
            value, end = _digits(text, position, node, following)
            _store(node.pattern or "", value, end - position, read)
            position = end
            if node.ordinal:
                position += 2
    return position


def _take_offset(node: Node, text: str, position: int, read: _Read) -> int:
    match = re.compile(r"([+-]?)(\d\d?)(?::?(\d\d))?").match(text, position)
    if match is None or (node.pattern == "TZH" and match[3]):
        match = re.compile(r"([+-]?)(\d\d?)()").match(text, position)
    if match is None:
        raise _invalid(text[position : position + 3], node.written, "Value must be an integer.")
    sign = -1 if match[1] == "-" else 1
    read.offset_seconds = sign * (int(match[2]) * 3600 + int(match[3] or 0) * 60)
    return match.end()


def _store(pattern: str, value: int, width: int, read: _Read) -> None:
    match pattern:
        case "Y,YYY" | "YYYY":
            read.values["YYYY"] = value
        case "YYY" | "YY" | "Y":
            read.values["YYYY"] = _near_2020(value) if width < 4 else value
        case "IYY" | "IY" | "I":
            read.values["IYYY"] = _near_2020(value) if width < 4 else value
        case "HH" | "HH12":
            if not 1 <= value <= 12:
                message = f'hour "{value}" is invalid for the 12-hour clock'
                hint = "Use the 24-hour clock, or give an hour between 1 and 12."
                raise SqlError(Sqlstate.INVALID_DATETIME_FORMAT, message, hint=hint)
            read.values["HH12"] = value
        case "MS" | "FF3":
            read.values["US"] = value * 10 ** (6 - min(width, 6) if width < 3 else 3)
        case "US" | "FF1" | "FF2" | "FF4" | "FF5" | "FF6":
            read.values["US"] = value * 10 ** (6 - min(width, 6))
        case "TZM":
            sign = -1 if (read.offset_seconds or 0) < 0 else 1
            read.offset_seconds = (read.offset_seconds or 0) + sign * 60 * value
        case "SSSSS":
            read.values["SSSS"] = value
        case _:
            read.values[pattern] = value


def _near_2020(year: int) -> int:
    """Short years are completed to be nearest to 2020."""
    if year < 70:
        return year + 2000
    if year < 100:
        return year + 1900
    return year + 2000 if year < 520 else year + 1000


def _scan(text: str, template: str) -> _Read:
    read = _Read()
    nodes = parse_template(template)
    position = 0
    for index, node in enumerate(nodes):
        if node.pattern is None:
            position = _skip_literal(node, text, position)
            continue
        while text[position : position + 1].isspace():
            position += 1
        if position > 0 and _WIDTHS.get(node.pattern) and text[position : position + 1] in ("-", "/", ",", ".", ":"):
            if node.pattern not in _SIGNED or text[position] != "-":
                position += 1
        if position >= len(text):
            break
        following = index + 1 < len(nodes) and _starts_with_digit(nodes[index + 1])
        position = _take(node, text, position, following, read)
    return read


def _skip_literal(node: Node, text: str, position: int) -> int:
    """White space and separators in the template match any one of them, or nothing; other characters match any."""
    character = node.written
    if character.isspace() or _SEPARATORS.fullmatch(character):
        while text[position : position + 1].isspace():
            position += 1
        following = text[position : position + 1]
        if following and _SEPARATORS.fullmatch(following) and not (following in "+-" and character.isspace()):
            position += 1
        return position
    return min(position + 1, len(text))


@dataclass(frozen=True, slots=True)
class StrictlyRead:
    """What a text says by a template; None for what the template doesn't ask for. `offset` is in seconds."""

    day: datetime.date | None
    micros: int | None
    offset: int | None


def read_strictly(text: str, template: str) -> StrictlyRead:
    """By SQL's rules for templates: each separator is matched by itself, and nothing may be left over; 22007."""
    nodes = parse_template(template)
    for node in nodes:
        if node.pattern is None and not node.quoted and node.written not in _STRICT_SEPARATORS:
            raise _malformed(f'invalid datetime format separator: "{node.written}"')
    read = _scan_strictly(text, nodes) if nodes else _Read()
    if read.values.get("YYYY", 1) > datetime.MAXYEAR:
        raise NotSupported(f"the year {read.values['YYYY']} of a datetime item")
    patterns = {node.pattern for node in nodes if node.pattern is not None}
    zoned, timed = not patterns.isdisjoint(_ZONED), not patterns.isdisjoint(_TIMED)
    dated = not patterns <= _ZONED | _TIMED
    if not dated and not timed:
        raise _malformed("datetime format is not dated and not timed")
    if zoned and not timed:
        raise _malformed("datetime format is zoned but not timed")
    return StrictlyRead(
        _date_of(read, text) if dated else None,
        _clock_of(read, text) if timed else None,
        (read.offset_seconds or 0) if zoned else None,
    )


_STRICT_SEPARATORS = frozenset("-./,':; ")
_ZONED = frozenset(("TZ", "TZH", "TZM", "OF"))
_TIMED = frozenset(("HH", "HH12", "HH24", "MI", "SS", "SSSS", "SSSSS", "MS", "US", "AM", "PM", "A.M.", "P.M.")) | {
    f"FF{digits}" for digits in range(1, 7)
}


def _malformed(message: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_DATETIME_FORMAT, message)


def _scan_strictly(text: str, nodes: tuple[Node, ...]) -> _Read:
    read = _Read()
    position = 0
    for index, node in enumerate(nodes):
        if node.pattern is not None or not index:
            while text[position : position + 1].isspace():
                position += 1
        if position >= len(text):
            raise _malformed("input string is too short for datetime format")
        if node.pattern is not None:
            following = index + 1 < len(nodes) and _starts_with_digit(nodes[index + 1])
            position = _take(node, text, position, following, read)
        elif text[position] == node.written:
            position += 1
        else:
            what = "character" if node.quoted and node.written not in _STRICT_SEPARATORS else "separator"
            raise _malformed(f'unmatched format {what} "{node.written}"')
    if text[position:].strip():
        raise _malformed("trailing characters remain in input string after datetime format")
    return read


def _date_of(read: _Read, text: str) -> datetime.date:
    values = read.values
    if "J" in values:
        return datetime.date.fromordinal(values["J"] - _JULIAN_OF_ORDINAL_ZERO)
    try:
        if "IYYY" in values:
            if "IDDD" in values:
                return datetime.date.fromisocalendar(values["IYYY"], 1, 1) + datetime.timedelta(values["IDDD"] - 1)
            return datetime.date.fromisocalendar(values["IYYY"], values.get("IW", 1), values.get("ID", 1))
        # PostgreSQL takes the year 1 BC where none is named, which no datum can hold.
        year = values.get("YYYY", 0 if "CC" not in values else (values["CC"] - 1) * 100 + 1)
        if "DDD" in values:
            return datetime.date(year, 1, 1) + datetime.timedelta(values["DDD"] - 1)
        if "WW" in values:
            return datetime.date(year, 1, 1) + datetime.timedelta(7 * (values["WW"] - 1))
        month = values.get("MM", 3 * (values["Q"] - 1) + 1 if "Q" in values else 1)
        day = values.get("DD", 7 * (values["W"] - 1) + 1 if "W" in values else 1)
        return datetime.date(year, month, day)
    except (ValueError, OverflowError):
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f'date/time field value out of range: "{text}"') from None


def _clock_of(read: _Read, text: str) -> int:
    """Microseconds since midnight."""
    values = read.values
    if values.get("US", 0) >= 1_000_000:
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f'date/time field value out of range: "{text}"')
    if "SSSS" in values:
        return values["SSSS"] * 1_000_000 + values.get("US", 0)
    hour = values.get("HH24", 0)
    if "HH12" in values:
        hour = values["HH12"] % 12 + (12 if read.pm else 0) if read.pm is not None else values["HH12"]
    minute, second = values.get("MI", 0), values.get("SS", 0)
    if hour > 24 or minute > 59 or second > 59:
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f'date/time field value out of range: "{text}"')
    return ((hour * 60 + minute) * 60 + second) * 1_000_000 + values.get("US", 0)


def to_date(text: str, template: str) -> datetime.date:
    """Fields that the template doesn't name are the first of their kind; without a year, 22008."""
    read = _scan(text, template)
    if read.before_christ:
        raise datetime_overflow("date")
    return _date_of(read, text)


def to_timestamp(text: str, template: str, zone: str) -> datetime.datetime:
    """A time of the session's zone unless the text has an offset."""
    read = _scan(text, template)
    if read.before_christ:
        raise datetime_overflow("timestamp")
    day = _date_of(read, text)
    moment = shift_micros(datetime.datetime(day.year, day.month, day.day), _clock_of(read, text))
    if read.offset_seconds is not None:
        return shift_micros(moment, -read.offset_seconds * 1_000_000).replace(tzinfo=datetime.UTC)
    return from_local(moment, zone)


FUNCTIONS: tuple[Function, ...] = (
    function("to_date", (TEXT, TEXT), DATE, to_date, fallible=True, volatility=Volatility.STABLE),
    function(
        "to_timestamp",
        (TEXT, TEXT),
        TIMESTAMPTZ,
        to_timestamp,
        fallible=True,
        session=(SessionName.TIME_ZONE,),
        volatility=Volatility.STABLE,
    ),
)
