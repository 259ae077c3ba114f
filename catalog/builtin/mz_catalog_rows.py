"""The contents of mz_catalog, which include the system relations themselves, with ids that begin with `s`."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.builtin.mz_catalog_system import MZ_CATALOG_SYSTEM_ROWS
from catalog.builtin.sink_rows import SINK_ROWS
from catalog.builtin.source_rows import UPSTREAM_ROWS
from catalog.declared.listing import declarations
from catalog.declared.relation import RelationKind, Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.defaults import is_generated, shown_default
from catalog.facts.index_definitions import index_key_sql
from catalog.facts.roles.securables import schema_securable
from catalog.facts.roles.shown_acls import shown_items
from catalog.facts.shown import shown
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import SUPERUSER_OID, Index, Item, MaterializedView, Table, numbered_columns
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS
from catalog.nouns.webhooks import WebhookSource
from catalog.sql.definitions import create_sql, view_query
from model.external.generators import UpstreamTable
from model.external.records import RecordEncoding, format_name
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import declared_modifier, type_oid, type_text


def _databases(snapshot: SystemSnapshot) -> Iterable[Row]:
    for database in snapshot.state.databases.values():
        yield str(database.oid), database.oid, database.name, str(database.owner)


def _schemas(snapshot: SystemSnapshot) -> Iterable[Row]:
    for schema in SYSTEM_SCHEMAS:
        yield str(schema.oid), schema.oid, None, schema.name, None, _privileges(snapshot, schema.oid)
    for own in snapshot.state.schemas.values():
        privileges = _privileges(snapshot, own.oid)
        yield str(own.oid), own.oid, str(own.database), own.name, str(own.owner), privileges


def _privileges(snapshot: SystemSnapshot, schema: int) -> tuple[str, ...]:
    """Returns a schema's list, also where nobody has granted or revoked anything."""
    found = schema_securable(snapshot.state, schema)
    return () if found is None else shown_items(snapshot.state, found.acl)


@dataclass(frozen=True, slots=True)
class ShownObject:
    """A user's or the system's; `item` is None for the system's. `kind` as mz_objects.type has it."""

    id: str
    oid: int
    schema: int
    name: str
    kind: str
    owner: int
    desc: RelationDesc
    item: Item | None


def objects_of(snapshot: SystemSnapshot, *kinds: str) -> Iterator[ShownObject]:
    """Yields the objects of these kinds (of all kinds when none is named), by oid."""
    schemas = {schema.name: schema.oid for schema in SYSTEM_SCHEMAS}
    for r in declarations():
        kind = "table" if r.kind is RelationKind.TABLE else "view"
        if kind in kinds or not kinds:
            id_ = str(GlobalId.system(r.oid))
            yield ShownObject(id_, r.oid, schemas[r.schema], r.name, kind, SUPERUSER_OID, r.desc, None)
    for i in sorted(snapshot.state.items.values(), key=lambda item: item.oid):
        kind = i.object_type
        if kind in kinds or not kinds:
            yield ShownObject(str(i.id), i.oid, i.schema, i.name, kind, i.owner, i.desc, i)


_RELATIONS = ("table", "source", "source_progress", "sink_progress", "view", "materialized-view")


