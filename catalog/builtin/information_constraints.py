"""The relations of information_schema about constraints. NOT NULL counts as a check there, under a name that
PostgreSQL makes up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from catalog.builtin.pg_catalog.own_items import own_items
from catalog.builtin.pg_catalog.types import users_types
from catalog.builtin.shape import shape
from catalog.builtin.shown_to import reader_of
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.constraints import constraints_of, is_constraint, key_columns, timing_of
from catalog.nouns.items import Domain, Index, Item, Table, View
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from model.types.datum import Datum, Row
from planner.catalog_view import KeyKind, TableCheck
from planner.plans.foreign_keys import ForeignKey
from planner.temporary_schema import is_temporary, own_schema

_MORE_THAN_READING, _MORE_OF_A_COLUMN = "awdDxt", "awx"


@dataclass(frozen=True, slots=True)
class _Constraint:
    """A constraint. `clause` is the condition of a check; `columns` are a key's columns in order, or those that a
    check names."""

    table: Item
    schema: str
    name: str
    type: str
    columns: tuple[str, ...]
    clause: str | None = None
    nulls_distinct: bool | None = None
    foreign: ForeignKey | None = None
    timing: tuple[bool, bool] = (False, False)


STANDARD = Table | View | Source | SourceTable | SourceProgress | WebhookSource
"""The definitions of items that the standard's views tell of: all but views are base tables there."""


def standard_items(snapshot: SystemSnapshot) -> Iterator[Item]:
    """Yields the tables, views and readable sources (the standard knows nothing else), without other sessions'
    temporary ones."""
    own, schemas = own_schema(snapshot.reader.search_path), snapshot.state.schemas
    for item in own_items(snapshot):
        schema = schemas[item.schema].name
        if isinstance(item.definition, STANDARD) and (schema == own or not is_temporary(schema)):
            yield item


def _constraints(snapshot: SystemSnapshot) -> Iterator[_Constraint]:
    for item in standard_items(snapshot):
        if not isinstance(item.definition, Table):
            continue
        schema, names = snapshot.state.schemas[item.schema], item.desc.names
        for each in constraints_of(snapshot.state, item):
            if isinstance(each.rule, TableCheck):
                named = tuple(names[at] for at in each.rule.columns)
                yield _Constraint(item, schema.name, each.name, "CHECK", named, f"(({each.rule.sql}))")
                continue
            if isinstance(each.rule, ForeignKey):
                yield replace(_foreign(snapshot, item, each.rule), timing=timing_of(each))
                continue
            index = each.rule.definition
            assert isinstance(index, Index) and index.rule is not None
            if not index.rule.unique:
                continue
            primary = index.rule.kind is KeyKind.PRIMARY
            word, distinct = ("PRIMARY KEY", None) if primary else ("UNIQUE", index.rule.nulls_distinct)
            columns = tuple(names[at] for at in key_columns(index))
            yield _Constraint(
                item, schema.name, each.name, word, columns, nulls_distinct=distinct, timing=timing_of(each)
            )
        for number, _, column in item.numbered_columns:
            if not column.nullable:
                name = f"{schema.oid}_{item.oid}_{number}_not_null"
                clause = f"{column.name} IS NOT NULL"
                yield _Constraint(item, schema.name, name, "CHECK", (), clause)


def _foreign(snapshot: SystemSnapshot, item: Item, key: ForeignKey) -> _Constraint:
    schema, names = snapshot.state.schemas[item.schema], item.desc.names
    columns = tuple(names[at] for at in key.columns)
    return _Constraint(item, schema.name, key.name, "FOREIGN KEY", columns, foreign=key)


def _place(snapshot: SystemSnapshot, constraint: _Constraint) -> dict[str, Datum]:
    return {
        "constraint_catalog": snapshot.database,
        "constraint_schema": constraint.schema,
        "constraint_name": constraint.name,
    }


def _table_place(snapshot: SystemSnapshot, constraint: _Constraint) -> dict[str, Datum]:
    return {
        **_place(snapshot, constraint),
        "table_catalog": snapshot.database,
        "table_schema": constraint.schema,
        "table_name": constraint.table.name,
    }


