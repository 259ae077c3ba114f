"""What PostgreSQL's grammar says of a text that it refuses, as PostgreSQL reports it, and where."""

from __future__ import annotations

import re

import postgast

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_QUOTED = re.compile(r" at or near .*", re.DOTALL)


def syntax_error(error: postgast.PgQueryError) -> SqlError:
    """The parser's failure as PostgreSQL reports it. Its position counts characters already."""
    said = unquoted(error.message)
    sqlstate = Sqlstate.SYNTAX_ERROR
    if "not supported" in said or "not implemented" in said or "not yet implemented" in said:
        sqlstate = Sqlstate.FEATURE_NOT_SUPPORTED
    elif said.startswith(("frame start", "frame end")):
        sqlstate = Sqlstate.WINDOWING_ERROR
    elif said.startswith("invalid byte sequence"):
        sqlstate = Sqlstate.CHARACTER_NOT_IN_REPERTOIRE
    return SqlError(sqlstate, error.message, position=error.cursorpos or None)


def unquoted(message: str) -> str:
    """What a syntax error says without the words of the text that it is near."""
    return _QUOTED.sub("", message)


def placed(error: SqlError, text: str, source: str) -> SqlError:
    """An error in `text` as one in `source`, of which it has the bytes, but for blanks and words in place of others."""
    if error.position is not None:
        error.position = character_position(source, len(text[: error.position - 1].encode()))
    return error


def character_position(source: str, location: int) -> int | None:
    """A byte offset from 0 as a character count from 1; None for an unknown place."""
    if location < 0:
        return None
    if source.isascii():
        return location + 1
    return len(source.encode()[:location].decode(errors="ignore")) + 1


def farthest(first: SqlError, second: SqlError) -> SqlError:
    """Of two errors of one statement, read in two ways, the one before which more of it was understood; the second of
    two that are as far, or when it says that the statement is read, and can't be had."""
    if second.sqlstate is not Sqlstate.SYNTAX_ERROR or second.position is None:
        return second
    if first.position is None or first.position <= second.position:
        return second
    return first


def requoted(error: SqlError, written: str) -> SqlError:
    """A syntax error near other words than those that are `written` there."""
    if error.message.startswith("syntax error at or near "):
        error.message = f'syntax error at or near "{written}"'
    return error
