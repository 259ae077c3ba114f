"""mz_internal's relations: how the system is: frontiers, freshness, dataflows, sessions, replicas."""

from __future__ import annotations

from catalog.builtin.relation import Declaration, RelationKind
from model.relation_desc import relation_desc
from model.scalar_type import BOOL, FLOAT8, INT4, INT8, INTERVAL, MZ_TIMESTAMP, TEXT, TIMESTAMPTZ

_SCHEMA = "mz_internal"

MZ_INTERNAL = (
    Declaration(
        16650,
        _SCHEMA,
        "mz_frontiers",
        RelationKind.VIEW,
        relation_desc(("object_id", TEXT, False), ("read_frontier", MZ_TIMESTAMP), ("write_frontier", MZ_TIMESTAMP)),
    ),
    Declaration(
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
    ),
    Declaration(
        16652,
        _SCHEMA,
        "mz_cluster_replicas",
        RelationKind.VIEW,
        relation_desc(("id", TEXT, False), ("name", TEXT, False), ("cluster", TEXT, False), ("pid", INT8)),
    ),
    Declaration(
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
    ),
    Declaration(
        16654,
        _SCHEMA,
        "mz_hydration_statuses",
        RelationKind.VIEW,
        relation_desc(
            ("object_id", TEXT, False),
            ("replica_id", TEXT),
            ("hydrated", BOOL, False),
            ("rows", INT8, False),
            ("rows_total", INT8, False),
            ("percent", FLOAT8, False),
        ),
    ),
    Declaration(
        16655,
        _SCHEMA,
        "mz_dataflow_statuses",
        RelationKind.VIEW,
        relation_desc(("object_id", TEXT, False), ("status", TEXT, False), ("reason", TEXT), ("retries", INT8, False)),
    ),
    Declaration(
        16656,
        _SCHEMA,
        "mz_materialization_lag",
        RelationKind.VIEW,
        relation_desc(
            ("object_id", TEXT, False),
            ("local_lag", INTERVAL),
            ("global_lag", INTERVAL),
            ("slowest_local_input_id", TEXT),
            ("slowest_global_input_id", TEXT),
        ),
    ),
    Declaration(
        16657,
        _SCHEMA,
        "mz_wallclock_global_lag",
        RelationKind.VIEW,
        relation_desc(("object_id", TEXT, False), ("lag", INTERVAL)),
    ),
    Declaration(
        16658,
        _SCHEMA,
        "mz_arrangement_sizes",
        RelationKind.VIEW,
        relation_desc(
            ("object_id", TEXT, False),
            ("arrangement", TEXT, False),
            ("operator", TEXT, False),
            ("key", TEXT, False),
            ("records", INT8, False),
            ("batches", INT8, False),
            ("size", INT8, False),
            ("memory_size", INT8, False),
            ("file_size", INT8, False),
        ),
    ),
    Declaration(
        16659,
        _SCHEMA,
        "mz_dataflow_ticks",
        RelationKind.VIEW,
        relation_desc(
            ("object_id", TEXT, False),
            ("ticks", INT8, False),
            ("last_tick_at", TIMESTAMPTZ, False),
            ("last_ms", FLOAT8, False),
            ("measured_ticks", INT8, False),
            ("p50_ms", FLOAT8, False),
            ("p99_ms", FLOAT8, False),
            ("max_ms", FLOAT8, False),
            ("last_rows_read", INT8, False),
            ("last_rows_written", INT8, False),
            ("rows_read", INT8, False),
            ("rows_written", INT8, False),
        ),
    ),
    Declaration(
        16660,
        _SCHEMA,
        "mz_scheduling_elapsed",
        RelationKind.VIEW,
        relation_desc(("object_id", TEXT, False), ("elapsed_ns", INT8, False)),
    ),
    Declaration(
        16661,
        _SCHEMA,
        "mz_compute_error_counts",
        RelationKind.VIEW,
        relation_desc(("object_id", TEXT, False), ("count", INT8, False)),
    ),
    Declaration(
        16662,
        _SCHEMA,
        "mz_dataflow_checkpoints",
        RelationKind.VIEW,
        relation_desc(
            ("object_id", TEXT, False),
            ("checkpoints", INT8, False),
            ("last_checkpoint_at", TIMESTAMPTZ, False),
            ("last_ms", FLOAT8, False),
            ("size", INT8, False),
            ("last_size_written", INT8, False),
        ),
    ),
)
