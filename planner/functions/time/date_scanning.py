"""From a text and a template to the numbers that the text has for the template's fields, as PostgreSQL reads them.

Outside FX blanks before fields are passed over, a separator of the template stands for one separator or blank of
the text or for none, and other characters for any one. In FX, and by SQL's rules (`strict`), each stands for
one. A number ends with its digits where no digit can follow, and after as many as its field has elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.integers import clamped
from planner.functions.time.date_formatting import DAYS, MONTHS, ROMAN
from planner.functions.time.date_templates import Node

_WIDTHS = {
    "YYYY": 4, "IYYY": 4, "YYY": 3, "IYY": 3, "YY": 2, "IY": 2, "Y": 1, "I": 1, "MM": 2, "DD": 2, "DDD": 3, "IDDD": 3,
    "HH": 2, "HH12": 2, "HH24": 2, "MI": 2, "SS": 2, "MS": 3, "US": 6, "SSSS": 4, "SSSSS": 5, "D": 1, "ID": 1, "WW": 2,
    "IW": 2, "W": 1, "Q": 1, "CC": 2, "J": 1, "FF1": 1, "FF2": 2, "FF3": 3, "FF4": 4, "FF5": 5, "FF6": 6, "TZH": 2,
    "TZM": 2,
}  # fmt: skip
_DIGITS_FIRST = frozenset(_WIDTHS) - {"TZH"} | {"Y,YYY"}
_FIELDS = {
    "YYYY": "year", "IYYY": "year", "YYY": "year", "IYY": "year", "YY": "year", "IY": "year", "Y": "year", "I": "year",
    "MM": "month", "DD": "day", "DDD": "yearday", "IDDD": "yearday", "HH": "hour", "HH12": "hour", "HH24": "hour",
    "MI": "minute", "SS": "second", "MS": "millis", "US": "micros", "SSSS": "seconds", "SSSSS": "seconds",
    "D": "weekday", "ID": "weekday", "WW": "week", "IW": "week", "W": "monthweek", "CC": "century", "J": "julian",
    "TZH": "zone_hours", "TZM": "zone_minutes",
}  # fmt: skip
_ISO = frozenset(("IYYY", "IYY", "IY", "I", "IDDD", "ID", "IW"))
_GREGORIAN = frozenset(
    ("YYYY", "YYY", "YY", "Y", "Y,YYY", "MM", "MONTH", "MON", "RM", "DDD", "DD", "D", "WW", "W")
)  # fmt: skip
_TO_CHAR_ONLY = frozenset(("TZ", "OF"))
_NUMBER = re.compile(r"[ \t\n\v\f\r]*[+-]?[0-9]+")
_THOUSANDS = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+),[ \t\n\v\f\r]*([+-]?[0-9]{1,3})")
_INT_MAX = 2**31 - 1
_SPACES = " \t\n\v\f\r"


@dataclass(slots=True)
class ScannedFields:
    """The fields of a date that a template has read from a text. `values` are never 0: what is 0 might as well not be
    there. `zone_sign` is 0 when no offset is read, `decimals` how many of a second count."""

    values: dict[str, int] = field(default_factory=dict)
    iso: bool | None = None
    twelve_hours: bool = False
    short_year: bool = False
    zone_sign: int = 0
    decimals: int = 6

    def __getitem__(self, name: str) -> int:
        return self.values.get(name, 0)

    def put(self, name: str, value: int, node: Node) -> None:
        """Sets a field; raises 22007 for a second, different value."""
        if self[name] not in (0, value):
            message = f'conflicting values for "{node.written}" field in formatting string'
            raise _malformed(message, "This value contradicts a previous setting for the same field type.")
        self.values[name] = value


def _malformed(message: str, detail: str | None = None) -> SqlError:
    return SqlError(Sqlstate.INVALID_DATETIME_FORMAT, message, detail=detail)


def is_separator(character: str) -> bool:
    """Tells whether a character is printable ASCII, and neither a letter, a digit nor a blank."""
    return " " < character < "\x7f" and not character.isalnum()


class Scanner:
    """Reads one text; `at` is where it stands, `skipped` how many more characters it has passed than the template."""

    def __init__(self, text: str, nodes: tuple[Node, ...], *, strict: bool) -> None:
        self._text, self._nodes, self._strict = text, nodes, strict
        self._fixed = strict
        self._at = 0
        self._skipped = 0
        self._fields = ScannedFields()

    def fields(self) -> ScannedFields:
        """Reads the text; raises 22007 where it doesn't fit the template, 22008 for numbers that are too great."""
        done = 0
        for index, node in enumerate(self._nodes):
            if self._at >= len(self._text):
                break
            done = index + 1
            blank = node.pattern is None and (node.written in _SPACES or is_separator(node.written)) and not node.quoted
            if not self._fixed and (node.pattern is not None or blank or not index):
                self._skipped += self._pass_blanks()
            if blank:
                self._take_separator(node)
            elif node.pattern is None:
                self._take_character(node)
            else:
                self._take_field(index, node)
        if self._strict:
            self._check_end(done)
        return self._fields

    def _rest(self) -> str:
        return self._text[self._at :]

    def _pass_blanks(self) -> int:
        count = len(self._rest()) - len(self._rest().lstrip(_SPACES))
        self._at += count
        return count

    def _take_separator(self, node: Node) -> None:
        found = self._text[self._at : self._at + 1]
        if self._strict and found != node.written:
            raise _malformed(f'unmatched format separator "{node.written}"')
        if self._fixed:
            self._at += 1
            return
        self._skipped -= 1
        if found and (found in _SPACES or is_separator(found)):
            self._at += 1
            self._skipped += 1

    def _take_character(self, node: Node) -> None:
        if self._strict and not self._rest().startswith(node.written):
            raise _malformed(f'unmatched format character "{node.written}"')
        if not self._fixed and self._skipped > 0:
            # What was passed over may have been this character, and the next one part of a field.
            self._skipped -= 1
        else:
            self._at += 1

    def _check_end(self, done: int) -> None:
        if done < len(self._nodes):
            raise _malformed("input string is too short for datetime format")
        if self._rest().strip(_SPACES):
            raise _malformed("trailing characters remain in input string after datetime format")

    def _take_field(self, index: int, node: Node) -> None:
        pattern = node.pattern or ""
        if pattern in _ISO or pattern in _GREGORIAN:
            self._choose_calendar(pattern in _ISO)
        if pattern == "FX":
            self._fixed = True
        elif pattern in _TO_CHAR_ONLY:
            message = f'formatting field "{node.written}" is only supported in to_char'
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
        elif not self._word(pattern, node):
            self._take_numeric(index, node, pattern)
            if node.ordinal:
                self._at = min(self._at + 2, len(self._text))
        if not self._fixed:
            self._skipped = self._pass_blanks()

    def _choose_calendar(self, iso: bool) -> None:
        if self._fields.iso not in (None, iso):
            error = _malformed("invalid combination of date conventions")
            error.hint = "Do not mix Gregorian and ISO week date conventions in a formatting template."
            raise error
        self._fields.iso = iso

    def _word(self, pattern: str, node: Node) -> bool:
        """Reads a field that is a word; false when it is none."""
        fields = self._fields
        match pattern:
            case "MONTH":
                fields.put("month", self._one_of(MONTHS, node) + 1, node)
            case "MON":
                fields.put("month", self._one_of(tuple(name[:3] for name in MONTHS), node) + 1, node)
            case "DAY":
                self._put_weekday(self._one_of(DAYS, node), node)
            case "DY":
                self._put_weekday(self._one_of(tuple(name[:3] for name in DAYS), node), node)
            case "RM":
                fields.put("month", 12 - self._one_of(tuple(reversed(ROMAN)), node), node)
            case "AM" | "PM":
                fields.put("pm", self._one_of(("am", "pm"), node), node)
                fields.twelve_hours = True
            case "A.M." | "P.M.":
                fields.put("pm", self._one_of(("a.m.", "p.m."), node), node)
                fields.twelve_hours = True
            case "AD" | "BC":
                fields.put("bc", self._one_of(("ad", "bc"), node), node)
            case "A.D." | "B.C.":
                fields.put("bc", self._one_of(("a.d.", "b.c."), node), node)
            case _:
                return False
        return True

    def _put_weekday(self, number: int, node: Node) -> None:
        """Puts a weekday: `number` counts from 0, what is kept from 1, so a second day of the week contradicts even
        the same one."""
        self._fields.put("weekday", number, node)
        self._fields.values["weekday"] = number + 1

    def _one_of(self, words: tuple[str, ...], node: Node) -> int:
        rest = self._rest()
        for index, word in enumerate(words):
            if rest[: len(word)].lower() == word.lower():
                self._at += len(word)
                return index
        shown = re.split(r"\s", rest, maxsplit=1)[0]
        detail = "The given value did not match any of the allowed values for this field."
        raise _malformed(f'invalid value "{shown}" for "{node.written}"', detail)

    def _take_numeric(self, index: int, node: Node, pattern: str) -> None:
        fields = self._fields
        if pattern == "Y,YYY":
            self._take_thousands(node)
            return
        if pattern == "TZH":
            self._take_zone_sign()
        elif pattern == "TZM":
            fields.zone_sign = fields.zone_sign or 1
        value, width = self._number(index, node)
        match pattern:
            case "Q":
                return
            case "HH" | "HH12":
                fields.twelve_hours = True
            case "MS" | "US" | "FF1" | "FF2" | "FF3" | "FF4" | "FF5" | "FF6":
                places = 3 if pattern == "MS" else 6
                name = "millis" if pattern == "MS" else "micros"
                fields.decimals = _WIDTHS[pattern] if pattern.startswith("FF") else fields.decimals
                fields.put(name, value, node)
                fields.values[name] *= 10 ** max(places - width, 0)
                return
            case "YYY" | "IYY" | "YY" | "IY" | "Y" | "I":
                fields.put("year", value, node)
                fields.short_year = len(pattern) < 3
                if width < 4:
                    fields.values["year"] = _near_2020(value)
                return
            case "YYYY" | "IYYY":
                fields.short_year = False
        if pattern == "ID":
            # Sunday is 7 there, and 1 where the week begins with it.
            self._put_weekday(value, node)
            fields.values["weekday"] = fields["weekday"] if value < 7 else 1
            return
        fields.put(_FIELDS[pattern], value, node)

    def _take_zone_sign(self) -> None:
        found = self._text[self._at : self._at + 1]
        if found in ("+", "-", " "):
            self._fields.zone_sign = -1 if found == "-" else 1
            self._at += 1
        else:
            # A minus may have been passed over as a separator.
            minus = self._skipped > 0 and self._text[self._at - 1] == "-"
            self._fields.zone_sign = -1 if minus else 1

    def _take_thousands(self, node: Node) -> None:
        match = _THOUSANDS.match(self._text, self._at)
        if match is None:
            raise _malformed('invalid input string for "Y,YYY"')
        self._fields.put("year", clamped(match[1]) * 1000 + clamped(match[2]), node)
        self._fields.short_year = False
        self._at = match.end()

    def _number(self, index: int, node: Node) -> tuple[int, int]:
        """Reads a number; returns it with the number of characters read, blanks before it included."""
        start = self._at
        width = _WIDTHS[node.pattern or ""]
        copied = self._rest().lstrip(_SPACES)[:width]
        if not node.fill or self._ends_by_itself(index, node):
            match = _NUMBER.match(self._text, start)
            end = start if match is None else match.end()
        else:
            self._pass_blanks()
            if len(copied) < width:
                detail = f"Field requires {width} characters, but only {len(copied)} remain."
                raise _malformed(f'source string too short for "{node.written}" formatting field', detail)
            match = _NUMBER.match(copied)
            used = 0 if match is None else match.end()
            if 0 < used < width:
                detail = f"Field requires {width} characters, but only {used} could be parsed."
                raise _malformed(f'invalid value "{copied}" for "{node.written}"', detail)
            end = self._at + used
        if end == start:
            raise _malformed(f'invalid value "{copied}" for "{node.written}"', "Value must be an integer.")
        value = 0 if match is None else clamped(match[0])
        if not -_INT_MAX - 1 <= value <= _INT_MAX:
            message = f'value for "{node.written}" in source string is out of range'
            detail = f"Value must be in the range {-_INT_MAX - 1} to {_INT_MAX}."
            raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, message, detail=detail)
        self._at = end
        return value, end - start

    def _ends_by_itself(self, index: int, node: Node) -> bool:
        """Tells whether no digit can follow a number."""
        if node.ordinal or index + 1 == len(self._nodes):
            return True
        following = self._nodes[index + 1]
        if following.pattern is not None:
            return following.pattern not in _DIGITS_FIRST
        return not ("0" <= following.written <= "9")


def _near_2020(year: int) -> int:
    """Completes short years to be nearest to 2020."""
    if year < 70:
        return year + 2000
    if year < 100:
        return year + 1900
    if year < 520:
        return year + 2000
    return year + 1000 if year < 1000 else year