def _objects(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in objects_of(snapshot):
        yield each.id, each.oid, str(each.schema), each.name, each.kind, str(each.owner)


def _relations(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in objects_of(snapshot, *_RELATIONS):
        yield each.id, each.oid, str(each.schema), each.name, each.kind, str(each.owner)


def _tables(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in objects_of(snapshot, "table"):
        schema, owner, item = str(each.schema), str(each.owner), each.item
        sql = None if item is None else shown(create_sql, snapshot.state, item)
        retained = None if item is None else item.retain_history_ms
        yield each.id, each.oid, schema, each.name, owner, sql, retained


def _views(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in objects_of(snapshot, "view"):
        schema, owner, item = str(each.schema), str(each.owner), each.item
        sql = None if item is None else shown(create_sql, snapshot.state, item)
        yield each.id, each.oid, schema, each.name, owner, sql


def _sources(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items_of(snapshot):
        source = item.definition
        if isinstance(source, Source):
            uses = None if source.connection is None else str(source.connection)
            place = str(item.id), item.oid, str(item.schema), item.name, source.kind, uses, None
            told = _envelope_and_formats(source.encoding)
            yield *place, *told, str(source.cluster), str(item.owner), shown(create_sql, snapshot.state, item)
        elif isinstance(source, SourceTable):
            place = str(item.id), item.oid, str(item.schema), item.name, "subsource", None, None
            told = _envelope_and_formats(source.encoding)
            cluster = str(snapshot.state.cluster_of_source(source))
            yield *place, *told, cluster, str(item.owner), shown(create_sql, snapshot.state, item)
        elif isinstance(source, WebhookSource):
            named, formats = (str(item.id), item.oid, str(item.schema), item.name), (None, source.format.body.value)
            owned = None, str(item.owner), shown(create_sql, snapshot.state, item)
            yield *named, "webhook", None, None, None, *formats, *owned


def _envelope_and_formats(encoding: RecordEncoding | UpstreamTable) -> tuple[str | None, str | None, str | None]:
    """Returns the envelope, and the formats of keys and values; rows of tables have none."""
    if isinstance(encoding, UpstreamTable):
        return None, None, None
    key, value = encoding.key, encoding.value
    return encoding.envelope.value, None if key is None else format_name(key), format_name(value)


def _source_progresses(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items_of(snapshot):
        if isinstance(item.definition, SourceProgress):
            yield str(item.id), item.name, str(item.definition.source_id)


def _items_of(snapshot: SystemSnapshot) -> Iterator[Item]:
    return iter(sorted(snapshot.state.items.values(), key=lambda item: item.oid))


def _materialized_views(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items_of(snapshot):
        view = item.definition
        if isinstance(view, MaterializedView):
            query, sql = shown(view_query, snapshot.state, view), shown(create_sql, snapshot.state, item)
            place = str(item.id), item.oid, str(item.schema), item.name, str(view.cluster), query, str(item.owner), sql
            yield *place, view.strict, view.retain_history_ms, str(view.collection)


def _indexes(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items_of(snapshot):
        index = item.definition
        if isinstance(index, Index):
            sql = shown(create_sql, snapshot.state, item)
            place = str(item.id), item.oid, item.name, str(index.on.id), str(index.cluster), str(item.owner), sql
            yield *place, index.retain_history_ms, str(index.collection)


def _index_columns(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items_of(snapshot):
        index = item.definition
        if isinstance(index, Index):
            on = snapshot.state.items[index.on.id]
            for position, key in enumerate(index.keys):
                id_ = str(item.id)
                if key.column is None:
                    expression = shown(index_key_sql, snapshot.state, index, position, True)
                    yield id_, position + 1, None, expression, True
                else:
                    (number,) = on.column_numbers((key.column,))
                    yield id_, position + 1, number, None, on.desc.columns[key.column].nullable


def _secrets(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists the secrets, without their values."""
    for item in _items_of(snapshot):
        if isinstance(item.definition, Secret):
            yield str(item.id), item.oid, str(item.schema), item.name, str(item.owner)


def _connections(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items_of(snapshot):
        if isinstance(item.definition, Connection):
            kind = item.definition.of.lower().replace(" ", "-")
            place = str(item.id), item.oid, str(item.schema), item.name, kind, str(item.owner)
            yield *place, shown(create_sql, snapshot.state, item)


def _columns(snapshot: SystemSnapshot) -> Iterable[Row]:
    for relation in objects_of(snapshot, *_RELATIONS):
        defaults: tuple[str | None, ...] = (None,) * relation.desc.arity
        if relation.item is not None and isinstance(relation.item.definition, Table):
            defaults = relation.item.definition.defaults
        item = relation.item
        for number, at, column in numbered_columns(relation.desc) if item is None else item.numbered_columns:
            default, type_, text = defaults[at], column.type, type_text(column.type)
            nullable = column.nullable or relation.kind != "table"
            if item is not None and is_generated(item, at):
                default = None
            said = None if default is None else shown(shown_default, snapshot.state, default, ())
            yield relation.id, column.name, number, nullable, text, said, type_oid(type_), declared_modifier(type_)


def _roles(snapshot: SystemSnapshot) -> Iterable[Row]:
    for role in snapshot.state.roles.values():
        yield str(role.oid), role.oid, role.name, role.inherit


def _object_dependencies(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in sorted(snapshot.state.items.values(), key=lambda item: item.oid):
        for id in sorted(item.depends_on):
            yield str(item.id), str(id)


def _read_holds(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists a row per hold and object; the frontier is NULL when the hold has expired, or the object was replaced."""
    for hold in sorted(snapshot.state.read_holds.values(), key=lambda hold: hold.oid):
        capabilities = dict(hold.capabilities)
        for object in hold.objects:
            held = [snapshot.held.get(capabilities[id]) for id in object.inputs]
            frontier, expires_at, expired = EMPTY, None, None in held
            for each in held:
                if each is not None and not expired:
                    frontier, expires_at = frontier.meet(each.frontier), each.expires_at
            owner, lease_ms = str(hold.owner), hold.lease_ms
            named = hold.oid, hold.name, owner, str(object.id)
            yield *named, frontier.time, expired, lease_ms, expires_at, object.replaced


def _audit_events(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in snapshot.audited:
        occurred_at = datetime.datetime.fromtimestamp(each.time / 1000, datetime.UTC)
        yield each.number, each.event, each.object_type, each.details, each.user, occurred_at


MZ_CATALOG_ROWS: Mapping[str, Rows] = {
    **MZ_CATALOG_SYSTEM_ROWS,
    "mz_audit_events": _audit_events,
    "mz_columns": _columns,
    **UPSTREAM_ROWS,
    **SINK_ROWS,
    "mz_connections": _connections,
    "mz_databases": _databases,
    "mz_index_columns": _index_columns,
    "mz_indexes": _indexes,
    "mz_materialized_views": _materialized_views,
    "mz_object_dependencies": _object_dependencies,
    "mz_objects": _objects,
    "mz_read_holds": _read_holds,
    "mz_relations": _relations,
    "mz_roles": _roles,
    "mz_schemas": _schemas,
    "mz_secrets": _secrets,
    "mz_source_progresses": _source_progresses,
    "mz_sources": _sources,
    "mz_tables": _tables,
    "mz_views": _views,
}
