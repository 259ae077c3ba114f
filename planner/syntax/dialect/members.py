"""Materialize's lists and maps, rewritten for PostgreSQL's grammar, with the parts that the rewritten text leaves out.

    int list list, map[text=>int] list                 int          , map
    LIST[1, [2, 3]], MAP['a' => 1, 'b' => ['c' => 2]]   LIST(1, (2, 3)), MAP('a' , 1, 'b' , ('c' , 2))

Words keep their places: blanks replace the parts left out. `list` is part of a type only behind `::`, in CAST(… AS …),
and behind the name of a column in parentheses. In a text that PostgreSQL's grammar accepts, a word in parentheses is no
such column, as in `OVER (PARTITION BY list + 1)`.
"""

from __future__ import annotations

from collections.abc import Iterator

import postgast

from model.errors.sql_error import NotSupported
from planner.syntax.dialect.headwater import parser_over
from planner.syntax.dialect.member_types import TypeTaker
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.dialect.tokens import CLOSERS, OPENERS, depth_change, tokens_of
from planner.syntax.grammar import parse_tree
from planner.syntax.members import Constructor, Kind, MemberSyntax, Nesting, Subscript

_QUERIES = ("SELECT", "VALUES", "WITH")


def take_members(sql: str) -> tuple[str, MemberSyntax] | None:
    """Rewrites lists and maps in PostgreSQL's words; returns the new text and the parts left out. Returns None when the
    text has no lists and maps, or can't be cut into tokens.

    Raises 0A000 for keys of another type than text, and for LIST(query) and MAP(query).
    """
    try:
        parse_tree(sql)
        plain = True
    except postgast.PgQueryError:
        plain = False
    tokens = tokens_of(sql)
    if tokens is None:
        return None
    source = sql.encode()
    data = bytearray(source)
    taker = _Taker(parser_over(sql, source, data, tokens), plain)
    taker.take()
    if not taker.types.found and not taker.constructors:
        return None
    return data.decode(), MemberSyntax(taker.types.found, taker.constructors)


