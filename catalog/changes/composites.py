"""Changes of composite types' attributes, and of relations as far as the type of their rows goes. A composite value is
stored as the tuple of its fields, by position: types of stored values take other names alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from catalog.changes.policies import bound_policies, items_named
from catalog.facts.type_texts import types_named
from catalog.nouns.items import Composite, Domain, Index, Item, MaterializedView, Table, View
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, holds
from planner.plans.types import AddedAttribute, AttributeChange, DroppedAttribute, RenamedAttribute, RetypedAttribute

Fields = tuple[tuple[str, ScalarType], ...]


def with_fields(item: Item, changes: Sequence[AttributeChange]) -> Item:
    """Returns the type after changes."""
    assert isinstance(item.definition, Composite), "translated for a composite type"
    return replace(item, definition=replace(item.definition, fields=changed_fields(item, changes)))


def changed_fields(item: Item, changes: Sequence[AttributeChange]) -> Fields:
    """Returns a type's fields after changes, one after the other. Raises SqlError 42701 for a taken name, 42703 for an
    unknown one; raises 0A000 for the last attribute."""
    assert isinstance(item.definition, Composite), "translated for a composite type"
    fields = item.definition.fields
    for change in changes:
        fields = _changed(item, fields, change)
    if not fields:
        raise NotSupported("a composite type without fields")
    return fields


def _changed(item: Item, fields: Fields, change: AttributeChange) -> Fields:
    names = [name for name, _ in fields]
    match change:
        case AddedAttribute(name, type_):
            _require_free(item, names, name)
            return (*fields, (name, type_))
        case DroppedAttribute(name, missing_ok):
            if name not in names and not missing_ok:
                message = f'column "{name}" of relation "{item.name}" does not exist'
                raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
            return tuple(field for field in fields if field[0] != name)
        case RetypedAttribute(name, type_):
            if name not in names:
                message = f'column "{name}" of relation "{item.name}" does not exist'
                raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
            return tuple((own, type_ if own == name else known) for own, known in fields)
        case RenamedAttribute(name, new_name):
            if name not in names:
                raise SqlError(Sqlstate.UNDEFINED_COLUMN, f'column "{name}" does not exist')
            _require_free(item, names, new_name)
            return tuple((new_name if own == name else own, known) for own, known in fields)
        case _:
            assert_never(change)


def _require_free(item: Item, names: Sequence[str], name: str) -> None:
    if name in names:
        message = f'column "{name}" of relation "{item.name}" already exists'
        raise SqlError(Sqlstate.DUPLICATE_COLUMN, message)


def users_of_type(state: CatalogState, item: Item) -> list[Item]:
    """Returns all items made of a type, directly or not."""
    return [each for each in state.items.values() if each.id != item.id and item.id in state.items_under(each.id)]


def users_in_texts(state: CatalogState, items: Sequence[Item]) -> list[Item]:
    """Returns the tables and the domains whose texts name one of the items."""
    ids = {item.id for item in items}
    secured = {table.id for table, policy in bound_policies(state) if not ids.isdisjoint(items_named(policy))}
    return [
        each
        for each in state.items.values()
        if each.id in secured or any(id in ids for _, id in types_named(state, each))
    ]


def rewritten_columns(state: CatalogState, item: Item) -> list[tuple[Item, int]]:
    """Returns the columns of tables, by position, that hold values of a composite type and have to be written anew when
    its attributes change. Raises SqlError 0A000 where other items are planned with the attributes, where columns hold
    the type within others, and where the texts of tables and domains name it: DEFAULT, GENERATED and policies. A CHECK
    can't name types of users."""
    for user in users_in_texts(state, [item]):
        message = f'cannot alter type "{item.name}" because an expression of {user.kind.value} "{user.name}" uses it'
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    found: list[tuple[Item, int]] = []
    for user in users_of_type(state, item):
        if isinstance(user.definition, Composite | Domain | Index):
            continue
        held = [(at, column) for _, at, column in user.numbered_columns if holds(column.type, item.id)]
        for at, column in held:
            if not isinstance(user.definition, Table) or column.type != item.type:
                raise used_by_column(item, user, column.name)
            found.append((user, at))
        if not held:
            message = f'cannot alter type "{item.name}" because {user.kind.value} "{user.name}" uses it'
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    return found


def used_by_column(item: Item, user: Item, column: str) -> SqlError:
    """Returns the error for a type that can't change because of a column."""
    message = f'cannot alter type "{item.name}" because column "{user.name}.{column}" uses it'
    return SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)


def require_free_row_type(state: CatalogState, item: Item) -> None:
    """Raises SqlError 0A000 where columns of others hold rows of a relation whose columns are to change."""
    for user in users_of_type(state, item):
        if not isinstance(user.definition, Table | View | MaterializedView):
            continue
        for _, _, column in user.numbered_columns:
            if holds(column.type, item.id):
                message = (
                    f'cannot alter {item.kind.value} "{item.name}" because column "{user.name}.{column.name}" uses its'
                    " row type"
                )
                raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)


def require_no_member(item: Item, type_: ScalarType) -> None:
    """Raises SqlError 42P16 for a column's type that is made of the rows of its own relation."""
    if holds(type_, item.id):
        message = f"composite type {item.name} cannot be made a member of itself"
        raise SqlError(Sqlstate.INVALID_TABLE_DEFINITION, message)
