"""information_schema: the reader's database in the SQL standard's words, as PostgreSQL says them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.builtin.information_constraints import CONSTRAINT_ROWS, standard_items
from catalog.builtin.listing import declarations
from catalog.builtin.pg_catalog.cluster import roles
from catalog.builtin.pg_catalog.own_items import own_items
from catalog.builtin.pg_catalog.sequences import identity_columns, identity_of, sequence_of
from catalog.builtin.pg_catalog.types import type_names, users_types
from catalog.builtin.relation import RelationKind, Rows
from catalog.builtin.schemas import SYSTEM_SCHEMAS
from catalog.builtin.shape import shape
from catalog.builtin.snapshot import SystemSnapshot
from catalog.defaults import shown_default
from catalog.items import Domain, Index, Item, SequenceDefinition, Table, View, numbered_columns
from catalog.sql.definitions import view_query
from catalog.sql.shown import shown
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import (
    ScalarType,
    TypeName,
    length_limit,
    precision_and_scale,
    type_oid,
    type_text,
    users_array_oid,
    users_type,
)
from planner.sequence_rules import Identity
from planner.temporary_schema import is_temporary

_SYSTEM_OWNER = "headwater"
_TEXT_OCTETS_MAX = 1 << 30
_OCTETS_PER_CHARACTER = 4
_TIME_DIGITS = 6
_BINARY_PRECISION = {
    TypeName.INT2: (16, 0),
    TypeName.INT4: (32, 0),
    TypeName.INT8: (64, 0),
    TypeName.UINT2: (16, 0),
    TypeName.UINT4: (32, 0),
    TypeName.UINT8: (64, 0),
    TypeName.FLOAT4: (24, None),
    TypeName.FLOAT8: (53, None),
}
_TIMES = frozenset((TypeName.TIME, TypeName.TIMETZ, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ, TypeName.INTERVAL))
_TABLE_PRIVILEGES = ("INSERT", "SELECT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")


@dataclass(frozen=True, slots=True)
class _Relation:
    """A relation of the reader's database or of the system."""

    schema: str
    name: str
    table: bool
    desc: RelationDesc
    item: Item | None


def _relations(snapshot: SystemSnapshot) -> Iterator[_Relation]:
    for relation in declarations():
        yield _Relation(relation.schema, relation.name, relation.kind is RelationKind.TABLE, relation.desc, None)
    for item in standard_items(snapshot):
        schema = snapshot.state.schemas[item.schema].name
        yield _Relation(schema, item.name, isinstance(item.definition, Table), item.desc, item)


def _yes(value: bool) -> str:
    return "YES" if value else "NO"


