"""Statements about clusters and replicas, which PostgreSQL's grammar does not know.

    CREATE CLUSTER [IF NOT EXISTS] c [(REPLICAS (r [(option, …)], …) | [REPLICATION FACTOR n] [, option, …])]
    ALTER CLUSTER [IF EXISTS] c RENAME TO d
    ALTER CLUSTER [IF EXISTS] c SET ({REPLICATION FACTOR n | PARTITIONS n}, …)
    ALTER CLUSTER [IF EXISTS] c OWNER TO role
    ALTER CLUSTER c SWAP WITH d
    COMMENT ON CLUSTER c IS {'text' | NULL}
    DROP CLUSTER [IF EXISTS] c, … [CASCADE | RESTRICT]
    CREATE CLUSTER REPLICA [IF NOT EXISTS] cluster.r [(option, …) | option, …]
    DROP CLUSTER REPLICA [IF EXISTS] cluster.r, …
    ALTER {INDEX | MATERIALIZED VIEW} [IF EXISTS] x SET CLUSTER c

with MEMORY '2g' and SPARK MASTER 'local[4]' as options, and SIZE '2g' as another word for MEMORY; a replica that runs
elsewhere has ADDRESS 'host:port' in their place, and a cluster may also have PARTITIONS n. The parentheses of a
cluster's options may be left out.
"""

from __future__ import annotations

from collections.abc import Callable

from model.errors.sql_error import NotSupported
from planner.syntax.cluster_statements import (
    AlterClusterStatement,
    ClusterOwnerStatement,
    ClusterStatement,
    CommentOnClusterStatement,
    CreateClusterStatement,
    CreateReplicaStatement,
    DropClusterStatement,
    DropReplicaStatement,
    RenameClusterStatement,
    SetClusterStatement,
    SwapClustersStatement,
    WrittenReplica,
)
from planner.syntax.dialect.options import checked, option, text
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.options import Option

_VERBS = ("CREATE", "ALTER", "DROP")
_STAND_IN = b"SELECT"
_OTHERS_OPTIONS = (
    "AVAILABILITY ZONE",
    "WORKERS",
    "DISK",
    "INTROSPECTION INTERVAL",
    "COMPUTECTL ADDRESSES",
)
"""Options that Materialize or the design has, and this server doesn't: they are refused by name."""
_OTHERS_OF_CLUSTERS = (
    "MANAGED",
    "SCHEDULE",
    "AUTO SCALING STRATEGY",
    "AVAILABILITY ZONES",
    "DISK",
    "INTROSPECTION INTERVAL",
    "INTROSPECTION DEBUGGING",
    "WORKLOAD CLASS",
)
_OPTIONS = ("MEMORY", "SIZE", "SPARK MASTER")
_OPTIONS_OF_REPLICAS = (*_OPTIONS, "ADDRESS")
_ALTERABLE = ("REPLICATION FACTOR", "PARTITIONS")


def take_cluster_statement(parser: StatementParser) -> ClusterStatement | None:
    """Reads the statement, and leaves SELECT in its place in the text that PostgreSQL's grammar parses. Raises 0A000
    for clauses that Headwater lacks."""
    verb = parser.word_at(0)
    if verb == "ALTER" and (moved := _take_move(parser)) is not None:
        return moved
    if parser.sees_at(0, "COMMENT", "ON", "CLUSTER"):
        return _comment(parser)
    if verb not in _VERBS or not parser.sees_at(1, "CLUSTER"):
        return None
    of_replica = parser.sees_at(2, "REPLICA")
    if of_replica and verb == "ALTER":
        raise NotSupported("ALTER CLUSTER REPLICA")
    within = parser.within(3 if of_replica else 2, len(parser.tokens))
    statement = _READ[verb, of_replica](within)
    within.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return statement


def _take_move(parser: StatementParser) -> SetClusterStatement | None:
    """Reads SET CLUSTER of an index or a materialized view; returns None for any other statement about them."""
    for kind in ("INDEX",), ("MATERIALIZED", "VIEW"):
        behind = range(1 + len(kind), len(parser.tokens))
        if parser.sees_at(1, *kind) and any(parser.sees_at(at, "SET", "CLUSTER") for at in behind):
            within = parser.within(1 + len(kind), len(parser.tokens))
            if_exists = within.take("IF", "EXISTS")
            name = within.place()
            within.expect("SET", "CLUSTER")
            statement = SetClusterStatement(len(kind) > 1, name, within.identifier(), if_exists)
            within.expect_end()
            parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
            return statement
    return None


