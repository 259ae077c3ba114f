"""information_schema: the reader's database in the SQL standard's words, as PostgreSQL says them. Objects
without any right of the reading role are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.builtin.information_constraints import CONSTRAINT_ROWS, STANDARD, standard_items
from catalog.builtin.information_privileges import PRIVILEGE_ROWS
from catalog.builtin.information_types import (
    BINARY_PRECISION,
    TYPE_ROWS,
    named_type,
    type_columns,
    users_type_names,
)
from catalog.builtin.pg_catalog.functions import ROUTINE_ROWS
from catalog.builtin.pg_catalog.own_items import own_items
from catalog.builtin.pg_catalog.sequences import identity_columns, identity_of, sequence_of
from catalog.builtin.shape import shape
from catalog.builtin.shown_to import reader_of
from catalog.declared.listing import declarations
from catalog.declared.relation import RelationKind, Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.defaults import is_generated, shown_default
from catalog.facts.roles.securables import relation_securable, schema_securable
from catalog.facts.roles.shown_acls import role_name
from catalog.facts.shown import shown
from catalog.nouns.items import SUPERUSER_OID, Domain, Item, SequenceDefinition, Table, View, numbered_columns
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS
from catalog.sql.definitions import view_query
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import (
    ScalarType,
    type_text,
)
from planner.sequence_rules import Identity
from planner.temporary_schema import is_temporary

_INSERT, _CHANGES = 8, 20
"""INSERT, and UPDATE with DELETE, as bits of pg_relation_is_updatable."""
_ANY_RIGHT, _ANY_OF_A_COLUMN = "arwdDxt", "arwx"


@dataclass(frozen=True, slots=True)
class _Relation:
    """A relation of the reader's database or of the system; a source is neither a table, which can be written to, nor a
    view."""

    schema: str
    name: str
    table: bool
    view: bool
    desc: RelationDesc
    item: Item | None


def _relations(snapshot: SystemSnapshot) -> Iterator[_Relation]:
    """Yields the relations on which the reader has any right, or on one of whose columns."""
    reader = reader_of(snapshot)
    for relation in declarations():
        object_ = relation_securable(snapshot.state, relation.oid)
        if object_ is not None and reader.may_securable(object_, _ANY_RIGHT):
            table = relation.kind is RelationKind.TABLE
            yield _Relation(relation.schema, relation.name, table, not table, relation.desc, None)
    for item in standard_items(snapshot):
        if reader.may(item, _ANY_RIGHT, _ANY_OF_A_COLUMN):
            schema = snapshot.state.schemas[item.schema].name
            table, view = isinstance(item.definition, Table), isinstance(item.definition, View)
            yield _Relation(schema, item.name, table, view, item.desc, item)


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
            is_insertable_into=_yes(bool(_events(relation, snapshot) & _INSERT)),
            is_typed="NO",
        )


def _events(relation: _Relation, snapshot: SystemSnapshot) -> int:
    """Returns the bits of the commands that can be executed on a relation, as pg_relation_is_updatable does."""
    if relation.table:
        return _CHANGES | _INSERT
    updates, item = snapshot.updates, relation.item
    return 0 if item is None or updates is None else updates.events(item.id)


def _is_updatable(relation: _Relation, number: int, snapshot: SystemSnapshot) -> bool:
    if relation.table:
        return True
    updates, item = snapshot.updates, relation.item
    return item is not None and updates is not None and updates.column(item.id, number)


def _table_type(relation: _Relation) -> str:
    if is_temporary(relation.schema):
        return "LOCAL TEMPORARY"
    return "VIEW" if relation.view else "BASE TABLE"


def _columns(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("columns")
    users = users_type_names(snapshot)
    identities = identity_columns(snapshot)
    reader = reader_of(snapshot)
    for relation in _relations(snapshot):
        item = relation.item
        defaults: tuple[str | None, ...] = ()
        if item is not None and isinstance(item.definition, Table):
            defaults = item.definition.defaults
        for number, at, column in numbered_columns(relation.desc) if item is None else item.numbered_columns:
            if item is not None and not reader.may_column(item, number):
                continue
            sequence = None if item is None else identities.get((item.id, at))
            default = defaults[at] if defaults else None
            text = default and shown(shown_default, snapshot.state, default, snapshot.reader.search_path)
            generated = item is not None and is_generated(item, at)
            yield make(
                table_catalog=snapshot.database,
                table_schema=relation.schema,
                table_name=relation.name,
                column_name=column.name,
                ordinal_position=number,
                column_default=None if generated else text,
                is_nullable=_yes((column.nullable or relation.view) and not _never_null(column.type, snapshot)),
                dtd_identifier=str(number),
                is_self_referencing="NO",
                is_generated="ALWAYS" if generated else "NEVER",
                generation_expression=text if generated else None,
                is_updatable=_yes(_is_updatable(relation, number, snapshot)),
                **named_type(column.type, users, snapshot.database),
                **type_columns(column.type.base()),
                **_identity_columns(sequence),
            )


def _never_null(type_: ScalarType, snapshot: SystemSnapshot) -> bool:
    """Tells whether a type is a domain with NOT NULL."""
    domain = None if type_.domain is None else snapshot.state.item_by_oid(type_.domain.oid)
    return domain is not None and isinstance(domain.definition, Domain) and not domain.definition.rules.nullable


def _identity_columns(sequence: Item | None) -> dict[str, Datum]:
    """Returns the columns of information_schema.columns about an identity column's sequence."""
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
    """Lists the sequences, except those of identity columns."""
    make, reader = shape("sequences"), reader_of(snapshot)
    for item in own_items(snapshot):
        if not isinstance(item.definition, SequenceDefinition) or not reader.may(item, "rwU"):
            continue
        rules, owner = item.definition.rules, item.definition.owned_by
        if owner is not None and owner.identity is not None:
            continue
        yield make(
            sequence_catalog=snapshot.database,
            sequence_schema=snapshot.state.schemas[item.schema].name,
            sequence_name=item.name,
            data_type=type_text(rules.type),
            numeric_precision=BINARY_PRECISION[rules.type.name][0],
            numeric_precision_radix=2,
            numeric_scale=0,
            start_value=str(rules.start),
            minimum_value=str(rules.minimum),
            maximum_value=str(rules.maximum),
            increment=str(rules.increment),
            cycle_option=_yes(rules.cycle),
        )


