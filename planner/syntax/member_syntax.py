"""Materialize's lists and maps, written so that PostgreSQL's grammar takes them, and beside it what that leaves out.

    int list list, map[text=>int] list                 int          , map
    LIST[1, [2, 3]], MAP['a' => 1, 'b' => ['c' => 2]]   LIST(1, (2, 3)), MAP('a' , 1, 'b' , ('c' , 2))

each word at its place: blanks stand for what was taken out. A type stands behind `::`, in CAST(… AS …) and after the
name of a column in parentheses; there and nowhere else `list` belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from model.errors import NotSupported
from planner.syntax.member_types import TypeShape, TypeTaker
from planner.syntax.member_words import MemberWords
from planner.syntax.segments import CLOSERS, OPENERS, words_of

_PIECE_LENGTH = 1 << 18
_WORD_LENGTH_MAX = 4
_HINTS = re.compile(r"\b(?:list|map)\b", re.IGNORECASE)
_QUERIES = ("select", "values", "with")

Kind = Literal["list", "map"]
Subscript = Literal["item", "slice", "from", "to"]
"""[place], [first:last], [first:] and [:last]."""
Nesting = tuple["Nesting | None", ...]
"""For each item of a LIST, or value of a MAP, whether it is one of those itself, in brackets alone."""


@dataclass(frozen=True, slots=True)
class Constructor:
    """LIST[…] or MAP[…], which the tree has as a call. The subscripts behind a LIST are its last arguments."""

    kind: Kind
    nesting: Nesting
    subscripts: tuple[Subscript, ...] = ()


@dataclass(frozen=True, slots=True)
class MemberSyntax:
    """By the byte at which the type's name begins, or the constructor."""

    types: Mapping[int, TypeShape] = field(default_factory=dict)
    constructors: Mapping[int, Constructor] = field(default_factory=dict)

    def place_within(self, node: Any) -> int | None:
        """Where a syntax tree has a type or a constructor of these; None when it has none."""
        if self.types or self.constructors:
            known = {"TypeName": self.types, "FuncCall": self.constructors}.get(node.DESCRIPTOR.name, {})
            if known and node.location in known:
                return int(node.location)
            for descriptor, value in node.ListFields():
                parts = value if descriptor.is_repeated else (value,)
                for part in parts if descriptor.message_type is not None else ():
                    place = self.place_within(part)
                    if place is not None:
                        return place
        return None


NO_MEMBERS = MemberSyntax()


def take_members(sql: str) -> tuple[str, MemberSyntax] | None:
    """The text in PostgreSQL's words, and what they leave out; None when there is nothing, or no tokens can be cut.

    0A000 for keys of another type than text, and for LIST(query) and MAP(query)."""
    if not _hinted(sql):
        return None
    words = words_of(sql)
    if words is None:
        return None
    taker = _Taker(MemberWords(sql, words))
    taker.take()
    if not taker.types.found and not taker.constructors:
        return None
    return taker.text(), MemberSyntax(taker.types.found, taker.constructors)


def _hinted(sql: str) -> bool:
    """Whether either word stands there. A long text is looked at in pieces: one search would hold up all threads."""
    return any(
        _HINTS.search(sql, max(start - _WORD_LENGTH_MAX, 0), start + _PIECE_LENGTH)
        for start in range(0, len(sql), _PIECE_LENGTH)
    )