class _Taker:
    def __init__(self, parser: StatementParser, plain: bool) -> None:
        self._parser = parser
        self._plain = plain
        self.types = TypeTaker(parser, plain)
        self.constructors: dict[int, Constructor] = {}

    def take(self) -> None:
        opened: list[int] = []
        at = 0
        while at < len(self._parser.tokens):
            kind = self._parser.tokens[at].token_type
            if kind in OPENERS:
                opened.append(at)
            elif kind in CLOSERS and opened:
                opened.pop()
            end = self.types.take(at) if self.types.stands(at, opened) else None
            if end is None:
                self._take_constructor(at)
            at = at + 1 if end is None else end

    def _take_constructor(self, at: int) -> None:
        word = self._parser.word_at(at)
        if word in ("LIST", "MAP") and not self._plain:
            self._refuse_query(at, word)
        if (
            word not in ("LIST", "MAP")
            or self._parser.word_at(at + 1) != "["
            or self._parser.word_at(at - 1) in (".", "AS")
        ):
            return
        kind: Kind = "list" if word == "LIST" else "map"
        close = self._parser.written.closing(at + 1)
        nesting = None if close is None else self._nesting(kind, at + 1, close)
        if close is None or nesting is None:
            return
        self._write(kind, at + 1, close, nesting)
        subscripts, last = self._subscripts(close) if kind == "list" and nesting else ((), close)
        self._parser.written.data[self._parser.written.start_of(at + 1)] = ord("(")
        self._parser.written.data[self._parser.written.start_of(last)] = ord(")")
        self.constructors[self._parser.written.start_of(at)] = Constructor(kind, nesting, subscripts)

    def _refuse_query(self, at: int, word: str) -> None:
        if self._parser.word_at(at + 1) == "(" and self._parser.word_at(at + 2) in _QUERIES:
            raise NotSupported(
                f"{word}(query)",
                hint=f"Use {word.lower()}_agg in a subquery.",
                position=self._parser.written.position(self._parser.written.start_of(at)),
            )

    def _subscripts(self, close: int) -> tuple[tuple[Subscript, ...], int]:
        """Reads the subscripts behind a list that closes at `close`; returns them with the end of the last."""
        found: list[Subscript] = []
        while self._parser.word_at(close + 1) == "[":
            end = self._parser.written.closing(close + 1)
            kind = None if end is None else self._subscript(close + 2, end)
            if end is None or kind is None:
                break
            self._parser.written.data[self._parser.written.start_of(close)] = ord(",")
            self._parser.written.data[self._parser.written.start_of(close + 1)] = ord(" ")
            colon = self._outside(":", close + 2, end)
            if colon is not None:
                self._parser.written.data[self._parser.written.start_of(colon)] = ord("," if kind == "slice" else " ")
            found.append(kind)
            close = end
        return tuple(found), close

    def _subscript(self, first: int, end: int) -> Subscript | None:
        colon = self._outside(":", first, end)
        if first == end or self._outside(",", first, end) is not None or (colon == first and colon + 1 == end):
            return None
        if colon is None:
            return "item"
        return "to" if colon == first else "from" if colon + 1 == end else "slice"

    def _nesting(self, kind: Kind, opening: int, close: int) -> Nesting | None:
        """Finds which members between the brackets are lists or maps themselves: returns one nesting for each member,
        with None for a plain value.

        Returns None if the brackets hold something else: a slice, or a subscript of a column called `list` or `map`.
        """
        found: list[Nesting | None] = []
        for first, end in self._members(opening, close):
            start = first if kind == "list" else self._value(first, end)
            if start is None or start >= end or (kind == "list" and self._outside(":", first, end) is not None):
                return None
            if self._parser.word_at(start) != "[":
                found.append(None)
                continue
            nesting = self._nesting(kind, start, end - 1) if self._parser.written.closing(start) == end - 1 else None
            if nesting is None:
                return None
            found.append(nesting)
        return tuple(found)

    def _value(self, first: int, end: int) -> int | None:
        """Returns the begin of the value in `key => value`."""
        arrow = self._outside("=>", first, end)
        return None if arrow is None or arrow == first else arrow + 1

    def _write(self, kind: Kind, opening: int, close: int, nesting: Nesting) -> None:
        """Rewrites the members in PostgreSQL's words: a nested list becomes members in parentheses, or a number if it
        is empty."""
        written = self._parser.written
        for (first, end), inner in zip(self._members(opening, close), nesting, strict=True):
            start = first
            if kind == "map":
                arrow = self._outside("=>", first, end)
                assert arrow is not None, "members have been looked at before"
                written.data[written.start_of(arrow) : written.end_of(arrow)] = b" ,"
                start = arrow + 1
            if inner is not None:
                written.data[written.start_of(start)] = ord("(" if inner else "0")
                written.data[written.start_of(end - 1)] = ord(")" if inner else " ")
                self._write(kind, start, end - 1, inner)

    def _members(self, opening: int, close: int) -> Iterator[tuple[int, int]]:
        """Yields the place of each member's first token, and the place behind its last token."""
        start = opening + 1
        while start < close:
            comma = self._outside(",", start, close)
            end = close if comma is None else comma
            yield start, end
            start = end + 1
            if comma is not None and start == close:
                yield start, close

    def _outside(self, symbol: str, first: int, end: int) -> int | None:
        """Returns the first token between `first` and `end` that is `symbol` and stands outside all brackets; None
        without one."""
        at = first
        while at < end:
            if self._parser.word_at(at) == symbol:
                return at
            change = depth_change(self._parser.tokens[at])
            behind = self._parser.written.closing(at) if change == 1 else at
            if change == -1 or behind is None:
                return None
            at = behind + 1
        return None
