"""A client's session: answers the wire's calls, and runs statements within its transaction.

A simple Query message, and a pipeline up to Sync, is one implicit transaction unless BEGIN made it explicit.
Acknowledged means committed: the rows of an implicit transaction's last statement end only after its commit.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from catalog.declared.snapshot import SessionStatus
from catalog.facts.roles.predefined import predefined_roles
from catalog.lookup.parameter_types import current_types, parameter_types_of
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.text.context import ObjectNames, TextContext
from model.types.datum import Datum
from model.types.scalar_type import ScalarType
from planner.plans.queries import SelectPlan
from planner.syntax.parse import ParsedStatement, parse
from planner.syntax.secret_texts import public_text
from server.cursors.cursor import Cursor
from server.cursors.holdings import Holdings
from server.cursors.kept_rows import KeptRows
from server.cursors.portals import Portal, Prepared, RowSource, portal_rows
from server.environment.environment import Environment
from server.ledgers.locks import SessionLocks
from server.ledgers.notifications import Listener
from server.ledgers.statement_log import LoggedSession
from server.pgwire.backend import (
    Client,
    CopyIn,
    EmptyQuery,
    ResultDescription,
    Rows,
    StartupParameters,
    StatementDescription,
    StatementResult,
    TransactionStatus,
)
from server.planning.statement_plans import Planned
from server.reads.parameters import ParameterCheck
from server.session.activity import Activity, encryption_status
from server.session.alone import run_alone
from server.session.asking import SessionAsker
from server.session.function_calls import statement_called
from server.session.history import StatementHistory
from server.session.interruption import Interruption, administrator_command
from server.session.notices import Notices
from server.session.planned import execution_of
from server.session.planner import SessionPlanner
from server.session.standard_texts import standard_text
from server.session.transactions import SessionTransactions, now_of
from server.session.widening import run_with_wide_columns
from server.session.wire_results import WireResults
from server.settings.object_names import SessionNames
from server.settings.settings import Settings
from server.settings.start_values import SessionIdentity
from server.settings.startup_options import client_inet
from server.statements.dispatch import sequence
from server.transactions.permissions import withhold_rows
from server.transactions.trace import Trace
from server.writes.temporary import end_temporary_relations

_SHOWN_LENGTH_MAX = 4096
"""How much of a statement others are shown, who may read it again and again."""
_NO_QUERIES = frozenset(
    (
        "transaction_stmt",
        "variable_set_stmt",
        "variable_show_stmt",
        "constraints_set_stmt",
        "lock_stmt",
        "fetch_stmt",
        "deallocate_stmt",
    )
)
"""Kinds of statements after which a transaction's modes may still change, as in PostgreSQL."""


