"""Statements about clusters and replicas, which PostgreSQL's grammar does not know.

    CREATE CLUSTER REPLICA [IF NOT EXISTS] cluster.r [(option, …) | option, …]
    DROP CLUSTER REPLICA [IF EXISTS] cluster.r, …

with MEMORY '2g' and SPARK MASTER 'local[4]' as options. Clusters themselves are refused by name.
"""

from __future__ import annotations

from model.errors.sql_error import NotSupported
from planner.syntax.cluster_statements import CreateReplicaStatement, DropReplicaStatement, ReplicaStatement
from planner.syntax.dialect.options import checked, option, options_in_parentheses
from planner.syntax.dialect.parser import StatementParser

_VERBS = ("CREATE", "ALTER", "DROP")
_STAND_IN = b"SELECT"
_OTHERS_OPTIONS = (
    "SIZE",
    "ADDRESS",
    "AVAILABILITY ZONE",
    "WORKERS",
    "DISK",
    "INTROSPECTION INTERVAL",
    "COMPUTECTL ADDRESSES",
)
"""Options that Materialize or the design has, and this server doesn't: they are refused by name."""
_OPTIONS = ("MEMORY", "SPARK MASTER")


def take_cluster_statement(parser: StatementParser) -> ReplicaStatement | None:
    """Returns the statement, whose place in the tree a stand-in keeps; raises SqlError 0A000 for those about
    clusters."""
    verb = parser.word_at(0)
    if verb not in _VERBS or not parser.sees_at(1, "CLUSTER"):
        return None
    of_replica = parser.sees_at(2, "REPLICA")
    if not of_replica or verb == "ALTER":
        hint = "There is one cluster, default; CREATE CLUSTER REPLICA gives it more replicas."
        raise NotSupported(f"{verb} {'CLUSTER REPLICA' if of_replica else 'CLUSTER'}", hint=hint)
    within = parser.within(3, len(parser.tokens))
    statement = _create(within) if verb == "CREATE" else _drop(within)
    within.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return statement


def _create(parser: StatementParser) -> CreateReplicaStatement:
    if_not_exists = parser.take("IF", "NOT", "EXISTS")
    name = parser.place()
    known = (*_OPTIONS, *_OTHERS_OPTIONS)
    if parser.sees("("):
        options = options_in_parentheses(parser, "a cluster replica", known)
    else:
        given = () if parser.done else parser.items(lambda: option(parser))
        options = checked(parser, given, "a cluster replica", known)
    for each in options:
        if each.name in _OTHERS_OPTIONS:
            raise NotSupported(f"{each.name} of a cluster replica", position=parser.position(each.location))
    return CreateReplicaStatement(name, options, if_not_exists)


def _drop(parser: StatementParser) -> DropReplicaStatement:
    if_exists = parser.take("IF", "EXISTS")
    return DropReplicaStatement(parser.items(parser.place), if_exists)
