"""Decides which of a date's bare numbers is the year, the month, the day: by their digits, their order and
DateStyle."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.text.failures import field_overflow, invalid_datetime


class DateOrder(StrEnum):
    YMD = "YMD"
    MDY = "MDY"
    DMY = "DMY"


_DATESTYLE_HINT = 'Perhaps you need a different "datestyle" setting.'


def date_order(date_style: str) -> DateOrder:
    """Returns the order in a DateStyle setting, such as `ISO, MDY`."""
    for order in DateOrder:
        if order.value in date_style.upper():
            return order
    return DateOrder.DMY if date_style.lower().startswith("german") else DateOrder.MDY


def two_digit_year(year: int) -> int:
    return year + (2000 if year < 70 else 1900)


@dataclass(slots=True)
class NumericFields:
    """Year, month and day as they become known; `text` and `type_text` are for errors."""

    order: DateOrder
    text: str
    type_text: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    day_of_year: int | None = None
    short_year: bool = False
    text_month: bool = False

    @property
    def complete(self) -> bool:
        return self.year is not None and (
            self.day_of_year is not None or (self.month is not None and self.day is not None)
        )

    @property
    def empty(self) -> bool:
        return self.year is None and self.month is None and self.day is None

    def set_text_month(self, month: int) -> None:
        """A month in letters; a number taken for the month before it was the day (`8 January`)."""
        if self.month is not None:
            if self.text_month or self.day is not None:
                raise invalid_datetime(self.type_text, self.text)
            self.day = self.month
        self.month, self.text_month = month, True

    def set_date(self, year: int, month: int, day: int) -> None:
        if not self.empty:
            raise invalid_datetime(self.type_text, self.text)
        self.year, self.month, self.day = year, month, day

    def set_day_of_year(self, year: int, day: int) -> None:
        if not self.empty:
            raise invalid_datetime(self.type_text, self.text)
        self.year, self.day_of_year = year, day

    def add(self, digits: str) -> None:
        """The next bare number."""
        if len(digits) > 9:
            raise field_overflow(self.text)
        if self.day_of_year is not None:
            raise invalid_datetime(self.type_text, self.text)
        value, long = int(digits), len(digits) >= 3
        match self.year is not None, self.month is not None, self.day is not None:
            case False, False, False:
                if long or self.order is DateOrder.YMD:
                    self._set_year(digits)
                elif self.order is DateOrder.DMY:
                    self.day = value
                else:
                    self.month = value
            case True, False, False if len(digits) == 3 and 1 <= value <= 366:
                self.day_of_year = value
            case True, False, False:
                self.month = value
            case False, True, False:
                if self.text_month and (long or self.order is DateOrder.YMD):
                    self._set_year(digits)
                else:
                    self.day = value
            case True, True, False:
                if self.text_month and long and self.short_year:
                    self.day = self._year_as_written
                    self._set_year(digits)
                else:
                    self.day = value
            case False, False, True:
                self.month = value
            case False, True, True:
                self._set_year(digits)
            case _:
                raise invalid_datetime(self.type_text, self.text)

    def _set_year(self, digits: str) -> None:
        self.year, self.short_year = int(digits), len(digits) <= 2

    @property
    def _year_as_written(self) -> int:
        assert self.year is not None
        return self.year

    def resolve(self, before_christ: bool) -> tuple[int, int, int]:
        """Returns (year, month, day), each checked on its own and the day against its month; years BC are 0 and
        below."""
        if not self.complete:
            raise invalid_datetime(self.type_text, self.text)
        assert self.year is not None
        year = two_digit_year(self.year) if self.short_year and not before_christ else self.year
        if year == 0:
            raise field_overflow(self.text)
        if before_christ:
            year = 1 - year
        if self.day_of_year is not None:
            return self._from_day_of_year(year, self.day_of_year)
        assert self.month is not None and self.day is not None
        if not 1 <= self.month <= 12 or not 1 <= self.day <= 31:
            raise field_overflow(self.text, hint=_DATESTYLE_HINT)
        if self.day > days_in_month(year, self.month):
            raise field_overflow(self.text)
        return year, self.month, self.day

    def _from_day_of_year(self, year: int, day: int) -> tuple[int, int, int]:
        month = 1
        if not 1 <= day <= 366:
            raise field_overflow(self.text)
        while month <= 12 and day > days_in_month(year, month):
            day -= days_in_month(year, month)
            month += 1
        return (year, month, day) if month <= 12 else (year + 1, 1, day)


_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def days_in_month(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS[month - 1]
