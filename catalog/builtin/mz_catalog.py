"""mz_catalog's relations: what exists, across all databases, keyed by GlobalId."""

from __future__ import annotations

from catalog.builtin.relation import Declaration, RelationKind
from model.relation_desc import RelationDesc, relation_desc
from model.scalar_type import BOOL, INT8, MZ_TIMESTAMP, OID, TEXT, TIMESTAMPTZ, UINT4, array_of

_SCHEMA = "mz_catalog"


def _relation(oid: int, name: str, desc: RelationDesc) -> Declaration:
    return Declaration(oid, _SCHEMA, name, RelationKind.VIEW, desc)


MZ_CATALOG = (
    _relation(
        16620,
        "mz_databases",
        relation_desc(("id", TEXT, False), ("oid", OID, False), ("name", TEXT, False), ("owner_id", TEXT, False)),
    ),
    _relation(
        16621,
        "mz_schemas",
        relation_desc(
            ("id", TEXT, False), ("oid", OID, False), ("database_id", TEXT), ("name", TEXT, False), ("owner_id", TEXT)
        ),
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
    ),
    _relation(
        16627,
        "mz_roles",
        relation_desc(("id", TEXT, False), ("oid", OID, False), ("name", TEXT, False), ("inherit", BOOL, False)),
    ),
    _relation(
        16628,
        "mz_object_dependencies",
        relation_desc(("object_id", TEXT, False), ("referenced_object_id", TEXT, False)),
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
    ),
    _relation(
        16646,
        "mz_kafka_sources",
        relation_desc(("id", TEXT, False), ("group_id", TEXT, False), ("topic", TEXT, False), ("topic_id", TEXT)),
    ),
    _relation(
        16647,
        "mz_kafka_connections",
        relation_desc(("id", TEXT, False), ("brokers", array_of(TEXT), False)),
    ),
    _relation(
        16648,
        "mz_postgres_sources",
        relation_desc(("id", TEXT, False), ("replication_slot", TEXT, False), ("timeline_id", INT8, False)),
    ),
    _relation(
        16645,
        "mz_source_progresses",
        relation_desc(("id", TEXT, False), ("name", TEXT, False), ("source_id", TEXT, False)),
    ),
    _relation(
        16680,
        "mz_sink_progresses",
        relation_desc(("id", TEXT, False), ("name", TEXT, False), ("sink_id", TEXT, False)),
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
    ),
)
