"""PostgreSQL's scanner as sqlglot's tokens.

sqlglot's own tokenizer for PostgreSQL cuts otherwise than PostgreSQL does: it takes the rest behind SHOW, FETCH or
EXPLAIN for one string, and has other ideas of `$1`, `1_000`, `1..2` and `@@@`. Places are bytes of the message, the
last one included, as sqlglot has its ends:

    SHOW "T"      VAR 'SHOW' 0 to 3, IDENTIFIER 'T' 5 to 7
"""

from __future__ import annotations

from collections.abc import Iterable

import postgast
from postgast import pg_query_pb2 as tree
from sqlglot import Token, TokenType

_COMMENTS = frozenset((tree.Token.SQL_COMMENT, tree.Token.C_COMMENT))
_OTHER_STRINGS = frozenset((tree.Token.SCONST, tree.Token.USCONST, tree.Token.BCONST, tree.Token.XCONST))
_SYMBOLS = {
    "(": TokenType.L_PAREN,
    ")": TokenType.R_PAREN,
    "[": TokenType.L_BRACKET,
    "]": TokenType.R_BRACKET,
    ",": TokenType.COMMA,
    ".": TokenType.DOT,
    ";": TokenType.SEMICOLON,
    ":": TokenType.COLON,
    "::": TokenType.DCOLON,
    "=": TokenType.EQ,
    "=>": TokenType.FARROW,
}
OPENERS = frozenset((TokenType.L_PAREN, TokenType.L_BRACKET))
CLOSERS = frozenset((TokenType.R_PAREN, TokenType.R_BRACKET))


def tokens_of(sql: str) -> list[Token] | None:
    """The tokens of a message, comments left out; None when it can't be cut into tokens."""
    try:
        scanned = postgast.scan(sql).tokens
    except postgast.PgQueryError:
        return None
    data = sql.encode()
    return [
        _token(t.token, data[t.start : t.end].decode(), t.start, t.end) for t in scanned if t.token not in _COMMENTS
    ]


def statements_of(tokens: Iterable[Token]) -> list[list[Token]]:
    """The tokens of each statement."""
    pieces: list[list[Token]] = [[]]
    for token in tokens:
        if token.token_type is TokenType.SEMICOLON:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


def depth_change(token: Token) -> int:
    """1 for what opens, -1 for what closes, else 0."""
    return (token.token_type in OPENERS) - (token.token_type in CLOSERS)


def _token(kind: int, raw: str, start: int, end: int) -> Token:
    token_type, text = TokenType.VAR, raw
    if raw in _SYMBOLS:
        token_type = _SYMBOLS[raw]
    elif raw[0] == '"':
        token_type, text = TokenType.IDENTIFIER, raw[1:-1].replace('""', '"')
    elif raw[0] == "'":
        token_type, text = TokenType.STRING, raw[1:-1].replace("''", "'")
    elif kind in _OTHER_STRINGS:
        token_type = TokenType.HEREDOC_STRING
    elif kind == tree.Token.PARAM:
        token_type = TokenType.PARAMETER
    elif raw[0].isdigit() or kind == tree.Token.FCONST:
        token_type = TokenType.NUMBER
    elif not (raw[0].isalpha() or raw[0] == "_"):
        token_type = TokenType.UNKNOWN
    return Token(token_type, text, start=start, end=end - 1)
