"""Reads a statement of our own, word by word: what PostgreSQL's grammar does not know from its first word on."""

from __future__ import annotations

from typing import NoReturn

from model.errors import SqlError
from model.sqlstate import Sqlstate
from planner.syntax.segments import CLOSERS, OPENERS, Word, name_at, string_of

_SYMBOLS = frozenset("()[],;.=+-*/<>")


class WordReader:
    """`at` is the index of the next word, `stop` that of the first beyond. What should be there and is not: 42601."""

    def __init__(self, sql: str, words: list[Word], at: int = 0, stop: int | None = None) -> None:
        self.sql = sql
        self.words = words
        self.at = at
        self.stop = len(words) if stop is None else stop

    @property
    def done(self) -> bool:
        return self.at >= self.stop

    @property
    def word(self) -> Word:
        """The next word; 42601 at the end."""
        if self.done:
            self.fail()
        return self.words[self.at]

    def sees(self, *expected: str) -> bool:
        """Whether the next words are these."""
        found = self.words[self.at : min(self.at + len(expected), self.stop)]
        return len(found) == len(expected) and all(w.lower == e for w, e in zip(found, expected, strict=True))

    def take(self, *expected: str) -> bool:
        """Takes the next words when they are these."""
        if self.sees(*expected):
            self.at += len(expected)
            return True
        return False

    def expect(self, *expected: str) -> None:
        for word in expected:
            if not self.take(word):
                self.fail()

    def expect_end(self) -> None:
        if not self.done:
            self.fail()

    def name(self) -> tuple[str, ...]:
        """A dotted name, part by part."""
        self._require_name(self.word)
        parts, after = name_at(self.words, self.at)
        self._require_name(self.words[after - 1])
        self.at = after
        return parts

    def identifier(self) -> str:
        """A name of one part."""
        start = self.at
        parts = self.name()
        if len(parts) > 1:
            self.at = start + 1
            self.fail()
        return parts[0]

    def string(self) -> str:
        """A string constant."""
        text = string_of(self.word.text)
        if text is None:
            self.fail()
        self.at += 1
        return text

    def parenthesis(self) -> tuple[int, int]:
        """The bytes of what stands in the parentheses that open here, themselves included."""
        start = self.word.start
        if self.word.text != "(":
            self.fail()
        depth = 0
        while True:
            word = self.word
            depth += (word.text in OPENERS) - (word.text in CLOSERS)
            self.at += 1
            if depth == 0:
                return start, word.end

    def until(self, *clauses: tuple[str, ...]) -> tuple[int, int]:
        """The bytes up to the first of `clauses` outside all parentheses, or to the end; at least one word."""
        first, depth = self.at, 0
        while not self.done and (depth > 0 or not any(self.sees(*clause) for clause in clauses)):
            depth += (self.word.text in OPENERS) - (self.word.text in CLOSERS)
            self.at += 1
        if self.at == first:
            self.fail()
        return self.words[first].start, self.words[self.at - 1].end

    def fail(self) -> NoReturn:
        """SqlError 42601 at the next word."""
        if self.at < len(self.words):
            word = self.words[self.at]
            raise self._error(word.text, word.start)
        end = self.words[-1].end
        rest = self.sql.encode()[end:]
        if rest.lstrip()[:1] == b";":
            raise self._error(";", end + rest.index(b";"))
        raise SqlError(Sqlstate.SYNTAX_ERROR, "syntax error at end of input", position=len(self.sql) + 1)

    def _error(self, text: str, start: int) -> SqlError:
        return SqlError(Sqlstate.SYNTAX_ERROR, f'syntax error at or near "{text}"', position=self.position(start))

    def position(self, start: int) -> int:
        """A byte of the message as a character, from 1."""
        return len(self.sql.encode()[:start].decode()) + 1

    def _require_name(self, word: Word) -> None:
        if word.text[:1] in _SYMBOLS or word.text[:1] in "'$" or word.text[:1].isdigit():
            self.at = self.words.index(word, self.at)
            self.fail()
