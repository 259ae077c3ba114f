"""The relations of pg_catalog that have contents; all others exist with their columns, and are empty."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.builtin.pg_catalog import (
    activity,
    cluster,
    code,
    constraints,
    extensions,
    indexes,
    lists,
    policies,
    relations,
    roles,
    sequences,
    types,
)
from catalog.builtin.statement_rows import STATISTICS_ROWS
from catalog.declared.relation import Rows

_TEXT_SEARCH = ("pg_ts_config", "pg_ts_config_map", "pg_ts_dict", "pg_ts_parser", "pg_ts_template")

PG_CATALOG_ROWS: Mapping[str, Rows] = {
    **STATISTICS_ROWS,
    "pg_am": code.pg_am,
    "pg_attrdef": relations.pg_attrdef,
    "pg_attribute": relations.pg_attribute,
    "pg_auth_members": roles.pg_auth_members,
    "pg_authid": roles.pg_authid,
    "pg_cast": code.pg_cast,
    "pg_class": relations.pg_class,
    "pg_policies": policies.pg_policies,
    "pg_policy": policies.pg_policy,
    "pg_collation": code.pg_collation,
    "pg_constraint": constraints.pg_constraint,
    "pg_cursors": activity.pg_cursors,
    "pg_largeobject_metadata": lists.pg_largeobject_metadata,
    "pg_locks": activity.pg_locks,
    "pg_database": cluster.pg_database,
    "pg_db_role_setting": roles.pg_db_role_setting,
    "pg_default_acl": roles.pg_default_acl,
    "pg_depend": relations.pg_depend,
    "pg_description": lists.pg_description,
    "pg_enum": types.pg_enum,
    "pg_extension": extensions.pg_extension,
    "pg_group": roles.pg_group,
    "pg_hba_file_rules": activity.pg_hba_file_rules,
    "pg_index": indexes.pg_index,
    "pg_indexes": lists.pg_indexes,
    "pg_init_privs": cluster.pg_init_privs,
    "pg_language": code.pg_language,
    "pg_matviews": lists.pg_matviews,
    "pg_namespace": cluster.pg_namespace,
    "pg_opclass": code.pg_opclass,
    "pg_operator": code.pg_operator,
    "pg_opfamily": code.pg_opfamily,
    "pg_prepared_statements": activity.pg_prepared_statements,
    "pg_prepared_xacts": activity.pg_prepared_xacts,
    "pg_proc": code.pg_proc,
    "pg_range": types.pg_range,
    "pg_rewrite": relations.pg_rewrite,
    "pg_roles": roles.pg_roles,
    "pg_sequence": sequences.pg_sequence,
    "pg_sequences": sequences.pg_sequences,
    "pg_settings": cluster.pg_settings,
    "pg_stat_activity": activity.pg_stat_activity,
    "pg_stat_ssl": activity.pg_stat_ssl,
    "pg_tables": lists.pg_tables,
    "pg_tablespace": cluster.pg_tablespace,
    "pg_timezone_names": activity.pg_timezone_names,
    **{relation: code.text_search_rows(relation) for relation in _TEXT_SEARCH},
    "pg_type": types.pg_type,
    "pg_shadow": roles.pg_shadow,
    "pg_user": roles.pg_user,
    "pg_views": lists.pg_views,
}
