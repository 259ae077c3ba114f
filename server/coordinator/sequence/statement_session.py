"""What statements about the session itself (transactions, variables, cursors) do to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import ObjectNames
from model.types.datum import Datum
from model.types.scalar_type import ScalarType
from server.coordinator.parameters import ParameterCheck
from server.coordinator.planning import Planned
from server.pgwire.backend import StatementResult
from server.session.cursor import Cursor
from server.session.holdings import Holdings
from server.session.portals import Prepared
from server.session.settings import Settings
from server.session.transaction import Transaction


class StatementSession(Protocol):
    transaction: Transaction | None
    variables: Settings
    holdings: Holdings

    @property
    def names(self) -> ObjectNames:
        """How values name relations, types and the like."""
        ...

    def notice(self, severity: Severity, sqlstate: Sqlstate, message: str, *, detail: str | None = None) -> None:
        """Tells the client, unless client_min_messages keeps it quiet."""
        ...

    def disconnect(self, error: SqlError) -> None:
        """Ends the connection, whatever its statement is about; the client is told `error` if it listens."""
        ...

    def ensure_transaction(self) -> Transaction: ...

    async def commit(self) -> None: ...

    async def roll_back(self) -> None: ...

    async def prepare(
        self, name: str, sql: str, declared: tuple[ScalarType | None, ...], *, by: str | None
    ) -> Prepared: ...

    async def cursor_named(self, name: str) -> Cursor:
        """A cursor that was declared, or a portal as one; SqlError 34000 when there is neither."""
        ...

    def parameter_types(self, statement: str) -> Sequence[ScalarType]:
        """The types of a prepared statement's parameters; 26000 when there is no such statement."""
        ...

    def parameter_check(self, type_: ScalarType) -> ParameterCheck:
        """What makes of each value what a parameter's type demands."""
        ...

    async def plan_text(self, sql: str, declared: tuple[ScalarType | None, ...]) -> Planned:
        """The plan of the one statement of a text, to be executed."""
        ...

    async def planned_anew(self, prepared: Prepared) -> Planned:
        """The plan of a prepared statement as what it names is now; 0A000 where its rows are others than were told."""
        ...

    async def execute_plan(
        self, planned: Planned, parameters: tuple[Datum, ...], *, later: bool = False
    ) -> StatementResult:
        """`later`: a query is answered only when somebody asks for its rows."""
        ...
