"""The questions of functions to the catalog about names and oids of objects."""

from __future__ import annotations

from typing import Protocol

from model.types.scalar_type import TypeName


class NameLookup(Protocol):
    """Names and oids of the catalog's objects, as one session writes and sees them. It is also
    model.text.context.ObjectNames: `name` and `oid` read and write reg* types."""

    def name(self, kind: TypeName, oid: int) -> str | None:
        """Returns the text of a reg* value, qualified when the object is not on the search path; None prints the
        number."""
        ...

    def oid(self, kind: TypeName, name: str) -> int:
        """Returns the oid of a name as a user writes it; raises SqlError when there is none."""
        ...

    def visible(self, catalog: str, oid: int) -> bool | None:
        """Tells whether an object listed in `catalog` ("pg_class", "pg_type", "pg_proc" …) can be named without its
        schema on the search path; None when there is no such object."""
        ...

    def role_name(self, oid: int) -> str | None: ...

    def role_named(self, name: str) -> int:
        """Returns a role's oid; raises SqlError 42704 where there is none."""
        ...