class Session:
    """One client's session. `client` is the interface through which it reaches the client."""

    def __init__(
        self, environment: Environment, pid: int, secret: int, startup: StartupParameters, client: Client
    ) -> None:
        self.environment = environment
        self.client = client
        self.startup = startup
        self.variables = Settings(client, startup, self._begun_as(startup))
        self.holdings = Holdings()
        self.asker = SessionAsker(
            environment,
            pid,
            startup,
            client,
            self.variables,
            self.holdings,
            lambda: self.transactions.catalog(),
            lambda: self.transactions.ensure(),
        )
        self.notices: Notices = self.asker.notices
        self._pid = pid
        self._secret = secret
        self._encryption = None if startup.encryption is None else encryption_status(startup.encryption)
        self._interruption = Interruption()
        self._activity = Activity(partial(now_of, environment), client.terminate)
        self._history = StatementHistory(
            environment.observed.statement_log,
            environment.observed.measures,
            client,
            LoggedSession(pid, startup.user, startup.database, startup.kind),
        )
        self._listener = Listener(client, lambda: self.transactions.current is None and not self._activity.active)
        self.transactions = SessionTransactions(
            environment, startup, self.asker, self.variables, self.holdings, self._interruption, self._listener
        )
        self.planner = SessionPlanner(environment, self.asker, self.holdings, self.transactions, self._interruption)
        self.names: ObjectNames = SessionNames(self.transactions.names)
        self.function_called = partial(statement_called, self.transactions)
        self._results = WireResults(
            environment, self.asker.counters, self._interruption, self.names, self.transactions.end_implicit
        )

    # What the wire reads

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def secret(self) -> int:
        return self._secret

    @property
    def parameters(self) -> Mapping[str, str]:
        return self.variables.reported()

    @property
    def transaction_status(self) -> TransactionStatus:
        return self.transactions.status

    @property
    def text_context(self) -> TextContext:
        return self.variables.text_context

    def _begun_as(self, startup: StartupParameters) -> SessionIdentity:
        """Reads the session's role and its settings from the catalog, as they are at the session's beginning. Raises
        SqlError 28000 for a role that is not there."""
        state = self.environment.catalog.state
        role, database = state.role_named(startup.user), state.database_named(startup.database)
        assert role is not None and database is not None, "who opens sessions has looked"
        # What is set for a role in a database counts more than for the role alone, and that more than for the database.
        places = {
            "global": (0, 0),
            "database": (database.oid, 0),
            "user": (0, role.oid),
            "database user": (database.oid, role.oid),
        }
        settings = tuple((place, each) for place, key in places.items() for each in state.role_settings.get(key, ()))
        given = {"max_prepared_transactions": str(self.environment.prepared.most)}
        system = self.environment.options.settings
        return SessionIdentity(role.oid, role.superuser, settings, self._role_name, given, system)

    def _role_name(self, oid: int) -> str:
        """Returns a role's name; an empty one, which no role has, for a dropped role: its session goes on with what
        everybody may do, and may go back to another role."""
        role = self.transactions.catalog().roles.get(oid) or predefined_roles().get(oid)
        return "" if role is None else role.name

    # What other sessions see and do

    @property
    def role(self) -> int:
        """Returns the oid of the role that the client has logged in as."""
        return self.variables.authenticated_role

    @property
    def locks(self) -> SessionLocks:
        """Returns the session's locks."""
        return self.asker.locks

    @property
    def listening_channels(self) -> tuple[str, ...]:
        """Returns the channels that the session listens on."""
        return tuple(self._listener.channels)

    def status(self) -> SessionStatus:
        # The name, in the present catalog, of the role that has logged in.
        role = self.environment.catalog.state.roles.get(self.variables.session_role)
        return SessionStatus(
            pid=self._pid,
            user=self.startup.user if role is None else role.name,
            database=self.startup.database,
            application_name=self.variables.get("application_name"),
            client_address=client_inet(self.startup.client_address),
            client_port=self.startup.client_port,
            connected_at=self._activity.connected_at,
            transaction_started_at=None if self.transactions.current is None else self.transactions.current.started,
            query_started_at=self._activity.query_started_at,
            state=self._activity.state(self.transactions.current),
            query=public_text(self._activity.query[:_SHOWN_LENGTH_MAX]),
            encryption=self._encryption,
            kind=self.startup.kind,
        )

    def cancel(self) -> None:
        """Cancels the running statement, if any."""
        self._interruption.cancel(SqlError(Sqlstate.QUERY_CANCELED, "canceling statement due to user request"))

    def end(self) -> None:
        """Ends the session, with its running statement."""
        error = administrator_command()
        self._interruption.cancel(error)
        self.client.terminate(error)

    # Simple protocol

    async def simple_query(
        self, sql: str, require: Callable[[Sequence[ParsedStatement]], None] = lambda statements: None
    ) -> AsyncGenerator[StatementResult]:
        """Runs a simple query, as the wire asks for it. `require` raises SqlError for statements of which none is to
        be run."""
        self._activity.begin(sql)
        self._history.arrived()
        self.variables.take_offered()
        # The time for the first statement begins before it is read.
        self._interruption.arm(self.variables.statement_timeout_ms)
        try:
            text = await standard_text(sql, self.asker, self._interruption)
            statements = await self._interruption.apart(text, parse, text)
            if not statements:
                yield EmptyQuery()
                return
            require(statements)
            for index, statement in enumerate(statements):
                if index:
                    self._interruption.arm(self.variables.statement_timeout_ms)
                self.transactions.ensure().several = len(statements) > 1
                run = partial(self._run_statement, statement, ())
                result = await (run_alone(self, statement, run) if len(statements) == 1 else run())
                last = index == len(statements) - 1
                yield await self._results.told(result, last=last, alone=len(statements) == 1)
            await self.transactions.end_implicit()
            self._history.end(None)
        except SqlError as error:
            self._history.end(error)
            raise
        finally:
            self._end_work()

    # Extended protocol

    async def parse(self, name: str, sql: str, parameter_oids: Sequence[int]) -> None:
        self._interruption.arm(self.variables.statement_timeout_ms)
        self.holdings.require_new_statement(name)
        types = parameter_types_of(self.transactions.catalog(), parameter_oids)
        text = await standard_text(sql, self.asker, self._interruption)
        self.holdings.statements[name] = await self.planner.prepare(name, text, types, by=None)

    def parameter_types(self, statement: str) -> Sequence[ScalarType]:
        return current_types(self.transactions.catalog(), self.holdings.statement_named(statement).parameter_types)

    def parameter_check(self, type_: ScalarType) -> ParameterCheck:
        return self.planner.parameter_check(type_)

    async def describe_statement(self, name: str) -> StatementDescription:
        prepared = self.holdings.statement_named(name)
        self.transactions.require_describable(prepared.rows)
        return StatementDescription(prepared.parameter_types, prepared.rows)

    async def bind(
        self, portal: str, statement: str, parameters: Sequence[Datum], result_formats: Sequence[int]
    ) -> None:
        prepared = self.holdings.statement_named(statement)
        if portal and portal in self.holdings.portals:
            raise SqlError(Sqlstate.DUPLICATE_CURSOR, f'cursor "{portal}" already exists')
        if prepared.statement is not None:
            self.transactions.require_usable(prepared.statement)
        await self.close_portal(portal)
        rows, reads = await self.planner.rows_now(prepared), frozenset[GlobalId]()
        if portal and prepared.statement is not None and prepared.statement.kind == "select_stmt":
            reads = await self.planner.reads_of(prepared)
        self.holdings.portals[portal] = Portal(portal, prepared, tuple(parameters), rows=rows, reads=reads)

    async def describe_portal(self, portal: str) -> ResultDescription | None:
        rows = self.holdings.portal_rows(portal)
        self.transactions.require_describable(rows)
        return rows

    async def execute(self, portal: str, max_rows: int, *, last: bool = False) -> StatementResult:
        declared = self.holdings.cursors.get(portal)
        if declared is not None:
            self._activity.begin(declared.sql)
            self.transactions.require_unfailed()
            self._interruption.arm(self.variables.statement_timeout_ms)
            return self._results.named(portal_rows(declared.unread(), declared.result, max_rows))
        opened = self.holdings.portal_named(portal)
        statement = opened.prepared.statement
        if statement is None:
            return EmptyQuery()
        self._activity.begin(opened.prepared.sql)
        self.variables.take_offered()
        self._history.arrived()
        self.transactions.require_usable(statement)
        self._interruption.arm(self.variables.statement_timeout_ms)
        if opened.spent:
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f'portal "{portal}" cannot be run')
        if opened.result is None:
            # What fails, or has no rows, can't be run again.
            opened.spent = True
            run = partial(self._run_statement, statement, opened.parameters, opened.prepared)
            result = await (run_alone(self, statement, run) if last else run())
            if not isinstance(result, Rows):
                return (
                    result if isinstance(result, CopyIn) else await self._results.told(result, last=False, alone=False)
                )
            opened.result = result
            opened.spent = False
            if result.whole is not None and max_rows == 0:
                await self._results.cover_sequences()
                opened.source = RowSource(result.batches, exhausted=True)
                return self._results.named(result)
            opened.source = RowSource(self._results.guarded(result, commit=False))
        assert isinstance(opened.result, Rows) and opened.source is not None
        return self._results.named(portal_rows(opened.source, opened.result, max_rows))

    async def close_statement(self, name: str) -> None:
        self.holdings.statements.pop(name, None)

    async def close_portal(self, name: str) -> None:
        await self.holdings.close_portal(name)

    async def sync(self) -> None:
        try:
            await self.transactions.end_implicit()
            self._history.end(None)
        finally:
            self._end_work()

    async def fail(self, error: SqlError) -> None:
        transaction = self.transactions.current
        withhold_rows(error, self.asker.role, self.transactions.catalog(), self.asker.database)
        self._history.end(error)
        if transaction is not None:
            if transaction.explicit:
                transaction.failed = True
                for portal in self.holdings.portals.values():
                    await portal.abandon()
                if not transaction.savepoints:
                    # Else the transaction may go on, at the time at which it has read.
                    await transaction.release_resources()
            else:
                await self.transactions.roll_back()
        self._end_work()

    def begin_anew(self) -> None:
        """Begins an untouched session again that was closed: its client asks once more."""
        self._activity.begin_anew()
        self.environment.clients.sessions[self._pid] = self

    async def close(self) -> None:
        self._activity.stop_timer()
        self._history.end(SqlError(Sqlstate.QUERY_CANCELED, "the client has gone"))
        async with contextlib.AsyncExitStack() as ends:
            # The last comes first, and each comes whatever went wrong with those before it.
            # Texts may be long, and it may be begun anew much later.
            ends.callback(self._activity.begin_anew)
            ends.callback(self.holdings.statements.clear)
            ends.callback(self.environment.clients.sessions.pop, self._pid, None)
            ends.callback(self.environment.clients.listeners.forget, self._listener)
            ends.callback(self.asker.locks.release_all)
            ends.push_async_callback(end_temporary_relations, self.environment, self.asker.temporary_schema)
            for cursor in self.holdings.cursors.values():
                ends.push_async_callback(cursor.close)
            self.holdings.cursors = {}
            ends.push_async_callback(self.transactions.roll_back)

    def notice(
        self,
        severity: Severity,
        sqlstate: Sqlstate,
        message: str,
        *,
        detail: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Sends a notice to the client, unless client_min_messages suppresses it."""
        self.asker.notice(severity, sqlstate, message, detail=detail, hint=hint)

    def disconnect(self, error: SqlError) -> None:
        """Ends the connection, whatever runs; the client gets `error` if it still reads."""
        self.client.terminate(error)

    # Running a statement

    async def _run_statement(
        self, statement: ParsedStatement, parameters: tuple[Datum, ...], prepared: Prepared | None = None
    ) -> StatementResult:
        self.transactions.require_usable(statement)
        self.environment.observed.measures.begin_statement(statement.kind)
        settings = self.variables
        self._history.begin(
            statement.source if prepared is None else prepared.sql,
            statement.text if prepared is None else prepared.sql,
            statement.kind.removesuffix("_stmt"),
            settings.authenticated_role,
            settings.get("application_name"),
            at_once=prepared is not None,
        )
        return await self._interruption.run(self._run_usable(statement, parameters, prepared))

    async def _run_usable(
        self, statement: ParsedStatement, parameters: tuple[Datum, ...], prepared: Prepared | None
    ) -> StatementResult:
        transaction = self.transactions.ensure()
        plan = partial(self.planner.planned_now, statement, prepared)
        planned = await plan()
        if len(planned.statement.parameter_types) > len(parameters):
            raise SqlError(Sqlstate.UNDEFINED_PARAMETER, f"there is no parameter ${len(parameters) + 1}")
        self._history.planned()
        transaction.statements += 1
        transaction.queried |= statement.kind not in _NO_QUERIES
        run = partial(self.execute_plan, parameters=parameters)
        result = await run_with_wide_columns(self, statement, planned, plan, run)
        self._history.returned(result, self.transactions.current)
        return result

    async def execute_plan(
        self, planned: Planned, parameters: tuple[Datum, ...], *, later: bool = False, trace: Trace | None = None
    ) -> StatementResult:
        """Runs a plan in the current transaction; `later`: a query is answered only when somebody asks for its rows."""
        execution = execution_of(
            planned, self.environment, self.asker, self.transactions.ensure(), parameters, later=later
        )
        if trace is not None:
            execution = replace(execution, trace=trace)
        objects = execution.transaction.writes.objects
        if objects.objects and not (isinstance(planned.plan, SelectPlan) and not planned.reads.user):
            await self.asker.settle_large_objects(execution)
        result = await sequence(planned, execution, self)
        if isinstance(result, Rows) and planned.statement.origins:
            return result.of(planned.statement.origins)
        return result

    # Work and idleness

    def _end_work(self) -> None:
        self._interruption.disarm()
        elapsed_s = self._activity.elapsed_s
        if elapsed_s is not None:
            self.environment.observed.measures.end_query(elapsed_s)
        within = self.transaction_status != "I"
        self._activity.end(self.variables.idle_in_transaction_timeout_ms if within else 0)
        self._listener.tell()

    async def cursor_named(self, name: str) -> Cursor:
        """Returns a declared cursor, or a portal as one; raises SqlError 34000 when there is neither."""
        declared = self.holdings.cursors.get(name)
        if declared is not None:
            return declared
        portal = self.holdings.portals.get(name)
        if portal is None or not name or portal.prepared.statement is None:
            raise SqlError(Sqlstate.INVALID_CURSOR_NAME, f'cursor "{name}" does not exist')
        if portal.result is None:
            planned = await self.planner.planned_anew(portal.prepared)
            portal.result = await self.execute_plan(planned, portal.parameters, later=True)
            if isinstance(portal.result, Rows):
                portal.source = RowSource(self._results.guarded(portal.result, commit=False))
        if not isinstance(portal.result, Rows) or portal.source is None or portal.spent:
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f'portal "{name}" cannot be run')
        kept = KeptRows(self.environment.storage.runner)
        now = now_of(self.environment)
        return Cursor(name, portal.prepared.sql, False, False, False, now, portal.result, portal.source, kept)
