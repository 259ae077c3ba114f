"""Statements about named read holds, none of which PostgreSQL's grammar knows.

    CREATE READ HOLD [IF NOT EXISTS] h {ON object, … [AT time] | FROM other} [WITH LEASE '1h']
    ALTER READ HOLD [IF EXISTS] h {ADVANCE TO time | RENEW | OWNER TO role}
    DROP READ HOLD [IF EXISTS] h, …

A hold's name has no schema: holds belong to the whole server, as PostgreSQL's replication slots do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planner.syntax.dialect.options import text
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.own_statements import (
    AlterReadHold,
    CreateReadHoldStatement,
    DropReadHoldStatement,
    Place,
    ReadHoldStatement,
)

_STAND_IN = b"SELECT"
_LEASE = ("WITH", "LEASE")


def take_read_hold(parser: StatementParser) -> ReadHoldStatement | None:
    """Reads the statement, and leaves SELECT in its place in the text that PostgreSQL's grammar parses."""
    read = _READERS.get(parser.word_at(0))
    if read is None or not parser.sees_at(1, "READ", "HOLD"):
        return None
    statement = read(parser.within(3, len(parser.tokens)))
    parser.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return statement


def _create(parser: StatementParser) -> CreateReadHoldStatement:
    if_not_exists = parser.take("IF", "NOT", "EXISTS")
    name = parser.identifier()
    objects: tuple[Place, ...] = ()
    source: str | None = None
    at: Any = None
    if parser.take("FROM"):
        source = parser.identifier()
    else:
        parser.expect("ON")
        objects = parser.items(parser.place)
        if parser.take("AT"):
            at = parser.expression_until(_LEASE)
    lease = None
    if parser.take(*_LEASE):
        parser.take("=")
        lease = text(parser)
    return CreateReadHoldStatement(name, objects, source, at, lease, if_not_exists)


def _alter(parser: StatementParser) -> AlterReadHold:
    if_exists = parser.take("IF", "EXISTS")
    name = parser.identifier()
    if parser.take("ADVANCE", "TO"):
        return AlterReadHold(name, parser.expression_until(), None, if_exists)
    if parser.take("OWNER", "TO"):
        return AlterReadHold(name, None, parser.identifier(), if_exists)
    parser.expect("RENEW")
    return AlterReadHold(name, None, None, if_exists)


def _drop(parser: StatementParser) -> DropReadHoldStatement:
    if_exists = parser.take("IF", "EXISTS")
    return DropReadHoldStatement(parser.items(parser.identifier), if_exists)


_READERS: dict[str, Callable[[StatementParser], ReadHoldStatement]] = {
    "CREATE": _create,
    "ALTER": _alter,
    "DROP": _drop,
}
