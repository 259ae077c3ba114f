"""A statement cut into words, in whose bytes clauses are blanked or replaced without moving what follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import postgast
from postgast import pg_query_pb2 as tree

OPENERS = frozenset("([")
CLOSERS = frozenset(")]")
_COMMENTS = frozenset((tree.Token.SQL_COMMENT, tree.Token.C_COMMENT))


@dataclass(frozen=True, slots=True)
class Word:
    """A token of PostgreSQL's scanner; `start` and `end` count bytes of the whole message."""

    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        return self.text.lower()


class Segment:
    """The tokens of one statement, and the bytes of the whole message in which clauses are blanked."""

    def __init__(self, data: bytearray, words: list[Word]) -> None:
        self.data = data
        self.words = words

    def starts(self, at: int, *expected: str) -> bool:
        """Whether the words from `at` on are these."""
        found = self.words[at : at + len(expected)]
        return len(found) == len(expected) and all(w.lower == e for w, e in zip(found, expected, strict=True))

    def blank(self, start: int, end: int) -> None:
        self.data[start:end] = b" " * (end - start)

    def replace(self, first: int, last: int, text: bytes = b"") -> None:
        """Puts `text`, which must not be longer, in the place of the words from `first` to `last`."""
        start, end = self.words[first].start, self.words[last].end
        assert len(text) <= end - start, "what stands in for a clause is no longer than it"
        self.blank(start, end)
        self.data[start : start + len(text)] = text
        del self.words[first : last + 1]

    def top_level(self, *expected: str, before: str | None = None) -> int | None:
        """Where these words stand outside all parentheses, before the first top-level word `before`; None: nowhere."""
        depth = 0
        for index, word in enumerate(self.words):
            if depth == 0 and self.starts(index, *expected):
                return index
            if depth == 0 and word.lower == before:
                return None
            depth += (word.text in OPENERS) - (word.text in CLOSERS)
        return None


def words_of(sql: str) -> list[Word] | None:
    """The tokens of a message, comments left out; None when it can't be cut into tokens."""
    try:
        tokens = postgast.scan(sql).tokens
    except postgast.PgQueryError:
        return None
    data = sql.encode()
    return [Word(data[t.start : t.end].decode(), t.start, t.end) for t in tokens if t.token not in _COMMENTS]


def split(words: Iterable[Word]) -> list[list[Word]]:
    """The words of each statement."""
    pieces: list[list[Word]] = [[]]
    for word in words:
        if word.text == ";":
            pieces.append([])
        else:
            pieces[-1].append(word)
    return [piece for piece in pieces if piece]


def string_of(text: str) -> str | None:
    """The value of a plain string constant; None for any other token."""
    if len(text) < 2 or text[0] != "'" or text[-1] != "'":
        return None
    return text[1:-1].replace("''", "'")


def identifier_of(text: str) -> str:
    """An identifier's token as PostgreSQL folds it."""
    return text[1:-1].replace('""', '"') if text.startswith('"') else text.lower()


def name_at(words: list[Word], at: int) -> tuple[tuple[str, ...], int]:
    """A dotted name from `at` on, and where it ends; no parts when there is none."""
    parts: list[str] = []
    while at < len(words):
        parts.append(identifier_of(words[at].text))
        at += 1
        if at >= len(words) or words[at].text != ".":
            break
        at += 1
    return tuple(parts), at
