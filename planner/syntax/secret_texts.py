"""Texts that hold the value of a secret, as others may see them.

    SELECT 1; CREATE SECRET s AS 'hunter2'; SELECT 2      SELECT 1; CREATE SECRET s AS '…'
    ALTER ROLE r PASSWORD 'hunter2' LOGIN                 ALTER ROLE r PASSWORD '…'

The same rule says which errors of the parser may quote a text.
"""

from __future__ import annotations

import re

import postgast

from model.errors.sql_error import SqlError
from planner.syntax.grammar import COMMENTS
from planner.syntax.refusals import unquoted

_WORD = re.compile("secret|password", re.IGNORECASE)
_PIECE_LENGTH = 1 << 18
_OVERLAP = len("password") - 1
_NAME = re.compile(r"[A-Z_][\w$]*")
_HIDDEN = "'…'"


def public_text(sql: str) -> str:
    """Returns the text up to what CREATE SECRET or ALTER SECRET is given; behind it nothing is shown, for what is
    malformed may hold the value anywhere. One that mentions secrets, and can't be cut into tokens, is hidden
    altogether."""
    if not _mentions_secrets(sql):
        return sql
    data = sql.encode()
    try:
        tokens = [token for token in postgast.scan(sql).tokens if token.token not in COMMENTS]
    except postgast.PgQueryError:
        return _HIDDEN
    words = [data[token.start : token.end].decode().upper() for token in tokens]
    for at in range(1, len(words)):
        if words[at] == "PASSWORD" and _is_of_role(words, at) and words[at + 1 : at + 2] != ["NULL"]:
            return f"{data[: tokens[at].end].decode()} {_HIDDEN}"
        if words[at] == "SECRET" and words[at - 1] in ("CREATE", "ALTER"):
            shown = _shown(words, at)
            if shown is not None and data[tokens[shown].end :].strip():
                return f"{data[: tokens[shown].end].decode()} {_HIDDEN}"
    return sql


def _is_of_role(words: list[str], password: int) -> bool:
    """Tells whether the word stands in CREATE or ALTER of ROLE, USER or GROUP."""
    begin = password
    while begin and words[begin - 1] != ";":
        begin -= 1
    return words[begin : begin + 1] in (["CREATE"], ["ALTER"]) and words[begin + 1] in ("ROLE", "USER", "GROUP")


def holds_a_secret(sql: str) -> bool:
    """Tells whether a text gives a secret a value, or may have been meant to."""
    return public_text(sql) != sql


def without_quotes(error: SqlError, sql: str) -> SqlError:
    """Returns a parser's error; without quoted words for a text that contains a secret's value."""
    if holds_a_secret(sql):
        error.message = unquoted(error.message)
    return error


def _shown(words: list[str], secret: int) -> int | None:
    """Returns the last word of a statement that may be shown: AS behind the secret's name, or the last well-formed word
    before. None: all words, since the statement has no value.
    """
    at = secret
    for word in ("IF", "NOT", "EXISTS"):
        at += words[at + 1 : at + 2] == [word]
    at += _is_name(words, at + 1)
    while words[at + 1 : at + 2] == ["."] and _is_name(words, at + 2):
        at += 2
    if words[at + 1 : at + 2] == ["AS"]:
        return at + 1
    if words[at + 1 : at + 3] in (["RENAME", "TO"], ["OWNER", "TO"]) and _is_name(words, at + 3):
        return None if words[at + 4 : at + 5] in ([], [";"]) else at + 3
    return at


def _is_name(words: list[str], at: int) -> bool:
    return at < len(words) and _NAME.fullmatch(words[at]) is not None and words[at] != "AS"


def _mentions_secrets(sql: str) -> bool:
    """Tells whether a text contains the word. A long text is searched in pieces, because one search would hold up
    all threads."""
    return any(
        _WORD.search(sql, max(start - _OVERLAP, 0), start + _PIECE_LENGTH)
        for start in range(0, len(sql), _PIECE_LENGTH)
    )
