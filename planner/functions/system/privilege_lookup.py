"""The questions of functions to the catalog about privileges and roles."""

from __future__ import annotations

from typing import Protocol


class PrivilegeLookup(Protocol):
    """The privileges of roles on the catalog's objects. "Current" is the session's current role."""

    def is_superuser(self) -> bool:
        """Tells whether the current role is a superuser."""
        ...

    def has_system_privilege(self, user: str | int | None, privilege: str) -> bool | None:
        """Tells whether `user`, as for `has_privilege`, has a privilege of Materialize's on the whole system:
        CREATEROLE and CREATEDB by the attributes of these names, CREATECLUSTER by CREATEDB's. Raises SqlError for
        others."""
        ...

    def has_parameter_privilege(self, user: str | int | None, parameter: str, privilege: str) -> bool | None:
        """Tells whether `user`, as for `has_privilege`, may SET or ALTER SYSTEM a parameter by a privilege on it: there
        are none, so that superusers may. Raises SqlError for an unknown privilege or role."""
        ...

    def has_column_privilege(
        self, user: str | int | None, item: str | int, column: str | int | None, privilege: str
    ) -> bool | None:
        """Tells as `has_privilege` does, of a column by its name or number; None is any column."""
        ...

    def row_security_active(self, relation: int) -> bool:
        """Tells whether policies bind the current role in the relation with an oid."""
        ...

    def has_privilege(self, catalog: str, user: str | int | None, item: str | int, privilege: str) -> bool | None:
        """Tells whether `user` (None: the current one, 0 or "public": everybody) has `privilege` on an object of
        `catalog`, by name or oid; None when an oid names nothing, SqlError for a name or privilege that doesn't
        exist."""
        ...
