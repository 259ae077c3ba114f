"""to_char of timestamps and intervals."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.times.near_years import near_local
from model.text.times.zones import session_zone, zone_text
from model.types.datum import Interval
from model.types.scalar_type import INTERVAL, TEXT, TIMESTAMP, TIMESTAMPTZ
from model.types.wide_time import CYCLE_DAYS, CYCLE_YEARS, AnyMoment, infinite
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.functions.time.date_templates import Node, parse_template
from planner.functions.time.moments import near_moment
from planner.ir.scalar import SessionName

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_JULIAN_OF_ORDINAL_ZERO = 1_721_425
_NAME_WIDTH = 9


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields that a template can show. Of an interval `date` is None, and hours may be any number. `year` counts
    0 for 1 BC; `date` and `local` lie `cycles` of 400 years before their true ones."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    micros: int
    date: datetime.date | None
    local: datetime.datetime | None
    cycles: int = 0

    @property
    def shown_year(self) -> int:
        """The year as people count it, without a sign; an interval's is a number as any other."""
        return self.year if self.date is None or self.year > 0 else 1 - self.year


def ordinal_suffix(digits: str, upper: bool) -> str:
    """Returns `st`, `nd`, `rd` or `th` for a number."""
    last_two = digits[-2:].rjust(2, "0")
    suffix = {"1": "st", "2": "nd", "3": "rd"}.get(last_two[1], "th") if last_two[0] != "1" else "th"
    return suffix.upper() if upper else suffix


def _number(value: int, width: int, node: Node, negative: bool | None = None) -> str:
    """Prints a number, filled with zeros to `width` unless FM; the sign of what is `negative`, the value itself unless
    said, doesn't count."""
    room = width + (value < 0 if negative is None else negative)
    return _plain(value, room if node.fill else 1, node)


def _name(name: str, node: Node, width: int) -> str:
    written = node.written
    if written.isupper():
        name = name.upper()
    elif written[0].islower():
        name = name.lower()
    return name.ljust(width) if node.fill and not node.translated else name


def _meridiem(fields: Fields, node: Node) -> str:
    text = "pm" if remainder(fields.hour, 24) >= 12 else "am"
    if "." in node.written:
        text = f"{text[0]}.{text[1]}."
    return text.upper() if node.written[0].isupper() else text


def _era(fields: Fields, node: Node) -> str:
    era = "bc" if fields.date is not None and fields.year < 1 else "ad"
    text = f"{era[0]}.{era[1]}." if "." in node.written else era
    return text.upper() if node.written[0].isupper() else text


def quotient(value: int, by: int) -> int:
    """Divides and cuts towards 0, as all numbers of negative intervals are."""
    return abs(value) // by * (-1 if value < 0 else 1)


def remainder(value: int, by: int) -> int:
    """Returns the remainder with the sign of the value."""
    return value - quotient(value, by) * by


def _plain(value: int, width: int, node: Node) -> str:
    """Prints a number, filled with zeros to `width`, the sign among them, whatever FM says."""
    text = f"{value:0{width}d}"
    return text + (ordinal_suffix(text, node.ordinal == "TH") if node.ordinal else "")


def _clock(fields: Fields, node: Node) -> str | None:
    match node.pattern:
        case "HH" | "HH12":
            # Of -12 it is 12, as wide as a negative number.
            return _number(remainder(fields.hour, 12) or 12, 2, node, fields.hour < 0)
        case "HH24":
            return _number(fields.hour, 2, node)
        case "MI":
            return _number(fields.minute, 2, node)
        case "SS":
            return _number(fields.second, 2, node)
        case "MS":
            return _plain(quotient(fields.micros, 1000), 3, node)
        case "US":
            return _plain(fields.micros, 6, node)
        case "SSSS" | "SSSSS":
            total = (fields.hour * 60 + fields.minute) * 60 + fields.second
            return str(total) + (ordinal_suffix(str(total), node.ordinal == "TH") if node.ordinal else "")
        case "AM" | "PM" | "A.M." | "P.M.":
            return _meridiem(fields, node)
        case "FF1" | "FF2" | "FF3" | "FF4" | "FF5" | "FF6":
            digits = int(node.pattern[2])
            return _plain(quotient(fields.micros, 10 ** (6 - digits)), digits, node)
        case _:
            return None


