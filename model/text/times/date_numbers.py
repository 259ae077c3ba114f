"""Decides which of a date's bare numbers is the year, the month, the day, or a time of day: by their digits, their
order and DateStyle."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from enum import IntFlag, StrEnum, auto

from model.errors.sql_error import SqlError
from model.text.failures import field_overflow, invalid_datetime
from model.text.times.date_words import MONTHS
from model.text.times.tokens import integer_at, micros_of_fraction
from model.types.datum import MICROSECONDS_PER_DAY
from model.types.wide_time import CYCLE_DAYS, CYCLE_YEARS


class DateOrder(StrEnum):
    YMD = "YMD"
    MDY = "MDY"
    DMY = "DMY"


class Known(IntFlag):
    """The parts of a date that a text has given so far."""

    YEAR = auto()
    MONTH = auto()
    DAY = auto()
    DAY_OF_YEAR = auto()
    TIME = auto()
    ZONE = auto()
    SUMMER_ZONE = auto()
    SUMMER = auto()
    MERIDIEM = auto()
    ERA = auto()
    WEEKDAY = auto()
    DATE = YEAR | MONTH | DAY


NOTHING = Known(0)
_DATESTYLE_HINT = 'Perhaps you need a different "datestyle" setting.'
_JULIAN_OF_ORDINAL_ONE = 1_721_426
_NUMBER_MAX = 2**31
_DAY_OF_YEAR_MAX = 366
_RUN_OF_DATE = 6


def date_order(date_style: str) -> DateOrder:
    """Returns the order in a DateStyle setting, such as `ISO, MDY`."""
    for order in DateOrder:
        if order.value in date_style.upper():
            return order
    return DateOrder.DMY if date_style.lower().startswith("german") else DateOrder.MDY


@dataclass(slots=True)
class NumericFields:
    """The fields of a date and a clock as they become known; `text` and `type_text` are for errors.

    `known` gathers what was said; nothing may be said twice. Years BC are 0 and below once the date is resolved.
    """

    order: DateOrder
    text: str
    type_text: str
    known: Known = NOTHING
    year: int = 0
    month: int = 0
    day: int = 0
    day_of_year: int = 0
    hour: int = 0
    minute: int = 0
    second: int = 0
    micros: int = 0
    short_year: bool = False
    julian: bool = False

    def malformed(self) -> SqlError:
        return invalid_datetime(self.type_text, self.text)

    def take(self, said: Known) -> None:
        """Notes what a token says."""
        if self.known & said:
            raise self.malformed()
        self.known |= said

    def number(self, digits: str, position: int = 0) -> tuple[int, int]:
        """Returns the number at a position, and where it ends; raises 22008 for numbers that no int4 holds."""
        value, end = integer_at(digits, position)
        if not -_NUMBER_MAX <= value < _NUMBER_MAX:
            raise field_overflow(self.text)
        return value, end

    def set_clock(self, hour: int, minute: int, second: int) -> None:
        self.hour, self.minute, self.second = hour, minute, second

    @property
    def clock_micros(self) -> int:
        return ((self.hour * 60 + self.minute) * 60 + self.second) * 1_000_000 + self.micros

    def check_clock(self) -> None:
        """Raises 22008 for what is no time of day; a whole day is taken, and a 60th second."""
        if self.minute > 59 or self.second > 60 or self.clock_micros > MICROSECONDS_PER_DAY:
            raise field_overflow(self.text)

    def take_clock(self, token: str, *, checked: bool) -> None:
        """Takes `hh:mm`, `hh:mm:ss` with or without decimals, or `mm:ss.f`. A number may lack: `9::60`.
        Unless it is `checked`, the hour may be any."""
        hour, end = integer_at(token)
        minute, end = self.number(token, end + 1)
        second, self.micros = 0, 0
        if token[end:].startswith("."):
            hour, minute, second = 0, hour, minute
        elif end < len(token):
            second, end = self.number(token, end + 1)
        self._take_fraction(token[end:])
        if minute > 59 or second > 60 or hour >= _NUMBER_MAX:
            raise field_overflow(self.text)
        self.set_clock(hour, minute, second)
        if checked:
            self.check_clock()
        self.take(Known.TIME)

    def _take_fraction(self, rest: str) -> None:
        """Takes the decimals of a second, with the point; nothing is none."""
        if rest and (rest[0] != "." or not (rest[1:].isdigit() or rest == ".")):
            raise self.malformed()
        if rest:
            self.micros = micros_of_fraction(rest[1:])

    def take_date(self, token: str) -> None:
        """Takes a date in one token, whose month may be a word: `1999-01-08`, `8-jan-1999`, `1999.008`."""
        parts = self._parts(token)
        text_month = False
        for part in parts:
            if part[0].isalpha():
                if part not in MONTHS:
                    raise self.malformed()
                self.take(Known.MONTH)
                self.month, text_month = MONTHS[part], True
        for part in parts:
            if not part[0].isalpha():
                self.take_number(part, self.known, text_month)
        if self.known & ~(Known.DAY_OF_YEAR | Known.ZONE) != Known.DATE:
            raise self.malformed()

    def _parts(self, token: str) -> list[str]:
        """Returns the runs of digits and of letters. Any one character behind a run parts it from the next, a letter
        too."""
        parts = []
        position = 0
        while position < len(token):
            while not token[position].isalnum():
                position += 1
                if position == len(token):
                    raise self.malformed()
            start, alike = position, str.isdigit if token[position].isdigit() else str.isalpha
            while position < len(token) and alike(token[position]):
                position += 1
            parts.append(token[start:position])
            position += 1
        return parts

    def take_number(self, token: str, known: Known, text_month: bool) -> None:
        """Takes a number by what is known: a field of a date, or of a whole date's time."""
        value, end = self.number(token)
        if end == 0:
            raise self.malformed()
        if end < len(token):
            if end > 2:
                self.take_run(token, known | Known.DATE)
                return
            self._take_fraction(token[end:])
        length = len(token)
        if length == 3 and known & Known.DATE == Known.YEAR and 1 <= value <= _DAY_OF_YEAR_MAX:
            self.take(Known.DAY_OF_YEAR | Known.MONTH | Known.DAY)
            self.day_of_year = value
            return
        match known & Known.DATE:
            case Known.DATE:
                self.take_run(token, known)
            case Known.YEAR | Known.DAY:
                self._set(Known.MONTH, value, length)
            case Known.MONTH if not text_month:
                self._set(Known.DAY, value, length)
            case 0 | Known.MONTH if length >= 3 or self.order is DateOrder.YMD:
                self._set(Known.YEAR, value, length)
            case 0 if self.order is not DateOrder.DMY:
                self._set(Known.MONTH, value, length)
            case 0 | Known.MONTH:
                self._set(Known.DAY, value, length)
            case both if both == Known.YEAR | Known.MONTH:
                # A first number that was taken for the year was the day, as in `08-Jan-1999` where years come first.
                swapped = text_month and length >= 3 and self.short_year
                day, self.year = (self.year, value) if swapped else (value, self.year)
                self.short_year = self.short_year and not swapped
                self._set(Known.DAY, day, length)
            case both if both == Known.MONTH | Known.DAY:
                self._set(Known.YEAR, value, length)
            case _:
                raise self.malformed()

    def _set(self, field: Known, value: int, length: int) -> None:
        self.take(field)
        match field:
            case Known.YEAR:
                self.year, self.short_year = value, length <= 2
            case Known.MONTH:
                self.month = value
            case _:
                self.day = value

    def take_run(self, token: str, known: Known) -> Known:
        """Takes digits that run together, `20240102` or `040506.789`, and returns what the digits were."""
        digits, point, fraction = token.partition(".")
        if point:
            self.micros = micros_of_fraction(fraction)
        elif known & Known.DATE != Known.DATE and len(digits) >= _RUN_OF_DATE:
            self.take(Known.DATE)
            self.year, self.month, self.day = (int(part) for part in (digits[:-4], digits[-4:-2], digits[-2:]))
            self.short_year = self.short_year or len(digits) == _RUN_OF_DATE
            return Known.DATE
        if known & Known.TIME or len(digits) not in (4, 6):
            raise self.malformed()
        self.take(Known.TIME)
        self.set_clock(int(digits[:2]), int(digits[2:4]), int(digits[4:] or 0))
        return Known.TIME

    def take_julian(self, day: int, said: Known) -> None:
        """Takes the date of a Julian day, and notes what its token says."""
        if day < 0:
            raise field_overflow(self.text)
        self.take(said)
        cycles, ordinal = divmod(day - _JULIAN_OF_ORDINAL_ONE, CYCLE_DAYS)
        date = datetime.date.fromordinal(ordinal + 1)
        self.year, self.month, self.day = date.year + cycles * CYCLE_YEARS, date.month, date.day
        self.julian = True

    def set_time_of_day(self, fraction: float) -> None:
        """Sets the clock to a fraction of a day."""
        minutes, micros = divmod(int(fraction * MICROSECONDS_PER_DAY), 60_000_000)
        self.set_clock(minutes // 60, minutes % 60, micros // 1_000_000)
        self.micros = micros % 1_000_000

    def resolve(self, before_christ: bool) -> None:
        """Checks year, month and day, each on its own and the day against its month, and counts days of the year."""
        if self.known & Known.YEAR and not self.julian:
            if before_christ and self.year > 0:
                self.year = 1 - self.year
            elif self.short_year and not before_christ:
                self.year += 2000 if self.year < 70 else 1900 if self.year < 100 else 0
            elif self.year <= 0:
                raise field_overflow(self.text)
        if self.known & Known.DAY_OF_YEAR:
            self._count_days_of_year()
        if (self.known & Known.MONTH and not 1 <= self.month <= 12) or (
            self.known & Known.DAY and not 1 <= self.day <= 31
        ):
            raise field_overflow(self.text, hint=_DATESTYLE_HINT)
        if self.known & Known.DATE == Known.DATE and self.day > days_in_month(self.year, self.month):
            raise field_overflow(self.text)

    def _count_days_of_year(self) -> None:
        self.month, self.day = 1, self.day_of_year
        while self.month <= 12 and self.day > days_in_month(self.year, self.month):
            self.day -= days_in_month(self.year, self.month)
            self.month += 1
        if self.month > 12:
            self.year, self.month = self.year + 1, 1


_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def days_in_month(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS[month - 1]
