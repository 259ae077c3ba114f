"""mz_catalog: what exists, across all databases, keyed by GlobalId; user objects only."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.builtin.relation import BuiltinRelation, RelationKind, Rows
from catalog.builtin.schemas import SYSTEM_SCHEMAS
from catalog.builtin.snapshot import SystemSnapshot
from catalog.items import Item, Table, View
from model.datum import Row
from model.relation_desc import RelationDesc, relation_desc
from model.scalar_type import BOOL, INT8, OID, TEXT, type_oid, type_text

_SCHEMA = "mz_catalog"


def _databases(snapshot: SystemSnapshot) -> Iterable[Row]:
    for database in snapshot.state.databases.values():
        yield str(database.oid), database.oid, database.name, str(database.owner)


def _schemas(snapshot: SystemSnapshot) -> Iterable[Row]:
    for schema in SYSTEM_SCHEMAS:
        yield str(schema.oid), schema.oid, None, schema.name, None
    for own in snapshot.state.schemas.values():
        yield str(own.oid), own.oid, str(own.database), own.name, str(own.owner)


def _items(snapshot: SystemSnapshot) -> list[Item]:
    return sorted(snapshot.state.items.values(), key=lambda item: item.oid)


def _objects(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items(snapshot):
        yield str(item.id), item.oid, str(item.schema), item.name, item.kind.value, str(item.owner)


def _tables(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items(snapshot):
        if isinstance(item.definition, Table):
            sql, retained = item.definition.create_sql, item.definition.retain_history_ms
            yield str(item.id), item.oid, str(item.schema), item.name, str(item.owner), sql, retained


def _views(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items(snapshot):
        if isinstance(item.definition, View):
            yield (
                str(item.id),
                item.oid,
                str(item.schema),
                item.name,
                str(item.owner),
                item.definition.create_sql,
            )


def _columns(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items(snapshot):
        defaults: tuple[str | None, ...] = (None,) * item.desc.arity
        if isinstance(item.definition, Table):
            defaults = item.definition.defaults
        for position, (column, default) in enumerate(zip(item.desc.columns, defaults, strict=True), 1):
            type_ = column.type
            yield (
                str(item.id),
                column.name,
                position,
                column.nullable,
                type_text(type_),
                default,
                type_oid(type_),
                type_.modifier,
            )


def _roles(snapshot: SystemSnapshot) -> Iterable[Row]:
    for role in snapshot.state.roles.values():
        yield str(role.oid), role.oid, role.name, role.inherit


def _object_dependencies(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _items(snapshot):
        for id in sorted(item.depends_on):
            yield str(item.id), str(id)


def _relation(oid: int, name: str, desc: RelationDesc, rows: Rows) -> BuiltinRelation:
    return BuiltinRelation(oid, _SCHEMA, name, RelationKind.VIEW, desc, rows)


MZ_CATALOG = (
    _relation(
        16620,
        "mz_databases",
        relation_desc(("id", TEXT, False), ("oid", OID, False), ("name", TEXT, False), ("owner_id", TEXT, False)),
        _databases,
    ),
    _relation(
        16621,
        "mz_schemas",
        relation_desc(
            ("id", TEXT, False), ("oid", OID, False), ("database_id", TEXT), ("name", TEXT, False), ("owner_id", TEXT)
        ),
        _schemas,
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
        _objects,
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
        _objects,
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
            ("create_sql", TEXT, False),
            ("retain_history_ms", INT8),
        ),
        _tables,
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
            ("create_sql", TEXT, False),
        ),
        _views,
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
        _columns,
    ),
    _relation(
        16627,
        "mz_roles",
        relation_desc(("id", TEXT, False), ("oid", OID, False), ("name", TEXT, False), ("inherit", BOOL, False)),
        _roles,
    ),
    _relation(
        16628,
        "mz_object_dependencies",
        relation_desc(("object_id", TEXT, False), ("referenced_object_id", TEXT, False)),
        _object_dependencies,
    ),
)
