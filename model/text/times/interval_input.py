"""interval from text: ISO 8601, SQL standard, and PostgreSQL's own `1 year 2 mons 3 days 04:05:06 ago`.

Fractions flow down: of a year into months, of a month into days of 30, of a week or day into microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isinf

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES, invalid_datetime
from model.text.times.date_words import DATE_WORDS
from model.text.times.tokens import TimeToken, TimeTokenKind, integer_at, micros_of_fraction, tokens_of
from model.types.datum import Interval

_DAY = 86_400_000_000
_HOUR = 3_600_000_000
_MINUTE = 60_000_000
_SECOND = 1_000_000
_DAYS_PER_MONTH = 30

_YEARS_OF = {
    1_000: "mil mils millennia millennium",
    100: "c cent centuries century",
    10: "dec decade decades decs",
    1: "y year years yr yrs",
}
_MONTHS_OF = {1: "mon mons month months"}
_DAYS_OF = {7: "w week weeks", 1: "d day days"}
_MICROS_OF = {
    _HOUR: "h hour hours hr hrs",
    _MINUTE: "m min mins minute minutes",
    _SECOND: "s sec secs second seconds",
    1_000: "ms msec msecs msecond mseconds millisecon",
    1: "us usec usecs usecond useconds microsecon",
}
_Unit = tuple[str, int]
_UNITS: dict[str, _Unit] = {
    word: (kind, size)
    for kind, table in (("years", _YEARS_OF), ("months", _MONTHS_OF), ("days", _DAYS_OF), ("micros", _MICROS_OF))
    for size, words in table.items()
    for word in words.split()
}
_UNIT_LENGTH_MAX = 10
"""What is longer is cut, so `millenniums` is a word too."""
_REFUSED_UNITS = ("qtr", "quarter", "timezone")
"""Units that no number has here, and that do no harm before another unit."""
_AGO = "ago"
_UNIT_WORDS: dict[str, _Unit | None] = {**_UNITS, **dict.fromkeys((*_REFUSED_UNITS, _AGO))}
_DAY_UNIT, _HOUR_UNIT, _MONTH_UNIT, _SECOND_UNIT = ("days", 1), ("micros", _HOUR), ("months", 1), ("micros", _SECOND)
_PARTS_OF_SECOND = (("micros", 1_000), ("micros", 1))
_CLOCK = frozenset((_HOUR_UNIT, ("micros", _MINUTE), _SECOND_UNIT, *_PARTS_OF_SECOND))
_FIELDS = ((12, "second"), (11, "minute"), (10, "hour"), (3, "day"), (1, "month"), (2, "year"))
_ALL_FIELDS = 0x7FFF
_MINUTE_TO_SECOND = (1 << 11) | (1 << 12)
_TWO_FIELDS = re.compile(r"([+-]?)(\d+:\d*)", re.ASCII)
_ISO_NUMBER = re.compile(
    r"(?P<sign>-?)(?=\.?\d)(?P<whole>\d*)(?P<fraction>(?:(?<=\d)\.\d*|\.\d+)?(?:[eE][+-]?\d+)?)(?<=[\d.])", re.ASCII
)
_ISO_DATE_UNITS: dict[str, _Unit] = {"Y": ("years", 1), "M": ("months", 1), "D": ("days", 1), "W": ("days", 7)}
_ISO_TIME_UNITS: dict[str, _Unit] = {"H": ("micros", _HOUR), "M": ("micros", _MINUTE), "S": ("micros", _SECOND)}
"""The first three stand in the alternative forms, in this order."""
_ROOM = 255
_DOUBLE_MAX = 1e15


class _NoWords(Exception):
    """Raised for a text that is no sequence of numbers, clocks and units, and may yet be of ISO 8601."""


@dataclass(slots=True)
class _Sum:
    """The sum of the parts so far; raises 22015 for a part beyond PostgreSQL's limits."""

    text: str
    years: int = 0
    months: int = 0
    days: int = 0
    micros: int = 0

    def add(self, whole: int, fraction: float, kind: str, size: int) -> None:
        """Adds a number of units, as PostgreSQL does: the fraction is a double, and only its product is rounded."""
        match kind:
            case "micros":
                self.add_micros(whole * size)
                self._add_fraction(fraction, size)
            case "days":
                self._add_days(whole * size)
                self._add_days_and_time(fraction * size)
            case "months":
                self.add_months(whole)
                self._add_days_and_time(fraction * _DAYS_PER_MONTH)
            case _:
                # Years and longer keep whole months only; a month's own fraction becomes days and time.
                self.years = self.held(self.years + self.held(whole * size, 32), 32)
                self.add_months(round(fraction * size * 12))

    def add_months(self, months: int) -> None:
        self.months = self.held(self.months + self.held(months, 32), 32)

    def add_micros(self, micros: int) -> None:
        self.micros = self.held(self.micros + self.held(micros, 64), 64)

    def _add_days(self, days: int) -> None:
        self.days = self.held(self.days + self.held(days, 32), 32)

    def _add_days_and_time(self, days: float) -> None:
        self._add_days(int(days))
        self._add_fraction(days - int(days), _DAY)

    def _add_fraction(self, fraction: float, size: int) -> None:
        """Adds a part of a unit, rounded to microseconds; a half goes towards zero."""
        micros = fraction * size
        whole = int(micros)
        self.add_micros(whole + (micros - whole > 0.5) - (micros - whole < -0.5))

    def held(self, value: int, bits: int) -> int:
        if not -(1 << bits - 1) <= value < 1 << bits - 1:
            raise _field_overflow(self.text)
        return value

    def negate(self) -> None:
        self.years, self.months, self.days = (self.held(-part, 32) for part in (self.years, self.months, self.days))
        self.micros = self.held(-self.micros, 64)

    def interval(self) -> Interval:
        months = self.years * 12 + self.months
        if not -(2**31) <= months < 2**31:
            raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "interval out of range")
        return Interval(months, self.days, self.micros)


