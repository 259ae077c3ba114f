"""The relations of pg_catalog that have contents; all others exist with their columns, and are empty."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.builtin.pg_catalog import (
    activity,
    cluster,
    code,
    constraints,
    indexes,
    lists,
    relations,
    sequences,
    types,
)
from catalog.declared.relation import Rows

PG_CATALOG_ROWS: Mapping[str, Rows] = {
    "pg_am": code.pg_am,
    "pg_attrdef": relations.pg_attrdef,
    "pg_attribute": relations.pg_attribute,
    "pg_authid": cluster.pg_authid,
    "pg_cast": code.pg_cast,
    "pg_class": relations.pg_class,
    "pg_collation": code.pg_collation,
    "pg_constraint": constraints.pg_constraint,
    "pg_cursors": activity.pg_cursors,
    "pg_locks": activity.pg_locks,
    "pg_database": cluster.pg_database,
    "pg_depend": relations.pg_depend,
    "pg_description": lists.pg_description,
    "pg_enum": types.pg_enum,
    "pg_index": indexes.pg_index,
    "pg_indexes": lists.pg_indexes,
    "pg_language": code.pg_language,
    "pg_matviews": lists.pg_matviews,
    "pg_namespace": cluster.pg_namespace,
    "pg_opclass": code.pg_opclass,
    "pg_operator": code.pg_operator,
    "pg_opfamily": code.pg_opfamily,
    "pg_prepared_statements": activity.pg_prepared_statements,
    "pg_proc": code.pg_proc,
    "pg_range": types.pg_range,
    "pg_rewrite": relations.pg_rewrite,
    "pg_roles": cluster.pg_roles,
    "pg_sequence": sequences.pg_sequence,
    "pg_sequences": sequences.pg_sequences,
    "pg_settings": cluster.pg_settings,
    "pg_stat_activity": activity.pg_stat_activity,
    "pg_stat_ssl": activity.pg_stat_ssl,
    "pg_tables": lists.pg_tables,
    "pg_tablespace": cluster.pg_tablespace,
    "pg_timezone_names": activity.pg_timezone_names,
    "pg_type": types.pg_type,
    "pg_user": cluster.pg_user,
    "pg_views": lists.pg_views,
}
