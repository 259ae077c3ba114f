"""BACKUP TO 'place' and ALTER SYSTEM PROMOTE ['standby'] [FORCE], which PostgreSQL's grammar does not know."""

from __future__ import annotations

from planner.syntax.dialect.parser import StatementParser
from planner.syntax.own_statements import BackupStatement, PromoteStatement

_STAND_IN = b"SELECT"


def take_backup(parser: StatementParser) -> BackupStatement | None:
    """Reads the statement, and leaves SELECT in its place in the text that PostgreSQL's grammar parses."""
    if not parser.sees_at(0, "BACKUP"):
        return None
    parser.within(1, len(parser.tokens))
    parser.expect("TO")
    place = parser.string()
    parser.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return BackupStatement(place)


def take_promotion(parser: StatementParser) -> PromoteStatement | None:
    """Reads the statement, and leaves SELECT in its place in the text that PostgreSQL's grammar parses."""
    if not parser.sees_at(0, "ALTER", "SYSTEM", "PROMOTE"):
        return None
    parser.within(3, len(parser.tokens))
    standby = parser.take_string()
    force = parser.take("FORCE")
    parser.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return PromoteStatement(standby, force)
