"""Constraints of tables: which there are, under which names, and what `pg_get_constraintdef` prints of them.

A CHECK is part of its table; PRIMARY KEY and UNIQUE are unique indexes on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.builtin.pg_catalog.oids import derived_oid
from catalog.index_definitions import index_key_sql
from catalog.items import Domain, Index, Item, Table
from catalog.state import CatalogState
from model.global_id import GlobalId
from planner.catalog_view import KeyKind, TableCheck

_FIRST_CHECK = 1601
"""Numbers of parts of a table: its columns' defaults come before."""
_WORDS = {KeyKind.PRIMARY: "PRIMARY KEY", KeyKind.UNIQUE: "UNIQUE"}


@dataclass(frozen=True, slots=True)
class TableConstraint:
    """A check, or the index of a key; `oid` is its row's in pg_constraint."""

    oid: int
    name: str
    rule: TableCheck | Item


def constraints_of(state: CatalogState, table: Item) -> Iterator[TableConstraint]:
    """Keys in order of their age, then checks in order of their names."""
    assert isinstance(table.definition, Table)
    for item in state.keys_of(table.id):
        if is_constraint(item):
            yield TableConstraint(derived_oid(item.oid, 0), item.name, item)
    for number, check in enumerate(table.definition.checks, _FIRST_CHECK):
        yield TableConstraint(derived_oid(table.oid, number), check.name, check)


def is_constraint(item: Item) -> bool:
    """Whether it is the index of PRIMARY KEY or UNIQUE."""
    index = item.definition
    return isinstance(index, Index) and index.rule is not None and index.rule.kind is not KeyKind.INDEX


def key_columns(index: Index) -> tuple[int, ...]:
    """The positions of a constraint's columns, which are all that its index has."""
    return tuple(key.column for key in index.keys if key.column is not None)


def check_sql(sql: str, pretty: bool) -> str:
    """PostgreSQL puts operators into two pairs of parentheses, but for people into one."""
    return f"CHECK ({sql})" if pretty else f"CHECK (({sql}))"


def constraint_sql(state: CatalogState, constraint: TableConstraint, pretty: bool) -> str:
    """What pg_get_constraintdef prints."""
    if isinstance(constraint.rule, TableCheck):
        return check_sql(constraint.rule.sql, pretty)
    index = constraint.rule.definition
    assert isinstance(index, Index) and index.rule is not None
    keys = ", ".join(index_key_sql(state, index, number, True) for number in range(len(index.keys)))
    nulls = "" if index.rule.nulls_distinct else " NULLS NOT DISTINCT"
    return f"{_WORDS[index.rule.kind]}{nulls} ({keys})"


def constraint_definitions(state: CatalogState, pretty: bool) -> Iterator[tuple[int, str]]:
    """By oid."""
    for item in state.items.values():
        if isinstance(item.definition, Table):
            yield from ((each.oid, constraint_sql(state, each, pretty)) for each in constraints_of(state, item))


def constraint_names(state: CatalogState, schema: int) -> frozenset[str]:
    """The names of all constraints of a schema, of which one that is made up is none."""
    names = set[str]()
    for item in state.items_in(schema):
        match item.definition:
            case Table(checks=checks):
                names.update(check.name for check in checks)
            case Domain(rules=rules):
                names.update(check.name for check in rules.checks)
            case _:
                names.update((item.name,) if is_constraint(item) else ())
    return frozenset(names)


def demands(state: CatalogState, table: GlobalId) -> frozenset[object]:
    """What a table demands of its rows, to be compared with what it demands in another state."""
    item = state.items.get(table)
    if item is None or not isinstance(item.definition, Table):
        return frozenset()
    required = (at for at, column in enumerate(item.desc.columns) if not column.nullable)
    columns = (("column", at) for at in range(item.desc.arity))
    keys = (key.id for key in state.keys_of(table))
    return frozenset([*required, *columns, *keys, *((check.name, check.sql) for check in item.definition.checks)])
