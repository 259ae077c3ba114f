"""Words in the texts of tsvector and tsquery: plain ones up to a blank, or quoted; a backslash takes what follows as it
stands, and within quotes a quote is written twice."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.patterns.cases import ranges
from model.patterns.letter_tables import SPACE

SPACES = frozenset(chr(code) for first, last in ranges(SPACE) for code in range(first, last + 1))
OPERATORS = frozenset("!&|()<")


def syntax_error(type_: str, text: str) -> SqlError:
    """Returns the error 42601 for a text of `type_`."""
    return SqlError(Sqlstate.SYNTAX_ERROR, f'syntax error in {type_}: "{text}"')


def read_word(text: str, at: int, type_: str, ends: frozenset[str], *, plain: bool = False) -> tuple[str | None, int]:
    """Returns the next word and where reading goes on; None at the end of the text. A character of `ends` ends a word
    and begins none; in a `plain` text quotes and backslashes mean themselves. Raises 42601."""
    while at < len(text) and text[at] in SPACES:
        at += 1
    if at == len(text):
        return None, at
    if not plain and text[at] == "'":
        return _quoted(text, at + 1, type_)
    if text[at] in ends:
        raise syntax_error(type_, text)
    letters: list[str] = []
    while at < len(text) and text[at] not in SPACES and text[at] not in ends:
        if text[at] == "\\" and not plain:
            at += 1
            letters.append(_escaped(text, at))
        elif text[at] == ":" and letters:
            break
        else:
            letters.append(text[at])
        at += 1
    return "".join(letters), at


def _quoted(text: str, at: int, type_: str) -> tuple[str, int]:
    letters: list[str] = []
    while at < len(text):
        if text[at] == "'":
            if text[at + 1 : at + 2] != "'":
                break
            at += 1
        elif text[at] == "\\":
            at += 1
            _escaped(text, at)
        letters.append(text[at])
        at += 1
    if at == len(text) or not letters:
        raise syntax_error(type_, text)
    return "".join(letters), at + 1


def _escaped(text: str, at: int) -> str:
    if at == len(text):
        raise SqlError(Sqlstate.SYNTAX_ERROR, f'there is no escaped character: "{text}"')
    return text[at]


def quoted(word: str) -> str:
    """Returns a word as PostgreSQL writes it: within quotes, with quotes and backslashes doubled."""
    return "'" + word.replace("'", "''").replace("\\", "\\\\") + "'"