def _create_cluster(parser: StatementParser) -> CreateClusterStatement:
    if_not_exists = parser.take("IF", "NOT", "EXISTS")
    name = parser.identifier()
    enclosed = parser.take("(")
    if parser.take("REPLICAS"):
        parser.expect("(")
        replicas = parser.items(lambda: _replica(parser))
        parser.expect(")")
        found: tuple[Option, ...] = ()
    else:
        replicas, found = None, () if parser.done else parser.items(lambda: option(parser))
    if enclosed:
        parser.expect(")")
    options = _supported(parser, found, "a cluster", (*_OPTIONS, *_ALTERABLE), _OTHERS_OF_CLUSTERS)
    return CreateClusterStatement(name, replicas, options, if_not_exists)


def _replica(parser: StatementParser) -> WrittenReplica:
    name = parser.identifier()
    if not parser.take("("):
        return WrittenReplica(name, ())
    options = () if parser.sees(")") else parser.items(lambda: option(parser))
    parser.expect(")")
    return WrittenReplica(name, _supported(parser, options, "a cluster replica", _OPTIONS_OF_REPLICAS, _OTHERS_OPTIONS))


def _comment(parser: StatementParser) -> CommentOnClusterStatement:
    within = parser.within(3, len(parser.tokens))
    name = within.identifier()
    within.expect("IS")
    statement = CommentOnClusterStatement(name, None if within.take("NULL") else text(within))
    within.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return statement


def _alter_cluster(
    parser: StatementParser,
) -> RenameClusterStatement | SwapClustersStatement | AlterClusterStatement | ClusterOwnerStatement:
    if_exists = parser.take("IF", "EXISTS")
    name = parser.identifier()
    if not if_exists and parser.take("SWAP"):
        parser.expect("WITH")
        return SwapClustersStatement(name, parser.identifier())
    if parser.take("OWNER", "TO"):
        return ClusterOwnerStatement(name, parser.identifier(), if_exists)
    if parser.take("SET"):
        parser.expect("(")
        found = parser.items(lambda: option(parser))
        parser.expect(")")
        others = (*_OPTIONS, *_OTHERS_OF_CLUSTERS)
        options = _supported(parser, found, "ALTER CLUSTER", _ALTERABLE, others)
        return AlterClusterStatement(name, options, if_exists)
    if parser.sees("RESET"):
        raise NotSupported("ALTER CLUSTER … RESET")
    parser.expect("RENAME", "TO")
    return RenameClusterStatement(name, parser.identifier(), if_exists)


def _drop_cluster(parser: StatementParser) -> DropClusterStatement:
    if_exists = parser.take("IF", "EXISTS")
    names = parser.items(parser.identifier)
    cascade = parser.take("CASCADE")
    if not cascade:
        parser.take("RESTRICT")
    return DropClusterStatement(names, if_exists, cascade)


def _supported(
    parser: StatementParser, found: tuple[Option, ...], of: str, known: tuple[str, ...], others: tuple[str, ...]
) -> tuple[Option, ...]:
    """Returns the options; raises SqlError 42601 for unknown ones, 0A000 for `others`, which we have not."""
    options = checked(parser, found, of, (*known, *others))
    for each in options:
        if each.name in others:
            raise NotSupported(f"{each.name} of {of}", position=parser.written.position(each.location))
    return options


def _create(parser: StatementParser) -> CreateReplicaStatement:
    if_not_exists = parser.take("IF", "NOT", "EXISTS")
    name = parser.place()
    if parser.take("("):
        given = parser.items(lambda: option(parser))
        parser.expect(")")
    else:
        given = () if parser.done else parser.items(lambda: option(parser))
    options = _supported(parser, given, "a cluster replica", _OPTIONS_OF_REPLICAS, _OTHERS_OPTIONS)
    return CreateReplicaStatement(name, options, if_not_exists)


def _drop(parser: StatementParser) -> DropReplicaStatement:
    if_exists = parser.take("IF", "EXISTS")
    return DropReplicaStatement(parser.items(parser.place), if_exists)


_READ: dict[tuple[str, bool], Callable[[StatementParser], ClusterStatement]] = {
    ("CREATE", False): _create_cluster,
    ("ALTER", False): _alter_cluster,
    ("DROP", False): _drop_cluster,
    ("CREATE", True): _create,
    ("DROP", True): _drop,
}
