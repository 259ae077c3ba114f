"""Contents of mz_internal's relations about objects of all kinds: full names, beginnings, comments, direct and
indirect dependencies, and default privileges."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping

from catalog.builtin.mz_catalog_rows import objects_of
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.roles.predefined import predefined_roles
from catalog.nouns.items import Index, MaterializedView, cluster_of
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import Source
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS
from model.ids.global_id import GlobalId
from model.types.datum import Row
from planner.privileges import NAMES, PUBLIC

_ON_CLUSTER = Index | MaterializedView | Source | Sink
_CREATED = "create"


def _full_names(snapshot: SystemSnapshot) -> Iterable[Row]:
    state, system = snapshot.state, {schema.oid: schema.name for schema in SYSTEM_SCHEMAS}
    for each in objects_of(snapshot):
        named = each.id, each.name, each.kind, str(each.schema)
        on_cluster = each.item is not None and isinstance(each.item.definition, _ON_CLUSTER)
        cluster = str(cluster_of(each.item.definition)) if each.item is not None and on_cluster else None
        if each.schema in system:
            yield *named, system[each.schema], None, None, cluster
        else:
            schema = state.schemas[each.schema]
            yield *named, schema.name, str(schema.database), state.databases[schema.database].name, cluster


def _lifetimes(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists the beginnings of present objects: the catalog forgets dropped ones."""
    for each in objects_of(snapshot):
        if each.item is not None:
            created_at = datetime.datetime.fromtimestamp(each.item.created_ms / 1000, datetime.UTC)
            yield each.id, None, each.kind, _CREATED, created_at


def _transitive_dependencies(snapshot: SystemSnapshot) -> Iterable[Row]:
    items = snapshot.state.items
    for id_ in sorted(items):
        found: set[GlobalId] = set()
        pending = list(items[id_].depends_on)
        while pending:
            each = pending.pop()
            if each not in found:
                found.add(each)
                pending.extend(items[each].depends_on if each in items else ())
        for each in sorted(found):
            yield str(id_), str(each)


def _comments(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists comments on objects with an id; object_sub_id is a column's number, NULL for the whole object."""
    kinds = {each.oid: (each.id, each.kind) for each in objects_of(snapshot)}
    kinds |= {oid: (cluster.id, "cluster") for oid, cluster in snapshot.state.clusters.items()}
    for (oid, column), text in sorted(snapshot.state.comments.items()):
        if oid in kinds:
            yield *kinds[oid], column or None, text


def _default_privileges(snapshot: SystemSnapshot) -> Iterable[Row]:
    state = snapshot.state
    names = {role.oid: role.name for role in (*predefined_roles().values(), *state.roles.values())} | {PUBLIC: "PUBLIC"}
    for (owner, oid, kind), acl in sorted(state.default_acls.items()):
        schema = state.schemas[oid] if oid else None
        place = (state.databases[schema.database].name, schema.name) if schema is not None else (None, None)
        for item in acl:
            for letter in item.rights:
                yield names[owner], *place, kind, names[item.grantee], NAMES[letter]


OBJECT_ROWS: Mapping[str, Rows] = {
    "mz_comments": _comments,
    "mz_object_fully_qualified_names": _full_names,
    "mz_object_lifetimes": _lifetimes,
    "mz_object_transitive_dependencies": _transitive_dependencies,
    "mz_show_default_privileges": _default_privileges,
}
