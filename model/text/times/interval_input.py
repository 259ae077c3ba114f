"""interval from text: ISO 8601, SQL standard, and PostgreSQL's own `1 year 2 mons 3 days 04:05:06 ago`.

Fractions flow down: of a year into months, of a month into days of 30, of a week or day into microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from math import isinf

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES, invalid_datetime
from model.types.datum import Interval

_DAY = 86_400_000_000
_HOUR = 3_600_000_000
_MINUTE = 60_000_000
_SECOND = 1_000_000
_DAYS_PER_MONTH = 30

_MONTHS_OF = {
    12_000: "mil mils millennia millennium",
    1_200: "c cent centuries century",
    120: "dec decade decades decs",
    12: "y year years yr yrs",
    1: "mon mons month months",
}
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
    for kind, table in (("months", _MONTHS_OF), ("days", _DAYS_OF), ("micros", _MICROS_OF))
    for size, words in table.items()
    for word in words.split()
}
_UNIT_LENGTH_MAX = 10
"""What is longer is cut, so `millenniums` is a word too."""
_SECONDS = (("micros", _SECOND), ("micros", 1_000), ("micros", 1))
_CLOCK = (("micros", _HOUR), ("micros", _MINUTE), *_SECONDS)
_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\n\v\f\r!-*,/;-@\[-`{-~]+)
    | (?P<clock>[+-]?[ ]*\d+:\d+(?::\d+)?(?:\.\d*)?)
    | (?P<years>[+-]?\d+-\d+)
    | (?P<number>[+-]?[ ]*\d+\.?\d*|\.\d+)
    | (?P<word>(?:[dhmsy]|mon|dec)(?=[\d+])|[A-Za-z]+(?![\d+./-]))
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""A word goes on into what follows it as a date or a zone would (`1day-2h` is no interval), but where it is itself one
of those that dates have: `34h2s`."""
_ISO_NUMBER = re.compile(
    r"(?P<sign>-?)(?P<whole>\d*)(?P<fraction>(?:(?<=\d)\.\d*|\.\d+)?(?:[eE][+-]?\d+)?)(?<=[\d.])", re.ASCII
)
_ISO_DATE_UNITS: dict[str, _Unit] = {"Y": ("months", 12), "M": ("months", 1), "D": ("days", 1), "W": ("days", 7)}
_ISO_TIME_UNITS: dict[str, _Unit] = {"H": ("micros", _HOUR), "M": ("micros", _MINUTE), "S": ("micros", _SECOND)}
"""The first three stand in the alternative forms, in this order."""
_TEXT_LENGTH_MAX = 255
_NUMBER_LENGTH_MAX = 40
_DOUBLE_MAX = 1e15


@dataclass(slots=True)
class _Sum:
    """The sum of the parts so far; raises 22015 for a part beyond PostgreSQL's limits."""

    text: str
    years: int = 0
    months: int = 0
    days: int = 0
    micros: int = 0

    def add(self, amount: Decimal, kind: str, size: int) -> None:
        whole = self._held(int(amount), 64)
        fraction = amount - whole
        if kind == "micros":
            self.add_micros(whole * size + _rounded(fraction * size))
        elif kind == "days":
            extra = int(fraction * size)
            self.add_days(whole * size + extra)
            self.add_micros(_rounded((fraction * size - extra) * _DAY))
        elif size > 1:
            # Years and longer keep whole months only; a month's own fraction becomes days and time.
            self.add_months(whole * size // 12, _rounded(fraction * size))
        else:
            self.add_months(0, whole)
            days = fraction * _DAYS_PER_MONTH
            self.add_days(int(days))
            self.add_micros(_rounded((days - int(days)) * _DAY))

    def add_months(self, years: int, months: int) -> None:
        self.years = self._held(self.years + self._held(years, 32), 32)
        self.months = self._held(self.months + self._held(months, 32), 32)

    def add_days(self, days: int) -> None:
        self.days = self._held(self.days + self._held(days, 32), 32)

    def add_micros(self, micros: int) -> None:
        self.micros = self._held(self.micros + self._held(micros, 64), 64)

    def _held(self, value: int, bits: int) -> int:
        if not -(1 << bits - 1) <= value < 1 << bits - 1:
            raise _field_overflow(self.text)
        return value

    def negated(self) -> _Sum:
        whole = _Sum(self.text)
        whole.add_months(-self.years, -self.months)
        whole.add_days(-self.days)
        whole.add_micros(-self.micros)
        return whole

    def interval(self) -> Interval:
        months = self.years * 12 + self.months
        if not -(2**31) <= months < 2**31:
            raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "interval out of range")
        return Interval(months, self.days, self.micros)


def _field_overflow(text: str) -> SqlError:
    return SqlError(Sqlstate.INTERVAL_FIELD_OVERFLOW, f'interval field value out of range: "{text}"')


def _rounded(value: Decimal) -> int:
    return int(value.to_integral_value(ROUND_HALF_EVEN))


def interval_parser(sql_standard: bool) -> _Parser:
    return _Parser(sql_standard)


@dataclass(frozen=True, slots=True)
class _Parser:
    """The parser of intervals. With IntervalStyle sql_standard one leading minus sign counts for every part."""

    sql_standard: bool

    def __call__(self, text: str) -> Interval:
        body = text.strip(SPACES)
        if not body or len(body) > _TEXT_LENGTH_MAX:
            raise invalid_datetime("interval", text)
        if body[0] == "P" and len(body) > 1 and body[1] in "0123456789+-.T":
            return _read_iso_8601(body[1:], text)
        return _read_words(body, text, self.sql_standard)


