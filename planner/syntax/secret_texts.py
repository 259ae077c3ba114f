"""Texts that hold the value of a secret, as others may see them.

CREATE SECRET s AS 'hunter2'; SELECT 1      CREATE SECRET s AS '…'; SELECT 1
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import postgast
from postgast import pg_query_pb2 as tree

from model.errors import SqlError

_WORD = re.compile("secret", re.IGNORECASE)
_PIECE_LENGTH = 1 << 18
_OVERLAP = len("secret") - 1
_COMMENTS = frozenset((tree.Token.SQL_COMMENT, tree.Token.C_COMMENT))
_NEAR = re.compile(" at or near .*", re.DOTALL)
_HARMLESS = frozenset(("RENAME", "OWNER"))
_HIDDEN = b" '\xe2\x80\xa6'"


def public_text(sql: str) -> str:
    """The text without what CREATE SECRET and ALTER SECRET are given. One that mentions secrets, and is no SQL, is
    hidden altogether."""
    if not _mentions_secrets(sql):
        return sql
    data = sql.encode()
    try:
        tokens = [t for t in postgast.scan(sql).tokens if t.token not in _COMMENTS]
    except postgast.PgQueryError:
        return _HIDDEN.decode().lstrip()
    public = bytearray(data)
    for start, end in reversed([*_hidden_spans(data, tokens)]):
        public[start:end] = _HIDDEN
    return public.decode()


def holds_a_secret(sql: str) -> bool:
    """Whether it gives a secret a value, or may have been meant to."""
    return public_text(sql) != sql


def without_quotes(error: SqlError, sql: str) -> SqlError:
    """What a parser says of a text; of one that holds a secret's value it quotes nothing."""
    if holds_a_secret(sql):
        error.message = _NEAR.sub("", error.message)
    return error


def _hidden_spans(data: bytes, tokens: Iterable[Any]) -> Iterable[tuple[int, int]]:
    """The bytes behind AS, or behind SECRET when there is no AS, to the end of each statement about a secret's value,
    comments included."""
    piece: list[tuple[str, int]] = []
    for token in tokens:
        word = data[token.start : token.end].decode()
        if word != ";":
            piece.append((word.upper(), token.end))
            continue
        yield from _hidden_span(piece, token.start)
        piece = []
    yield from _hidden_span(piece, len(data))


def _hidden_span(piece: list[tuple[str, int]], end: int) -> Iterable[tuple[int, int]]:
    words = [word for word, _ in piece]
    at = next(
        (at for at in range(1, len(words)) if words[at] == "SECRET" and words[at - 1] in ("CREATE", "ALTER")), None
    )
    if at is None or (_HARMLESS.intersection(words) and "AS" not in words):
        return
    last = words.index("AS", at) if "AS" in words[at:] else at
    if last + 1 < len(piece):
        yield piece[last][1], end


def _mentions_secrets(sql: str) -> bool:
    """Whether the word stands there. A long text is looked at in pieces: one search would hold up all threads."""
    return any(
        _WORD.search(sql, max(start - _OVERLAP, 0), start + _PIECE_LENGTH)
        for start in range(0, len(sql), _PIECE_LENGTH)
    )
