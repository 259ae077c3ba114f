"""Statements that are accepted and have nothing to do here."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from planner.plans.plan import NoOpPlan
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.syntax.parse import ParsedStatement

BUILT_IN = ("pg_stat_statements", "pg_trgm", "pgcrypto", "plpgsql", "uuid-ossp", "vector")
"""Extensions of PostgreSQL that are always there. A new database of PostgreSQL has plpgsql alone of them."""


def plan_vacuum(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    for relation in statement.node.rels:
        _require(analysis, relation.vacuum_relation.relation)
    return NoOpPlan("VACUUM" if statement.node.is_vacuumcmd else "ANALYZE")


def plan_reindex(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    if statement.node.HasField("relation"):
        _require(analysis, statement.node.relation)
    return NoOpPlan("REINDEX", "indexes are kept as what they are on changes, and need no REINDEX")


def plan_checkpoint(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    return NoOpPlan("CHECKPOINT")


def plan_create_extension(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    """Plans CREATE EXTENSION for an extension whose functions are built in. Raises SqlError 0A000 for any other
    extension, 42710 for plpgsql without IF NOT EXISTS."""
    name = statement.node.extname
    if name not in BUILT_IN:
        raise analysis.unsupported(f'CREATE EXTENSION "{name}"', hint=f"There is {', '.join(BUILT_IN)}.")
    if name == "plpgsql" and not statement.node.if_not_exists:
        raise analysis.error(Sqlstate.DUPLICATE_OBJECT, f'extension "{name}" already exists')
    return NoOpPlan("CREATE EXTENSION", f'extension "{name}" already exists, skipping')


def _require(analysis: Analysis, relation: Any) -> None:
    """Raises 42P01 for a relation that doesn't exist."""
    find_relation(analysis, range_parts(relation), relation.location)
