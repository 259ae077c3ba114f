"""pg_tables, pg_views, pg_matviews, pg_indexes: relations by name, for people; large objects; and pg_description."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.builtin.pg_catalog.own_items import own_items
from catalog.builtin.shape import shape
from catalog.declared.listing import declarations
from catalog.declared.relation import RelationKind
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.comments import catalog_of
from catalog.facts.index_definitions import index_sql
from catalog.facts.roles.shown_acls import role_name, shown_items
from catalog.facts.shown import shown
from catalog.nouns.acl import acl_kept
from catalog.nouns.items import SUPERUSER_OID, Index, MaterializedView, Table, View
from catalog.sql.definitions import view_query
from model.types.datum import Row

_LARGE_OBJECTS_OID = 2613
_CATALOG_OIDS = {
    "pg_class": 1259,
    "pg_type": 1247,
    "pg_proc": 1255,
    "pg_namespace": 2615,
    "pg_constraint": 2606,
    "pg_policy": 3256,
    "mz_secrets": 16641,
    "mz_connections": 16642,
    "mz_sinks": 16637,
    "mz_clusters": 16632,
}


def pg_tables(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_tables")
    for relation in declarations():
        if relation.kind is RelationKind.TABLE:
            yield make(
                schemaname=relation.schema,
                tablename=relation.name,
                tableowner=role_name(snapshot.state, SUPERUSER_OID),
                hasindexes=False,
                hasrules=False,
                hastriggers=False,
                rowsecurity=False,
            )
    for item in own_items(snapshot):
        if isinstance(item.definition, Table):
            yield make(
                schemaname=snapshot.state.schemas[item.schema].name,
                tablename=item.name,
                tableowner=role_name(snapshot.state, item.owner),
                hasindexes=bool(snapshot.state.indexes_on(item.id)),
                hasrules=False,
                hastriggers=False,
                rowsecurity=item.definition.row_security.enabled,
            )


def pg_views(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_views")
    for relation in declarations():
        if relation.kind is RelationKind.VIEW:
            yield make(
                schemaname=relation.schema, viewname=relation.name, viewowner=role_name(snapshot.state, SUPERUSER_OID)
            )
    for item in own_items(snapshot):
        if isinstance(item.definition, View):
            yield make(
                schemaname=snapshot.state.schemas[item.schema].name,
                viewname=item.name,
                viewowner=role_name(snapshot.state, item.owner),
                definition=shown(view_query, snapshot.state, item.definition),
            )


def pg_matviews(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_matviews")
    for item in own_items(snapshot):
        if isinstance(item.definition, MaterializedView):
            yield make(
                schemaname=snapshot.state.schemas[item.schema].name,
                matviewname=item.name,
                matviewowner=role_name(snapshot.state, item.owner),
                hasindexes=bool(snapshot.state.indexes_on(item.id)),
                ispopulated=True,
                definition=shown(view_query, snapshot.state, item.definition),
            )


def pg_indexes(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_indexes")
    for item in own_items(snapshot):
        if isinstance(item.definition, Index):
            yield make(
                schemaname=snapshot.state.schemas[item.schema].name,
                tablename=snapshot.state.items[item.definition.on.id].name,
                indexname=item.name,
                indexdef=shown(index_sql, snapshot.state, item, item.definition),
            )


def pg_description(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists the users' comments, without PostgreSQL's on its own objects."""
    make, state = shape("pg_description"), snapshot.state
    for (oid, column), text in state.comments.items():
        yield make(objoid=oid, classoid=_CATALOG_OIDS[catalog_of(state, oid)], objsubid=column, description=text)
    for object_ in snapshot.reader.large_objects:
        if object_.comment is not None:
            yield make(objoid=object_.oid, classoid=_LARGE_OBJECTS_OID, objsubid=0, description=object_.comment)


def pg_largeobject_metadata(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_largeobject_metadata")
    for object_ in snapshot.reader.large_objects:
        acl = None if object_.acl is None else shown_items(snapshot.state, acl_kept(object_.acl))
        yield make(oid=object_.oid, lomowner=object_.owner, lomacl=acl)
