"""sqlglot's Parser over one statement of a message, which reads our own clauses.

The parser reads from `_curr` on, as all parsers of sqlglot. What it takes out or replaces is rewritten in the message:
see planner.syntax.dialect.written_statement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from sqlglot import Token, TokenType
from sqlglot.parser import Parser

from planner.syntax.dialect.tokens import depth_change
from planner.syntax.dialect.written_statement import WrittenStatement
from planner.syntax.own_statements import Place
from planner.syntax.pieces import PieceEndsError, expression_at

NUMBERS_DIGITS_MAX = 1000
_NAMES_BYTES_MAX = 63
_NAMES = (TokenType.VAR, TokenType.IDENTIFIER)
_SMALL = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_Item = TypeVar("_Item")


class StatementParser(Parser):
    """The parser of one statement. `written`: the statement in its message; `tokens`: the list of its tokens. A place
    is the number of a token; a number past the last token means the end. Raises SqlError 42601 in PostgreSQL's words
    if an expected token is missing.
    """

    written: WrittenStatement
    tokens: list[Token]

    def over(
        self, sql: str, source: bytes, data: bytearray, tokens: list[Token], behind: Token | None = None
    ) -> StatementParser:
        """Returns itself, before the first of a statement's tokens, behind which `behind` stands."""
        self.reset()
        self.written = WrittenStatement(sql, source, data, tokens, behind)
        self.sql, self.tokens = sql, tokens
        return self.within(0, len(tokens))

    def within(self, first: int, stop: int) -> StatementParser:
        """Returns itself, before the token `first`, where what is read ends before the token `stop`."""
        self._tokens, self._tokens_size = self.tokens, stop
        self._index = first - 1
        self._advance()
        return self

    @property
    def at(self) -> int:
        """The place of the next token."""
        return int(self._index)

    @property
    def next(self) -> Token:
        """Returns the next token; at the end one that is false."""
        return self._curr

    @property
    def last(self) -> Token:
        """Returns the token that was read last."""
        return self._prev

    @property
    def done(self) -> bool:
        return not self._curr

    def sees(self, *words: str) -> bool:
        """Tells whether the next tokens are these words, in capitals, or symbols."""
        here = self.at
        return all(self._word(here + each) == word for each, word in enumerate(words))

    def sees_at(self, at: int, *words: str) -> bool:
        """Tells whether the tokens from a place on are these."""
        return at >= 0 and all(self._word(at + each) == word for each, word in enumerate(words))

    def word_at(self, at: int) -> str:
        """Returns the word or symbol at a place, in capitals; empty for strings and quoted names, and where nothing
        is."""
        if not 0 <= at < len(self.tokens) or self.tokens[at].token_type in self.TEXT_MATCH_EXCLUDED_TOKENS:
            return ""
        text = str(self.tokens[at].text)
        # Other letters are no others' capitals: `ſhow` is not SHOW.
        return text.upper() if text.isascii() else text

    def skip(self) -> None:
        """Reads the next token, whatever it is."""
        self._advance()

    def back_to(self, at: int) -> None:
        """Goes back: the token at a place is read next."""
        self._retreat(at)

    def take(self, *words: str) -> bool:
        """Reads the next tokens if they are these."""
        if not self.sees(*words):
            return False
        self._advance(len(words))
        return True

    def expect(self, *words: str) -> None:
        for word in words:
            if not self.take(word):
                self.refuse()

    def expect_end(self) -> None:
        if not self.done:
            self.refuse()

    def next_word(self) -> str:
        """Returns the next word, in capitals, and leaves it to be read; raises 42601 at the end."""
        if self.done:
            self.refuse()
        return self.word_at(self.at)

    def name(self) -> tuple[str, ...]:
        """Reads a dotted name, part by part."""
        parts = [self._name_part()]
        while self._match(TokenType.DOT):
            parts.append(self._name_part())
        return tuple(parts)

    def identifier(self) -> str:
        """Reads a name of one part."""
        part = self._name_part()
        if self._match(TokenType.DOT, advance=False):
            self.refuse()
        return part

    def place(self) -> Place:
        """Reads a dotted name, with its location."""
        location = int(self._curr.start)
        return Place(self.name(), location)

    def string(self) -> str:
        """Reads a plain string constant."""
        text = self.take_string()
        if text is None:
            self.refuse()
        return text

    def take_string(self) -> str | None:
        """Reads a plain string constant, if the next token is one."""
        return str(self._prev.text) if self._match(TokenType.STRING) else None

    def number(self) -> int:
        """Reads a whole number."""
        text = self._curr.text
        if self._curr.token_type is not TokenType.NUMBER or not text.isdigit() or len(text) > NUMBERS_DIGITS_MAX:
            self.refuse()
        self._advance()
        return int(self._prev.text)

    def items(self, read: Callable[[], _Item]) -> tuple[_Item, ...]:
        """Reads one or more items, separated by commas."""
        found = [read()]
        while self._match(TokenType.COMMA):
            found.append(read())
        return tuple(found)

    def parenthesis(self) -> tuple[int, int]:
        """Reads the bytes of what stands in the parentheses that open here, themselves included."""
        start = self._curr.start
        if not self._match(TokenType.L_PAREN, advance=False):
            self.refuse()
        depth = 0
        while not self.done and not self._match(TokenType.SEMICOLON, advance=False):
            depth += depth_change(self._curr)
            self._advance()
            if depth == 0:
                return int(start), int(self._prev.end) + 1
        self.refuse()

    def span(self, *clauses: tuple[str, ...]) -> tuple[int, int]:
        """Reads the bytes up to the first of `clauses` outside all parentheses, or to the end; at least one token.
        Raises 42601 at a parenthesis that closes none of them."""
        first, depth = self._curr, 0
        if not first:
            self.refuse()
        begin = self.at
        while not self.done and (depth > 0 or not any(self.sees(*clause) for clause in clauses)):
            depth += depth_change(self._curr)
            if depth < 0 or self._match(TokenType.SEMICOLON, advance=False):
                self.refuse()
            self._advance()
        if self.at == begin:
            self.refuse()
        return int(first.start), int(self._prev.end) + 1

    def expression_until(self, *clauses: tuple[str, ...]) -> Any:
        """Returns PostgreSQL's tree of the expression up to the first of `clauses`, or to the end."""
        return self.expression_at(*self.span(*clauses))

    def expression_at(self, start: int, end: int) -> Any:
        """Returns PostgreSQL's tree of the expression between two bytes, behind which the next token stands."""
        return self.piece(expression_at, start, end)

    def piece(self, read: Callable[[bytes, int, int], Any], start: int, end: int) -> Any:
        """Returns the result of `read` for the message's bytes from `start` to `end`, with the next token behind
        `end`."""
        try:
            return read(self.written.source, start, end)
        except PieceEndsError:
            self.refuse()

    def outside(self, *words: str, first: int = 0, before: str | None = None) -> int | None:
        """Returns the place of these words outside of all brackets, before the first `before` there; None when there
        is none."""
        depth = 0
        for at in range(first, int(self._tokens_size)):
            if depth == 0 and self.sees_at(at, *words):
                return at
            if depth == 0 and before is not None and self.sees_at(at, before):
                return None
            depth += depth_change(self.tokens[at])
        return None

    def cut(self, first: int, last: int, instead: bytes = b"") -> None:
        """Takes the tokens from `first` to `last` out, and puts `instead`, which must not be longer, in their place.
        What is read next is the statement, from its beginning."""
        self.written.cut(first, last, instead)
        self.within(0, len(self.tokens))

    def refuse(self) -> NoReturn:
        """Raises SqlError 42601 at the next token."""
        self.raise_error("")
        raise AssertionError("raise_error raises")

    def raise_error(self, message: str, token: Token | None = None) -> None:
        """Raises a syntax error with only a position, as PostgreSQL does, in place of sqlglot's message."""
        raise self.written.error_at(self.at) if token is None else self.written.error_of(token)

    def _word(self, at: int) -> str:
        """Returns the word or symbol at a place before which nothing ends."""
        return self.word_at(at) if at < self._tokens_size else ""

    def _name_part(self) -> str:
        if not self._match_set(_NAMES):
            self.refuse()
        return folded(self._prev)


def folded(token: Token) -> str:
    """Returns a name's token as PostgreSQL folds it, which knows ASCII's letters alone, and cuts it."""
    name = str(token.text)
    if token.token_type is not TokenType.IDENTIFIER:
        name = name.translate(_SMALL)
    return name.encode()[:_NAMES_BYTES_MAX].decode(errors="ignore")
