"""What statements are, whatever constants, comments and spaces stand in them: `SELECT 1` and `select 2 -- two` are one.

No tree is made of a text: what tells statements apart for statistics may cost microseconds only, must not grow with
depth, and holds for statements of our own, too. Only texts with quoted names, parameters, comments or quotes within
quotes are cut into tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import postgast
from postgast import pg_query_pb2 as tree

from planner.syntax.grammar import COMMENTS

_CONSTANT = re.compile(r"'[^']*+'|(?<![\w.])\d[\w.]*+")
_SPECIAL = ('"', "$", "\\", "--", "/*", "''")
_CONSTANTS = frozenset(
    (
        tree.Token.ICONST,
        tree.Token.FCONST,
        tree.Token.SCONST,
        tree.Token.USCONST,
        tree.Token.BCONST,
        tree.Token.XCONST,
    )
)


def identity(sql: str) -> str:
    """Returns a text that is equal for texts that differ in constants, comments, spaces, and the cases of letters
    alone."""
    plain = not any(mark in sql for mark in _SPECIAL)
    bare = _CONSTANT.sub("?", sql) if plain else _replaced(sql, lambda _: "?", b" ")
    return " ".join(bare.lower().split()).rstrip("; ")


def with_parameters(sql: str) -> str:
    """Returns the text with parameters in place of constants, numbered after those that it has."""
    given = [int(number) for number in re.findall(r"\$(\d{1,5})", sql)]
    first = max(given, default=0) + 1
    return _replaced(sql, lambda count: f"${first + count}", None)


def _replaced(sql: str, constant: Callable[[int], str], comment: bytes | None) -> str:
    """Replaces the constants, given how many there were before, and the comments unless `comment` is None. What can't
    be cut into tokens stays as it is."""
    data = sql.encode()
    try:
        tokens = postgast.scan(sql).tokens
    except postgast.PgQueryError:
        return sql
    pieces, at, count = list[bytes](), 0, 0
    for token in tokens:
        piece: bytes | None = None
        if token.token in _CONSTANTS:
            piece, count = constant(count).encode(), count + 1
        elif token.token in COMMENTS:
            piece = comment
        if piece is not None:
            pieces += data[at : token.start], piece
            at = token.end
    return (b"".join(pieces) + data[at:]).decode()
