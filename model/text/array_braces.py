"""Parses the braces of an array's text: the elements, and the number in each dimension.

It is a state machine whose state is the last token; each turn handles one token. Messages are those of PostgreSQL 16.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES
from model.types.arrays import check_depth

Element = str | None
"""Unquoted; None for NULL."""

_TOKENS = {sign: re.compile(rf'[^{{}}"{sign}\\]+|\\.|"(?:[^"\\]|\\.)*"|[{{}}{sign}]', re.DOTALL) for sign in ",;"}
"""What braces are made of, by the sign between elements."""
_UNESCAPE = re.compile(r"\\(.)", re.DOTALL)


class _Last(Enum):
    NOTHING = auto()
    OPENED = auto()
    ELEMENT = auto()
    QUOTED = auto()
    CLOSED = auto()
    COMMA_AFTER_ELEMENT = auto()
    COMMA_AFTER_CLOSED = auto()


_BEFORE_ELEMENT = (_Last.OPENED, _Last.ELEMENT, _Last.COMMA_AFTER_ELEMENT)
_BEFORE_QUOTED = (_Last.OPENED, _Last.COMMA_AFTER_ELEMENT)
_BEFORE_OPENING = (_Last.NOTHING, _Last.OPENED, _Last.COMMA_AFTER_CLOSED)
_BEFORE_COMMA = (_Last.ELEMENT, _Last.QUOTED, _Last.CLOSED)


def malformed(text: str, detail: str) -> SqlError:
    """Returns SqlError 22P02 for a text that is no array."""
    return SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f'malformed array literal: "{text}"', detail=detail)


@dataclass(slots=True)
class _Reader:
    """The state of the parser. `counts` has, for each open brace, the number of its parts so far; `lengths`, by
    depth, the number in a closed one."""

    text: str
    sign: str
    last: _Last = _Last.NOTHING
    elements: list[Element] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    lengths: dict[int, int] = field(default_factory=dict)
    element: str = ""
    literal: bool = False

    def take(self, token: str) -> None:
        match token[0]:
            case "{":
                self._open()
            case "}":
                self._close()
            case self.sign:
                self._take_comma()
            case '"':
                self.expect_quoted()
                self.element, self.literal = _UNESCAPE.sub(r"\1", token[1:-1]), True
                self.last = _Last.QUOTED
            case "\\":
                self._expect(_BEFORE_ELEMENT, 'Unexpected "\\" character.')
                self.element, self.literal = self.element + token[1], True
                self.last = _Last.ELEMENT
            case _:
                self._take_characters(token)

    def expect_quoted(self) -> None:
        """Raises 22P02 where quotes can't begin."""
        self._expect(_BEFORE_QUOTED, "Unexpected array element.")

    def _expect(self, allowed: tuple[_Last, ...], detail: str) -> None:
        if self.last not in allowed:
            raise malformed(self.text, detail)

    def _take_characters(self, token: str) -> None:
        if not token.strip(SPACES):
            self.element += token if self.last is _Last.ELEMENT else ""
            return
        self._expect(_BEFORE_ELEMENT, "Unexpected array element.")
        self.element += token if self.last is _Last.ELEMENT else token.lstrip(SPACES)
        self.last = _Last.ELEMENT

    def _open(self) -> None:
        self._expect(_BEFORE_OPENING, 'Unexpected "{" character.')
        check_depth(len(self.counts) + 1)
        self.counts.append(0)
        self.last = _Last.OPENED

    def _take_comma(self) -> None:
        self._expect(_BEFORE_COMMA, f'Unexpected "{self.sign}" character.')
        self._finish_element()
        self.last = _Last.COMMA_AFTER_CLOSED if self.last is _Last.CLOSED else _Last.COMMA_AFTER_ELEMENT

    def _close(self) -> None:
        alone = self.last is _Last.OPENED and len(self.counts) == 1
        if not alone:
            self._expect(_BEFORE_COMMA, 'Unexpected "}" character.')
        self._finish_element()
        depth, count = len(self.counts), self.counts.pop()
        if self.lengths.setdefault(depth, count) != count:
            detail = "Multidimensional arrays must have sub-arrays with matching dimensions."
            raise malformed(self.text, detail)
        if self.counts:
            self.counts[-1] += 1
        self.last = _Last.CLOSED

    def _finish_element(self) -> None:
        if self.last not in (_Last.ELEMENT, _Last.QUOTED):
            return
        text = self.element if self.literal else self.element.rstrip(SPACES)
        self.elements.append(None if not self.literal and text.lower() == "null" else text)
        self.counts[-1] += 1
        self.element, self.literal = "", False


def read_braces(text: str, position: int, sign: str) -> tuple[list[Element], list[int]]:
    """Returns the elements of the braces that open at `position`, to the text's end, and the length of each
    dimension; `sign` stands between elements."""
    reader, tokens = _Reader(text, sign), _TOKENS[sign]
    while reader.counts or reader.last is _Last.NOTHING:
        match = tokens.match(text, position)
        if match is None:
            if text[position : position + 1] == '"':
                reader.expect_quoted()
            raise malformed(text, "Unexpected end of input.")
        reader.take(match[0])
        position = match.end()
    if text[position:].strip(SPACES):
        raise malformed(text, "Junk after closing right brace.")
    lengths = [reader.lengths[depth] for depth in sorted(reader.lengths)] if reader.elements else []
    total = 1
    for length in lengths:
        total *= length
    if reader.elements and total != len(reader.elements):
        raise malformed(text, "Multidimensional arrays must have sub-arrays with matching dimensions.")
    return reader.elements, lengths
