"""mz_internal's relations: how the system is: frontiers, freshness, dataflows, sessions, replicas."""

from __future__ import annotations

from catalog.declared.relation import Declaration, RelationKind
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, FLOAT8, INT4, INT8, INTERVAL, JSONB, MZ_TIMESTAMP, TEXT, TIMESTAMPTZ

_SCHEMA = "mz_internal"
ACTIVITY_LOG_OID = 16691
LIFECYCLE_OID = 16721
NOTICES_OID = 16722
FRONTIER_OIDS = frozenset((16650, 16656, 16657))
"""The relations whose rows are made of frontiers."""

SOURCE_FIGURES = (
    ("messages_received", INT8, False),
    ("bytes_received", INT8, False),
    ("updates_committed", INT8, False),
    ("errors", INT8, False),
    ("bindings", INT8, False),
    ("offset_known", INT8, True),
    ("offset_committed", INT8, True),
    ("offset_lag", INT8, True),
    ("last_binding_at", TIMESTAMPTZ, False),
)
SINK_FIGURES = (
    ("transactions", INT8, False),
    ("documents_loaded", INT8, False),
    ("documents_stored", INT8, False),
    ("bytes_stored", INT8, False),
    ("last_commit_ms", INT8, False),
    ("frontier", MZ_TIMESTAMP, False),
    ("lag_ms", INT8, False),
)
"""The columns about one source, and about one sink, in the order of `source_figures` and `sink_figures`."""


def _relation(oid: int, name: str, desc: RelationDesc, description: str) -> Declaration:
    return Declaration(oid, _SCHEMA, name, RelationKind.VIEW, desc, description)


