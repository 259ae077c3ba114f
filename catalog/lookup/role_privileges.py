"""Answers has_table_privilege() and its kin, for roles and objects by name or oid."""

from __future__ import annotations

from catalog.builtin.registry import builtin_with_oid
from catalog.facts.roles.decide import is_superuser
from catalog.facts.roles.predefined import predefined_roles
from catalog.facts.roles.row_security import binding_policies
from catalog.lookup.object_names import NamedObjects
from catalog.lookup.privileges import allowed, any_column_allowed, column_allowed, requested_privileges
from catalog.nouns.items import (
    SequenceDefinition,
)
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_CREATEROLE = "CREATEROLE"
_SYSTEM_PRIVILEGES = (_CREATEROLE, "CREATEDB", "CREATECLUSTER")
_PARAMETER_PRIVILEGES = "SET", "ALTER SYSTEM"


class CatalogPrivileges:
    """Tells which privileges roles have in one version of the catalog; `user` is the session's current role. It is a
    planner.functions.system.privilege_lookup.PrivilegeLookup."""

    def __init__(self, state: CatalogState, names: NamedObjects, user: str) -> None:
        self._state = state
        self._names = names
        self._user = user

    def row_security_active(self, relation: int) -> bool:
        role = self._asked_role(None)
        item = self._state.item_by_oid(relation)
        return role is not None and binding_policies(self._state, item, role) is not None

    def has_privilege(self, catalog: str, user: str | int | None, item: str | int, privilege: str) -> bool | None:
        role = self._asked_role(user)
        oid = item if isinstance(item, int) else self._names.object_oid(catalog, item)
        requested = requested_privileges(catalog, privilege)
        if catalog == "pg_sequence":
            self._require_sequence(oid)
        return None if role is None else allowed(self._state, role, catalog, oid, requested)

    def _require_sequence(self, oid: int) -> None:
        found = self._state.item_by_oid(oid)
        if found is not None and not isinstance(found.definition, SequenceDefinition):
            raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{found.name}" is not a sequence')

    def _asked_role(self, user: str | int | None) -> int | None:
        """Returns a role's oid as asked for: PUBLIC is 0, as nobody; None for an oid that is no role's."""
        if user is None:
            return self._names.role(self._user).oid
        if isinstance(user, str):
            return 0 if user == "public" else self._names.role(user).oid
        return user if user in self._state.roles or user in predefined_roles() or user == 0 else None

    def has_column_privilege(
        self, user: str | int | None, item: str | int, column: str | int | None, privilege: str
    ) -> bool | None:
        role = self._asked_role(user)
        oid = item if isinstance(item, int) else self._names.object_oid("pg_class", item)
        requested = requested_privileges("pg_attribute", privilege)
        if role is None:
            return None
        if column is None:
            return any_column_allowed(self._state, role, oid, requested)
        number = self._column_number(oid, column)
        return None if number is None else column_allowed(self._state, role, oid, number, requested)

    def _column_number(self, oid: int, column: str | int) -> int | None:
        """Returns the number of a relation's column, given by name or number. Raises SqlError 42703 for a name that no
        column has; None for a number that no column has, and for an unknown relation."""
        item, builtin = self._state.item_by_oid(oid), builtin_with_oid(oid)
        if item is None and builtin is None:
            return None
        if item is not None:
            names = {desc.name: number for number, _, desc in item.numbered_columns}
        else:
            assert builtin is not None, "it is one of both"
            names = {name: number for number, name in enumerate(builtin.desc.names, 1)}
        if isinstance(column, int):
            return column if column in names.values() else None
        if column not in names:
            relation = item.name if item is not None else self._names.relation_name(oid)
            message = f'column "{column}" of relation "{relation}" does not exist'
            raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
        return names[column]

    def is_superuser(self) -> bool:
        return is_superuser(self._state, self._names.role(self._user).oid)

    def has_parameter_privilege(self, user: str | int | None, parameter: str, privilege: str) -> bool | None:
        for word in privilege.split(","):
            if word.strip().upper().removesuffix(" WITH GRANT OPTION") not in _PARAMETER_PRIVILEGES:
                message = f'unrecognized privilege type: "{word.strip()}"'
                raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
        role = self._asked_role(user)
        return role is not None and is_superuser(self._state, role)

    def has_system_privilege(self, user: str | int | None, privilege: str) -> bool | None:
        wanted = privilege.strip().upper()
        if wanted not in _SYSTEM_PRIVILEGES:
            message = f'unrecognized privilege type: "{privilege}"'
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
        oid = self._asked_role(user)
        role = None if oid is None else self._state.roles.get(oid)
        if role is None:
            return None if oid is None else False
        return role.superuser or (role.createrole if wanted == _CREATEROLE else role.createdb)
