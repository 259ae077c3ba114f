"""Values given for identity and generated columns: INSERT … OVERRIDING, and what UPDATE may say."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemView
from planner.scope.analysis import Analysis
from planner.sequence_rules import Identity


def taken(analysis: Analysis, node: Any, item: ItemView, column: int) -> bool:
    """Tells whether an INSERT's value for a column is used; otherwise its DEFAULT is. Raises 428C9 where none may be
    given."""
    if item.is_generated(column):
        name = item.desc.columns[column].name
        raise _generated(analysis, f'cannot insert a non-DEFAULT value into column "{name}"', name)
    identity = _identity(item, column)
    if identity is None or node.override == tree.OVERRIDING_SYSTEM_VALUE:
        return True
    if node.override == tree.OVERRIDING_USER_VALUE:
        return False
    if identity is Identity.ALWAYS:
        name = item.desc.columns[column].name
        hint = "Use OVERRIDING SYSTEM VALUE to override."
        raise _always(analysis, f'cannot insert a non-DEFAULT value into column "{name}"', name, hint)
    return True


def refuse_update(analysis: Analysis, item: ItemView, column: int) -> None:
    """Raises 428C9 for a value that UPDATE gives a column that is always generated."""
    if item.is_generated(column):
        name = item.desc.columns[column].name
        raise _generated(analysis, f'column "{name}" can only be updated to DEFAULT', name)
    if _identity(item, column) is Identity.ALWAYS:
        name = item.desc.columns[column].name
        raise _always(analysis, f'column "{name}" can only be updated to DEFAULT', name, None)


def _identity(item: ItemView, column: int) -> Identity | None:
    return item.identities[column] if item.identities else None


def _generated(analysis: Analysis, message: str, column: str) -> SqlError:
    return analysis.error(Sqlstate.GENERATED_ALWAYS, message, detail=f'Column "{column}" is a generated column.')


def _always(analysis: Analysis, message: str, column: str, hint: str | None) -> SqlError:
    detail = f'Column "{column}" is an identity column defined as GENERATED ALWAYS.'
    return analysis.error(Sqlstate.GENERATED_ALWAYS, message, detail=detail, hint=hint)
