"""mz_internal: how the system is: frontiers, sessions, replicas."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.builtin.relation import BuiltinRelation, RelationKind
from catalog.builtin.snapshot import SystemSnapshot
from model.datum import Row
from model.relation_desc import relation_desc
from model.scalar_type import INT4, INT8, MZ_TIMESTAMP, TEXT, TIMESTAMPTZ

_SCHEMA = "mz_internal"


def _frontiers(snapshot: SystemSnapshot) -> Iterable[Row]:
    for id, frontiers in sorted(snapshot.frontiers.items()):
        yield str(id), frontiers.since.time, frontiers.upper.time


def _sessions(snapshot: SystemSnapshot) -> Iterable[Row]:
    for session in snapshot.sessions:
        role = snapshot.state.role_named(session.user)
        yield (
            session.pid,
            None if role is None else str(role.oid),
            session.database,
            session.application_name,
            session.client_address,
            session.connected_at,
            session.state,
            session.query,
        )


def _replicas(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        yield replica.id, replica.name, replica.cluster, replica.pid


def _replica_statuses(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        yield replica.id, replica.status, replica.reason, replica.updated_at


MZ_INTERNAL = (
    BuiltinRelation(
        16650,
        _SCHEMA,
        "mz_frontiers",
        RelationKind.VIEW,
        relation_desc(("object_id", TEXT, False), ("read_frontier", MZ_TIMESTAMP), ("write_frontier", MZ_TIMESTAMP)),
        _frontiers,
    ),
    BuiltinRelation(
        16651,
        _SCHEMA,
        "mz_sessions",
        RelationKind.VIEW,
        relation_desc(
            ("pid", INT4, False),
            ("role_id", TEXT),
            ("database", TEXT, False),
            ("application_name", TEXT, False),
            ("client_ip", TEXT),
            ("connected_at", TIMESTAMPTZ, False),
            ("state", TEXT, False),
            ("query", TEXT, False),
        ),
        _sessions,
    ),
    BuiltinRelation(
        16652,
        _SCHEMA,
        "mz_cluster_replicas",
        RelationKind.VIEW,
        relation_desc(("id", TEXT, False), ("name", TEXT, False), ("cluster", TEXT, False), ("pid", INT8)),
        _replicas,
    ),
    BuiltinRelation(
        16653,
        _SCHEMA,
        "mz_cluster_replica_statuses",
        RelationKind.VIEW,
        relation_desc(
            ("replica_id", TEXT, False),
            ("status", TEXT, False),
            ("reason", TEXT),
            ("updated_at", TIMESTAMPTZ, False),
        ),
        _replica_statuses,
    ),
)
