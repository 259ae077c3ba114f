"""The session as statements about it use it: transactions, variables, cursors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from typing import Protocol

from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import ObjectNames
from model.types.datum import Datum
from model.types.scalar_type import ScalarType
from planner.function_rules import FunctionRules, RoutineNames
from planner.ir.scalar import Scalar
from planner.syntax.parse import ParsedStatement
from server.cursors.cursor import Cursor
from server.cursors.holdings import Holdings
from server.cursors.portals import Prepared
from server.pgwire.backend import StatementResult
from server.planning.statement_plans import Planned
from server.reads.parameters import ParameterCheck
from server.settings.settings import Settings
from server.transactions.execution import Execution
from server.transactions.trace import Trace
from server.transactions.transaction import Transaction

ROUTINE_DEPTH = ContextVar("depth of routines", default=0)
"""How many routines the statement under way runs within."""


class StatementTransactions(Protocol):
    """The transactions of a session, as statements begin and end them."""

    current: Transaction | None

    def ensure(self) -> Transaction:
        """Returns the current transaction; begins an implicit one when there is none."""
        ...

    def catalog(self) -> CatalogState:
        """Returns the catalog that the session sees, with its transaction's own changes."""
        ...

    async def commit(self, otherwise: Callable[[Execution], Awaitable[None]] | None = None) -> None:
        """Commits the transaction, or ends it `otherwise`."""
        ...

    async def roll_back(self) -> None: ...

    async def roll_back_to(self, savepoint: str) -> None:
        """Goes back to a savepoint of the current transaction. Raises SqlError 3B001 where there is none of the
        name."""
        ...


class StatementPlanner(Protocol):
    """Plans the statements that a statement contains or names."""

    async def prepare(
        self, name: str, sql: str, declared: tuple[ScalarType | None, ...], *, by: str | None
    ) -> Prepared: ...

    def parameter_check(self, type_: ScalarType) -> ParameterCheck:
        """Returns a check that converts a parameter's values to its type."""
        ...

    async def plan_cursor(self, sql: str, declared: tuple[ScalarType | None, ...]) -> Planned:
        """Returns the plan of a cursor's query, to be executed: with the rows of the scanned table."""
        ...

    async def planned(
        self,
        statement: ParsedStatement,
        declared: tuple[ScalarType | None, ...] = (),
        routine: RoutineNames | None = None,
        *,
        scanned: bool = False,
    ) -> Planned:
        """Plans a statement to be executed: permitted, with its locks, at its time; one of a `routine`'s may use its
        names. A `scanned` query is a cursor's."""
        ...

    def result_casts(self, rules: FunctionRules, name: str, types: Sequence[ScalarType] | None) -> tuple[Scalar, ...]:
        """Returns the columns of a routine's result over the rows of its last statement."""
        ...

    async def planned_anew(self, prepared: Prepared) -> Planned:
        """Returns the plan of a prepared statement in the present catalog; raises 0A000 if its result's columns have
        changed."""
        ...


class StatementSession(Protocol):
    variables: Settings
    holdings: Holdings

    @property
    def transactions(self) -> StatementTransactions: ...

    @property
    def planner(self) -> StatementPlanner: ...

    @property
    def names(self) -> ObjectNames:
        """Returns names of relations, types and the like for values."""
        ...

    def notice(
        self,
        severity: Severity,
        sqlstate: Sqlstate,
        message: str,
        *,
        detail: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Sends the client a notice, unless client_min_messages suppresses it."""
        ...

    def disconnect(self, error: SqlError) -> None:
        """Ends the connection at any time; a listening client gets `error`."""
        ...

    async def cursor_named(self, name: str) -> Cursor:
        """Returns a declared cursor, or a portal as a cursor; raises SqlError 34000 without either."""
        ...

    def parameter_types(self, statement: str) -> Sequence[ScalarType]:
        """Returns the types of a prepared statement's parameters; raises 26000 without such a statement."""
        ...

    async def execute_plan(
        self, planned: Planned, parameters: tuple[Datum, ...], *, later: bool = False, trace: Trace | None = None
    ) -> StatementResult:
        """Executes a plan. With `later`, a query is answered only when its rows are asked for. `trace` is told of its
        reads."""
        ...
