"""Changes of a table's checks and of what may be NULL in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from catalog.constraints import constraints_of
from catalog.items import Item, Table
from catalog.state import CatalogState
from model.errors import SqlError
from model.relation_desc import RelationDesc
from model.sqlstate import Sqlstate
from planner.catalog_view import TableCheck

_CHECKS_MAX = 400
"""Fewer than there are numbers for parts of a table."""


@dataclass(frozen=True, slots=True)
class AddedTableCheck:
    check: TableCheck


@dataclass(frozen=True, slots=True)
class DroppedTableCheck:
    name: str


@dataclass(frozen=True, slots=True)
class RenamedTableCheck:
    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class RequiredColumns:
    """The columns at these positions are NOT NULL from now on."""

    columns: tuple[int, ...]


TableChange = AddedTableCheck | DroppedTableCheck | RenamedTableCheck | RequiredColumns


def altered_table(state: CatalogState, item: Item, change: TableChange) -> Item:
    """42710 and 42704 for names of constraints."""
    table = item.definition
    assert isinstance(table, Table), "translated for a table"
    match change:
        case AddedTableCheck(check):
            require_free(state, item, check.name)
            return _with_checks(item, table, (*table.checks, check))
        case DroppedTableCheck(name):
            found = _named(item, table, name)
            return _with_checks(item, table, (check for check in table.checks if check != found))
        case RenamedTableCheck(name, new_name):
            require_free(state, item, new_name)
            found = _named(item, table, name)
            renamed = replace(found, name=new_name)
            return _with_checks(item, table, (renamed if check == found else check for check in table.checks))
        case RequiredColumns(columns):
            required = (
                replace(column, nullable=column.nullable and at not in columns)
                for at, column in enumerate(table.desc.columns)
            )
            return replace(item, definition=replace(table, desc=RelationDesc(tuple(required))))
        case _:
            assert_never(change)


def require_free(state: CatalogState, item: Item, name: str) -> None:
    """42710 for a name that another constraint of the table has."""
    if any(each.name == name for each in constraints_of(state, item)):
        message = f'constraint "{name}" for relation "{item.name}" already exists'
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, message)


def missing_constraint(item: Item, name: str) -> SqlError:
    message = f'constraint "{name}" of relation "{item.name}" does not exist'
    return SqlError(Sqlstate.UNDEFINED_OBJECT, message)


def _with_checks(item: Item, table: Table, checks: Iterable[TableCheck]) -> Item:
    """In the order in which they are made."""
    ordered = tuple(sorted(checks, key=lambda check: check.name))
    if len(ordered) > _CHECKS_MAX:
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, f"a table can have at most {_CHECKS_MAX} CHECK constraints")
    return replace(item, definition=replace(table, checks=ordered))


def _named(item: Item, table: Table, name: str) -> TableCheck:
    found = next((check for check in table.checks if check.name == name), None)
    if found is None:
        raise missing_constraint(item, name)
    return found
