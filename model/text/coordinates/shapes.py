"""point, box, lseg and circle in text: `(1,2)`, `(3,4),(1,2)`, `[(1,2),(3,4)]`, `<(1,2),3>`.

PostgreSQL reads more than it writes: parentheses may be left out or doubled, also a comma between two points. What
stands here takes the same texts and refuses the same, step by step.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.text.failures import SPACES, invalid_syntax
from model.text.floats import float_formatter, parse_float8
from model.types.geometry import held_box, held_shape, numbers_of_shape

_SPACE = re.compile(r"[ \t\n\v\f\r]*")
_NUMBER = re.compile(
    r"[ \t\n\v\f\r]*([+-]?(?:0[xX](?:[0-9a-fA-F]++(?:\.[0-9a-fA-F]*+)?|\.[0-9a-fA-F]++)(?:[pP][+-]?[0-9]++)?"
    r"|(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?|nan|infinity|inf))[ \t\n\v\f\r]*",
    re.ASCII | re.IGNORECASE,
)


class _Reader:
    """A text of a type that is read from the left."""

    def __init__(self, text: str, type_text: str) -> None:
        self._text, self._type = text, type_text
        self._at = 0

    def wrong(self) -> SqlError:
        return invalid_syntax(self._type, self._text)

    def sees(self, character: str, after: int = 0) -> bool:
        return self._text.startswith(character, self._at + after)

    def skip_spaces(self) -> None:
        match = _SPACE.match(self._text, self._at)
        assert match is not None, "no space is enough"
        self._at = match.end()

    def take(self, character: str) -> bool:
        """Steps over a character if it comes next, and tells whether it did."""
        found = self.sees(character)
        self._at += found
        return found

    def expect(self, character: str) -> None:
        if not self.take(character):
            raise self.wrong()

    def take_outer(self) -> bool:
        """Steps over a parenthesis, and the spaces behind it, if another one comes next or none follows at all."""
        if not self.sees("("):
            return False
        rest = self._text[self._at + 1 :]
        inner = rest.lstrip(SPACES)
        if not inner.startswith("(") and "(" in rest:
            return False
        self._at += 1 + len(rest) - len(inner)
        return True

    def take_doubled(self) -> bool:
        """Steps over a parenthesis, and the spaces behind it, if another one comes next."""
        rest = self._text[self._at + 1 :].lstrip(SPACES)
        return self.sees("(") and rest.startswith("(") and self.take_outer()

    def number(self) -> float:
        match = _NUMBER.match(self._text, self._at)
        if match is None:
            raise self.wrong()
        self._at = match.end()
        return parse_float8(match[1])

    def pair(self) -> tuple[float, float]:
        self.skip_spaces()
        enclosed = self.take("(")
        x = self.number()
        self.expect(",")
        y = self.number()
        if enclosed:
            self.expect(")")
            self.skip_spaces()
        return x, y

    def close(self, *closings: str) -> None:
        """Steps over one of the characters that close what is open, and the spaces behind it."""
        if not any(self.take(each) for each in closings):
            raise self.wrong()
        self.skip_spaces()

    def end(self) -> None:
        if self._at != len(self._text):
            raise self.wrong()


def parse_point(text: str) -> bytes:
    """Parses a point; raises 22P02 for a wrong text and 22003 for a number that no double holds, as the other
    functions here do."""
    reader = _Reader(text, "point")
    x, y = reader.pair()
    reader.end()
    return held_shape(x, y)


def _two_points(text: str, type_text: str, *, bracketed: bool) -> tuple[float, float, float, float]:
    reader = _Reader(text, type_text)
    reader.skip_spaces()
    open_ = reader.take("[")
    if open_ and not bracketed:
        raise reader.wrong()
    closed = not open_ and reader.take_outer()
    first = reader.pair()
    reader.take(",")
    second = reader.pair()
    reader.take(",")
    if open_:
        reader.close(")", "]")
    elif closed:
        reader.close(")")
    reader.end()
    return (*first, *second)


def parse_box(text: str) -> bytes:
    return held_box(*_two_points(text, "box", bracketed=False))


def parse_segment(text: str) -> bytes:
    return held_shape(*_two_points(text, "lseg", bracketed=True))


def parse_circle(text: str) -> bytes:
    """Parses a circle, whose radius is not negative."""
    reader = _Reader(text, "circle")
    reader.skip_spaces()
    angular = reader.take("<")
    doubled = not angular and reader.take_doubled()
    x, y = reader.pair()
    reader.take(",")
    radius = reader.number()
    if radius < 0:
        raise reader.wrong()
    if angular or doubled:
        reader.close(")", ">")
    reader.end()
    return held_shape(x, y, radius)


def point_formatter(extra_float_digits: int) -> Callable[[bytes], str]:
    write = float_formatter(False, extra_float_digits)
    return lambda held: "({},{})".format(*map(write, numbers_of_shape(held)))


def box_formatter(extra_float_digits: int) -> Callable[[bytes], str]:
    write = float_formatter(False, extra_float_digits)
    return lambda held: "({},{}),({},{})".format(*map(write, numbers_of_shape(held)))


def segment_formatter(extra_float_digits: int) -> Callable[[bytes], str]:
    write = float_formatter(False, extra_float_digits)
    return lambda held: "[({},{}),({},{})]".format(*map(write, numbers_of_shape(held)))


def circle_formatter(extra_float_digits: int) -> Callable[[bytes], str]:
    write = float_formatter(False, extra_float_digits)
    return lambda held: "<({},{}),{}>".format(*map(write, numbers_of_shape(held)))
