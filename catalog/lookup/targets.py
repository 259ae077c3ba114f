"""Finds the item that a DDL statement means by a name; raises PostgreSQL's errors when there is none, or it is of
another kind."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.builtin.registry import builtin_with_id
from catalog.declared.relation import RelationKind
from catalog.facts.roles.predefined import role_of_name
from catalog.lookup.planner_view import StateCatalogView
from catalog.nouns.items import Item
from catalog.nouns.sources import SourceTable
from catalog.nouns.system_schemas import system_schema_named
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind, ItemView
from planner.plans.objects import ObjectKind
from planner.temporary_schema import own_name


@dataclass(frozen=True, slots=True)
class DdlSession:
    """The part of a session on which the meaning of its DDL depends. `temporary_schema` is the name of its own,
    existing or not; `user` is the current role, `session_user` the role of RESET ROLE."""

    database: str
    search_path: tuple[str, ...]
    user: str
    temporary_schema: str
    session_user: str = ""

    def role(self, state: CatalogState) -> int:
        """Returns the oid of the session's role, which owns what it creates."""
        role = role_of_name(state, self.user)
        if role is None:
            # It was dropped by another session: no role has an empty name.
            message = f'role "{self.user}" does not exist' if self.user else "the current role was dropped"
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, message)
        return role.oid


def find_relation(state: CatalogState, session: DdlSession, parts: tuple[str, ...]) -> ItemView | None:
    """Returns the relation, which may be a system relation; raises 3F000 or 3D000 when the schema or database
    doesn't exist."""
    require_place(state, session, parts)
    return StateCatalogView(state, session.role(state)).resolve_item(parts, session.search_path, session.database)


def require_place(state: CatalogState, session: DdlSession, parts: tuple[str, ...]) -> None:
    """Raises SqlError when a relation's name is qualified by a database or a schema that does not exist."""
    message = missing_place(state, session, parts)
    if message is not None:
        raise message


def missing_place(state: CatalogState, session: DdlSession, parts: tuple[str, ...]) -> SqlError | None:
    """Returns the error about a missing database or schema in a qualified name; None where both exist."""
    if len(parts) > 3:
        name = ".".join(parts)
        return SqlError(Sqlstate.SYNTAX_ERROR, f"improper relation name (too many dotted names): {name}")
    if len(parts) == 1:
        return None
    database_name = parts[0] if len(parts) == 3 else session.database
    database = state.database_named(database_name)
    if database is None:
        return SqlError(Sqlstate.INVALID_CATALOG_NAME, f'database "{database_name}" does not exist')
    schema = own_name(parts[-2], session.search_path)
    if system_schema_named(schema) is None and state.schema_named(database.oid, schema) is None:
        return SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{schema}" does not exist')
    return None


def named_item(state: CatalogState, session: DdlSession, parts: tuple[str, ...]) -> Item:
    """Returns the user's item with a name; raises 42P01 when there is none, 42501 for a system relation."""
    found = find_relation(state, session, parts)
    if found is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{".".join(parts)}" does not exist')
    return user_item(state, found)


def user_item(state: CatalogState, found: ItemView) -> Item:
    """Returns the item; raises 42501 for a system relation, which nobody may alter."""
    if found.of_system:
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f'permission denied: "{found.name.name}" is a system catalog')
    return state.items[found.id]


def kind_of(found: ItemView) -> ItemKind:
    """Returns the kind as users know it: a system relation is a table or a view."""
    builtin = builtin_with_id(found.id)
    if builtin is None:
        return found.kind
    return ItemKind.TABLE if builtin.kind is RelationKind.TABLE else ItemKind.VIEW


def require_kind(item: Item, kind: ObjectKind) -> None:
    """Raises 42809 for an item of another kind."""
    if item.kind.value != kind.value and not (kind is ObjectKind.TABLE and is_table_of_source(item)):
        raise not_a(kind, item.name)


def is_table_of_source(item: Item | None) -> bool:
    """Tells whether an item is a table that reads from a source; DDL treats it as a table and as a source."""
    return item is not None and isinstance(item.definition, SourceTable)


def not_a(kind: ObjectKind, name: str, hint: str | None = None) -> SqlError:
    """Returns SqlError 42809 `"v" is not a table`, for an item of another kind than the statement takes."""
    article = "an" if kind is ObjectKind.INDEX else "a"
    return SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{name}" is not {article} {kind.value}', hint=hint)
