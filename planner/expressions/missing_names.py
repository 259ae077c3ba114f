"""Completes errors about missing tables and columns: where the name is, or which name was probably meant.

The rules are PostgreSQL 16's: a name out of reach is mentioned, else one or two similar ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind
from planner.scope.analysis import Analysis
from planner.scope.scope import NamespaceItem, Scope
from planner.scope.system_columns import UNKNOWN_COLUMNS

_DISTANCE_MAX = 3
_OUT_OF_REACH = "but it cannot be referenced from this part of the query."


def missing_table(analysis: Analysis, scope: Scope, name: str, location: int) -> SqlError:
    """Returns SqlError 42P01 for a column's table that FROM lacks; says in the detail when the table is there, but out
    of reach."""
    for at, item in _items(scope):
        if item.alias == name:
            message = f'invalid reference to FROM-clause entry for table "{name}"'
            detail = f'There is an entry for table "{name}", {_OUT_OF_REACH}'
            hint = "To reference that table, you must mark this subquery with LATERAL." if at.hidden else None
            return analysis.error(Sqlstate.UNDEFINED_TABLE, message, location, detail=detail, hint=hint)
    message = f'missing FROM-clause entry for table "{name}"'
    return analysis.error(Sqlstate.UNDEFINED_TABLE, message, location)


def missing_column(analysis: Analysis, scope: Scope, table: str | None, name: str, location: int) -> SqlError:
    """Returns the error 42703 for a missing column, bare or of an existing table; 0A000 for a system column of which no
    row tells."""
    if name in UNKNOWN_COLUMNS and any(
        item.source is not None and item.source.kind is ItemKind.TABLE and table in (None, item.alias)
        for _, item in _items(scope)
    ):
        told = "xmin tells versions of a row apart; a key tells rows apart."
        return analysis.unsupported(f"system column {name}", location, hint=told)
    message = f"column {table}.{name} does not exist" if table else f'column "{name}" does not exist'
    detail, hint = _elsewhere(scope, table, name)
    if detail is None:
        hint = _spelt_alike(scope, table, name)
    return analysis.error(Sqlstate.UNDEFINED_COLUMN, message, location, detail=detail, hint=hint)


def _items(scope: Scope) -> Iterator[tuple[Scope, NamespaceItem]]:
    """Yields the tables of FROM, not joins without names of their own, from the nearest row outwards."""
    at: Scope | None = scope
    while at is not None:
        yield from ((at, item) for item in at.items if item.alias is not None)
        at = at.parent


def _elsewhere(scope: Scope, table: str | None, name: str) -> tuple[str | None, str | None]:
    """Returns detail and hint where other tables than could be meant have a column of just this name."""
    found = [
        (at, item)
        for at, item in _items(scope)
        if table in (None, item.alias) and any(field.name == name for field in item.fields)
    ]
    match found:
        case []:
            return None, None
        case [(at, item)]:
            hint = None
            if at.hidden:
                hint = "To reference that column, you must mark this subquery with LATERAL."
            elif table is None and item.relation_visible:
                hint = "To reference that column, you must use a table-qualified name."
            return f'There is a column named "{name}" in table "{item.alias}", {_OUT_OF_REACH}', hint
        case _:
            detail = f'There are columns named "{name}", but they are in tables that cannot be referenced from this'
            hint = "Try using a table-qualified name." if table is None else None
            return f"{detail} part of the query.", hint


def _spelt_alike(scope: Scope, table: str | None, name: str) -> str | None:
    """Returns the hint that names the one or two columns nearest to what was written; None where more are as near."""
    nearest = _DISTANCE_MAX + 1
    found: list[str] = []
    for _, item in _items(scope):
        assert item.alias is not None
        apart = 0 if table is None else _distance(table, item.alias)
        if apart > nearest:
            continue
        for field in item.fields:
            distance = _distance(field.name, name)
            if distance > len(name) // 2:
                continue
            distance += apart
            said = f'the column "{item.alias}.{field.name}"'
            if distance < nearest:
                nearest, found = distance, [said]
            elif distance == nearest and len(found) == 2:
                nearest, found = distance - 1, []
            elif distance == nearest <= _DISTANCE_MAX:
                found.append(said)
    return f"Perhaps you meant to reference {' or '.join(found)}." if found else None


def _distance(one: str, other: str) -> int:
    """Returns the number of characters to insert, delete or change to turn one name into the other (Levenshtein's
    distance)."""
    row = list(range(len(other) + 1))
    for at, character in enumerate(one, 1):
        before, row[0] = row[0], at
        for place, wanted in enumerate(other, 1):
            changed = before + (character != wanted)
            before = row[place]
            row[place] = min(changed, row[place] + 1, row[place - 1] + 1)
    return row[-1]