def _year(fields: Fields, node: Node) -> str | None:
    iso, year = _iso_year(fields), fields.shown_year
    match node.pattern:
        case "Y,YYY":
            text = f"{quotient(year, 1000)},{remainder(year, 1000):03d}"
            return text + (ordinal_suffix(text, node.ordinal == "TH") if node.ordinal else "")
        case "YYYY":
            return _number(year, 4, node)
        case "YYY":
            return _number(remainder(year, 1000), 3, node, year < 0)
        case "YY":
            return _number(remainder(year, 100), 2, node, year < 0)
        case "Y":
            return _number(remainder(year, 10), 1, node, False)
        case "IYYY":
            return _number(iso, 4, node, year < 0)
        case "IYY":
            return _number(remainder(iso, 1000), 3, node, year < 0)
        case "IY":
            return _number(remainder(iso, 100), 2, node, year < 0)
        case "I":
            return _number(remainder(iso, 10), 1, node, False)
        case "CC":
            century = quotient(year, 100) if fields.date is None else _century(fields.year)
            return _number(century, 2, node)
        case "MM":
            return _number(fields.month, 2, node)
        case "RM":
            roman = _roman(fields)
            shown = roman if node.written.isupper() else roman.lower()
            return shown.ljust(4) if node.fill and roman else shown
        case "Q":
            return _number(quotient(fields.month - 1, 3) + 1, 1, node) if fields.month else ""
        case "DD":
            return _number(fields.day, 2, node, False)
        case "DDD" if fields.date is None:
            return _number((fields.year * 12 + fields.month) * 30 + fields.day, 3, node, False)
        case "BC" | "AD" | "B.C." | "A.D.":
            return _era(fields, node)
        case _:
            return None


def _century(year: int) -> int:
    """Returns a year's century: 1 from the year 1 on, -1 before."""
    return (year + 99) // 100 if year > 0 else quotient(year, 100) - 1


def _julian(year: int, month: int, day: int) -> int:
    """Returns the number of a day; of an interval's fields, which may be 0 or negative, what the same formula gives."""
    year, month = (year + 4800, month + 1) if month > 2 else (year + 4799, month + 13)
    century = quotient(year, 100)
    leaps = quotient(year, 4) - century + quotient(century, 4)
    return year * 365 - 32_167 + leaps + quotient(7834 * month, 256) + day


def _iso_start(year: int) -> int:
    """Returns the number of the Monday on which the first ISO week of a year begins."""
    fourth = _julian(year, 1, 4)
    return fourth - fourth % 7


def _iso_year(fields: Fields) -> int:
    if fields.date is not None:
        year = fields.date.isocalendar().year + fields.cycles * CYCLE_YEARS
        return year if year > 0 else 1 - year
    day = _julian(fields.year, fields.month, fields.day)
    if day < _iso_start(fields.year):
        return fields.year - 1
    return fields.year + 1 if day >= _iso_start(fields.year + 1) else fields.year


def _roman(fields: Fields) -> str:
    """Prints a month in Roman numerals."""
    if fields.month:
        return ROMAN[fields.month - 1 if fields.month > 0 else 12 + fields.month]
    return ROMAN[11 if fields.year > 0 else 0] if fields.year else ""


