"""ALTER TABLE t REPAIR, which PostgreSQL's grammar does not know."""

from __future__ import annotations

from planner.syntax.dialect.parser import StatementParser
from planner.syntax.own_statements import RepairTableStatement

_STAND_IN = b"SELECT"


def take_repair(parser: StatementParser) -> RepairTableStatement | None:
    """The statement; a stand-in keeps its place in the tree."""
    if not (parser.sees_at(0, "ALTER", "TABLE") and parser.sees_at(len(parser.tokens) - 1, "REPAIR")):
        return None
    inner = parser.within(2, len(parser.tokens))
    table = inner.place()
    inner.expect("REPAIR")
    parser.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return RepairTableStatement(table)
