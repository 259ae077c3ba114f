"""mz_catalog's relations: what exists, across all databases, keyed by GlobalId."""

from __future__ import annotations

from catalog.declared.relation import Declaration, RelationKind
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, INT8, JSONB, MZ_TIMESTAMP, OID, TEXT, TIMESTAMPTZ, UINT4, UINT8, array_of

_SCHEMA = "mz_catalog"
AUDIT_EVENTS_OID = 16711


def _relation(oid: int, name: str, desc: RelationDesc, description: str) -> Declaration:
    return Declaration(oid, _SCHEMA, name, RelationKind.VIEW, desc, description)


MZ_CATALOG = (
    _relation(
        16620,
        "mz_databases",
        relation_desc(("id", TEXT, False), ("oid", OID, False), ("name", TEXT, False), ("owner_id", TEXT, False)),
        "Each database, with its owner.",
    ),
    _relation(
        16621,
        "mz_schemas",
        relation_desc(
            ("id", TEXT, False), ("oid", OID, False), ("database_id", TEXT), ("name", TEXT, False), ("owner_id", TEXT)
        ),
        "Each schema, with its database; a schema without one is the system's.",
    ),
    _relation(
        16622,
        "mz_objects",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("type", TEXT, False),
            ("owner_id", TEXT, False),
        ),
        "Each object that has a name in a schema: tables, views, materialized views, indexes, sources, sinks, "
        "secrets, connections, types and functions.",
    ),
    _relation(
        16623,
        "mz_relations",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("type", TEXT, False),
            ("owner_id", TEXT, False),
        ),
        "Each object that can be read: tables, views, materialized views and sources.",
    ),
    _relation(
        16624,
        "mz_tables",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("owner_id", TEXT, False),
            ("create_sql", TEXT),
            ("retain_history_ms", INT8),
        ),
        "Each table. `retain_history_ms` is how far back it can be read; NULL means the default.",
    ),
    _relation(
        16625,
        "mz_views",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("owner_id", TEXT, False),
            ("create_sql", TEXT),
        ),
        "Each view that is computed when it is read.",
    ),
    _relation(
        16626,
        "mz_columns",
        relation_desc(
            ("id", TEXT, False),
            ("name", TEXT, False),
            ("position", INT8, False),
            ("nullable", BOOL, False),
            ("type", TEXT, False),
            ("default", TEXT),
            ("type_oid", OID, False),
            ("type_mod", INT8, False),
        ),
        "Each column of each relation, by the position from 1.",
    ),
    _relation(
        16627,
        "mz_roles",
        relation_desc(("id", TEXT, False), ("oid", OID, False), ("name", TEXT, False), ("inherit", BOOL, False)),
        "Each role.",
    ),
    _relation(
        16628,
        "mz_object_dependencies",
        relation_desc(("object_id", TEXT, False), ("referenced_object_id", TEXT, False)),
        "Which object refers to which: dropping `referenced_object_id` asks for CASCADE, and takes `object_id` along.",
    ),
    _relation(
        16629,
        "mz_materialized_views",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("cluster_id", TEXT, False),
            ("definition", TEXT, False),
            ("owner_id", TEXT, False),
            ("create_sql", TEXT, False),
            ("strict", BOOL, False),
            ("retain_history_ms", INT8),
            ("global_id", TEXT, False),
        ),
        "Each materialized view. `strict` says whether a row that fails stops the view; `global_id` names the "
        "collection that holds its rows now.",
    ),
    _relation(
        16630,
        "mz_indexes",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("name", TEXT, False),
            ("on_id", TEXT, False),
            ("cluster_id", TEXT, False),
            ("owner_id", TEXT, False),
            ("create_sql", TEXT, False),
            ("retain_history_ms", INT8),
            ("global_id", TEXT, False),
        ),
        "Each index, of which `on_id` is the relation; `global_id` names the arrangement that holds its rows now.",
    ),
    _relation(
        16631,
        "mz_index_columns",
        relation_desc(
            ("index_id", TEXT, False),
            ("index_position", INT8, False),
            ("on_position", INT8),
            ("on_expression", TEXT),
            ("nullable", BOOL, False),
        ),
        "Each key of each index, in order: a column's position, or the expression.",
    ),
    _relation(
        16632,
        "mz_clusters",
        relation_desc(
            ("id", TEXT, False),
            ("name", TEXT, False),
            ("owner_id", TEXT, False),
            ("managed", BOOL, False),
            ("size", TEXT),
            ("replication_factor", UINT4),
            ("disk", BOOL),
        ),
        "Each cluster.",
    ),
    _relation(
        16633,
        "mz_cluster_replicas",
        relation_desc(
            ("id", TEXT, False),
            ("name", TEXT, False),
            ("cluster_id", TEXT, False),
            ("size", TEXT),
            ("availability_zone", TEXT),
            ("owner_id", TEXT, False),
            ("disk", BOOL),
        ),
        "Each replica of each cluster.",
    ),
    _relation(
        16634,
        "mz_types",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("category", TEXT, False),
            ("owner_id", TEXT, False),
            ("create_sql", TEXT),
        ),
        "Each type.",
    ),
    _relation(
        16635,
        "mz_functions",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("argument_type_ids", array_of(TEXT), False),
            ("variadic_argument_type_id", TEXT),
            ("return_type_id", TEXT),
            ("returns_set", BOOL, False),
            ("owner_id", TEXT, False),
        ),
        "Each function, with the types of its arguments and of its result.",
    ),
    _relation(
        16636,
        "mz_sources",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("type", TEXT, False),
            ("connection_id", TEXT),
            ("size", TEXT),
            ("envelope_type", TEXT),
            ("key_format", TEXT),
            ("value_format", TEXT),
            ("cluster_id", TEXT),
            ("owner_id", TEXT, False),
            ("create_sql", TEXT),
        ),
        "Each source and each of its tables, with the kind of upstream, the envelope and the formats.",
    ),
    _relation(
        16637,
        "mz_sinks",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("type", TEXT, False),
            ("connection_id", TEXT),
            ("size", TEXT),
            ("envelope_type", TEXT),
            ("format", TEXT),
            ("key_format", TEXT),
            ("value_format", TEXT),
            ("cluster_id", TEXT),
            ("owner_id", TEXT, False),
            ("create_sql", TEXT),
        ),
        "Each sink, with the kind of destination, the envelope and the formats.",
    ),
    _relation(
        16641,
        "mz_secrets",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("owner_id", TEXT, False),
        ),
        "Each secret, without what it holds.",
    ),
    _relation(
        16642,
        "mz_connections",
        relation_desc(
            ("id", TEXT, False),
            ("oid", OID, False),
            ("schema_id", TEXT, False),
            ("name", TEXT, False),
            ("type", TEXT, False),
            ("owner_id", TEXT, False),
            ("create_sql", TEXT, False),
        ),
        "Each connection; `create_sql` names secrets, and never holds what is in them.",
    ),
    _relation(
        16646,
        "mz_kafka_sources",
        relation_desc(("id", TEXT, False), ("group_id", TEXT, False), ("topic", TEXT, False), ("topic_id", TEXT)),
        "The topic of each Kafka source, and the consumer group under which its offsets are committed.",
    ),
    _relation(
        16647,
        "mz_kafka_connections",
        relation_desc(("id", TEXT, False), ("brokers", array_of(TEXT), False)),
        "The brokers of each Kafka connection.",
    ),
    _relation(
        16648,
        "mz_postgres_sources",
        relation_desc(("id", TEXT, False), ("replication_slot", TEXT, False), ("timeline_id", INT8, False)),
        "The replication slot of each PostgreSQL source, and the timeline of the server that it follows.",
    ),
    _relation(
        16645,
        "mz_source_progresses",
        relation_desc(("id", TEXT, False), ("name", TEXT, False), ("source_id", TEXT, False)),
        "The progress relation of each source, which tells how far upstream has been read at each time.",
    ),
    _relation(
        16680,
        "mz_sink_progresses",
        relation_desc(("id", TEXT, False), ("name", TEXT, False), ("sink_id", TEXT, False)),
        "The progress relation of each sink, which tells up to which time the destination is written.",
    ),
    _relation(
        16640,
        "mz_read_holds",
        relation_desc(
            ("oid", OID, False),
            ("name", TEXT, False),
            ("owner_id", TEXT, False),
            ("object_id", TEXT, False),
            ("frontier", MZ_TIMESTAMP),
            ("expired", BOOL, False),
            ("lease_ms", INT8),
            ("expires_at", TIMESTAMPTZ),
            ("replaced", BOOL, False),
        ),
        "Each named read hold: the time from which `object_id` stays readable for its owner, and when the lease ends.",
    ),
    _relation(
        AUDIT_EVENTS_OID,
        "mz_audit_events",
        relation_desc(
            ("id", UINT8, False),
            ("event_type", TEXT, False),
            ("object_type", TEXT, False),
            ("details", JSONB, False),
            ("user", TEXT),
            ("occurred_at", TIMESTAMPTZ, False),
        ),
        "Each CREATE, ALTER, DROP, GRANT, REVOKE and COMMENT, in the order in which they were committed: what it was "
        "about, and who asked for it (NULL: the server itself). The newest 20,000 are kept, and none of temporary "
        "relations.",
    ),
)
