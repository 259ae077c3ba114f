"""Types in information_schema: the columns about a column's type, and the relations about domains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from catalog.builtin.information_constraints import standard_items
from catalog.builtin.pg_catalog.types import row_typed, type_names, users_types
from catalog.builtin.shape import shape
from catalog.builtin.shown_to import reader_of
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.defaults import shown_default
from catalog.facts.shown import shown
from catalog.nouns.items import SUPERUSER_OID, Domain, Item
from model.types.datum import Datum, Row
from model.types.scalar_type import (
    ScalarType,
    TypeName,
    declared_oid,
    length_limit,
    precision_and_scale,
    type_oid,
    type_text,
    users_array_oid,
    users_type,
)
from planner.catalog_view import DomainRules

_TEXT_OCTETS_MAX = 1 << 30
_OCTETS_PER_CHARACTER = 4
_TIME_DIGITS = 6
BINARY_PRECISION = {
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


def users_type_names(snapshot: SystemSnapshot) -> dict[int, tuple[str, str]]:
    """Returns schema and name of the users' types and of their arrays, by oid."""
    names: dict[int, tuple[str, str]] = {}
    for item in (*users_types(snapshot), *row_typed(snapshot)):
        type_ = item.value_type
        assert type_ is not None, f"{item.name} is no type"
        schema = snapshot.state.schemas[item.schema].name
        names[declared_oid(type_)] = schema, item.name
        names[users_array_oid(type_)] = schema, f"_{item.name}"
    return names


def named_type(type_: ScalarType, users: Mapping[int, tuple[str, str]], database: str) -> dict[str, Datum]:
    """Returns the columns with a type's name, and with the domain's name for a domain over the type."""
    oid = type_oid(type_.base())
    schema, name = users[oid] if oid in users else ("pg_catalog", type_names()[oid])
    said: dict[str, Datum] = {"udt_catalog": database, "udt_schema": schema, "udt_name": name}
    if type_.domain is not None:
        schema, name = users[type_.domain.oid]
        said |= {"domain_catalog": database, "domain_schema": schema, "domain_name": name}
    return said


def type_columns(type_: ScalarType) -> dict[str, Datum]:
    """Returns the columns of information_schema.columns about a type."""
    if type_.name is TypeName.ARRAY:
        return {"data_type": "ARRAY"}
    if users_type(type_) is not None:
        return {"data_type": "USER-DEFINED"}
    said: dict[str, Datum] = {"data_type": type_text(type_.plain())}
    if type_.name in BINARY_PRECISION:
        precision, scale = BINARY_PRECISION[type_.name]
        said |= {"numeric_precision": precision, "numeric_precision_radix": 2, "numeric_scale": scale}
    elif type_.name in (TypeName.NUMERIC, TypeName.WIDE):
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


def _domains(snapshot: SystemSnapshot) -> Iterator[tuple[Item, str, DomainRules]]:
    """Yields the domains of the database that the reader may use, each with the name of its schema."""
    reader = reader_of(snapshot)
    for item in users_types(snapshot):
        if isinstance(item.definition, Domain) and reader.may(item, "U"):
            yield item, snapshot.state.schemas[item.schema].name, item.definition.rules


def _place(snapshot: SystemSnapshot, item: Item, schema: str) -> dict[str, Datum]:
    return {"domain_catalog": snapshot.database, "domain_schema": schema, "domain_name": item.name}


def _base_columns(base: ScalarType) -> dict[str, Datum]:
    """Returns the columns of `domains` about a base type: an array's name, of a user's type that there is one."""
    if users_type(base) is not None:
        return {"data_type": "USER-DEFINED"}
    return {"data_type": type_text(base.plain())} if base.element is not None else type_columns(base)


def _base_name(base: ScalarType, users: Mapping[int, tuple[str, str]], database: str) -> dict[str, Datum]:
    oid = declared_oid(base)
    schema, name = users[oid] if oid in users else ("pg_catalog", type_names()[oid])
    return {"udt_catalog": database, "udt_schema": schema, "udt_name": name}


def _domain_rows(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, users = shape("domains"), users_type_names(snapshot)
    for item, schema, rules in _domains(snapshot):
        default = rules.default
        yield make(
            **_place(snapshot, item, schema),
            **_base_columns(rules.base),
            **_base_name(rules.base, users, snapshot.database),
            domain_default=default and shown(shown_default, snapshot.state, default, snapshot.reader.search_path),
            dtd_identifier="1",
        )


def _domain_constraints(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("domain_constraints")
    for item, schema, rules in _domains(snapshot):
        for check in rules.checks:
            yield make(
                constraint_catalog=snapshot.database,
                constraint_schema=schema,
                constraint_name=check.name,
                **_place(snapshot, item, schema),
                is_deferrable="NO",
                initially_deferred="NO",
            )


def _domain_udt_usage(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, users = shape("domain_udt_usage"), users_type_names(snapshot)
    for item, schema, rules in _domains(snapshot):
        if not _owns_type(snapshot, rules.base):
            continue
        yield make(**_base_name(rules.base, users, snapshot.database), **_place(snapshot, item, schema))


def _columns_of_types(snapshot: SystemSnapshot) -> Iterator[tuple[dict[str, Datum], ScalarType]]:
    for item in standard_items(snapshot):
        for _, _, column in item.numbered_columns:
            place: dict[str, Datum] = {
                "table_catalog": snapshot.database,
                "table_schema": snapshot.state.schemas[item.schema].name,
                "table_name": item.name,
                "column_name": column.name,
            }
            yield place, column.type


def _owns_domain(snapshot: SystemSnapshot, oid: int) -> bool:
    domain = snapshot.state.item_by_oid(oid)
    return domain is not None and reader_of(snapshot).owns(domain)


def _owns_type(snapshot: SystemSnapshot, type_: ScalarType) -> bool:
    """Returns whether the reader owns a type: a user's, or as the owner of PostgreSQL's own types."""
    reader, own = reader_of(snapshot), users_type(type_)
    item = None if own is None else snapshot.state.item_by_oid(own.oid)
    return reader.has_privileges_of(SUPERUSER_OID) if item is None else reader.owns(item)


def _column_domain_usage(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, users = shape("column_domain_usage"), users_type_names(snapshot)
    for place, type_ in _columns_of_types(snapshot):
        if type_.domain is not None and _owns_domain(snapshot, type_.domain.oid):
            schema, name = users[type_.domain.oid]
            yield make(**place, domain_catalog=snapshot.database, domain_schema=schema, domain_name=name)


def _column_udt_usage(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, users = shape("column_udt_usage"), users_type_names(snapshot)
    for place, type_ in _columns_of_types(snapshot):
        if _owns_type(snapshot, type_.base()):
            yield make(**place, **_base_name(type_.base(), users, snapshot.database))


TYPE_ROWS: Mapping[str, Rows] = {
    "column_domain_usage": _column_domain_usage,
    "column_udt_usage": _column_udt_usage,
    "domain_constraints": _domain_constraints,
    "domain_udt_usage": _domain_udt_usage,
    "domains": _domain_rows,
}