def _schemata(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, reader = shape("schemata"), reader_of(snapshot)
    for schema in SYSTEM_SCHEMAS:
        yield make(
            catalog_name=snapshot.database,
            schema_name=schema.name,
            schema_owner=role_name(snapshot.state, SUPERUSER_OID),
        )
    database = snapshot.state.database_named(snapshot.database)
    for own in () if database is None else snapshot.state.schemas_in(database.oid):
        object_ = schema_securable(snapshot.state, own.oid)
        if object_ is None or not reader.may_securable(object_, "UC"):
            continue
        yield make(
            catalog_name=snapshot.database, schema_name=own.name, schema_owner=role_name(snapshot.state, own.owner)
        )


def _views(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, reader = shape("views"), reader_of(snapshot)
    for relation in _relations(snapshot):
        if relation.table:
            continue
        definition, check, events = None, None, _events(relation, snapshot)
        if relation.item is not None and isinstance(relation.item.definition, View):
            check = relation.item.definition.check_option
            if reader.owns(relation.item):
                definition = shown(view_query, snapshot.state, relation.item.definition)
        yield make(
            table_catalog=snapshot.database,
            table_schema=relation.schema,
            table_name=relation.name,
            view_definition=definition,
            check_option=(check or "none").upper(),
            is_updatable=_yes(events & _CHANGES == _CHANGES),
            is_insertable_into=_yes(bool(events & _INSERT)),
            is_trigger_updatable="NO",
            is_trigger_deletable="NO",
            is_trigger_insertable_into="NO",
        )


def _view_table_usage(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, reader = shape("view_table_usage"), reader_of(snapshot)
    for item in standard_items(snapshot):
        if not isinstance(item.definition, View):
            continue
        view = snapshot.state.full_name(item)
        for id in sorted(item.depends_on):
            used = snapshot.state.items.get(id)
            if used is not None and isinstance(used.definition, STANDARD) and reader.owns(used):
                name = snapshot.state.full_name(used)
                yield make(
                    view_catalog=view.database,
                    view_schema=view.schema,
                    view_name=view.name,
                    table_catalog=name.database,
                    table_schema=name.schema,
                    table_name=name.name,
                )


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


INFORMATION_SCHEMA_ROWS: Mapping[str, Rows] = {
    **CONSTRAINT_ROWS,
    **TYPE_ROWS,
    **PRIVILEGE_ROWS,
    **ROUTINE_ROWS,
    "character_sets": _character_sets,
    "columns": _columns,
    "information_schema_catalog_name": _catalog_name,
    "schemata": _schemata,
    "sequences": _sequences,
    "tables": _tables,
    "view_table_usage": _view_table_usage,
    "views": _views,
}