class _Taker:
    def __init__(self, words: MemberWords) -> None:
        self._words = words
        self.types = TypeTaker(words)
        self.constructors: dict[int, Constructor] = {}

    def text(self) -> str:
        return self._words.segment.data.decode()

    def take(self) -> None:
        opened: list[int] = []
        at = 0
        while at < len(self._words.words):
            text = self._words.words[at].text
            if text in OPENERS:
                opened.append(at)
            elif text in CLOSERS and opened:
                opened.pop()
            end = self.types.take(at) if self.types.stands(at, opened) else None
            if end is None:
                self._take_constructor(at)
            at = at + 1 if end is None else end

    def _take_constructor(self, at: int) -> None:
        word = self._words.lower(at)
        if word in ("list", "map") and self._words.lower(at + 1) == "(" and self._words.lower(at + 2) in _QUERIES:
            feature = f"{word.upper()}(query)"
            raise NotSupported(feature, hint=f"Use {word}_agg in a subquery.", position=self._words.position(at))
        if word not in ("list", "map") or self._words.lower(at + 1) != "[" or self._words.lower(at - 1) in (".", "as"):
            return
        kind: Kind = "list" if word == "list" else "map"
        close = self._words.closing(at + 1)
        nesting = None if close is None else self._nesting(kind, at + 1, close)
        if close is None or nesting is None:
            return
        self._write(kind, at + 1, close, nesting)
        subscripts, last = self._subscripts(close) if kind == "list" and nesting else ((), close)
        self._words.segment.data[self._words.words[at + 1].start] = ord("(")
        self._words.segment.data[self._words.words[last].start] = ord(")")
        self.constructors[self._words.words[at].start] = Constructor(kind, nesting, subscripts)

    def _subscripts(self, close: int) -> tuple[tuple[Subscript, ...], int]:
        """Those that follow a list that closes at `close`, and where the last of them does."""
        found: list[Subscript] = []
        while self._words.lower(close + 1) == "[":
            end = self._words.closing(close + 1)
            kind = None if end is None else self._subscript(close + 2, end)
            if end is None or kind is None:
                break
            self._words.segment.data[self._words.words[close].start] = ord(",")
            self._words.segment.data[self._words.words[close + 1].start] = ord(" ")
            colon = self._words.outside(":", close + 2, end)
            if colon is not None:
                self._words.segment.data[self._words.words[colon].start] = ord("," if kind == "slice" else " ")
            found.append(kind)
            close = end
        return tuple(found), close

    def _subscript(self, first: int, end: int) -> Subscript | None:
        colon = self._words.outside(":", first, end)
        if first == end or self._words.outside(",", first, end) is not None or (colon == first and colon + 1 == end):
            return None
        if colon is None:
            return "item"
        return "to" if colon == first else "from" if colon + 1 == end else "slice"

    def _nesting(self, kind: Kind, opening: int, close: int) -> Nesting | None:
        """None for what is something else: a slice or a subscript of a column that has this name."""
        found: list[Nesting | None] = []
        for first, end in self._words.members(opening, close):
            start = first if kind == "list" else self._value(first, end)
            if start is None or start >= end or (kind == "list" and self._words.outside(":", first, end) is not None):
                return None
            if self._words.lower(start) != "[":
                found.append(None)
                continue
            nesting = self._nesting(kind, start, end - 1) if self._words.closing(start) == end - 1 else None
            if nesting is None:
                return None
            found.append(nesting)
        return tuple(found)

    def _value(self, first: int, end: int) -> int | None:
        """Where a value begins in `key => value`."""
        arrow = self._words.outside("=>", first, end)
        return None if arrow is None or arrow == first else arrow + 1

    def _write(self, kind: Kind, opening: int, close: int, nesting: Nesting) -> None:
        """The members in PostgreSQL's words; nested ones in parentheses, or as a number where there is none of them."""
        for (first, end), inner in zip(self._words.members(opening, close), nesting, strict=True):
            start = first
            if kind == "map":
                arrow = self._words.outside("=>", first, end)
                assert arrow is not None, "members have been looked at before"
                self._words.segment.data[self._words.words[arrow].start : self._words.words[arrow].end] = b" ,"
                start = arrow + 1
            if inner is not None:
                self._words.segment.data[self._words.words[start].start] = ord("(" if inner else "0")
                self._words.segment.data[self._words.words[end - 1].start] = ord(")" if inner else " ")
                self._write(kind, start, end - 1, inner)
