"""Types of lists and maps in a message: where a type stands, how far it goes, what PostgreSQL's grammar gets of it."""

from __future__ import annotations

from typing import Any

from sqlglot import Token, TokenType

from model.errors.sql_error import NotSupported
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.identifiers import RESERVED
from planner.syntax.members import TypeShape
from planner.syntax.pieces import PieceEndsError, type_name_at

_TYPES = """
    bigint bit boolean char character dec decimal float int integer interval national nchar numeric real smallint time
    timestamp varchar
"""
_TYPE_WORDS = frozenset(_TYPES.upper().split())
_LONGER_NAMES = (
    ("PRECISION",),
    ("VARYING",),
    ("WITH", "TIME", "ZONE"),
    ("WITHOUT", "TIME", "ZONE"),
)
_NO_TYPES = ("BY", "VALUE", "PASSING", "ROWS", "RANGE", "GROUPS")
"""Words that stand behind a name in parentheses, and before an expression: `(PARTITION BY list)`."""
_KEYS = (["TEXT"], ["STRING"])
_NO_KEY = "maps whose keys are of another type than text"


class TypeTaker:
    """Takes the types of lists and maps out of a text. `found` is by the byte at which the type's name begins. `plain`:
    PostgreSQL's grammar takes the text as it is."""

    def __init__(self, parser: StatementParser, plain: bool) -> None:
        self._parser = parser
        self._plain = plain
        self.found: dict[int, TypeShape] = {}

    def stands(self, at: int, opened: list[int]) -> bool:
        """Tells whether the word at `at` must begin a type; `opened` has the brackets that are open there."""
        if at < 2:
            return False
        before = self._parser.word_at(at - 1)
        if before == "::":
            return True
        if before == "AS":
            return bool(opened) and self._parser.word_at(opened[-1] - 1) == "CAST"
        if self._plain or self._parser.word_at(at) in _NO_TYPES or not _names(self._parser.tokens[at - 1]):
            return False
        behind = self._parser.word_at(at - 2)
        return behind == "COLUMN" or (behind in ("(", ",") and bool(opened)) or (before == "TYPE" and at > 3)

    def take(self, at: int) -> int | None:
        """Reads the type that begins at `at` and replaces the type by a name; returns the type's end, None without a
        type.
        """
        if self._parser.word_at(at) == "MAP" and self._parser.word_at(at + 1) == "[" and not self._length(at + 1):
            end, value = self._map(at)
        else:
            end, value = self._name_end(at), None
        if end is None:
            return None
        suffixes, stop = self._suffixes(end)
        first = at + 1 if value is not None else end
        if value is not None or "list" in suffixes:
            self.found[self._parser.written.start_of(at)] = TypeShape(value, suffixes)
            if stop > first:
                self._parser.written.blank(self._parser.written.start_of(first), self._parser.written.end_of(stop - 1))
        return stop

    def _map(self, at: int) -> tuple[int | None, Any]:
        """Reads `map[key=>value]`; returns its end, and the TypeName of its values."""
        key = self._name_end(at + 2)
        if key is None or self._parser.word_at(key) != "=>":
            return None, None
        end = self.take(key + 1)
        if end is None or self._parser.word_at(end) != "]":
            return None, None
        if [self._parser.word_at(each) for each in range(at + 2, key)] not in _KEYS:
            raise NotSupported(_NO_KEY, position=self._parser.written.position(self._parser.written.start_of(at + 2)))
        try:
            # Of a long type the most is blank by now.
            first, stop = self._parser.written.start_of(key + 1), self._parser.written.end_of(end - 1)
            stop = first + len(self._parser.written.data[first:stop].rstrip())
            return end + 1, type_name_at(self._parser.written.data, first, stop)
        except PieceEndsError:
            return None, None

    def _name_end(self, at: int) -> int | None:
        if at >= len(self._parser.tokens) or not (
            _names(self._parser.tokens[at]) or self._parser.word_at(at) in _TYPE_WORDS
        ):
            return None
        end = at + 1
        while self._parser.word_at(end) == "." and end + 1 < len(self._parser.tokens):
            end += 2
        end = self._longer(end)
        if self._parser.word_at(end) == "(":
            close = self._parser.written.closing(end)
            if close is None:
                return None
            end = close + 1
        return self._longer(end)

    def _longer(self, end: int) -> int:
        for words in _LONGER_NAMES:
            if self._parser.sees_at(end, *words):
                return end + len(words)
        return end

    def _suffixes(self, at: int) -> tuple[tuple[str, ...], int]:
        found: list[str] = []
        while True:
            if self._parser.word_at(at) == "LIST":
                found.append("list")
                at += 1
                continue
            if not self._length(at):
                return tuple(found), at
            found.append("array")
            at += 2 if self._parser.word_at(at + 1) == "]" else 3

    def _length(self, at: int) -> bool:
        """Tells whether an array's brackets stand here, empty or around its length."""
        if self._parser.word_at(at) != "[":
            return False
        if self._parser.word_at(at + 1) == "]":
            return True
        return self._parser.word_at(at + 1).isdigit() and self._parser.word_at(at + 2) == "]"


def _names(token: Token) -> bool:
    if token.token_type is TokenType.IDENTIFIER:
        return True
    return token.token_type is TokenType.VAR and token.text.lower() not in RESERVED
