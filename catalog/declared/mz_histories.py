"""mz_internal's relations about the past hour, of which the server takes a sample each minute."""

from __future__ import annotations

from catalog.declared.mz_internal import SINK_FIGURES, SOURCE_FIGURES
from catalog.declared.relation import Declaration, RelationKind
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INTERVAL, TEXT, TIMESTAMPTZ, UINT8

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
        relation_desc(("occurred_at", TIMESTAMPTZ, False), ("id", TEXT, False), *SOURCE_FIGURES),
        f"What mz_source_statistics has told, {_HOUR}.",
    ),
    _relation(
        16726,
        "mz_sink_statistics_history",
        relation_desc(("occurred_at", TIMESTAMPTZ, False), ("id", TEXT, False), *SINK_FIGURES),
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
