"""What the statements of routines and of blocks have in common: they run to their end, in the caller's transaction."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum, Row
from planner.function_rules import FunctionRules
from planner.syntax.parse import ParsedStatement
from server.pgwire.backend import Rows, StatementResult
from server.planning.statement_plans import Planned
from server.statements.statement_session import ROUTINE_DEPTH, StatementSession
from server.transactions.execution import Execution
from server.writes.unstorable import Unstorable, unfitting_columns
from server.writes.writing import lock_for_write

_DEPTH_MAX = 32
"""Of routines that call routines: each takes some of the interpreter's stack."""

HELD_BYTES_MAX = 256 << 20
_ROWS_AT_ONCE = 4096


class RoutineRows:
    """Rows that a routine has read or returns, in memory until they are used."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._bytes = 0

    async def add_all(self, rows: Sequence[Row]) -> None:
        """Adds many rows, as `add` does, and lets others run meanwhile."""
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            self.add(rows[start : start + _ROWS_AT_ONCE])
            await asyncio.sleep(0)

    def add(self, rows: Sequence[Row]) -> None:
        """Adds few rows. Raises SqlError 54000 for more bytes than a routine may hold."""
        self._bytes += sum(map(_bytes_of, rows))
        if self._bytes > HELD_BYTES_MAX:
            message = f"a routine cannot hold more than {HELD_BYTES_MAX >> 20} MB of rows"
            hint = "Have it read or return fewer rows, or write it as one query in SQL."
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message, hint=hint)
        self.rows += rows


def _bytes_of(value: Datum | Row) -> int:
    """Returns about how much memory a value takes."""
    size = sys.getsizeof(value)
    return size + sum(map(_bytes_of, value)) if isinstance(value, tuple) else size


@asynccontextmanager
async def as_routine(execution: Execution, session: StatementSession) -> AsyncIterator[None]:
    """Runs several statements in the transaction of the caller, as a routine. Raises SqlError 54001 for routines within
    too many routines."""
    if ROUTINE_DEPTH.get() >= _DEPTH_MAX:
        hint = f"Routines may be called from routines down to a depth of {_DEPTH_MAX}."
        raise SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded", hint=hint)
    transaction = session.transactions.ensure()
    # More than one statement reads at its time, and nobody is kept from committing while these wait for locks.
    transaction.several, transaction.alone, transaction.undisturbed = True, False, False
    if transaction.claims and not ROUTINE_DEPTH.get():
        tables = execution.catalog.tables_under(transaction.claims)
        await lock_for_write(execution.environment, transaction, tables)
    depth = ROUTINE_DEPTH.set(ROUTINE_DEPTH.get() + 1)
    try:
        yield
    finally:
        ROUTINE_DEPTH.reset(depth)


def require_allowed(statement: ParsedStatement, rules: FunctionRules) -> None:
    """Raises SqlError 0A000 for a statement that changes something in a function that is not VOLATILE."""
    reads = statement.kind == "select_stmt" and not statement.changes_rows and not statement.node.locking_clause
    if rules.volatility != "v" and not reads:
        message = f"{statement.kind.removesuffix('_stmt').upper()} is not allowed in a non-volatile function"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)


async def run_within(session: StatementSession, planned: Planned, values: tuple[Datum, ...]) -> StatementResult:
    """Runs a statement of a routine or of a block. Raises Unstorable for numerics that its table's columns don't hold,
    by which those around it know the columns."""
    try:
        return await session.execute_plan(planned, values)
    except SqlError as error:
        columns = unfitting_columns(error, planned.plan, session.transactions.catalog())
        if not columns or isinstance(error, Unstorable):
            raise
        raise Unstorable(columns) from error


async def read_rows(result: StatementResult | None, most: int | None) -> list[Row]:
    """Reads a result to its end, whose statement has only then run; returns so many of its rows, None: all. Raises
    SqlError 54000 for more than a routine may hold."""
    if not isinstance(result, Rows):
        return []
    found = RoutineRows()
    source = aiter(result.batches)
    try:
        async for batch in source:
            await found.add_all(batch if most is None else batch[: most - len(found.rows)])
    finally:
        closing = getattr(source, "aclose", None)
        if closing is not None:
            await closing()
    return found.rows
