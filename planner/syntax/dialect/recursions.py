"""WITH MUTUALLY RECURSIVE as PostgreSQL's WITH RECURSIVE, and beside it what that does not say.

    WITH MUTUALLY RECURSIVE [([RETURN AT | ERROR AT] RECURSION LIMIT [=] n)] name (column type, …) AS (query), …

becomes, each word at its place,

    WITH          RECURSIVE name (column, …) AS (query), …
"""

from __future__ import annotations

from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.ir.relation import RecursionLimit
from planner.syntax.dialect.headwater import parser_over
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.dialect.tokens import tokens_of
from planner.syntax.extensions import MutualRecursion
from planner.syntax.pieces import type_name_at

_CLAUSE = ("WITH", "MUTUALLY", "RECURSIVE")
_LIMIT_MAX = 2**63 - 1


def take_recursions(sql: str) -> tuple[str, dict[int, MutualRecursion]] | None:
    """Returns the text in PostgreSQL's words, and each WITH MUTUALLY RECURSIVE by the byte of its WITH.

    Returns None if there is none, or the text can't be cut into tokens; raises SqlError 42601 for malformed bindings.
    """
    tokens = tokens_of(sql)
    if tokens is None:
        return None
    source = sql.encode()
    data = bytearray(source)
    parser = parser_over(sql, source, data, tokens)
    found = {
        token.start: _taken(parser, at)
        for at, token in enumerate(tokens)
        if parser.within(0, len(tokens)).sees_at(at, *_CLAUSE)
    }
    return (data.decode(), found) if found else None


def _taken(parser: StatementParser, at: int) -> MutualRecursion:
    mutually = parser.tokens[at + 1]
    parser.written.blank(mutually.start, mutually.end + 1)
    parser.within(at + len(_CLAUSE), len(parser.tokens))
    start, limit = parser.next.start, _limit(parser)
    if limit is not None:
        parser.written.blank(start, parser.last.end + 1)
    return MutualRecursion(parser.items(lambda: _query(parser)), limit)


def _limit(parser: StatementParser) -> RecursionLimit | None:
    if not parser.take("("):
        return None
    returns = parser.take("RETURN", "AT")
    if not returns:
        parser.take("ERROR", "AT")
    parser.expect("RECURSION", "LIMIT")
    parser.take("=")
    rounds = parser.number()
    if not 1 <= rounds <= _LIMIT_MAX:
        message = f"the recursion limit must be between 1 and {_LIMIT_MAX}"
        position = parser.written.position(parser.last.start)
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message, position=position)
    parser.expect(")")
    return RecursionLimit(rounds, not returns)


def _query(parser: StatementParser) -> tuple[Any, ...]:
    """Reads the types of one query's columns, and blanks them."""
    parser.identifier()
    parser.expect("(")
    types = parser.items(lambda: _column_type(parser))
    parser.expect(")", "AS")
    parser.parenthesis()
    return types


def _column_type(parser: StatementParser) -> Any:
    parser.identifier()
    start, end = parser.span((",",), (")",))
    type_name = parser.piece(type_name_at, start, end)
    parser.written.blank(start, end)
    return type_name
