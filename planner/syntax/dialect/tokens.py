"""PostgreSQL's scanner as sqlglot's tokens.

sqlglot's own tokenizer for PostgreSQL differs from PostgreSQL: SHOW, FETCH and EXPLAIN swallow the rest as one string,
and `$1`, `1_000`, `1..2` and `@@@` are cut differently. Places are bytes of the message, ends inclusive, as sqlglot's:

    SHOW "T"      VAR 'SHOW' 0 to 3, IDENTIFIER 'T' 5 to 7

PostgreSQL takes any byte outside ASCII for a letter, and only ASCII digits for digits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import postgast
from postgast import pg_query_pb2 as tree
from sqlglot import Token, TokenType

from planner.syntax.grammar import COMMENTS, parse_tree

_OTHER_STRINGS = frozenset((tree.Token.SCONST, tree.Token.USCONST, tree.Token.BCONST, tree.Token.XCONST))
_ESCAPE, _PARAMETER, _FRACTION, _QUOTED = tree.Token.UESCAPE, tree.Token.PARAM, tree.Token.FCONST, tree.Token.UIDENT
_UNICODE = frozenset((tree.Token.UIDENT, tree.Token.USCONST))
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
_DIGITS = frozenset("0123456789")
OPENERS = frozenset((TokenType.L_PAREN, TokenType.L_BRACKET))
CLOSERS = frozenset((TokenType.R_PAREN, TokenType.R_BRACKET))


def tokens_of(sql: str) -> list[Token] | None:
    """Returns the tokens of a message, comments left out; None when it can't be cut into tokens."""
    try:
        scanned = postgast.scan(sql).tokens
    except postgast.PgQueryError:
        return None
    data = sql.encode()
    found = []
    left = iter([each for each in scanned if each.token not in COMMENTS])
    behind = next(left, None)
    while behind is not None:
        here, end, behind = behind, behind.end, next(left, None)
        if here.token in _UNICODE and behind is not None and behind.token == _ESCAPE:
            # The character that escapes belongs to what it escapes in.
            escape = next(left, None)
            end, behind = (behind.end, None) if escape is None else (escape.end, next(left, None))
        found.append(_token(here.token, data[here.start : end].decode(), here.start, end))
    return found


def statements_of(tokens: Iterable[Token]) -> list[tuple[list[Token], Token | None]]:
    """Returns the tokens of each statement, and the semicolon that ends it; one in parentheses, or between BEGIN ATOMIC
    and END, ends none."""
    found: list[tuple[list[Token], Token | None]] = []
    piece: list[Token] = []
    depth = blocks = 0
    for token in tokens:
        depth = max(depth + depth_change(token), 0)
        if piece:
            blocks = max(blocks + _block_change(token, piece[-1], blocks), 0)
        if token.token_type is TokenType.SEMICOLON and depth == 0 and blocks == 0:
            found.append((piece, token))
            piece = []
        else:
            piece.append(token)
    found.append((piece, None))
    return [each for each in found if each[0]]


def depth_change(token: Token) -> int:
    """Returns 1 for an opening token, -1 for a closing one, else 0."""
    return (token.token_type in OPENERS) - (token.token_type in CLOSERS)


def _block_change(token: Token, before: Token, blocks: int) -> int:
    """Returns 1 for a token behind which a statement has to END once more, -1 for its END, else 0."""
    if token.token_type is not TokenType.VAR:
        return 0
    word = token.text.lower()
    if blocks == 0:
        return int(word == "atomic" and before.token_type is TokenType.VAR and before.text.lower() == "begin")
    return (word == "case") - (word == "end")


def _token(kind: int, raw: str, start: int, end: int) -> Token:
    token_type, text = TokenType.VAR, raw
    if raw in _SYMBOLS:
        token_type = _SYMBOLS[raw]
    elif raw[0] == '"':
        token_type, text = TokenType.IDENTIFIER, raw[1:-1].replace('""', '"')
    elif kind == _QUOTED and (name := _unescaped(raw)) is not None:
        token_type, text = TokenType.IDENTIFIER, name
    elif raw[0] == "'":
        token_type, text = TokenType.STRING, _plain_text(raw)
    elif kind in _OTHER_STRINGS:
        token_type = TokenType.HEREDOC_STRING
    elif kind == _PARAMETER:
        token_type = TokenType.PARAMETER
    elif raw[0] in _DIGITS or kind == _FRACTION:
        token_type = TokenType.NUMBER
    elif raw[0].isascii() and not (raw[0].isalpha() or raw[0] == "_"):
        token_type = TokenType.UNKNOWN
    return Token(token_type, text, start=start, end=end - 1)


def _plain_text(raw: str) -> str:
    """Returns the text of a constant, without quotes; it may go on in another one on a line below."""
    if "'" in raw[1:-1] and ("\n" in raw or "\r" in raw):
        return str(_value(raw).a_const.sval.sval)
    return raw[1:-1].replace("''", "'")


def _unescaped(raw: str) -> str | None:
    """Returns the name written as U&"…"; None for other texts."""
    try:
        return str(_value(raw).column_ref.fields[0].string.sval)
    except postgast.PgQueryError:
        return None


def _value(raw: str) -> Any:
    """Returns PostgreSQL's tree of a constant or a name."""
    return parse_tree(f"SELECT {raw}").stmts[0].stmt.select_stmt.target_list[0].res_target.val
