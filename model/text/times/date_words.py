"""The words that a text of a date or time may hold beside names of zones."""

from __future__ import annotations

from enum import Enum, auto

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
_WEEKDAY_NAMES = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_WEEKDAYS = {*_WEEKDAY_NAMES, *(name[:3] for name in _WEEKDAY_NAMES), "tues", "weds", "thur", "thurs"}


class WordKind(Enum):
    IGNORED = auto()
    MONTH = auto()
    WEEKDAY = auto()
    MERIDIEM = auto()
    ERA = auto()
    SPECIAL = auto()
    SUMMER = auto()
    """`dst`, which moves the zone before it by an hour."""
    LABEL = auto()
    """What says what the next token is: a Julian day, a time; other labels are known and refused."""


MONTHS = {name[:n]: i + 1 for i, name in enumerate(_MONTH_NAMES) for n in (3, len(name))} | {"sept": 9}
JULIAN = frozenset(("j", "jd", "julian"))
TIME_LABEL = "t"
SPECIALS = frozenset(
    ("now", "today", "tomorrow", "yesterday", "allballs", "epoch", "infinity", "-infinity", "+infinity")
)
_REFUSED_LABELS = ("d", "dow", "doy", "h", "isodow", "isoyear", "m", "mm", "s", "y")
DATE_WORDS: dict[str, WordKind] = {
    **dict.fromkeys(("at", "on"), WordKind.IGNORED),
    **dict.fromkeys(MONTHS, WordKind.MONTH),
    **dict.fromkeys(_WEEKDAYS, WordKind.WEEKDAY),
    **dict.fromkeys(("am", "pm"), WordKind.MERIDIEM),
    **dict.fromkeys(("ad", "bc"), WordKind.ERA),
    **dict.fromkeys(SPECIALS, WordKind.SPECIAL),
    **dict.fromkeys((*JULIAN, TIME_LABEL, *_REFUSED_LABELS), WordKind.LABEL),
    "dst": WordKind.SUMMER,
}
