"""Measures how deeply a text nests, from its tokens, before the grammar recurses into it.

The tree of `1+1+1` is as deep as it has operators, and functions that walk trees need stack for each level. PostgreSQL
fails when its stack is used up; here the levels are counted, and too many raise the same error: 54001.
"""

from __future__ import annotations

import re

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_CHAIN_MAX = 5_000
_LEVELS_MAX = 10_000

_TOKEN = re.compile(
    r"(?P<word>[A-Za-z_\x80-\U0010ffff][\w$]*)|(?P<number>\d[\w.]*)|(?P<quote>['\"])|(?P<dollar>\$(?:[^\W\d]\w*)?\$)"
    r"|(?P<comment>--|/\*)|(?P<open>[(\[])|(?P<close>[)\]])|(?P<end>[,;])|(?P<operator>[-+*/<>=~!@#%^&|`?]|::)"
)
_TESTS = ("is", "isnull", "notnull", "in", "like", "ilike", "similar", "between")
_CHAINED = frozenset((*_TESTS, "not", "collate", "at", "operator", "escape"))
_JOINED = frozenset(("union", "intersect", "except", "join"))
_SEPARATES = frozenset(("and", "or", "when", "then", "else", "select", "from", "where", "values", "set"))
_COMMENT_MARK = re.compile(r"/\*|\*/")


TOKENS_MAX = 500_000
"""The tree of a text takes hundreds of times the bytes of its tokens."""


def nests_too_deeply(text: str) -> bool:
    """Tells whether operators, or all kinds of levels, nest too deeply. Raises SqlError 54000 for more tokens than
    TOKENS_MAX."""
    return _Levels(text).exceed()


def _too_many_tokens() -> SqlError:
    return SqlError(
        Sqlstate.PROGRAM_LIMIT_EXCEEDED,
        f"the text has more than {TOKENS_MAX} words, constants and signs",
        hint="Send rows by COPY, or in several messages.",
    )


class _Levels:
    """Counts how deeply the tokens of one level of brackets nest. `chain` counts operators since the last comma of this
    level, `joined` its joins and set operations; `below` is the depth at which the level begins."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._outer: list[tuple[int, int]] = []
        self._below = 0
        self._chain = 0
        self._joined = 0

    def exceed(self) -> bool:
        position = tokens = 0
        while (token := _TOKEN.search(self._text, position)) is not None:
            position = token.end()
            tokens += 1
            if tokens > TOKENS_MAX:
                raise _too_many_tokens()
            match token.lastgroup:
                case "word":
                    self._take_word(token[0].lower())
                case "quote":
                    position = self._behind_quote(token.start(), token[0])
                case "dollar":
                    found = self._text.find(token[0], position)
                    position = len(self._text) if found < 0 else found + len(token[0])
                case "comment":
                    position = self._behind_comment(position, token[0])
                case "open":
                    self._open()
                case "close":
                    self._close()
                case "end":
                    self._chain = 0
                    if token[0] == ";" and not self._outer:
                        self._joined = 0
                case "operator":
                    self._chain += 1
            if self._chain > _CHAIN_MAX or self._below + self._chain + self._joined > _LEVELS_MAX:
                return True
        return False

    def _take_word(self, word: str) -> None:
        if word == "case":
            self._open()
        elif word == "end":
            self._close()
        elif word in _CHAINED:
            self._chain += 1
        elif word in _JOINED:
            self._joined += 1
            self._chain = 0
        elif word in _SEPARATES:
            self._chain = 0

    def _open(self) -> None:
        self._outer.append((self._chain, self._joined))
        self._below += self._chain + self._joined + 1
        self._chain = self._joined = 0

    def _close(self) -> None:
        if self._outer:
            self._chain, self._joined = self._outer.pop()
            self._below -= self._chain + self._joined + 1

    def _behind_quote(self, start: int, quote: str) -> int:
        """Returns the byte behind a quoted text: two quotes in a row end one text and begin the next, which comes to
        the same."""
        text = self._text
        before = text[max(start - 2, 0) : start].lower()
        escapes = quote == "'" and before.endswith("e") and not (before[:-1].isalnum() or before[:-1] in ("_", "$"))
        position = start + 1
        while (found := text.find(quote, position)) >= 0:
            position = found + 1
            if not escapes:
                return position
            first = found
            while text[first - 1] == "\\":
                first -= 1
            if (found - first) % 2 == 0:
                return position
        return len(text)

    def _behind_comment(self, position: int, mark: str) -> int:
        """Returns where a comment ends. Comments of the long form nest."""
        text = self._text
        if mark == "--":
            found = text.find("\n", position)
            return len(text) if found < 0 else found + 1
        depth = 1
        while depth and (edge := _COMMENT_MARK.search(text, position)) is not None:
            depth += 1 if edge[0] == "/*" else -1
            position = edge.end()
        return len(text) if depth else position
