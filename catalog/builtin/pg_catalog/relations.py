"""pg_class, pg_attribute, pg_attrdef, pg_rewrite, pg_depend: relations of the reader's database and of the system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from catalog.builtin.listing import declarations
from catalog.builtin.pg_catalog.oids import derived_oid
from catalog.builtin.pg_catalog.types import type_facts
from catalog.builtin.relation import Declaration, RelationKind
from catalog.builtin.schemas import system_schema_named
from catalog.builtin.shape import shape
from catalog.builtin.snapshot import SystemSnapshot
from catalog.items import SUPERUSER_OID, Item, Table, View
from model.datum import Row
from model.relation_desc import ColumnDesc
from model.scalar_type import TypeName, type_oid

_HEAP_OID = 2
PG_CLASS_OID = 1259
_PG_REWRITE_OID = 2618


def own_items(snapshot: SystemSnapshot) -> Iterator[Item]:
    """The items of the reader's database, in order of creation."""
    state = snapshot.state
    database = state.database_named(snapshot.database)
    if database is not None:
        for schema in state.schemas_in(database.oid):
            yield from state.items_in(schema.oid)


def pg_class(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_class")
    yield from (_builtin_class(relation) for relation in declarations())
    for item in own_items(snapshot):
        table = isinstance(item.definition, Table)
        yield make(
            oid=item.oid,
            relname=item.name,
            relnamespace=item.schema,
            relowner=item.owner,
            relam=_HEAP_OID if table else 0,
            relfilenode=item.oid if table else 0,
            reltuples=-1.0,
            relpersistence="p",
            relkind="r" if table else "v",
            relnatts=item.desc.arity,
            relhasrules=not table,
            relispopulated=True,
            relreplident="d" if table else "n",
        )


def pg_attribute(snapshot: SystemSnapshot) -> Iterable[Row]:
    yield from _builtin_attributes()
    for item in own_items(snapshot):
        defaults: tuple[str | None, ...] = ()
        if isinstance(item.definition, Table):
            defaults = item.definition.defaults
        for number, column in enumerate(item.desc.columns, 1):
            has_default = bool(defaults) and defaults[number - 1] is not None
            not_null = isinstance(item.definition, Table) and not column.nullable
            yield _attribute(item.oid, number, column, not_null, has_default)


def pg_attrdef(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_attrdef")
    for item in own_items(snapshot):
        if isinstance(item.definition, Table):
            for number, default in enumerate(item.definition.defaults, 1):
                if default is not None:
                    oid = derived_oid(item.oid, number)
                    yield make(oid=oid, adrelid=item.oid, adnum=number, adbin=default)


def pg_rewrite(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_rewrite")
    for item in own_items(snapshot):
        if isinstance(item.definition, View):
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


def pg_depend(snapshot: SystemSnapshot) -> Iterable[Row]:
    """A view's rule depends on the view itself (i) and on what the view names (n)."""
    make = shape("pg_depend")
    for item in own_items(snapshot):
        if not isinstance(item.definition, View):
            continue
        rule = derived_oid(item.oid, 0)
        rows = [(item.oid, "i")]
        rows += [(snapshot.state.items[id].oid, "n") for id in sorted(item.depends_on) if id in snapshot.state.items]
        for oid, kind in rows:
            yield make(classid=_PG_REWRITE_OID, objid=rule, refclassid=PG_CLASS_OID, refobjid=oid, deptype=kind)


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


def _attribute(oid: int, number: int, column: ColumnDesc, not_null: bool, has_default: bool) -> Row:
    facts = type_facts(column.type)
    return shape("pg_attribute")(
        attrelid=oid,
        attname=column.name,
        atttypid=type_oid(column.type),
        attlen=facts.length,
        attnum=number,
        attcacheoff=-1,
        atttypmod=column.type.modifier,
        attndims=1 if column.type.name is TypeName.ARRAY else 0,
        attbyval=facts.by_value,
        attalign=facts.align,
        attstorage=facts.storage,
        attnotnull=not_null,
        atthasdef=has_default,
        attislocal=True,
        attstattarget=-1,
        attcollation=facts.collation,
    )
