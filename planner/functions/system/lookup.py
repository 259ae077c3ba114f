"""The questions that functions ask the catalog and the session. The server implements them; tests bring their own."""

from __future__ import annotations

import datetime
from typing import Protocol

from model.types.scalar_type import TypeName
from planner.functions.system.lock_lookup import LockLookup
from planner.functions.system.sequence_lookup import SequenceLookup


class SystemLookup(Protocol):
    """One version of the catalog, seen by one session. Oids are pg_class.oid and the like.

    It is also model.text.context.ObjectNames: `name` and `oid` read and write reg* types.
    """

    def name(self, kind: TypeName, oid: int) -> str | None:
        """Returns the text of a reg* value, qualified when the object is not on the search path; None prints the
        number."""
        ...

    def oid(self, kind: TypeName, name: str) -> int:
        """The oid of a name as a user writes it; SqlError when there is none."""
        ...

    def visible(self, catalog: str, oid: int) -> bool | None:
        """Tells whether an object listed in `catalog` ("pg_class", "pg_type", "pg_proc" …) can be named without its
        schema on the search path; None when there is no such object."""
        ...

    def role_name(self, oid: int) -> str | None: ...

    def temporary_schema(self) -> int:
        """The oid of the session's temporary schema; 0 while there is none."""
        ...

    def is_temporary_schema(self, oid: int) -> bool:
        """Tells whether the schema is a session's temporary one."""
        ...

    def view_definition(self, oid: int) -> str | None:
        """The query of a view, ending in a semicolon; None when `oid` is not a view."""
        ...

    def expression_text(self, kept: str) -> str:
        """An expression of the catalog as a reader sees it."""
        ...

    @property
    def sequences(self) -> SequenceLookup: ...

    @property
    def locks(self) -> LockLookup: ...

    def serial_sequence(self, table: str, column: str) -> str | None:
        """The full name of the sequence that a column owns, None without one; 42P01, 42703."""
        ...

    def constraint_definition(self, oid: int, pretty: bool) -> str | None: ...

    def index_definition(self, oid: int, column: int, pretty: bool) -> str | None:
        """The whole definition for column 0, else the column's name or expression; `pretty` leaves out what can be."""
        ...

    def description(self, oid: int, catalog: str, column: int) -> str | None:
        """A comment; `column` 0 is the object's own."""
        ...

    def relation_size(self, oid: int) -> int | None:
        """Bytes stored for a relation; None when there is none."""
        ...

    def database_size(self, name: str) -> int: ...

    def setting(self, name: str) -> str | None:
        """Returns the value that SHOW prints; None for a setting that doesn't exist."""
        ...

    def change_setting(self, name: str, value: str, local: bool) -> str:
        """SET [LOCAL] name = value; returns what SHOW then prints."""
        ...

    def signal_session(self, pid: int, end: bool) -> bool:
        """Cancels what a session runs, or ends the session; False, and a warning, when there is none of that pid."""
        ...

    def reload_configuration(self) -> bool:
        """Has the files of the server's configuration read again."""
        ...

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        """Forgets the statistics of statements of a role, in a database, with an id; 0 stands for all."""
        ...

    def notify(self, channel: str, payload: str) -> None:
        """Executes NOTIFY."""
        ...

    def listening_channels(self) -> tuple[str, ...]:
        """Returns the channels that the session listens on."""
        ...

    def transaction_id(self) -> int: ...

    def server_version(self) -> str:
        """Returns the text of version()."""
        ...

    def started(self) -> datetime.datetime:
        """When the server started, in UTC."""
        ...

    def is_superuser(self) -> bool:
        """Tells whether the current role is a superuser."""
        ...

    def has_system_privilege(self, user: str | int | None, privilege: str) -> bool | None:
        """Tells whether `user`, as for `has_privilege`, has a privilege of Materialize's on the whole system:
        CREATEROLE and CREATEDB by the attributes of these names, CREATECLUSTER by CREATEDB's. SqlError for others."""
        ...

    def role_named(self, name: str) -> int:
        """A role's oid; SqlError 42704 where there is none."""
        ...

    def has_column_privilege(
        self, user: str | int | None, item: str | int, column: str | int | None, privilege: str
    ) -> bool | None:
        """As `has_privilege`, of a column by its name or number; None is any column."""
        ...

    def row_security_active(self, relation: int) -> bool:
        """Whether policies bind the current role in the relation with an oid."""
        ...

    def has_privilege(self, catalog: str, user: str | int | None, item: str | int, privilege: str) -> bool | None:
        """Whether `user` (None: the current one, 0 or "public": everybody) has `privilege` on an object of `catalog`,
        by name or oid; None when an oid names nothing, SqlError for a name or privilege that doesn't exist."""
        ...
