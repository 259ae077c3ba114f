"""mz_internal's relations about the past hour, of which the server takes a sample each minute."""

from __future__ import annotations

from catalog.declared.relation import Declaration, RelationKind
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT8, INTERVAL, MZ_TIMESTAMP, TEXT, TIMESTAMPTZ, UINT8

_HOUR = "each minute of the past hour, since the server began"
HISTORY_OIDS = frozenset(range(16723, 16729))


def _relation(oid: int, name: str, desc: RelationDesc, description: str) -> Declaration:
    assert oid in HISTORY_OIDS
    return Declaration(oid, "mz_internal", name, RelationKind.VIEW, desc, description)


_LAG = relation_desc(("object_id", TEXT, False), ("lag", INTERVAL), ("occurred_at", TIMESTAMPTZ, False))
_METRICS = (("replica_id", TEXT, False), ("process_id", UINT8, False), ("cpu_nano_cores", UINT8))
_MEMORY = ("memory_bytes", UINT8, False)

MZ_HISTORIES = (
    _relation(
        16723, "mz_wallclock_global_lag_history", _LAG, f"How far each collection was behind the clock, {_HOUR}."
    ),
    _relation(
        16724,
        "mz_wallclock_global_lag_recent_history",
        _LAG,
        "The rows of mz_wallclock_global_lag_history, under the name by which Materialize tells those of the past day.",
    ),
    _relation(
        16725,
        "mz_source_statistics_history",
        relation_desc(
            ("occurred_at", TIMESTAMPTZ, False),
            ("id", TEXT, False),
            ("messages_received", INT8, False),
            ("bytes_received", INT8, False),
            ("updates_committed", INT8, False),
            ("errors", INT8, False),
            ("bindings", INT8, False),
            ("offset_known", INT8, True),
            ("offset_committed", INT8, True),
            ("offset_lag", INT8, True),
            ("last_binding_at", TIMESTAMPTZ, False),
        ),
        f"What mz_source_statistics has told, {_HOUR}.",
    ),
    _relation(
        16726,
        "mz_sink_statistics_history",
        relation_desc(
            ("occurred_at", TIMESTAMPTZ, False),
            ("id", TEXT, False),
            ("transactions", INT8, False),
            ("documents_loaded", INT8, False),
            ("documents_stored", INT8, False),
            ("bytes_stored", INT8, False),
            ("last_commit_ms", INT8, False),
            ("frontier", MZ_TIMESTAMP, False),
            ("lag_ms", INT8, False),
        ),
        f"What mz_sink_statistics has told, {_HOUR}.",
    ),
    _relation(
        16727,
        "mz_cluster_replica_metrics",
        relation_desc(*_METRICS, _MEMORY),
        "What the process of each replica on the server's machine used in the last sampled minute, its children "
        "included: billionths of a processor (NULL before the second sample), and resident memory.",
    ),
    _relation(
        16728,
        "mz_cluster_replica_metrics_history",
        relation_desc(*_METRICS, _MEMORY, ("occurred_at", TIMESTAMPTZ, False)),
        f"What mz_cluster_replica_metrics has told, {_HOUR}.",
    ),
)
