"""The named objects of a session: prepared statements, portals and cursors.

The wire binds a prepared statement to a portal and runs that; SQL's DECLARE makes a cursor. Describe, Execute and Close
of a portal also accept a cursor's name, and FETCH a portal's.
"""

from __future__ import annotations

import itertools

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.session import ExecutePlan, FetchPlan
from server.cursors.cursor import Cursor
from server.cursors.portals import Portal, Prepared
from server.pgwire.backend import ResultDescription
from server.planning.statement_plans import Planned


class Holdings:
    """The named objects of one session. The statement and the portal named "" are replaced without being closed; there
    is no cursor named "".
    """

    def __init__(self) -> None:
        self.statements: dict[str, Prepared] = {}
        self.portals: dict[str, Portal] = {}
        self.cursors: dict[str, Cursor] = {}
        self._unnamed = itertools.count(1)

    def new_cursor_name(self) -> str:
        """Returns a name for a cursor that code opens without a name."""
        return next(name for at in self._unnamed if (name := f"<unnamed portal {at}>") not in self.cursors)

    def statement_named(self, name: str) -> Prepared:
        """Returns a prepared statement; raises SqlError 26000 when there is none."""
        prepared = self.statements.get(name)
        if prepared is None:
            what = f'prepared statement "{name}"' if name else "unnamed prepared statement"
            raise SqlError(Sqlstate.INVALID_SQL_STATEMENT_NAME, f"{what} does not exist")
        return prepared

    def require_new_statement(self, name: str) -> None:
        """Raises SqlError 42P05 for a name that is taken."""
        if name and name in self.statements:
            raise SqlError(Sqlstate.DUPLICATE_PREPARED_STATEMENT, f'prepared statement "{name}" already exists')

    def portal_named(self, name: str) -> Portal:
        """Returns a portal; raises SqlError 34000 when there is none."""
        portal = self.portals.get(name)
        if portal is None:
            raise SqlError(Sqlstate.INVALID_CURSOR_NAME, f'portal "{name}" does not exist')
        return portal

    def described(self, planned: Planned) -> ResultDescription | None:
        """Returns the description of a statement's rows; None for no rows, also where it will fail because an object
        is missing."""
        match planned.plan:
            case FetchPlan(cursor=name, move=False):
                cursor, portal = self.cursors.get(name), self.portals.get(name)
                if cursor is not None:
                    return cursor.result.description
                return None if portal is None else portal.rows
            case ExecutePlan(name=name):
                prepared = self.statements.get(name)
                return None if prepared is None else prepared.rows
            case _:
                desc = planned.statement.result
                return None if desc is None else ResultDescription(desc, planned.statement.origins)

    def portal_rows(self, name: str) -> ResultDescription | None:
        """Returns the description of a portal's rows; raises SqlError 34000 when there is neither a portal nor a
        cursor with the name."""
        # psycopg describes a cursor that SQL declared as a portal.
        declared = self.cursors.get(name)
        return self.portal_named(name).rows if declared is None else declared.result.description

    async def close_portal(self, name: str) -> None:
        """Ends a portal, or a cursor; nothing happens when there is none."""
        portal, cursor = self.portals.pop(name, None), self.cursors.pop(name, None)
        if portal is not None and portal.source is not None:
            await portal.source.close()
        if cursor is not None:
            await cursor.close()

    async def close_cursors(self) -> None:
        """Ends all cursors."""
        for cursor in self.cursors.values():
            await cursor.close()
        self.cursors.clear()

    @property
    def relations_in_use(self) -> frozenset[GlobalId]:
        """Returns what the transaction's open cursors read, those that it has declared, and its named portals."""
        declared = (cursor.reads for cursor in self.cursors.values() if cursor.own)
        return frozenset().union(*declared, *(portal.reads for name, portal in self.portals.items() if name))

    @property
    def scanned_tables(self) -> frozenset[GlobalId]:
        """Returns the tables under scans of the transaction's cursors."""
        return frozenset(each.table for cursor in self.cursors.values() if cursor.own for each in cursor.scanned)

    @property
    def open_names(self) -> frozenset[str]:
        """Returns the names of the cursors, and of the named portals of queries."""
        return frozenset((*self.cursors, *(name for name, portal in self.portals.items() if name and portal.rows)))

    @property
    def unnamed(self) -> bool:
        """Tells whether nothing is held but, perhaps, the statement without a name."""
        return not (self.portals or self.cursors or any(self.statements))

    @property
    def holding(self) -> bool:
        """Tells whether the transaction has declared cursors WITH HOLD."""
        return any(cursor.hold and cursor.own for cursor in self.cursors.values())

    async def read_held(self) -> None:
        """Reads what is left of the transaction's cursors WITH HOLD, which outlive the time at which it reads. Cursors
        that have failed before end with it, as in PostgreSQL; an error is that of COMMIT."""
        for name, cursor in list(self.cursors.items()):
            if not (cursor.hold and cursor.own):
                continue
            if cursor.source.failed:
                await self.close_portal(name)
            else:
                await cursor.fill()

    async def end_transaction(self, *, committed: bool) -> None:
        """Closes portals, and cursors except those WITH HOLD of a committed transaction."""
        for name in list(self.portals):
            await self.close_portal(name)
        for name in [name for name, c in self.cursors.items() if (not c.hold if committed else c.own)]:
            await self.cursors.pop(name).close()
        for held in self.cursors.values():
            held.own = False