def _field_overflow(text: str) -> SqlError:
    return SqlError(Sqlstate.INTERVAL_FIELD_OVERFLOW, f'interval field value out of range: "{text}"')


def interval_parser(sql_standard: bool) -> _Parser:
    return _Parser(sql_standard)


@dataclass(frozen=True, slots=True)
class _Parser:
    """The parser of intervals. With IntervalStyle sql_standard one leading minus sign counts for every part."""

    sql_standard: bool

    def __call__(self, text: str) -> Interval:
        try:
            return _read_words(text, self.sql_standard)
        except _NoWords:
            if text[:1] == "P" and len(text) > 1:
                return _read_iso_8601(text[1:], text)
            raise invalid_datetime("interval", text) from None


def _tokens(text: str) -> list[TimeToken]:
    return tokens_of(text, _ROOM, DATE_WORDS, _NoWords())


def with_unit(text: str, mask: int) -> str:
    """Writes an interval's text so that the meaning without a mask of fields is that with a mask, `INTERVAL '1' YEAR`:
    a bare number at the end counts the smallest field of the mask, and `2:03` are minutes and seconds where the mask is
    of these."""
    field = next((name for bit, name in _FIELDS if mask & (1 << bit)), None)
    if mask == _ALL_FIELDS or field is None:
        return text
    try:
        tokens = _tokens(text)
    except _NoWords:
        return text
    words = [token.text for token in tokens]
    if mask == _MINUTE_TO_SECOND:
        words = [_of_minutes(word) for word in words]
    if (
        tokens
        and tokens[-1].kind is not TimeTokenKind.CLOCK
        and words[-1][0] in "+-.0123456789"
        and ":" not in words[-1]
    ):
        words.append(field)
    return text if words == [token.text for token in tokens] else " ".join(words)


def _of_minutes(clock: str) -> str:
    found = _TWO_FIELDS.fullmatch(clock)
    return clock if found is None else f"{found[1]}00:{found[2]}"


def _read_words(text: str, sql_standard: bool) -> Interval:
    """Reads an interval of numbers, units and clocks, from the last token to the first, because a number's unit stands
    to the right of the number. A number without a unit that stands before a clock, or before hours, counts days: `1
    02:03` is a day, two hours and three minutes. A unit may be named once; a clock counts as naming all units of
    time."""
    tokens = _tokens(text)
    total = _Sum(text)
    signs = [token.text[0] in "+-" for token in tokens]
    negative = sql_standard and text.lstrip(SPACES).startswith("-") and not any(signs[1:])
    unit: _Unit | None = _SECOND_UNIT
    ago = False
    seen: set[_Unit] = set()
    for token in reversed(tokens):
        named: Collection[_Unit] = ()
        if token.kind is TimeTokenKind.WORD:
            word = token.text[:_UNIT_LENGTH_MAX]
            if word not in _UNIT_WORDS:
                raise _NoWords
            unit, ago = _UNIT_WORDS[word], ago or word == _AGO
        elif (clock := _clock(token, total)) is not None:
            total.micros = -abs(clock) if negative else clock
            unit, named = _DAY_UNIT, _CLOCK
        else:
            unit, named = _add_number(total, token.text, unit, negative)
        if not seen.isdisjoint(named):
            raise _NoWords
        seen.update(named)
    if not seen:
        raise _NoWords
    if ago:
        total.negate()
    return total.interval()


def _add_number(total: _Sum, token: str, unit: _Unit | None, negative: bool) -> tuple[_Unit | None, Collection[_Unit]]:
    """Adds a number of units, or `years-months`; returns the unit of a number before it, and the units it names."""
    whole, end = integer_at(token)
    total.held(whole, 64)
    fraction, minus = 0.0, token.startswith("-")
    if token[end:].startswith("-"):
        months, end = integer_at(token, end + 1)
        if not 0 <= months < 12:
            raise _field_overflow(total.text)
        if end < len(token):
            raise _NoWords
        whole, unit = total.held(whole * 12 + (-months if minus else months), 64), _MONTH_UNIT
    elif token[end:].startswith("."):
        digits = token[end + 1 :]
        if digits and not digits.isdigit():
            raise _NoWords
        fraction, end = float(f"0.{digits}") * (-1 if minus else 1), len(token)
    if end < len(token) or unit is None:
        raise _NoWords
    if negative:
        whole, fraction = -abs(whole), -abs(fraction)
    total.add(whole, fraction, *unit)
    if unit == _SECOND_UNIT and fraction:
        return unit, (unit, *_PARTS_OF_SECOND)
    return _DAY_UNIT if unit == _HOUR_UNIT else unit, (unit,)


