"""pg_class, pg_attribute, pg_attrdef, pg_rewrite, pg_depend: relations of the reader's database and of the system."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import assert_never

from catalog.builtin.pg_catalog.extensions import extension_dependencies
from catalog.builtin.pg_catalog.functions import function_dependencies
from catalog.builtin.pg_catalog.own_items import PG_CLASS_OID, own_items
from catalog.builtin.pg_catalog.sequences import identity_columns, identity_of, sequence_dependencies
from catalog.builtin.pg_catalog.types import type_facts, users_types
from catalog.builtin.shape import shape
from catalog.declared.listing import declarations
from catalog.declared.relation import Declaration, RelationKind
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.defaults import is_generated
from catalog.facts.roles.shown_acls import shown_acl
from catalog.facts.temporary_items import in_temporary_schema
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.derived_oids import derived_oid
from catalog.nouns.items import (
    SUPERUSER_OID,
    Composite,
    Domain,
    Enum,
    FunctionDefinition,
    Index,
    Item,
    MaterializedView,
    MultirangeDefinition,
    RangeDefinition,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.system_schemas import system_schema_named
from catalog.nouns.webhooks import WebhookSource
from catalog.state.catalog_state import foreign_keys_of
from model.types.column_layout import dropped_name
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import TypeName, declared_modifier, declared_oid, type_oid
from planner.catalog_view import ItemKind

_HEAP_OID = 2
_BTREE_OID = 403
_PG_REWRITE_OID = 2618


@dataclass(frozen=True, slots=True)
class _Class:
    """The columns of pg_class that are equal for all items of a kind."""

    relkind: str
    access_method: int
    stored: bool
    replica_identity: str


_CLASSES = {
    ItemKind.TABLE: _Class("r", _HEAP_OID, True, "d"),
    ItemKind.VIEW: _Class("v", 0, False, "n"),
    ItemKind.MATERIALIZED_VIEW: _Class("m", _HEAP_OID, True, "d"),
    ItemKind.INDEX: _Class("i", _BTREE_OID, True, "n"),
    ItemKind.SOURCE: _Class("r", _HEAP_OID, True, "d"),
    ItemKind.SOURCE_PROGRESS: _Class("r", _HEAP_OID, True, "d"),
    ItemKind.SINK_PROGRESS: _Class("r", _HEAP_OID, True, "d"),
    ItemKind.SEQUENCE: _Class("S", 0, True, "n"),
}


def pg_class(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_class")
    yield from (_builtin_class(relation) for relation in declarations())
    indexed = {item.definition.on.id for item in own_items(snapshot) if isinstance(item.definition, Index)}
    for item in own_items(snapshot):
        facts = _CLASSES[item.kind]
        yield make(
            oid=item.oid,
            relname=item.name,
            relnamespace=item.schema,
            reltype=0 if item.row_type is None else type_oid(item.row_type),
            relowner=item.owner,
            relam=facts.access_method,
            relfilenode=item.oid if facts.stored else 0,
            reltuples=-1.0,
            relhasindex=item.id in indexed,
            relpersistence="t" if in_temporary_schema(snapshot.state, item) else "p",
            relkind=facts.relkind,
            relnatts=len(item.layout.stored),
            relchecks=len(item.definition.checks) if isinstance(item.definition, Table) else 0,
            # PostgreSQL holds foreign keys by triggers, on either side; psql looks for them where there are some.
            relhastriggers=bool(foreign_keys_of(item)) or item.id in snapshot.state.children_by_table,
            relhasrules=isinstance(item.definition, View | MaterializedView),
            relispopulated=True,
            relreplident=facts.replica_identity,
            relacl=shown_acl(snapshot.state, item.oid),
            relrowsecurity=isinstance(item.definition, Table) and item.definition.row_security.enabled,
            relforcerowsecurity=isinstance(item.definition, Table) and item.definition.row_security.forced,
            reloptions=(item.definition.options or None) if isinstance(item.definition, View) else None,
        )
    for item in users_types(snapshot):
        if isinstance(item.definition, Composite):
            yield make(
                oid=item.definition.relation_oid,
                relname=item.name,
                relnamespace=item.schema,
                reltype=item.oid,
                relowner=item.owner,
                relpersistence="p",
                relkind="c",
                relnatts=len(item.definition.fields),
                relispopulated=True,
                relreplident="n",
            )


def pg_attribute(snapshot: SystemSnapshot) -> Iterable[Row]:
    yield from _builtin_attributes()
    identities = identity_columns(snapshot)
    for item in own_items(snapshot):
        defaults: tuple[str | None, ...] = ()
        if isinstance(item.definition, Table):
            defaults = item.definition.defaults
        for number, at in enumerate(item.layout.stored, 1):
            if at is None:
                yield _dropped_attribute(item.oid, number)
                continue
            column = item.desc.columns[at]
            has_default = bool(defaults) and defaults[at] is not None
            not_null = isinstance(item.definition, Table) and not column.nullable
            identity = identities.get((item.id, at))
            acl = shown_acl(snapshot.state, item.oid, number)
            yield _attribute(item.oid, number, column, not_null, has_default, identity, acl, is_generated(item, at))
    for item in users_types(snapshot):
        if isinstance(item.definition, Composite):
            oid = item.definition.relation_oid
            for number, (name, type_) in enumerate(item.definition.fields, 1):
                yield _attribute(oid, number, ColumnDesc(name, type_), not_null=False, has_default=False)


def pg_attrdef(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_attrdef")
    for item in own_items(snapshot):
        if isinstance(item.definition, Table):
            for number, at, _ in item.numbered_columns:
                default = item.definition.defaults[at]
                if default is not None:
                    oid = derived_oid(item.oid, number)
                    yield make(oid=oid, adrelid=item.oid, adnum=number, adbin=default)


def pg_rewrite(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_rewrite")
    for item in own_items(snapshot):
        if isinstance(item.definition, View | MaterializedView):
            yield make(
                oid=derived_oid(item.oid, 0),
                rulename="_RETURN",
                ev_class=item.oid,
                ev_type="1",
                ev_enabled="O",
                is_instead=True,
                ev_qual="<>",
                ev_action="<>",
            )


def _is_relation(item: Item) -> bool:
    return item.type is None and not isinstance(item.definition, FunctionDefinition)


def pg_depend(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists dependencies: a view's rule depends on the view (i) and on the objects that the view names (n); an index
    on its relation (a), a sequence on its column (a)."""
    make = shape("pg_depend")
    items = snapshot.state.items
    for item in own_items(snapshot):
        match item.definition:
            case Table() | SequenceDefinition() | Source() | WebhookSource() | Enum() | Domain() | Composite():
                continue
            case Secret() | Connection() | Sink() | FunctionDefinition() | RangeDefinition() | MultirangeDefinition():
                continue
            case SourceProgress(source_id=source) | SourceTable(source_id=source):
                place = {"classid": PG_CLASS_OID, "objid": item.oid}
                rows = [(items[source].oid, 0, "i")]
            case SinkProgress(sink_id=sink):
                place = {"classid": PG_CLASS_OID, "objid": item.oid}
                rows = [(items[sink].oid, 0, "i")]
            case View() | MaterializedView():
                place = {"classid": _PG_REWRITE_OID, "objid": derived_oid(item.oid, 0)}
                rows = [(item.oid, 0, "i")]
                rows += [
                    (items[id].oid, 0, "n") for id in sorted(item.depends_on) if id in items and _is_relation(items[id])
                ]
            case Index(on=on, keys=keys, included=included):
                place = {"classid": PG_CLASS_OID, "objid": item.oid}
                indexed = items[on.id]
                numbers = indexed.column_numbers(key.column for key in (*keys, *included) if key.column is not None)
                rows = [(indexed.oid, number, "a") for number in numbers]
                rows = list(dict.fromkeys(rows)) or [(items[on.id].oid, 0, "a")]
            case _:
                assert_never(item.definition)
        for oid, column, kind in rows:
            yield make(**place, refclassid=PG_CLASS_OID, refobjid=oid, refobjsubid=column, deptype=kind)
    yield from function_dependencies(snapshot, _PG_REWRITE_OID)
    yield from sequence_dependencies(snapshot)
    yield from extension_dependencies()


