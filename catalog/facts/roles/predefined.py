"""PostgreSQL's own roles, beside those of the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from catalog.declared.stored import stored_desc, stored_table
from catalog.nouns.items import Role
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

READ_ALL_DATA = 6181
WRITE_ALL_DATA = 6182
MONITOR = 3373
READ_ALL_SETTINGS = 3374
READ_ALL_STATS = 3375
STAT_SCAN_TABLES = 3377
READ_SERVER_FILES = 4569
WRITE_SERVER_FILES = 4570
EXECUTE_SERVER_PROGRAM = 4571
SIGNAL_BACKEND = 4200

FIRST_MEMBERSHIPS = ((READ_ALL_SETTINGS, MONITOR), (READ_ALL_STATS, MONITOR), (STAT_SCAN_TABLES, MONITOR))
"""Roles, and the members that each has from the beginning."""


def known_role(state: CatalogState, oid: int) -> Role:
    """Returns a role of the catalog, or one of PostgreSQL's own; raises 42704 for a dropped one."""
    role = state.roles.get(oid) or predefined_roles().get(oid)
    if role is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"role {oid} was concurrently dropped")
    return role


def role_of_name(state: CatalogState, name: str) -> Role | None:
    """Returns a role of the catalog, or one of PostgreSQL's own, by its name."""
    own = (each for each in predefined_roles().values() if each.name == name)
    return state.role_named(name) or next(own, None)


@cache
def predefined_roles() -> Mapping[int, Role]:
    """Returns PostgreSQL's own roles, by oid: nobody can log in as one."""
    names = stored_desc("pg_authid").names
    oid, name = names.index("oid"), names.index("rolname")
    found = [
        Role(int(str(row[oid])), str(row[name]), superuser=False, createrole=False, createdb=False, login=False)
        for row in stored_table("pg_authid")
    ]
    return {role.oid: role for role in found}