def _clock(token: TimeToken, total: _Sum) -> int | None:
    """Returns the microseconds of a clock, `[+-]h:m[:s]`; None for a signed token that is none."""
    if token.kind is TimeTokenKind.CLOCK:
        return _unsigned_clock(token.text, total)
    if token.kind is not TimeTokenKind.OFFSET or ":" not in token.text:
        return None
    try:
        micros = _unsigned_clock(token.text[1:], total)
    except (_NoWords, SqlError):
        return None
    return -micros if token.text[0] == "-" else micros


def _unsigned_clock(token: str, total: _Sum) -> int:
    hours, end = _part(token, 0, ":", total, 64)
    minutes, end = _part(token, end + 1, ":.", total, 32)
    seconds = 0
    if token[end:].startswith("."):
        hours, minutes, seconds = 0, hours, minutes
    elif end < len(token):
        seconds, end = _part(token, end + 1, ".", total, 32)
    decimals = token[end + 1 :]
    if decimals and not decimals.isdigit():
        raise _NoWords
    if not 0 <= minutes <= 59 or not 0 <= seconds <= 60:
        raise _field_overflow(total.text)
    micros = micros_of_fraction(decimals) + seconds * _SECOND + minutes * _MINUTE + hours * _HOUR
    return total.held(micros, 64)


def _part(token: str, position: int, marks: str, total: _Sum, bits: int) -> tuple[int, int]:
    """Returns a number of a clock and where it ends: at one of `marks`, or with the clock."""
    number, end = integer_at(token, position)
    total.held(number, bits)
    if end < len(token) and token[end] not in marks:
        raise _NoWords
    return number, end


def _double(token: str, text: str) -> tuple[int, float]:
    """Reads a number of ISO 8601 as PostgreSQL does: as a double, whose whole part and fraction are told apart."""
    value = float(token)
    if isinf(value):
        raise invalid_datetime("interval", text)
    if abs(value) > _DOUBLE_MAX:
        raise _field_overflow(text)
    return int(value), value - int(value)


def _read_iso_8601(body: str, text: str) -> Interval:
    """Reads designators (`1Y2M3DT4H`), or one of the alternative forms: `00010203T040506`, `0001-02-03T04:05:06`.
    The two halves may have different forms, and an alternative form may lack its end."""
    total = _Sum(text)
    date, *clocks = body.split("T")
    _add_half(total, date, _ISO_DATE_UNITS, "-", 8)
    for clock in clocks:
        _add_half(total, clock, _ISO_TIME_UNITS, ":", 6)
    return total.interval()


def _add_half(total: _Sum, part: str, units: Mapping[str, _Unit], separator: str, digits: int) -> None:
    """Adds a date or a time. In the basic form `digits` are all of it; a number without a unit is the first of
    `units`."""
    steps = list(units.values())[:3]
    position = 0
    while position < len(part):
        match = _ISO_NUMBER.match(part, position)
        if match is None:
            raise invalid_datetime("interval", total.text)
        unit = part[match.end() : match.end() + 1]
        if unit in units:
            total.add(*_double(match[0], total.text), *units[unit])
            position = match.end() + 1
            continue
        if position > 0 or unit not in ("", separator):
            raise invalid_datetime("interval", total.text)
        if unit == "" and len(match["whole"]) == digits:
            _add_basic(total, match, steps)
        else:
            _add_extended(total, part, steps, separator)
        return


def _add_basic(total: _Sum, match: re.Match[str], steps: Sequence[_Unit]) -> None:
    """Adds numbers of two digits each (the first may have more), with one sign for all. A fraction is one of a day,
    or, as PostgreSQL has it, of a microsecond."""
    sign, whole = match["sign"], match["whole"]
    for number, step in zip((whole[:-4], whole[-4:-2], whole[-2:]), steps, strict=True):
        total.add(*_double(sign + number, total.text), *step)
    fraction = _double(sign + "0" + match["fraction"], total.text)
    total.add(*fraction, *(steps[-1] if steps[-1][0] == "days" else ("micros", 1)))


def _add_extended(total: _Sum, part: str, steps: Sequence[_Unit], separator: str) -> None:
    position = 0
    for number, step in enumerate(steps):
        match = _ISO_NUMBER.match(part, position)
        if match is None:
            raise invalid_datetime("interval", total.text)
        total.add(*_double(match[0], total.text), *step)
        position = match.end()
        if position == len(part):
            return
        if part[position] != separator or number == len(steps) - 1:
            raise invalid_datetime("interval", total.text)
        position += 1
