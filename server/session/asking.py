"""The session's side of executions: facts that statements read, and the few that statements change."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from catalog.declared.snapshot import CursorStatus, PreparedStatus, SettingStatus
from catalog.nouns.items import SUPERUSER_OID, Item
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import Severity
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.text.context import TextContext
from model.types.datum import Row
from planner.temporary_schema import search_path_of, temporary_schema_name
from server.cursors.holdings import Holdings
from server.environment.environment import Environment
from server.ledgers.counting.session_counters import SessionCounters
from server.ledgers.locks import SessionLocks
from server.pgwire.backend import Client, StartupParameters
from server.pgwire.messages import NoticeResponse
from server.session.current_row import CurrentRows
from server.session.large_objects.calls import LargeObjectCalls
from server.session.large_objects.contents import LargeObjects
from server.session.large_objects.large_object_rows import ObjectTables
from server.session.notices import Notices
from server.settings.becoming import become
from server.settings.settings import Settings
from server.transactions.execution import Execution
from server.transactions.modes import change_mode
from server.transactions.open_objects import StoredObject
from server.transactions.row_moves import Mover
from server.transactions.transaction import Transaction


class SessionAsker:
    """Implements Asker. `catalog` is the one that the session sees, with its transaction's own changes;
    `transaction` is the current one, begun on demand."""

    def __init__(
        self,
        environment: Environment,
        pid: int,
        startup: StartupParameters,
        client: Client,
        variables: Settings,
        holdings: Holdings,
        catalog: Callable[[], CatalogState],
        transaction: Callable[[], Transaction],
    ) -> None:
        self._environment = environment
        self._startup = startup
        self.notices = Notices(client, variables)
        self._variables = variables
        self._holdings = holdings
        self._catalog = catalog
        self._transaction = transaction
        self._pid = pid
        # No other session of this environment has its pid, and those of earlier ones have left nothing.
        self._temporary_schema = temporary_schema_name(pid)
        self._counters = SessionCounters()
        self._locks = environment.locks.rows.of_session(pid)
        self._searched: tuple[tuple[str, ...], CatalogState, tuple[str, ...]] | None = None
        self._superuser = False

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def user(self) -> str:
        return self._variables.role_name(self._variables.current_role)

    @property
    def role(self) -> int:
        return SUPERUSER_OID if self._superuser else self._variables.current_role

    def as_superuser(self) -> SessionAsker:
        """Returns the asker for statements of the server's own, in the same session."""
        own = copy.copy(self)
        own._superuser = True
        return own

    @property
    def session_user(self) -> str:
        return self._variables.role_name(self._variables.session_role)

    @property
    def database(self) -> str:
        return self._startup.database

    @property
    def search_path(self) -> tuple[str, ...]:
        named, catalog = self._variables.search_path, self._catalog()
        if self._searched is None or self._searched[0] is not named or self._searched[1] is not catalog:
            path = search_path_of(named, self._temporary_schema, self._has_temporary_schema(catalog))
            self._searched = named, catalog, path
        return self._searched[2]

    @property
    def temporary_schema(self) -> str:
        """The name of the session's temporary schema, existing or not."""
        return self._temporary_schema

    def _has_temporary_schema(self, catalog: CatalogState) -> bool:
        database = catalog.database_named(self.database)
        return database is not None and catalog.schema_named(database.oid, self._temporary_schema) is not None

    @property
    def text_context(self) -> TextContext:
        return self._variables.text_context

    @property
    def max_staleness_ms(self) -> int | None:
        return self._variables.max_staleness_ms

    @property
    def counters(self) -> SessionCounters:
        return self._counters

    @property
    def locks(self) -> SessionLocks:
        return self._locks

    def settings(self) -> tuple[SettingStatus, ...]:
        return self._variables.statuses()

    def prepared(self) -> tuple[PreparedStatus, ...]:
        return tuple(prepared.status for name, prepared in self._holdings.statements.items() if name)

    def cursors(self) -> tuple[CursorStatus, ...]:
        return tuple(cursor.status for cursor in self._holdings.cursors.values())

    def relations_in_use(self) -> frozenset[GlobalId]:
        return self._holdings.relations_in_use

    def scanned_tables(self) -> frozenset[GlobalId]:
        return self._holdings.scanned_tables

    async def current_row(self, execution: Execution, cursor: str, item: Item) -> tuple[Row | None, Mover]:
        return await CurrentRows(self._holdings).row(execution, cursor, item)

    def setting(self, name: str) -> str | None:
        return self._variables.find(name)

    def change_setting(self, name: str, value: str | None, local: bool) -> str:
        transaction = self._transaction()
        change_mode(transaction, name, value)
        transaction.undo.append(self._variables.set(name, value, local=local))
        return self._variables.get(name)

    def change_role(self, state: CatalogState, variable: str, name: str | None, local: bool) -> str:
        self._transaction().undo += become(self._variables, state, variable, name, local=local)
        return self._variables.get(variable)

    def now_ms(self) -> int:
        return self._environment.clock.now_ms()

    async def call_large_object(self, execution: Execution, function: str, arguments: tuple[Any, ...]) -> Any:
        return await LargeObjectCalls(execution, self).run(function, arguments)

    async def list_large_objects(self, execution: Execution) -> None:
        execution.transaction.writes.objects.listed = await self.large_objects(execution)

    async def large_objects(self, execution: Execution) -> tuple[StoredObject, ...]:
        return await self._objects(execution).all()

    async def large_object(self, execution: Execution, oid: int) -> StoredObject:
        return await self._objects(execution).present(oid)

    async def change_large_object(self, execution: Execution, row: StoredObject) -> None:
        await self._objects(execution).change(row)

    def _objects(self, execution: Execution) -> LargeObjects:
        return LargeObjects(ObjectTables(execution, self), execution.transaction.writes.objects)

    async def settle_large_objects(self, execution: Execution) -> None:
        """Writes what the transaction has changed of large objects into their tables, and forgets what it has read."""
        await LargeObjectCalls(execution, self).settle()

    def notice(
        self,
        severity: Severity,
        sqlstate: Sqlstate,
        message: str,
        *,
        detail: str | None = None,
        hint: str | None = None,
        position: int | None = None,
    ) -> None:
        """Sends a notice to the client, unless client_min_messages suppresses it."""
        self.notices.tell(NoticeResponse(sqlstate, message, severity, detail, hint, position))
