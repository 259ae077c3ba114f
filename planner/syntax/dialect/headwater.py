"""The dialect as sqlglot knows it: PostgreSQL's scanner for its tokenizer, the statement parser for its parser."""

from __future__ import annotations

from sqlglot import Token
from sqlglot.dialects.dialect import Dialect

from planner.syntax.dialect.parser import StatementParser


class Headwater(Dialect):
    """The dialect of statements that PostgreSQL's grammar refuses and this server accepts."""

    Parser = StatementParser


def parser_over(
    sql: str, source: bytes, data: bytearray, tokens: list[Token], behind: Token | None = None
) -> StatementParser:
    """Returns a parser of the dialect over some of a message's tokens; `source`: the message's bytes, `data`: a copy to
    rewrite.
    """
    return StatementParser(dialect=Headwater).over(sql, source, data, tokens, behind)
