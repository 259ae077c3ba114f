"""Answers who may do what: superusers and owners everything, all roles what PostgreSQL grants to PUBLIC; there is no
GRANT yet."""

from __future__ import annotations

from collections.abc import Callable

from catalog.builtin.registry import builtin_with_oid
from catalog.nouns.items import Role
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_GRANTABLE = " with grant option"
_KNOWN = {
    "pg_class": frozenset(("select", "insert", "update", "delete", "truncate", "references", "trigger", "rule")),
    "pg_sequence": frozenset(("usage", "select", "update")),
    "pg_attribute": frozenset(("select", "insert", "update", "references")),
    "pg_namespace": frozenset(("create", "usage")),
    "pg_database": frozenset(("create", "connect", "temporary", "temp")),
    "pg_proc": frozenset(("execute",)),
    "pg_type": frozenset(("usage",)),
    "pg_language": frozenset(("usage",)),
    "pg_tablespace": frozenset(("create",)),
    "pg_authid": frozenset(("usage", "member", "set")),
}
_ADMIN = " with admin option"
_PUBLIC = {
    "pg_database": frozenset(("connect", "temporary", "temp")),
    "pg_proc": frozenset(("execute",)),
    "pg_type": frozenset(("usage",)),
    "pg_language": frozenset(("usage",)),
}


def requested_privileges(catalog: str, text: str) -> frozenset[str]:
    """Splits `SELECT, INSERT WITH GRANT OPTION` into lower-case words; raises 22023 for a word that is no privilege
    of the catalog."""
    words = set()
    for part in text.split(","):
        word = " ".join(part.lower().split())
        plain = word.removesuffix(_GRANTABLE).removesuffix(_ADMIN)
        if plain not in _KNOWN.get(catalog, frozenset()):
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'unrecognized privilege type: "{part.strip()}"')
        words.add(word)
    return frozenset(words)


def allowed(state: CatalogState, role: Role, catalog: str, oid: int, privileges: frozenset[str]) -> bool | None:
    """Tells whether `role` has any of `privileges` on the object; None when there is no such object."""
    owner = _OWNERS.get(catalog, _system_owner)(state, oid)
    if owner is None:
        return None
    if role.superuser or owner == role.oid:
        return True
    return bool(privileges & _public(catalog, oid))


def _public(catalog: str, oid: int) -> frozenset[str]:
    """Returns the privileges that all roles have."""
    if catalog in ("pg_class", "pg_attribute"):
        return frozenset(("select",)) if builtin_with_oid(oid) is not None else frozenset()
    if catalog == "pg_namespace":
        return frozenset(("usage",))
    return _PUBLIC.get(catalog, frozenset())


_SYSTEM_OWNER = 0


def _relation_owner(state: CatalogState, oid: int) -> int | None:
    if builtin_with_oid(oid) is not None:
        return _SYSTEM_OWNER
    item = state.item_by_oid(oid)
    return None if item is None else item.owner


def _schema_owner(state: CatalogState, oid: int) -> int | None:
    if any(schema.oid == oid for schema in SYSTEM_SCHEMAS):
        return _SYSTEM_OWNER
    schema = state.schemas.get(oid)
    return None if schema is None else schema.owner


def _database_owner(state: CatalogState, oid: int) -> int | None:
    database = state.databases.get(oid)
    return None if database is None else database.owner


def _role_itself(state: CatalogState, oid: int) -> int | None:
    return oid if oid in state.roles else None


def _system_owner(state: CatalogState, oid: int) -> int | None:
    return _SYSTEM_OWNER


_OWNERS: dict[str, Callable[[CatalogState, int], int | None]] = {
    "pg_class": _relation_owner,
    "pg_sequence": _relation_owner,
    "pg_attribute": _relation_owner,
    "pg_namespace": _schema_owner,
    "pg_database": _database_owner,
    "pg_authid": _role_itself,
}