def _calendar(fields: Fields, node: Node) -> str | None:
    """Patterns that need a whole date."""
    day = fields.date
    if day is None:
        raise SqlError(
            Sqlstate.INVALID_DATETIME_FORMAT,
            "invalid format specification for an interval value",
            hint="Intervals are not tied to specific calendar dates.",
        )
    match node.pattern:
        case "MONTH":
            return _name(MONTHS[day.month - 1], node, _NAME_WIDTH)
        case "MON":
            return _name(MONTHS[day.month - 1][:3], node, 3)
        case "DAY":
            return _name(DAYS[day.isoweekday() % 7], node, _NAME_WIDTH)
        case "DY":
            return _name(DAYS[day.isoweekday() % 7][:3], node, 3)
        case "DDD":
            return _number(day.timetuple().tm_yday, 3, node)
        case "IDDD":
            return _number((day.isocalendar().week - 1) * 7 + day.isoweekday(), 3, node)
        case "D":
            return _number(day.isoweekday() % 7 + 1, 1, node)
        case "ID":
            return _number(day.isoweekday(), 1, node)
        case "WW":
            return _number((day.timetuple().tm_yday - 1) // 7 + 1, 2, node)
        case "IW":
            return _number(day.isocalendar().week, 2, node)
        case "W":
            return _number((day.day - 1) // 7 + 1, 1, node)
        case "J":
            julian = str(day.toordinal() + _JULIAN_OF_ORDINAL_ZERO + fields.cycles * CYCLE_DAYS)
            return julian + (ordinal_suffix(julian, node.ordinal == "TH") if node.ordinal else "")
        case _:
            return _zone(fields, node)


def _zone(fields: Fields, node: Node) -> str:
    local = fields.local
    offset = local.utcoffset() if local is not None else datetime.timedelta()
    assert offset is not None
    seconds = int(offset.total_seconds())
    match node.pattern:
        case "TZ":
            name = zone_text(local) if local is not None else ""
            return name if node.written.isupper() else name.lower()
        case "TZH":
            return f"{'-' if seconds < 0 else '+'}{abs(seconds) // 3600:02d}"
        case "TZM":
            return f"{abs(seconds) // 60 % 60:02d}"
        case _:
            minutes = abs(seconds) // 60 % 60
            text = f"{'-' if seconds < 0 else '+'}{abs(seconds) // 3600:02d}"
            return text + (f":{minutes:02d}" if minutes else "")


def _formatted(fields: Fields, template: str) -> str:
    pieces: list[str] = []
    for node in parse_template(template):
        if node.pattern is None:
            pieces.append(node.written)
            continue
        text = _clock(fields, node)
        if text is None:
            text = _year(fields, node)
        pieces.append(_calendar(fields, node) or "" if text is None else text)
    return "".join(pieces)


def _moment_fields(moment: datetime.datetime, local: datetime.datetime | None, cycles: int = 0) -> Fields:
    return Fields(
        moment.year + cycles * CYCLE_YEARS,
        moment.month,
        moment.day,
        moment.hour,
        moment.minute,
        moment.second,
        moment.microsecond,
        moment.date(),
        local,
        cycles,
    )


def format_timestamp(moment: AnyMoment, template: str) -> str | None:
    """Writes a timestamp in the form of a template, as to_char does; NULL for an empty template, and for infinity."""
    if not template or infinite(moment):
        return None
    near, cycles = near_moment(moment)
    return _formatted(_moment_fields(near, None, cycles), template)


def _format_zoned(moment: AnyMoment, template: str, zone: str) -> str | None:
    if infinite(moment):
        return None
    local, cycles = near_local(moment, session_zone(zone))
    return _formatted(_moment_fields(local, local, cycles), template) if template else None


def _parts(value: int, unit: int) -> tuple[int, int]:
    whole = abs(value) // unit * (-1 if value < 0 else 1)
    return whole, value - whole * unit


def format_interval_as(value: Interval, template: str) -> str | None:
    """Writes an interval by a template, with fields as the interval holds them: years of 12 months, days, time."""
    years, months = _parts(value.months, 12)
    hours, rest = _parts(value.microseconds, 3_600_000_000)
    minutes, rest = _parts(rest, 60_000_000)
    seconds, micros = _parts(rest, 1_000_000)
    fields = Fields(years, months, value.days, hours, minutes, seconds, micros, None, None)
    return _formatted(fields, template) if template else None


FUNCTIONS: tuple[Function, ...] = (
    function("to_char", (TIMESTAMP, TEXT), TEXT, format_timestamp, volatility=Volatility.STABLE),
    function(
        "to_char",
        (TIMESTAMPTZ, TEXT),
        TEXT,
        _format_zoned,
        session=(SessionName.TIME_ZONE,),
        volatility=Volatility.STABLE,
    ),
    function("to_char", (INTERVAL, TEXT), TEXT, format_interval_as, fallible=True, volatility=Volatility.STABLE),
)