@cache
def _builtin_class(relation: Declaration) -> Row:
    schema = system_schema_named(relation.schema)
    assert schema is not None
    table = relation.kind is RelationKind.TABLE
    return shape("pg_class")(
        oid=relation.oid,
        relname=relation.name,
        relnamespace=schema.oid,
        relowner=SUPERUSER_OID,
        relam=_HEAP_OID if table else 0,
        reltuples=-1.0,
        relpersistence="p",
        relkind=relation.kind.value,
        relnatts=relation.desc.arity,
        relhasrules=not table,
        relispopulated=True,
        relreplident="n",
    )


@cache
def _builtin_attributes() -> tuple[Row, ...]:
    return tuple(
        _attribute(relation.oid, number, column, not column.nullable, has_default=False)
        for relation in declarations()
        for number, column in enumerate(relation.desc.columns, 1)
    )


def _dropped_attribute(oid: int, number: int) -> Row:
    """Returns the row that stays of a dropped column, so that other columns keep their numbers."""
    return shape("pg_attribute")(
        attrelid=oid,
        attname=dropped_name(number),
        attnum=number,
        attcacheoff=-1,
        atttypmod=-1,
        attisdropped=True,
        attislocal=True,
        attstattarget=0,
    )


def _attribute(
    oid: int,
    number: int,
    column: ColumnDesc,
    not_null: bool,
    has_default: bool,
    identity: Item | None = None,
    acl: tuple[str, ...] | None = None,
    generated: bool = False,
) -> Row:
    facts = type_facts(column.type)
    return shape("pg_attribute")(
        attrelid=oid,
        attname=column.name,
        atttypid=declared_oid(column.type),
        attlen=facts.length,
        attnum=number,
        attcacheoff=-1,
        atttypmod=declared_modifier(column.type),
        attndims=1 if column.type.name is TypeName.ARRAY else 0,
        attbyval=facts.by_value,
        attalign=facts.align,
        attstorage=facts.storage,
        attnotnull=not_null,
        atthasdef=has_default,
        attidentity="" if identity is None else identity_of(identity),
        attgenerated="s" if generated else "",
        attislocal=True,
        attstattarget=-1,
        attcollation=facts.collation,
        attacl=acl,
    )
