"""ALTER TABLE t REPAIR and ALTER MATERIALIZED VIEW v REPAIR, which PostgreSQL's grammar does not know."""

from __future__ import annotations

from planner.syntax.dialect.parser import StatementParser
from planner.syntax.own_statements import RepairTableStatement, RepairViewStatement

_STAND_IN = b"SELECT"


def take_repair(parser: StatementParser) -> RepairTableStatement | RepairViewStatement | None:
    """Reads the statement, and leaves SELECT in its place in the text that PostgreSQL's grammar parses."""
    of_table, of_view = parser.sees_at(0, "ALTER", "TABLE"), parser.sees_at(0, "ALTER", "MATERIALIZED", "VIEW")
    if not ((of_table or of_view) and parser.sees_at(len(parser.tokens) - 1, "REPAIR")):
        return None
    inner = parser.within(2 if of_table else 3, len(parser.tokens))
    place = inner.place()
    inner.expect("REPAIR")
    parser.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return RepairTableStatement(place) if of_table else RepairViewStatement(place)
