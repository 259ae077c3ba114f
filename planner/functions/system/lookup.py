"""The questions that functions ask the catalog and the session. The server implements them; tests bring their own."""

from __future__ import annotations

from typing import Protocol

from planner.function_rules import FunctionPart
from planner.functions.system.name_lookup import NameLookup
from planner.functions.system.privilege_lookup import PrivilegeLookup
from planner.functions.system.session_facts import SessionFacts


class SystemLookup(Protocol):
    """One version of the catalog, seen by one session. Oids are pg_class.oid and the like."""

    @property
    def names(self) -> NameLookup: ...

    @property
    def privileges(self) -> PrivilegeLookup: ...

    @property
    def session(self) -> SessionFacts: ...

    def temporary_schema(self) -> int:
        """Returns the oid of the session's temporary schema; 0 while there is none."""
        ...

    def is_temporary_schema(self, oid: int) -> bool:
        """Tells whether the schema is a session's temporary one."""
        ...

    def view_definition(self, oid: int) -> str | None:
        """Returns the query of a view, ending in a semicolon; None when `oid` is not a view."""
        ...

    def updatable_events(self, oid: int) -> int:
        """Returns the bits of the commands that can be executed on a relation: 4 UPDATE, 8 INSERT, 16 DELETE."""
        ...

    def column_updatable(self, oid: int, number: int) -> bool:
        """Tells whether a column of a relation, by its number, can be given values."""
        ...

    def expression_text(self, kept: str) -> str:
        """Returns an expression of the catalog as a reader sees it."""
        ...

    def serial_sequence(self, table: str, column: str) -> str | None:
        """Returns the full name of the sequence that a column owns, None without one; 42P01, 42703."""
        ...

    def constraint_definition(self, oid: int, pretty: bool) -> str | None: ...

    def index_definition(self, oid: int, column: int, pretty: bool) -> str | None:
        """Returns the whole definition for column 0, else the column's name or expression; `pretty` leaves out what can
        be."""
        ...

    def function_text(self, oid: int, part: FunctionPart) -> str | None:
        """Returns what pg_get_functiondef and its kin print of a user's function; None for other oids."""
        ...

    def description(self, oid: int, catalog: str | None, column: int) -> str | None:
        """Returns the comment on an object of a system catalog, of any catalog for None; `column` 0 is the object's
        own."""
        ...

    def relation_size(self, oid: int) -> int | None:
        """Returns the bytes stored for a relation; None when there is none."""
        ...

    def database_size(self, name: str) -> int: ...