MZ_INTERNAL = (
    _relation(
        16650,
        "mz_frontiers",
        relation_desc(("object_id", TEXT, False), ("read_frontier", MZ_TIMESTAMP), ("write_frontier", MZ_TIMESTAMP)),
        "The times at which a collection can be read: from `read_frontier` (its since) on, and before "
        "`write_frontier` (its upper).",
    ),
    _relation(
        16651,
        "mz_sessions",
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
        "Each connection, with the statement that it runs or ran last.",
    ),
    _relation(
        16652,
        "mz_cluster_replicas",
        relation_desc(
            ("id", TEXT, False), ("name", TEXT, False), ("cluster", TEXT, False), ("pid", INT8), ("address", TEXT)
        ),
        "Each replica's process, or the address of one that the server does not start.",
    ),
    _relation(
        16653,
        "mz_cluster_replica_statuses",
        relation_desc(
            ("replica_id", TEXT, False),
            ("status", TEXT, False),
            ("reason", TEXT),
            ("updated_at", TIMESTAMPTZ, False),
        ),
        "How each replica is, with the reason where it is not online.",
    ),
    _relation(
        16654,
        "mz_hydration_statuses",
        relation_desc(
            ("object_id", TEXT, False),
            ("replica_id", TEXT),
            ("hydrated", BOOL, False),
            ("rows", INT8, False),
            ("rows_total", INT8, False),
            ("percent", FLOAT8, False),
        ),
        "How far each index and materialized view is in reading what its inputs held at the start.",
    ),
    _relation(
        16732,
        "mz_moves",
        relation_desc(
            ("object_id", TEXT, False),
            ("old_cluster_id", TEXT, False),
            ("new_cluster_id", TEXT, False),
            ("began_at", TIMESTAMPTZ, False),
            ("status", TEXT, False),
            ("reason", TEXT),
            ("rows", INT8, False),
            ("rows_total", INT8, False),
        ),
        "The indexes and materialized views that SET CLUSTER moves at present, and how far each is in the new cluster.",
    ),
    _relation(
        16655,
        "mz_dataflow_statuses",
        relation_desc(("object_id", TEXT, False), ("status", TEXT, False), ("reason", TEXT), ("retries", INT8, False)),
        "How the dataflow of each index and materialized view is, why it waits, and how often it was tried again.",
    ),
    _relation(
        16656,
        "mz_materialization_lag",
        relation_desc(
            ("object_id", TEXT, False),
            ("local_lag", INTERVAL),
            ("global_lag", INTERVAL),
            ("slowest_local_input_id", TEXT),
            ("slowest_global_input_id", TEXT),
        ),
        "How far each index and materialized view is behind its direct inputs (`local_lag`) and behind the tables "
        "and sources beneath (`global_lag`), and which of them is slowest.",
    ),
    _relation(
        16657,
        "mz_wallclock_global_lag",
        relation_desc(("object_id", TEXT, False), ("lag", INTERVAL)),
        "How far each collection is behind the clock.",
    ),
    _relation(
        16658,
        "mz_arrangement_sizes",
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
            ("dataflow_id", TEXT, False),
        ),
        "Each arrangement that a dataflow keeps: its records, and its bytes in memory and in files.",
    ),
    _relation(
        16659,
        "mz_dataflow_ticks",
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
            ("wide_ticks", INT8, False),
            ("tasks", INT8, False),
            ("narrow", TEXT, True),
        ),
        "The ticks of each dataflow: how many there were, how long the last `measured_ticks` took, how many rows they "
        "read and wrote, how many had steps on which Spark's tasks worked, and why large steps had none.",
    ),
    _relation(
        16660,
        "mz_scheduling_elapsed",
        relation_desc(("object_id", TEXT, False), ("elapsed_ns", INT8, False)),
        "How long all ticks of a dataflow have taken together.",
    ),
    _relation(
        16661,
        "mz_compute_error_counts",
        relation_desc(("object_id", TEXT, False), ("count", INT8, False)),
        "How many rows of a dataflow fail at the moment.",
    ),
    _relation(
        16662,
        "mz_dataflow_checkpoints",
        relation_desc(
            ("object_id", TEXT, False),
            ("checkpoints", INT8, False),
            ("last_checkpoint_at", TIMESTAMPTZ, False),
            ("last_ms", FLOAT8, False),
            ("size", INT8, False),
            ("last_size_written", INT8, False),
        ),
        "The checkpoints of each dataflow's state: how many were made, when the last was, and how many bytes it holds.",
    ),
    _relation(
        16681,
        "mz_shared_dataflows",
        relation_desc(("object_id", TEXT, False), ("dataflow_id", TEXT, False)),
        "Which indexes and materialized views are maintained by one dataflow; `dataflow_id` is the least of their ids.",
    ),
    _relation(
        16671,
        "mz_source_statistics",
        relation_desc(("id", TEXT, False), *SOURCE_FIGURES),
        "What each source has received and committed, and how far it is behind its upstream.",
    ),
    _relation(
        16670,
        "mz_source_statuses",
        relation_desc(
            ("id", TEXT, False),
            ("name", TEXT, False),
            ("type", TEXT, False),
            ("last_status_change_at", TIMESTAMPTZ),
            ("status", TEXT, False),
            ("error", TEXT),
            ("details", JSONB),
        ),
        "How each source and each of its tables is now, with the error where it stands still.",
    ),
    _relation(
        16675,
        "mz_source_status_history",
        relation_desc(
            ("occurred_at", TIMESTAMPTZ, False),
            ("source_id", TEXT, False),
            ("status", TEXT, False),
            ("error", TEXT),
            ("details", JSONB),
        ),
        "How each source was: one row for each change of its state.",
    ),
    _relation(
        16678,
        "mz_sink_statistics",
        relation_desc(("id", TEXT, False), *SINK_FIGURES),
        "What each sink has written, how long its last commit took, and how far it is behind.",
    ),
    _relation(
        16676,
        "mz_sink_statuses",
        relation_desc(
            ("id", TEXT, False),
            ("name", TEXT, False),
            ("type", TEXT, False),
            ("last_status_change_at", TIMESTAMPTZ),
            ("status", TEXT, False),
            ("error", TEXT),
            ("details", JSONB),
        ),
        "How each sink is now, with the error where it stands still.",
    ),
    _relation(
        16677,
        "mz_sink_status_history",
        relation_desc(
            ("occurred_at", TIMESTAMPTZ, False),
            ("sink_id", TEXT, False),
            ("status", TEXT, False),
            ("error", TEXT),
            ("details", JSONB),
        ),
        "How each sink was: one row for each change of its state.",
    ),
    _relation(
        16674,
        "mz_webhook_sources",
        relation_desc(("id", TEXT, False), ("name", TEXT, False), ("url", TEXT, False)),
        "The address to which the records of each webhook source are posted.",
    ),
    _relation(
        16690,
        "mz_stuck_calls",
        relation_desc(
            ("replica_id", TEXT, False),
            ("subject", TEXT, False),
            ("since", TIMESTAMPTZ, False),
            ("processor_ms", INT8, False),
        ),
        "What each replica's planner does not come to an end with, and how long a processor has worked on it.",
    ),
    _relation(
        16733,
        "mz_standbys",
        relation_desc(
            ("name", TEXT, False),
            ("address", TEXT, False),
            ("pid", INT4, False),
            ("ready", BOOL, False),
            ("message", TEXT, False),
            ("hydrated", BOOL, False),
            ("caught_up", BOOL, False),
            ("dataflows", INT8, False),
            ("hydrated_dataflows", INT8, False),
        ),
        "The servers that stand by: whether each would lead at once, and what it does or waits for; how many views and "
        "indexes it keeps in replicas of its own, whether all have hydrated, or it would go on with those of the "
        "leader, and whether they are up to date, so that ALTER SYSTEM PROMOTE does not wait.",
    ),
    _relation(
        16735,
        "mz_cluster_replica_frontiers",
        relation_desc(("object_id", TEXT, False), ("replica_id", TEXT, False), ("write_frontier", MZ_TIMESTAMP)),
        "Up to where each replica itself has told each index and materialized view complete; null: for ever.",
    ),
    _relation(
        16737,
        "mz_cluster_replica_dataflows",
        relation_desc(
            ("object_id", TEXT, False),
            ("replica_id", TEXT, False),
            ("status", TEXT, False),
            ("reason", TEXT),
            ("rows", INT8, False),
            ("rows_total", INT8, False),
            ("ticks", INT8),
            ("records", INT8),
            ("size", INT8),
            ("memory_size", INT8),
            ("file_size", INT8),
        ),
        "How each index, materialized view, source and sink is in each replica: how far its hydration is, how often it "
        "has ticked, and what its arrangements hold there.",
    ),
    _relation(
        16734,
        "mz_state_origins",
        relation_desc(
            ("replica_id", TEXT, False),
            ("object_id", TEXT, False),
            ("origin", TEXT, False),
            ("copied_from", TEXT),
        ),
        "Where each replica's state of an index or a materialized view came from when the replica opened it: made of "
        "the inputs, kept by an earlier process, or copied from another replica.",
    ),
    _relation(
        16720,
        "mz_reconciliations",
        relation_desc(
            ("replica_id", TEXT, False),
            ("at", TIMESTAMPTZ, False),
            ("kept", INT8, False),
            ("replaced", INT8, False),
            ("reason", TEXT),
        ),
        "Dataflows that went on, or did not, each time a server told a replica all that it is to run; and why not.",
    ),
    _relation(
        LIFECYCLE_OID,
        "mz_statement_lifecycle_history",
        relation_desc(("statement_id", INT8, False), ("event_type", TEXT, False), ("occurred_at", TIMESTAMPTZ, False)),
        "The stages of the statements of mz_recent_activity_log (by its execution_id): when each arrived, was begun, "
        "was planned, and ended.",
    ),
    _relation(
        NOTICES_OID,
        "mz_notices",
        relation_desc(
            ("id", TEXT, False),
            ("notice_type", TEXT, False),
            ("object_id", TEXT, False),
            ("message", TEXT, False),
            ("hint", TEXT),
            ("action", TEXT),
            ("action_type", TEXT),
            ("created_at", TIMESTAMPTZ),
        ),
        "What asks for attention now: sources and sinks that are stalled, views that stand still, are recomputed or "
        "were built anew, indexes that nobody has read for a day, and indexes that queries have missed ten times in "
        "a day.",
    ),
    _relation(
        16697,
        "mz_backups",
        relation_desc(
            ("place", TEXT, False),
            ("started_at", TIMESTAMPTZ, False),
            ("ended_at", TIMESTAMPTZ),
            ("status", TEXT, False),
            ("backup", TEXT),
            ("timestamp", MZ_TIMESTAMP),
            ("parts", INT8, False),
            ("parts_done", INT8, False),
            ("parts_copied", INT8, False),
            ("bytes", INT8, False),
            ("bytes_done", INT8, False),
            ("bytes_copied", INT8, False),
            ("error", TEXT),
        ),
        "Backups under way and how far they are, and how the last ones since the server began have ended.",
    ),
    _relation(
        16692,
        "mz_view_repairs",
        relation_desc(
            ("object_id", TEXT, False),
            ("refused_writes", INT8, False),
            ("corrected_rows", INT8, False),
            ("last_at", TIMESTAMPTZ, False),
        ),
        "Materialized views that were found to be wrong, and built anew: writes that would have taken rows that the "
        "view does not hold, and rows that were dropped or added then.",
    ),
    _relation(
        ACTIVITY_LOG_OID,
        "mz_recent_activity_log",
        relation_desc(
            ("execution_id", INT8, False),
            ("pid", INT4, False),
            ("session_kind", TEXT, False),
            ("authenticated_user", TEXT, False),
            ("database_name", TEXT, False),
            ("application_name", TEXT, False),
            ("statement_type", TEXT, False),
            ("sql", TEXT, False),
            ("began_at", TIMESTAMPTZ, False),
            ("finished_at", TIMESTAMPTZ),
            ("queued_ms", FLOAT8, False),
            ("planned_ms", FLOAT8, False),
            ("executed_ms", FLOAT8, False),
            ("finished_status", TEXT),
            ("sqlstate", TEXT),
            ("rows_returned", INT8),
            ("result_size", INT8, False),
            ("execution_timestamp", MZ_TIMESTAMP),
        ),
        "The newest statements, of which each role sees its own and members of pg_monitor all: by whom, for how long "
        "they waited, were planned and ran, and how they ended (`finished_status` is NULL while one runs).",
    ),
    _relation(
        16696,
        "mz_object_fully_qualified_names",
        relation_desc(
            ("id", TEXT, False),
            ("name", TEXT, False),
            ("object_type", TEXT, False),
            ("schema_id", TEXT, False),
            ("schema_name", TEXT, False),
            ("database_id", TEXT),
            ("database_name", TEXT),
            ("cluster_id", TEXT),
        ),
        "Each object with the names of its schema and database.",
    ),
    _relation(
        16693,
        "mz_object_lifetimes",
        relation_desc(
            ("id", TEXT, False),
            ("previous_id", TEXT),
            ("object_type", TEXT, False),
            ("event_type", TEXT, False),
            ("occurred_at", TIMESTAMPTZ, False),
        ),
        "When each object was created; what was dropped is not told.",
    ),
    _relation(
        16694,
        "mz_object_transitive_dependencies",
        relation_desc(("object_id", TEXT, False), ("referenced_object_id", TEXT, False)),
        "Which object needs which, also by way of others.",
    ),
    _relation(
        16710,
        "mz_show_default_privileges",
        relation_desc(
            ("object_owner", TEXT, False),
            ("database", TEXT),
            ("schema", TEXT),
            ("object_type", TEXT, False),
            ("grantee", TEXT, False),
            ("privilege_type", TEXT, False),
        ),
        "What ALTER DEFAULT PRIVILEGES has granted on objects that `object_owner` will create, anywhere where `schema` "
        "is NULL.",
    ),
    _relation(
        16714,
        "mz_show_my_database_privileges",
        relation_desc(
            ("grantor", TEXT, False), ("grantee", TEXT, False), ("name", TEXT, False), ("privilege_type", TEXT, False)
        ),
        "What the current role may do with databases; CONNECT is told as USAGE too.",
    ),
    _relation(
        16715,
        "mz_show_my_schema_privileges",
        relation_desc(
            ("grantor", TEXT, False),
            ("grantee", TEXT, False),
            ("database", TEXT, False),
            ("name", TEXT, False),
            ("privilege_type", TEXT, False),
        ),
        "What the current role may do with schemas.",
    ),
    _relation(
        16716,
        "mz_show_my_cluster_privileges",
        relation_desc(
            ("grantor", TEXT, False), ("grantee", TEXT, False), ("name", TEXT, False), ("privilege_type", TEXT, False)
        ),
        "What the current role may do with clusters.",
    ),
    _relation(
        16717,
        "mz_show_my_object_privileges",
        relation_desc(
            ("grantor", TEXT, False),
            ("grantee", TEXT, False),
            ("database", TEXT, False),
            ("schema", TEXT, False),
            ("name", TEXT, False),
            ("object_type", TEXT, False),
            ("privilege_type", TEXT, False),
        ),
        "What the current role may do with relations, types, connections, secrets and sinks.",
    ),
    _relation(
        16718,
        "mz_cluster_schedules",
        relation_desc(
            ("cluster_id", TEXT, False), ("type", TEXT, False), ("refresh_hydration_time_estimate", INTERVAL)
        ),
        "When each cluster runs: always, which is `manual`.",
    ),
    _relation(
        16730,
        "mz_internal_cluster_replicas",
        relation_desc(("id", TEXT, False)),
        "Always empty: each replica is one that users asked for.",
    ),
    _relation(
        16731,
        "mz_cluster_replica_status_history",
        relation_desc(
            ("replica_id", TEXT, False),
            ("process_id", INT8, False),
            ("status", TEXT, False),
            ("reason", TEXT),
            ("occurred_at", TIMESTAMPTZ, False),
        ),
        "The last hundred changes of each replica's status, since the server began. A replica is one process, with the "
        "number 0.",
    ),
    _relation(
        16695,
        "mz_comments",
        relation_desc(
            ("id", TEXT, False), ("object_type", TEXT, False), ("object_sub_id", INT4), ("comment", TEXT, False)
        ),
        "Each comment on an object, or on the column of it with the number `object_sub_id`.",
    ),
    _relation(
        16679,
        "mz_left_replication_slots",
        relation_desc(
            ("replication_slot", TEXT, False),
            ("source_id", TEXT, False),
            ("source_name", TEXT, False),
            ("attempts", INT8, False),
            ("error", TEXT),
        ),
        "Replication slots upstream that could not be dropped with their source, and are tried again.",
    ),
)
