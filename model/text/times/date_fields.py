"""The text of a date or time taken apart into fields, whatever the order and form that PostgreSQL accepts.

Each token of the text (`tokens`) fills fields, and nothing may be filled twice. What the fields mean together is
decided in `dates_and_times`.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import TextContext
from model.text.failures import field_overflow, invalid_datetime
from model.text.times.date_numbers import NOTHING, DateOrder, Known, NumericFields
from model.text.times.date_words import DATE_WORDS, JULIAN, MONTHS, TIME_LABEL, WordKind
from model.text.times.near_years import near_local
from model.text.times.tokens import TimeToken, TimeTokenKind, tokens_of
from model.text.times.zone_abbreviations import SUMMER_ABBREVIATIONS
from model.text.times.zones import abbreviated_zone, fixed_zone, named_zone, posix_zone, session_zone, signed_offset

_DAY = datetime.timedelta(days=1)
_SUMMER = datetime.timedelta(hours=1)
_DAYS_AWAY = {"today": 0, "tomorrow": 1, "yesterday": -1}
_LONG_TYPES = ("timestamp", "timestamp with time zone")
_ROOM, _ROOM_OF_LONG_TYPES = 128, 152
_RUN_OF_DIGITS = 6


@dataclass(slots=True)
class DateFields:
    """The fields that a text has. `zone` is an offset or a zone, None where the text has none; `has_rules` says that
    the zone's offset hangs on the date; `special` is `epoch`, `infinity`, `-infinity`, or `now`, whose date and time
    the fields then hold."""

    numbers: NumericFields
    context: TextContext
    zone: datetime.tzinfo | None = None
    named: bool = False
    special: str | None = None
    text_month: bool = False
    before_christ: bool = False
    meridiem: str | None = None
    label: str | None = None

    @property
    def has_date(self) -> bool:
        return self.numbers.known & Known.DATE == Known.DATE

    @property
    def has_rules(self) -> bool:
        return self.zone is not None and self.zone.utcoffset(None) is None


def read_date_fields(text: str, type_text: str, order: DateOrder, context: TextContext) -> DateFields:
    """Reads a text that must say a date; raises SqlError 22007, 22008, 22009 or 22023 for other texts."""
    fields, tokens = _begin(text, type_text, order, context)
    numbers = fields.numbers
    for token in tokens:
        match token.kind:
            case TimeTokenKind.DATE:
                _take_date(fields, token.text)
            case TimeTokenKind.CLOCK:
                _expect_time(fields)
                numbers.take_clock(token.text, checked=True)
            case TimeTokenKind.OFFSET:
                _take_offset(fields, token.text, Known.ZONE)
            case TimeTokenKind.NUMBER:
                _take_number(fields, token.text)
            case TimeTokenKind.WORD:
                if token.text == TIME_LABEL and not fields.has_date:
                    raise numbers.malformed()
                _take_word(fields, token.text)
    if fields.label is not None:
        raise numbers.malformed()
    if fields.special in (None, "now"):
        _finish(fields)
        if not fields.has_date:
            raise numbers.malformed()
        _check_zone(fields)
    return fields


def read_time_fields(text: str, type_text: str, order: DateOrder, context: TextContext) -> DateFields:
    """Reads a text that must say a time of day; a date may stand before it, for the sake of its zone."""
    fields, tokens = _begin(text, type_text, order, context)
    numbers = fields.numbers
    for index, token in enumerate(tokens):
        ends_in_date = len(tokens) > 1 and index == 0 and tokens[-1].kind is TimeTokenKind.DATE
        match token.kind:
            case TimeTokenKind.DATE:
                if ends_in_date or (index == 0 and len(tokens) > 1 and tokens[1].kind is TimeTokenKind.CLOCK):
                    numbers.take_date(token.text)
                else:
                    _take_zoned(fields, token.text, numbers.known | Known.DATE)
            case TimeTokenKind.CLOCK:
                _expect_time(fields)
                numbers.take_clock(token.text, checked=False)
            case TimeTokenKind.OFFSET:
                _take_offset(fields, token.text, Known.ZONE)
            case TimeTokenKind.NUMBER:
                _take_number_of_time(fields, token.text, ends_in_date)
            case TimeTokenKind.WORD:
                if DATE_WORDS.get(token.text) in (WordKind.MONTH, WordKind.WEEKDAY):
                    raise numbers.malformed()
                _take_word(fields, token.text, time_only=True)
    if fields.label is not None:
        raise numbers.malformed()
    _finish(fields)
    numbers.check_clock()
    if not numbers.known & Known.TIME or (fields.named and fields.has_rules and not fields.has_date):
        raise numbers.malformed()
    _check_zone(fields)
    return fields


def _begin(text: str, type_text: str, order: DateOrder, context: TextContext) -> tuple[DateFields, list[TimeToken]]:
    fields = DateFields(NumericFields(order, text, type_text), context)
    room = _ROOM_OF_LONG_TYPES if type_text in _LONG_TYPES else _ROOM
    return fields, tokens_of(text, room, DATE_WORDS, invalid_datetime(type_text, text))


def _take_date(fields: DateFields, token: str) -> None:
    """Takes a date; behind a month and a day, or a label, the name of a zone or a time with an offset."""
    numbers = fields.numbers
    if fields.label in JULIAN:
        day, end = numbers.number(token)
        fields.label = None
        _take_offset(fields, token[end:], NOTHING)
        numbers.take_julian(day, Known.DATE | Known.TIME | Known.ZONE)
    elif fields.label is not None:
        # What has no digits is refused as a time that nothing follows, not as the name of a zone.
        _expect_time(fields)
        if not token[0].isdigit():
            raise numbers.malformed()
        _take_zoned(fields, token, numbers.known)
    elif numbers.known & (Known.MONTH | Known.DAY) == Known.MONTH | Known.DAY:
        _take_zoned(fields, token, numbers.known)
    else:
        numbers.take_date(token)


def _take_zoned(fields: DateFields, token: str, known: Known) -> None:
    """Takes the name of a zone, or digits of a time that run together with an offset, `040506-08`."""
    numbers = fields.numbers
    if not token[0].isdigit():
        _take_named_zone(fields, token)
        return
    digits, minus, offset = token.partition("-")
    if numbers.known & Known.TIME or not minus:
        raise numbers.malformed()
    _take_offset(fields, minus + offset, NOTHING)
    numbers.take_run(digits, known)
    numbers.take(Known.ZONE)


def _take_named_zone(fields: DateFields, name: str) -> None:
    zone = named_zone(name) or posix_zone(name)
    if zone is None:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'time zone "{name}" not recognized')
    fields.numbers.take(Known.ZONE)
    fields.zone, fields.named = zone, True


def _expect_time(fields: DateFields) -> None:
    """Raises 22007 where the label before a time says something else; drops the label."""
    if fields.label not in (None, TIME_LABEL):
        raise fields.numbers.malformed()
    fields.label = None


def _take_offset(fields: DateFields, token: str, said: Known) -> None:
    """Takes an offset, and notes `said`."""
    try:
        zone = signed_offset(token)
    except ValueError:
        message = f'time zone displacement out of range: "{fields.numbers.text}"'
        raise SqlError(Sqlstate.INVALID_TIME_ZONE_DISPLACEMENT_VALUE, message) from None
    if zone is None:
        raise fields.numbers.malformed()
    fields.numbers.take(said)
    fields.zone = zone


def _take_number(fields: DateFields, token: str) -> None:
    numbers = fields.numbers
    dated = bool(numbers.known & Known.DATE)
    whole, point, _ = token.partition(".")
    if fields.label is not None:
        _take_labelled(fields, token)
    elif point and not dated:
        numbers.take_date(token)
    elif (point and len(whole) > 2) or (len(token) >= _RUN_OF_DIGITS and not (dated and numbers.known & Known.TIME)):
        numbers.take_run(token, numbers.known)
    else:
        numbers.take_number(token, numbers.known, fields.text_month)


def _take_number_of_time(fields: DateFields, token: str, ends_in_date: bool) -> None:
    numbers = fields.numbers
    known = numbers.known | Known.DATE
    whole, point, _ = token.partition(".")
    if fields.label is not None:
        _take_labelled(fields, token)
    elif point and ends_in_date:
        numbers.take_date(token)
    elif len(whole) > 2 if point else len(token) > 4:
        numbers.take_run(token, known)
    elif point:
        raise numbers.malformed()
    else:
        numbers.take_number(token, known, False)


def _take_labelled(fields: DateFields, token: str) -> None:
    """Takes the number behind a label: a Julian day with its fraction, or the digits of a time."""
    numbers, label, fields.label = fields.numbers, fields.label, None
    value, end = numbers.number(token)
    if label in JULIAN:
        numbers.take_julian(value, Known.DATE | Known.TIME if end < len(token) else Known.DATE)
        if end < len(token):
            numbers.set_time_of_day(float(f"0{token[end:]}"))
    elif label != TIME_LABEL or numbers.take_run(token, numbers.known | Known.DATE) is not Known.TIME:
        raise numbers.malformed()


def _take_word(fields: DateFields, word: str, *, time_only: bool = False) -> None:
    numbers = fields.numbers
    if (zone := abbreviated_zone(word)) is not None:
        fields.zone = zone
        settled = word not in SUMMER_ABBREVIATIONS and not fields.has_rules
        numbers.take(Known.ZONE if settled else Known.ZONE | Known.SUMMER_ZONE)
        return
    match DATE_WORDS.get(word):
        case WordKind.IGNORED:
            pass
        case WordKind.SPECIAL:
            _take_special(fields, word, time_only)
        case WordKind.MONTH:
            _take_month(fields, MONTHS[word])
        case WordKind.SUMMER:
            numbers.take(Known.SUMMER | Known.SUMMER_ZONE)
            if fields.zone is not None and not fields.has_rules:
                fields.zone = datetime.timezone(_offset_of(fields.zone) + _SUMMER)
        case WordKind.MERIDIEM:
            numbers.take(Known.MERIDIEM)
            fields.meridiem = word
        case WordKind.ERA:
            numbers.take(Known.ERA)
            fields.before_christ = word == "bc"
        case WordKind.WEEKDAY:
            numbers.take(Known.WEEKDAY)
        case WordKind.LABEL:
            if fields.label is not None:
                raise numbers.malformed()
            fields.label = word
        case None:
            if (named := named_zone(word)) is None:
                raise numbers.malformed()
            numbers.take(Known.ZONE)
            fields.zone, fields.named = named, True


def _offset_of(zone: datetime.tzinfo) -> datetime.timedelta:
    offset = zone.utcoffset(None)
    assert offset is not None
    return offset


def _take_month(fields: DateFields, month: int) -> None:
    """Takes the name of a month. A number before the name that was taken for the month becomes the day, as in
    `8 January`."""
    numbers = fields.numbers
    known = numbers.known
    if known & Known.MONTH and not fields.text_month and not known & Known.DAY and 1 <= numbers.month <= 31:
        numbers.take(Known.DAY)
        numbers.day = numbers.month
    else:
        numbers.take(Known.MONTH)
    numbers.month, fields.text_month = month, True


def _take_special(fields: DateFields, word: str, time_only: bool) -> None:
    numbers = fields.numbers
    if word == "allballs":
        numbers.take(Known.TIME | Known.ZONE)
        numbers.set_clock(0, 0, 0)
        fields.zone = fixed_zone(0)
    elif time_only and word != "now":
        raise numbers.malformed()
    elif word in ("now", *_DAYS_AWAY):
        numbers.take(Known.TIME if time_only else Known.DATE | Known.TIME | Known.ZONE if word == "now" else Known.DATE)
        _take_present(fields, word)
        if word == "now" and not time_only:
            fields.zone = session_zone(fields.context.time_zone)
    else:
        numbers.take(Known.DATE | Known.TIME | Known.ZONE)
        fields.special = word.lstrip("+")


def _take_present(fields: DateFields, word: str) -> None:
    """Takes the date and the time of now, or the date of a day beside today."""
    context, numbers = fields.context, fields.numbers
    if context.now is None:
        what = "time" if numbers.type_text.startswith("time ") or numbers.type_text == "time" else "date"
        instead = "current_time" if what == "time" else "now() or current_date"
        raise NotSupported(f'"{word}" as a {what} here', hint=f"Write {instead} instead.")
    local, _ = near_local(context.now, session_zone(context.time_zone))
    if word == "now":
        fields.special = word
        numbers.set_clock(local.hour, local.minute, local.second)
        numbers.micros = local.microsecond
    else:
        local += _DAYS_AWAY[word] * _DAY
    numbers.year, numbers.month, numbers.day = local.year, local.month, local.day


def _finish(fields: DateFields) -> None:
    """Checks the date, and reads the clock's hours by AM or PM."""
    numbers = fields.numbers
    numbers.resolve(fields.before_christ)
    if fields.meridiem is None:
        return
    if numbers.hour > 12:
        raise field_overflow(numbers.text)
    if fields.meridiem == "pm" and numbers.hour != 12:
        numbers.hour += 12
    elif fields.meridiem == "am" and numbers.hour == 12:
        numbers.hour = 0


def _check_zone(fields: DateFields) -> None:
    """Raises 22007 where `dst` has no offset to move."""
    known = fields.numbers.known
    if known & Known.SUMMER and (not known & Known.ZONE or fields.named or fields.has_rules):
        raise fields.numbers.malformed()
