"""The rules of CREATE OR REPLACE: PostgreSQL keeps a view's columns, and lets more follow.

A materialized view, which PostgreSQL can't replace, may get any columns while nothing depends on it.
"""

from __future__ import annotations

from catalog.nouns.items import Item, MaterializedView, View, numbered_columns
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.decimals_columns import visible_layout
from model.types.scalar_type import declared_type, type_text


def check_replacement(state: CatalogState, item: Item, definition: View | MaterializedView) -> None:
    """Raises 42P16 when a column would go or change; raises 42P17 when the view would come to depend on itself."""
    if isinstance(definition, View) or state.dependents(item.id):
        _check_columns(item, definition)
    if item.id in _reachable(state, definition):
        raise SqlError(
            Sqlstate.INVALID_OBJECT_DEFINITION, f'infinite recursion detected in rules for relation "{item.name}"'
        )


def _check_columns(item: Item, definition: View | MaterializedView) -> None:
    old = [column for _, _, column in item.numbered_columns]
    new = [column for _, _, column in numbered_columns(definition.desc, visible_layout(definition.desc))]
    if len(new) < len(old):
        raise _invalid("cannot drop columns from view")
    for before, after in zip(old, new):
        if before.name != after.name:
            raise _invalid(
                f'cannot change name of view column "{before.name}" to "{after.name}"',
                hint="Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead.",
            )
        if declared_type(before.type) != declared_type(after.type):
            raise _invalid(
                f'cannot change data type of view column "{before.name}" from {type_text(before.type)}'
                f" to {type_text(after.type)}"
            )


def _invalid(message: str, hint: str | None = None) -> SqlError:
    return SqlError(Sqlstate.INVALID_TABLE_DEFINITION, message, hint=hint)


def _reachable(state: CatalogState, definition: View | MaterializedView) -> set[GlobalId]:
    """Returns everything that `definition` depends on, through any number of views."""
    reached: set[GlobalId] = set()
    frontier = [reference.id for reference in definition.references]
    while frontier:
        id = frontier.pop()
        if id in reached:
            continue
        reached.add(id)
        item = state.items.get(id)
        if item is not None:
            frontier.extend(item.depends_on)
    return reached