def _read_words(body: str, text: str, sql_standard: bool) -> Interval:
    tokens = _cut(body, text)
    total = _Sum(text)
    ago = ("word", "ago") in tokens
    tokens = [token for token in tokens if token != ("word", "ago")]
    negative = sql_standard and body.startswith("-") and not any(token[0] in "+-" for _, token in tokens[1:])
    seen: set[_Unit] = set()
    if not tokens:
        raise invalid_datetime("interval", text)
    index = 0
    while index < len(tokens):
        kind, token = tokens[index]
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        sign = -1 if negative and index > 0 else 1
        match kind:
            case "clock":
                total.add_micros(sign * _clock(token, text, following))
                _require_once(seen, _CLOCK, text)
                index += 2 if following is not None and following[0] == "word" else 1
            case "years":
                _add_years_months(total, token, text)
                _require_once(seen, (("months", 1),), text)
                index += 1
            case "number":
                unit, used = _unit_of(following, tokens[index + 1 :], text)
                amount = sign * _number(token, text)
                total.add(amount, *unit)
                _require_once(seen, _SECONDS if unit == _SECONDS[0] and amount % 1 else (unit,), text)
                index += used
            case _:
                raise invalid_datetime("interval", text)
    return (total.negated() if ago else total).interval()


def _cut(body: str, text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    position = 0
    while position < len(body):
        match = _TOKEN.match(body, position)
        if match is None or match.lastgroup is None:
            raise invalid_datetime("interval", text)
        if match.lastgroup != "space":
            tokens.append((match.lastgroup, match[0].lower().replace(" ", "")))
        position = match.end()
    return tokens


def _require_once(seen: set[_Unit], units: tuple[_Unit, ...], text: str) -> None:
    """Raises 22007 for a unit that was named before; a clock names all units of time, a fraction of seconds those
    below."""
    if not seen.isdisjoint(units):
        raise invalid_datetime("interval", text)
    seen.update(units)


def _unit_of(following: tuple[str, str] | None, rest: list[tuple[str, str]], text: str) -> tuple[_Unit, int]:
    """A number's unit, and how many tokens the two take: days before a clock, seconds at the end."""
    if following is None:
        return ("micros", _SECOND), 1
    if following[0] == "clock":
        return ("days", 1), 1
    unit = _UNITS.get(following[1][:_UNIT_LENGTH_MAX]) if following[0] == "word" else None
    if unit is None:
        raise invalid_datetime("interval", text)
    return unit, 2


def _number(token: str, text: str) -> Decimal:
    if len(token) > _NUMBER_LENGTH_MAX:
        raise _field_overflow(text)
    return Decimal(token)


def _double(token: str, text: str) -> Decimal:
    """Reads a number of ISO 8601 as PostgreSQL does, which loses digits beyond fifteen."""
    value = float(token)
    if isinf(value):
        raise invalid_datetime("interval", text)
    if abs(value) > _DOUBLE_MAX:
        raise _field_overflow(text)
    return Decimal(value)


def _clock(token: str, text: str, following: tuple[str, str] | None) -> int:
    """Reads a clock, `[+-]h:m[:s]`; before the word of a unit it isn't one."""
    if following is not None and following[0] == "word":
        raise invalid_datetime("interval", text)
    whole, _, fraction = token.lstrip("+-").partition(".")
    parts = [int(part) for part in whole.split(":")]
    if len(parts) == 2 and "." in token:
        parts.insert(0, 0)
    hours, minutes, seconds = (*parts, 0)[:3]
    if minutes > 59 or seconds > 60:
        raise _field_overflow(text)
    micros = _rounded(Decimal("0." + (fraction or "0")) * _SECOND)
    total = hours * _HOUR + minutes * _MINUTE + seconds * _SECOND + micros
    if total >= 2**63:
        raise _field_overflow(text)
    return -total if token.startswith("-") else total


def _add_years_months(total: _Sum, token: str, text: str) -> None:
    years, months = token.lstrip("+-").split("-")
    if int(months) > 11:
        raise _field_overflow(text)
    sign = -1 if token.startswith("-") else 1
    total.add_months(sign * int(years), sign * int(months))


def _read_iso_8601(body: str, text: str) -> Interval:
    """Reads designators (`1Y2M3DT4H`), or one of the alternative forms: `00010203T040506`, `0001-02-03T04:05:06`.
    The two halves may have different forms, and an alternative form may lack its end."""
    total = _Sum(text)
    date, _, clock = body.partition("T")
    _add_half(total, date, _ISO_DATE_UNITS, "-", 8)
    _add_half(total, clock, _ISO_TIME_UNITS, ":", 6)
    return total.interval()


def _add_half(total: _Sum, part: str, units: Mapping[str, _Unit], separator: str, digits: int) -> None:
    """A date or a time. In the basic form `digits` are all of it; a number without a unit is the first of `units`."""
    steps = list(units.values())[:3]
    position = 0
    while position < len(part):
        match = _ISO_NUMBER.match(part, position)
        if match is None:
            raise invalid_datetime("interval", total.text)
        unit = part[match.end() : match.end() + 1]
        if unit in units:
            total.add(_double(match[0], total.text), *units[unit])
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
        total.add(_double(sign + number, total.text), *step)
    fraction = _double(sign + "0" + match["fraction"], total.text)
    total.add(fraction, *(steps[-1] if steps[-1][0] == "days" else ("micros", 1)))


def _add_extended(total: _Sum, part: str, steps: Sequence[_Unit], separator: str) -> None:
    position = 0
    for number, step in enumerate(steps):
        match = _ISO_NUMBER.match(part, position)
        if match is None:
            raise invalid_datetime("interval", total.text)
        total.add(_double(match[0], total.text), *step)
        position = match.end()
        if position == len(part):
            return
        if part[position] != separator or number == len(steps) - 1:
            raise invalid_datetime("interval", total.text)
        position += 1