def _tables(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("tables")
    for relation in _relations(snapshot):
        yield make(
            table_catalog=snapshot.database,
            table_schema=relation.schema,
            table_name=relation.name,
            table_type=_table_type(relation),
            is_insertable_into=_yes(relation.table),
            is_typed="NO",
        )


def _table_type(relation: _Relation) -> str:
    if is_temporary(relation.schema):
        return "LOCAL TEMPORARY"
    return "BASE TABLE" if relation.table else "VIEW"


def _columns(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("columns")
    users = _users_type_names(snapshot)
    identities = identity_columns(snapshot)
    for relation in _relations(snapshot):
        item = relation.item
        defaults: tuple[str | None, ...] = ()
        if item is not None and isinstance(item.definition, Table):
            defaults = item.definition.defaults
        for number, at, column in numbered_columns(relation.desc) if item is None else item.numbered_columns:
            sequence = None if item is None else identities.get((item.id, at))
            default = defaults[at] if defaults else None
            yield make(
                table_catalog=snapshot.database,
                table_schema=relation.schema,
                table_name=relation.name,
                column_name=column.name,
                ordinal_position=number,
                column_default=default and shown(shown_default, snapshot.state, default, snapshot.search_path),
                is_nullable=_yes((column.nullable or not relation.table) and not _never_null(column.type, snapshot)),
                dtd_identifier=str(number),
                is_self_referencing="NO",
                is_generated="NEVER",
                is_updatable=_yes(relation.table),
                **_type_names(column.type, users, snapshot.database),
                **_type_columns(column.type.base()),
                **_identity_columns(sequence),
            )


def _never_null(type_: ScalarType, snapshot: SystemSnapshot) -> bool:
    """Whether it is a domain that says NOT NULL itself."""
    domain = None if type_.domain is None else snapshot.state.item_by_oid(type_.domain.oid)
    return domain is not None and isinstance(domain.definition, Domain) and not domain.definition.rules.nullable


def _users_type_names(snapshot: SystemSnapshot) -> dict[int, tuple[str, str]]:
    """Schema and name of the users' types and of their arrays, by oid."""
    names: dict[int, tuple[str, str]] = {}
    for item in users_types(snapshot):
        assert item.type is not None
        schema = snapshot.state.schemas[item.schema].name
        names[item.oid] = schema, item.name
        names[users_array_oid(item.type)] = schema, f"_{item.name}"
    return names


def _type_names(type_: ScalarType, users: Mapping[int, tuple[str, str]], database: str) -> dict[str, Datum]:
    """The type's own name, and that of the domain of which it is the base."""
    oid = type_oid(type_.base())
    schema, name = users[oid] if oid in users else ("pg_catalog", type_names()[oid])
    said: dict[str, Datum] = {"udt_catalog": database, "udt_schema": schema, "udt_name": name}
    if type_.domain is not None:
        schema, name = users[type_.domain.oid]
        said |= {"domain_catalog": database, "domain_schema": schema, "domain_name": name}
    return said


def _identity_columns(sequence: Item | None) -> dict[str, Datum]:
    """What information_schema.columns says of the sequence of an identity column."""
    if sequence is None:
        return {"is_identity": "NO", "identity_cycle": "NO"}
    rules = sequence_of(sequence).rules
    return {
        "is_identity": "YES",
        "identity_generation": "ALWAYS" if identity_of(sequence) is Identity.ALWAYS else "BY DEFAULT",
        "identity_start": str(rules.start),
        "identity_increment": str(rules.increment),
        "identity_maximum": str(rules.maximum),
        "identity_minimum": str(rules.minimum),
        "identity_cycle": _yes(rules.cycle),
    }


def _sequences(snapshot: SystemSnapshot) -> Iterable[Row]:
    """All but those of identity columns."""
    make = shape("sequences")
    for item in own_items(snapshot):
        if not isinstance(item.definition, SequenceDefinition):
            continue
        rules, owner = item.definition.rules, item.definition.owned_by
        if owner is not None and owner.identity is not None:
            continue
        yield make(
            sequence_catalog=snapshot.database,
            sequence_schema=snapshot.state.schemas[item.schema].name,
            sequence_name=item.name,
            data_type=type_text(rules.type),
            numeric_precision=_BINARY_PRECISION[rules.type.name][0],
            numeric_precision_radix=2,
            numeric_scale=0,
            start_value=str(rules.start),
            minimum_value=str(rules.minimum),
            maximum_value=str(rules.maximum),
            increment=str(rules.increment),
            cycle_option=_yes(rules.cycle),
        )


def _type_columns(type_: ScalarType) -> dict[str, Datum]:
    """What information_schema.columns says of a type."""
    if type_.name is TypeName.ARRAY:
        return {"data_type": "ARRAY"}
    if users_type(type_) is not None:
        return {"data_type": "USER-DEFINED"}
    said: dict[str, Datum] = {"data_type": type_text(type_.plain())}
    if type_.name in _BINARY_PRECISION:
        precision, scale = _BINARY_PRECISION[type_.name]
        said |= {"numeric_precision": precision, "numeric_precision_radix": 2, "numeric_scale": scale}
    elif type_.name is TypeName.NUMERIC:
        said["numeric_precision_radix"] = 10
        bounds = precision_and_scale(type_)
        if bounds is not None:
            said |= {"numeric_precision": bounds[0], "numeric_scale": bounds[1]}
    elif type_.name in (TypeName.VARCHAR, TypeName.BPCHAR, TypeName.TEXT):
        limit = length_limit(type_)
        octets = _TEXT_OCTETS_MAX if limit is None else limit * _OCTETS_PER_CHARACTER
        said |= {"character_maximum_length": limit, "character_octet_length": octets}
    elif type_.name in (TypeName.BIT, TypeName.VARBIT):
        said["character_maximum_length"] = type_.modifier if type_.modifier >= 0 else None
    elif type_.name is TypeName.DATE:
        said["datetime_precision"] = 0
    elif type_.name in _TIMES:
        said["datetime_precision"] = type_.modifier if type_.modifier >= 0 else _TIME_DIGITS
    return said


def _schemata(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("schemata")
    for schema in SYSTEM_SCHEMAS:
        yield make(catalog_name=snapshot.database, schema_name=schema.name, schema_owner=_SYSTEM_OWNER)
    database = snapshot.state.database_named(snapshot.database)
    names = {role.oid: role.name for role in roles(snapshot)}
    for own in () if database is None else snapshot.state.schemas_in(database.oid):
        yield make(catalog_name=snapshot.database, schema_name=own.name, schema_owner=names[own.owner])


def _views(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("views")
    for relation in _relations(snapshot):
        if relation.table:
            continue
        definition = None
        if relation.item is not None and isinstance(relation.item.definition, View):
            definition = shown(view_query, snapshot.state, relation.item.definition)
        yield make(
            table_catalog=snapshot.database,
            table_schema=relation.schema,
            table_name=relation.name,
            view_definition=definition,
            check_option="NONE",
            is_updatable="NO",
            is_insertable_into="NO",
            is_trigger_updatable="NO",
            is_trigger_deletable="NO",
            is_trigger_insertable_into="NO",
        )


def _view_table_usage(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("view_table_usage")
    for item in standard_items(snapshot):
        view = snapshot.state.full_name(item)
        for id in sorted(item.depends_on):
            used = snapshot.state.items.get(id)
            if used is not None and not isinstance(used.definition, Index):
                name = snapshot.state.full_name(used)
                yield make(
                    view_catalog=view.database,
                    view_schema=view.schema,
                    view_name=view.name,
                    table_catalog=name.database,
                    table_schema=name.schema,
                    table_name=name.name,
                )


def _table_privileges(name: str) -> Rows:
    def rows(snapshot: SystemSnapshot) -> Iterable[Row]:
        """Owners may do everything with what is theirs."""
        make = shape(name)
        for item in standard_items(snapshot):
            owner = snapshot.state.roles[item.owner].name
            for privilege in _TABLE_PRIVILEGES:
                yield make(
                    grantor=owner,
                    grantee=owner,
                    table_catalog=snapshot.database,
                    table_schema=snapshot.state.schemas[item.schema].name,
                    table_name=item.name,
                    privilege_type=privilege,
                    is_grantable="YES",
                    with_hierarchy=_yes(privilege == "SELECT"),
                )

    return rows


def _character_sets(snapshot: SystemSnapshot) -> Iterable[Row]:
    yield shape("character_sets")(
        character_set_name="UTF8",
        character_repertoire="UCS",
        form_of_use="UTF8",
        default_collate_catalog=snapshot.database,
        default_collate_schema="pg_catalog",
        default_collate_name="ucs_basic",
    )


def _catalog_name(snapshot: SystemSnapshot) -> Iterable[Row]:
    yield (snapshot.database,)


def _enabled_roles(snapshot: SystemSnapshot) -> Iterable[Row]:
    reader = snapshot.state.role_named(snapshot.user)
    for role in roles(snapshot):
        if (reader is not None and reader.superuser) or role.name == snapshot.user:
            yield (role.name,)


INFORMATION_SCHEMA_ROWS: Mapping[str, Rows] = {
    **CONSTRAINT_ROWS,
    "character_sets": _character_sets,
    "columns": _columns,
    "enabled_roles": _enabled_roles,
    "information_schema_catalog_name": _catalog_name,
    "role_table_grants": _table_privileges("role_table_grants"),
    "schemata": _schemata,
    "sequences": _sequences,
    "table_privileges": _table_privileges("table_privileges"),
    "tables": _tables,
    "view_table_usage": _view_table_usage,
    "views": _views,
}
