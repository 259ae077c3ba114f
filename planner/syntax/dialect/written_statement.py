"""One statement of a message, rewritten in place for PostgreSQL's grammar.

Tokens of our own clauses are cut out, or replaced by words of PostgreSQL's. Blanks fill the gaps in the message's
bytes, so that the places of errors stay right:

    SELECT 1 AS OF 5      SELECT 1
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import Token

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.syntax.dialect.tokens import depth_change


@dataclass(slots=True)
class WrittenStatement:
    """A statement as it was written, and as rewritten so far. A place is the number of a token.

    `sql`: the whole message as received.
    `source`: the bytes of the message as received.
    `data`: the bytes of the message as rewritten.
    `tokens`: the statement's tokens that are left.
    `behind`: the token behind the statement, if there is one.
    """

    sql: str
    source: bytes
    data: bytearray
    tokens: list[Token]
    behind: Token | None
    _closers: dict[int, int] | None = field(default=None, init=False)

    def start_of(self, at: int) -> int:
        """Returns the first byte of the token at a place."""
        return int(self.tokens[at].start)

    def end_of(self, at: int) -> int:
        """Returns the byte behind the token at a place."""
        return int(self.tokens[at].end) + 1

    def closing(self, opener: int) -> int | None:
        """Returns the place where the bracket at a place closes; None when it doesn't."""
        if self._closers is None:
            self._closers = {}
            opened: list[int] = []
            for at, token in enumerate(self.tokens):
                change = depth_change(token)
                if change == 1:
                    opened.append(at)
                elif change == -1 and opened:
                    self._closers[opened.pop()] = at
        return self._closers.get(opener)

    def blank(self, start: int, end: int) -> None:
        """Puts blanks for the bytes of the message."""
        self.data[start:end] = b" " * (end - start)

    def write(self, at: int, text: bytes) -> None:
        """Puts as many bytes in the place of a token's first ones."""
        start = self.tokens[at].start
        self.data[start : start + len(text)] = text

    def error_at(self, at: int) -> SqlError:
        """Returns a syntax error at the token at a place, or at the end of the message."""
        wrong = self.tokens[at] if at < len(self.tokens) else self.behind
        if wrong is not None:
            return self.error_of(wrong)
        return SqlError(Sqlstate.SYNTAX_ERROR, "syntax error at end of input", position=len(self.sql) + 1)

    def position(self, start: int) -> int:
        """Converts a byte of the message to a character, from 1."""
        return len(self.source[:start].decode()) + 1

    def error_of(self, token: Token) -> SqlError:
        """Returns a syntax error at a token."""
        text = self.source[token.start : token.end + 1].decode()
        return SqlError(Sqlstate.SYNTAX_ERROR, f'syntax error at or near "{text}"', position=self.position(token.start))

    def cut(self, first: int, last: int, instead: bytes) -> None:
        """Takes the tokens from `first` to `last` out, and puts `instead`, which must not be longer, in their place."""
        start, end = self.start_of(first), self.end_of(last)
        assert len(instead) <= end - start, "what stands in for a clause is no longer than it"
        self.blank(start, end)
        self.data[start : start + len(instead)] = instead
        del self.tokens[first : last + 1]
        self._closers = None
