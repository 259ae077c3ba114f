"""Turns refusals of PostgreSQL's grammar into errors as PostgreSQL reports them, with their positions."""

from __future__ import annotations

import re

import postgast

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_QUOTED = re.compile(r" at or near .*", re.DOTALL)


def syntax_error(error: postgast.PgQueryError) -> SqlError:
    """Returns the parser's failure as PostgreSQL reports it. Its position counts characters already."""
    said = unquoted(error.message)
    sqlstate = Sqlstate.SYNTAX_ERROR
    if any(
        words in said
        for words in (
            "not supported",
            "not implemented",
            "not yet implemented",
            "cannot be marked",
            "cannot include schema",
        )
    ):
        sqlstate = Sqlstate.FEATURE_NOT_SUPPORTED
    elif said.startswith(("frame start", "frame end")):
        sqlstate = Sqlstate.WINDOWING_ERROR
    elif said.startswith("invalid byte sequence"):
        sqlstate = Sqlstate.CHARACTER_NOT_IN_REPERTOIRE
    return SqlError(sqlstate, error.message, position=error.cursorpos or None)


def unquoted(message: str) -> str:
    """Returns a syntax error's message without the quoted words of the text."""
    return _QUOTED.sub("", message)


def placed(error: SqlError, text: str, source: str) -> SqlError:
    """Returns an error in `text` as an error in `source`. `text` has the bytes of `source`, except for blanks and
    replaced words.
    """
    if error.position is not None:
        error.position = character_position(source, len(text[: error.position - 1].encode()))
    return error


def character_position(source: str, location: int) -> int | None:
    """Returns a byte offset from 0 as a character count from 1; None for an unknown place."""
    if location < 0:
        return None
    if source.isascii():
        return location + 1
    return len(source.encode()[:location].decode(errors="ignore")) + 1


def farthest(first: SqlError, second: SqlError) -> SqlError:
    """Returns the error before which more of a statement was understood, of two ways to read it; the second where
    they are equal, or where it says that the statement was read and can't be executed."""
    if second.sqlstate is not Sqlstate.SYNTAX_ERROR or second.position is None:
        return second
    if first.position is None or first.position <= second.position:
        return second
    return first


def requoted(error: SqlError, written: str) -> SqlError:
    """Returns a syntax error with other words, those `written` at its place."""
    if error.message.startswith("syntax error at or near "):
        error.message = f'syntax error at or near "{written}"'
    return error
