"""FOR UPDATE and FOR SHARE: accepted, since a transaction reads one time anyway; refused where PostgreSQL does."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.sqlstate import Sqlstate
from planner.sql.analysis import Analysis
from planner.sql.names import range_parts
from planner.sql.scope import Scope, SelectState

_WORDS = {
    tree.LCS_FORKEYSHARE: "FOR KEY SHARE",
    tree.LCS_FORSHARE: "FOR SHARE",
    tree.LCS_FORNOKEYUPDATE: "FOR NO KEY UPDATE",
    tree.LCS_FORUPDATE: "FOR UPDATE",
}


def refuse_locking(analysis: Analysis, select: Any, what: str) -> None:
    """0A000 for a query whose rows are no table's."""
    for clause in select.locking_clause:
        word = _WORDS[clause.locking_clause.strength]
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, f"{word} {what}")


def check_locking(analysis: Analysis, select: Any, scope: Scope, state: SelectState) -> None:
    """0A000 where a SELECT's rows are not those of its tables; 42P01 for a table that isn't there."""
    found = [
        ("DISTINCT clause", bool(select.distinct_clause)),
        ("GROUP BY clause", bool(select.group_clause)),
        ("HAVING clause", select.HasField("having_clause")),
        ("aggregate functions", bool(state.aggregates)),
        ("window functions", bool(state.windows)),
        ("set-returning functions in the target list", bool(state.table_calls)),
    ]
    for what, present in found:
        if present:
            refuse_locking(analysis, select, f"is not allowed with {what}")
    aliases = {item.alias for item in scope.items}
    for clause in select.locking_clause:
        for node in clause.locking_clause.locked_rels:
            name = range_parts(node.range_var)[-1]
            if name not in aliases:
                word = _WORDS[clause.locking_clause.strength]
                message = f'relation "{name}" in {word} clause not found in FROM clause'
                raise analysis.error(Sqlstate.UNDEFINED_TABLE, message, node.range_var.location)