def _table_constraints(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, reader = shape("table_constraints"), reader_of(snapshot)
    for each in _constraints(snapshot):
        if not reader.may(each.table, _MORE_THAN_READING, _MORE_OF_A_COLUMN):
            continue
        distinct = None if each.nulls_distinct is None else _yes(each.nulls_distinct)
        yield make(
            **_table_place(snapshot, each),
            constraint_type=each.type,
            is_deferrable=_yes(each.timing[0]),
            initially_deferred=_yes(each.timing[1]),
            enforced="YES",
            nulls_distinct=distinct,
        )


def _yes(value: bool) -> str:
    return "YES" if value else "NO"


def _check_constraints(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, reader = shape("check_constraints"), reader_of(snapshot)
    for each in _constraints(snapshot):
        if each.clause is not None and reader.owns(each.table):
            yield make(**_place(snapshot, each), check_clause=each.clause)
    for item in users_types(snapshot):
        for check in item.definition.rules.checks if isinstance(item.definition, Domain) and reader.owns(item) else ():
            yield make(
                constraint_catalog=snapshot.database,
                constraint_schema=snapshot.state.schemas[item.schema].name,
                constraint_name=check.name,
                check_clause=f"(({check.sql}))",
            )


def _key_column_usage(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, reader = shape("key_column_usage"), reader_of(snapshot)
    for each in _constraints(snapshot):
        numbers = {column.name: number for number, _, column in each.table.numbered_columns}
        for number, column in enumerate(each.columns if each.clause is None else (), 1):
            if not reader.may_column(each.table, numbers[column]):
                continue
            place = None if each.foreign is None else _place_in_key(snapshot, each.foreign, number - 1)
            yield make(
                **_table_place(snapshot, each),
                column_name=column,
                ordinal_position=number,
                position_in_unique_constraint=place,
            )


def _place_in_key(snapshot: SystemSnapshot, key: ForeignKey, at: int) -> int:
    """Returns the place, from 1, of the referenced column in the referenced key."""
    index = snapshot.state.items[key.key].definition
    assert isinstance(index, Index)
    return key_columns(index).index(key.parent_columns[at]) + 1


def _constraint_column_usage(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists the columns of constraints: of a foreign key, the columns that it references."""
    make, reader = shape("constraint_column_usage"), reader_of(snapshot)
    for each in _constraints(snapshot):
        place, table, columns = _table_place(snapshot, each), each.table, each.columns
        if each.foreign is not None:
            table = snapshot.state.items[each.foreign.parent]
            schema = snapshot.state.schemas[table.schema].name
            place = {**place, "table_schema": schema, "table_name": table.name}
            columns = tuple(table.desc.names[at] for at in each.foreign.parent_columns)
        if not reader.owns(table):
            continue
        for column in dict.fromkeys(columns):
            yield make(**place, column_name=column)


def _referential_constraints(snapshot: SystemSnapshot) -> Iterable[Row]:
    make, reader = shape("referential_constraints"), reader_of(snapshot)
    for each in _constraints(snapshot):
        if each.foreign is None or not reader.may(each.table, _MORE_THAN_READING, _MORE_OF_A_COLUMN):
            continue
        key, rule = snapshot.state.items[each.foreign.key], each.foreign.rule
        named = is_constraint(key)
        yield make(
            **_place(snapshot, each),
            unique_constraint_catalog=snapshot.database if named else None,
            unique_constraint_schema=snapshot.state.schemas[key.schema].name if named else None,
            unique_constraint_name=key.name if named else None,
            match_option="FULL" if rule.match_full else "NONE",
            update_rule=rule.on_update.words,
            delete_rule=rule.on_delete.words,
        )


CONSTRAINT_ROWS: Mapping[str, Rows] = {
    "check_constraints": _check_constraints,
    "constraint_column_usage": _constraint_column_usage,
    "key_column_usage": _key_column_usage,
    "referential_constraints": _referential_constraints,
    "table_constraints": _table_constraints,
}
