"""Statements about clusters and replicas, which PostgreSQL's grammar does not know: refused by name.

{CREATE | ALTER | DROP} CLUSTER [REPLICA] …
"""

from __future__ import annotations

from model.errors.sql_error import NotSupported
from planner.syntax.dialect.parser import StatementParser

_VERBS = ("CREATE", "ALTER", "DROP")


def refuse_cluster_statement(parser: StatementParser) -> None:
    """Raises SqlError 0A000 for a statement about a cluster or a replica."""
    verb = parser.word_at(0)
    if verb in _VERBS and parser.sees_at(1, "CLUSTER"):
        noun = "CLUSTER REPLICA" if parser.sees_at(2, "REPLICA") else "CLUSTER"
        raise NotSupported(f"{verb} {noun}", hint="The replicas of the cluster default are those of --replicas.")
