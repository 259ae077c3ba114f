"""The contents of mz_catalog; the system's own relations are in it, with ids that begin with `s`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.builtin.listing import declarations
from catalog.builtin.relation import RelationKind, Rows
from catalog.builtin.schemas import SYSTEM_SCHEMAS
from catalog.builtin.snapshot import SystemSnapshot
from catalog.definitions import create_sql
from catalog.items import SUPERUSER_OID, Item, Table
from model.datum import Row
from model.global_id import GlobalId
from model.relation_desc import RelationDesc
from model.scalar_type import type_oid, type_text


def _databases(snapshot: SystemSnapshot) -> Iterable[Row]:
    for database in snapshot.state.databases.values():
        yield str(database.oid), database.oid, database.name, str(database.owner)


def _schemas(snapshot: SystemSnapshot) -> Iterable[Row]:
    for schema in SYSTEM_SCHEMAS:
        yield str(schema.oid), schema.oid, None, schema.name, None
    for own in snapshot.state.schemas.values():
        yield str(own.oid), own.oid, str(own.database), own.name, str(own.owner)


@dataclass(frozen=True, slots=True)
class _Relation:
    """A user's or the system's; `item` is None for the system's."""

    id: str
    oid: int
    schema: int
    name: str
    table: bool
    owner: int
    desc: RelationDesc
    item: Item | None

    @property
    def kind(self) -> str:
        return "table" if self.table else "view"


def _relations(snapshot: SystemSnapshot) -> Iterator[_Relation]:
    """By oid."""
    schemas = {schema.name: schema.oid for schema in SYSTEM_SCHEMAS}
    for r in declarations():
        table = r.kind is RelationKind.TABLE
        yield _Relation(
            str(GlobalId.system(r.oid)), r.oid, schemas[r.schema], r.name, table, SUPERUSER_OID, r.desc, None
        )
    for i in sorted(snapshot.state.items.values(), key=lambda item: item.oid):
        table = isinstance(i.definition, Table)
        yield _Relation(str(i.id), i.oid, i.schema, i.name, table, i.owner, i.desc, i)


def _objects(snapshot: SystemSnapshot) -> Iterable[Row]:
    for relation in _relations(snapshot):
        schema, owner = str(relation.schema), str(relation.owner)
        yield relation.id, relation.oid, schema, relation.name, relation.kind, owner


def _tables(snapshot: SystemSnapshot) -> Iterable[Row]:
    for relation in _relations(snapshot):
        if relation.table:
            schema, owner, item = str(relation.schema), str(relation.owner), relation.item
            sql = None if item is None else create_sql(snapshot.state, item)
            definition = None if item is None else item.definition
            retained = definition.retain_history_ms if isinstance(definition, Table) else None
            yield relation.id, relation.oid, schema, relation.name, owner, sql, retained


def _views(snapshot: SystemSnapshot) -> Iterable[Row]:
    for relation in _relations(snapshot):
        if not relation.table:
            schema, owner, item = str(relation.schema), str(relation.owner), relation.item
            sql = None if item is None else create_sql(snapshot.state, item)
            yield relation.id, relation.oid, schema, relation.name, owner, sql


def _columns(snapshot: SystemSnapshot) -> Iterable[Row]:
    for relation in _relations(snapshot):
        defaults: tuple[str | None, ...] = (None,) * relation.desc.arity
        if relation.item is not None and isinstance(relation.item.definition, Table):
            defaults = relation.item.definition.defaults
        for position, (column, default) in enumerate(zip(relation.desc.columns, defaults, strict=True), 1):
            type_, text = column.type, type_text(column.type)
            nullable = column.nullable or not relation.table
            yield relation.id, column.name, position, nullable, text, default, type_oid(type_), type_.modifier


def _roles(snapshot: SystemSnapshot) -> Iterable[Row]:
    for role in snapshot.state.roles.values():
        yield str(role.oid), role.oid, role.name, role.inherit


def _object_dependencies(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in sorted(snapshot.state.items.values(), key=lambda item: item.oid):
        for id in sorted(item.depends_on):
            yield str(item.id), str(id)


MZ_CATALOG_ROWS: Mapping[str, Rows] = {
    "mz_columns": _columns,
    "mz_databases": _databases,
    "mz_object_dependencies": _object_dependencies,
    "mz_objects": _objects,
    "mz_relations": _objects,
    "mz_roles": _roles,
    "mz_schemas": _schemas,
    "mz_tables": _tables,
    "mz_views": _views,
}
