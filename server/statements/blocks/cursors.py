"""The cursors of a block: OPEN, FETCH, MOVE, CLOSE, and FOR over a cursor's rows. They are the session's, by the name
that the variable holds, so what a routine has opened and returned is read by FETCH outside."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Row
from model.types.scalar_type import INT8, TEXT
from planner.plans.functions import CursorRowsStep, FetchStep, OpenStep, RunTextStep
from planner.plans.session import CloseCursorPlan, DeclareCursorPlan, FetchPlan
from planner.syntax.parse import ParsedStatement, parse
from server.pgwire.backend import Command, Rows
from server.statements.blocks.parts import take
from server.statements.blocks.variables import HeldVariable, Variables
from server.statements.session.cursors import open_cursor, sequence_close, sequence_fetch
from server.statements.statement_session import StatementSession
from server.statements.within_routine import read_rows
from server.transactions.execution import Execution


class BlockCursors:
    """Opens, reads and closes cursors for the steps of a block."""

    def __init__(self, execution: Execution, session: StatementSession, variables: Variables) -> None:
        self._execution, self._session, self._variables = execution, session, variables

    async def open(self, step: OpenStep) -> None:
        """Opens a cursor. Raises SqlError 42P03 for a name in use, 42P11 for a statement without rows."""
        variables, held = self._variables, self._variables.held(step.cursor)
        name = None if held.value is None else str(held.value)
        if name is not None and (name in self._session.holdings.cursors or name in self._session.holdings.portals):
            raise SqlError(Sqlstate.DUPLICATE_CURSOR, f'cursor "{name}" already in use')
        if name is None:
            name = self._session.holdings.new_cursor_name()
        if isinstance(step.query, RunTextStep):
            text, given, values = await variables.text_of(step.query)
            statement = _query(text)
            planned = await self._session.planner.planned(statement, given, scanned=True)
        else:
            sql = held.cursor.query if step.query is None and held.cursor is not None else ""
            statement = _query(sql if step.query is None else step.query.sql)
            async with self._parameters(step, held):
                types, values, names = variables.told()
                planned = await self._session.planner.planned(statement, types, names, scanned=True)
        variables.require_allowed(statement)
        scroll = held.cursor.scroll if step.query is None and held.cursor is not None else step.scroll
        plan = DeclareCursorPlan(name, statement.text, statement.text, False, scroll, False)
        await open_cursor(plan, planned, replace(self._execution, parameters=values), self._session)
        await variables.assign(step.cursor, TEXT, name)

    @asynccontextmanager
    async def _parameters(self, step: OpenStep, held: HeldVariable) -> AsyncIterator[None]:
        """Has values of a cursor's parameters among the variables."""
        cursor = held.cursor
        if step.query is not None or cursor is None or step.arguments is None:
            yield
            return
        result = await self._variables.run(f"SELECT {step.arguments}")
        assert isinstance(result, Rows), "a query has rows"
        (row,) = await read_rows(result, 1)
        given = zip(cursor.parameters, result.desc.types, row, strict=True)
        made = {name: await self._variables.made(declared, type_, value) for (name, declared), type_, value in given}
        before = dict(self._variables.known)
        self._variables.known.update(made)
        try:
            yield
        finally:
            self._variables.hide(list(made), before)

    async def fetch(self, step: FetchStep) -> int:
        """Moves a cursor, and gives variables the row; returns the number of rows. Raises SqlError 34000 for an unknown
        cursor, 22004 for NULL as a place."""
        count = step.count
        if step.number is not None:
            found = await self._variables.converted(step.number, INT8)
            if found is None:
                message = "relative or absolute cursor position is null"
                raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, message)
            count = int(str(found))
        plan = FetchPlan(self._name(step.cursor), step.direction, count, step.into is None)
        result = await sequence_fetch(plan, self._execution, self._session)
        if isinstance(result, Command):
            return int(result.tag.split()[-1])
        rows = await read_rows(result, 1)
        if step.into is not None:
            taken = rows[0] if rows else None
            await take(self._variables, step.into, result.desc.names, result.desc.types, taken)
        return len(rows)

    async def close(self, variable: str) -> None:
        """Closes a cursor. Raises SqlError 34000 for an unknown one."""
        await sequence_close(CloseCursorPlan(self._name(variable)), self._session)

    async def rows(self, step: CursorRowsStep) -> AsyncGenerator[tuple[Rows, Row]]:
        """Opens a cursor, and yields each of its rows while it stands there; closes it at the end."""
        before = self._variables.held(step.opening.cursor).value
        await self.open(step.opening)
        name = self._name(step.opening.cursor)
        plan = FetchPlan(name, "forward", 1, False)
        try:
            while True:
                result = await sequence_fetch(plan, self._execution, self._session)
                assert isinstance(result, Rows), "FETCH has rows"
                found = await read_rows(result, 1)
                if not found:
                    return
                yield result, found[0]
        finally:
            if name in self._session.holdings.cursors:
                await sequence_close(CloseCursorPlan(name), self._session)
            if before is None:
                await self._variables.assign(step.opening.cursor, TEXT, None)

    def _name(self, variable: str) -> str:
        value = self._variables.held(variable).value
        if value is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, f'cursor variable "{variable}" is null')
        return str(value)


def _query(sql: str) -> ParsedStatement:
    """Returns the one query of a text. Raises SqlError 42P11 for what is none, 42601 for several statements."""
    statements = parse(sql)
    if len(statements) != 1:
        raise SqlError(Sqlstate.INVALID_CURSOR_DEFINITION, "cannot open multi-query plan as cursor")
    (statement,) = statements
    if statement.kind != "select_stmt":
        word = statement.kind.removesuffix("_stmt").upper()
        raise SqlError(Sqlstate.INVALID_CURSOR_DEFINITION, f"cannot open {word} query as cursor")
    return statement


@contextmanager
def current_of(statement: ParsedStatement, variables: Variables, session: StatementSession) -> Iterator[None]:
    """Has the cursor that a variable names under the variable's name, too, where a statement says WHERE CURRENT OF."""
    cursors = session.holdings.cursors
    name = _current(statement)
    variable = variables.known.get(name or "")
    found = None if variable is None or variable.value is None else cursors.get(str(variable.value))
    if name is None or found is None or found.name == name:
        yield
        return
    hidden = cursors.get(name)
    cursors[name] = found
    try:
        yield
    finally:
        del cursors[name]
        if hidden is not None:
            cursors[name] = hidden


def _current(statement: ParsedStatement) -> str | None:
    """Returns the name behind WHERE CURRENT OF."""
    if statement.kind not in ("update_stmt", "delete_stmt"):
        return None
    where = statement.node.where_clause
    return str(where.current_of_expr.cursor_name) if where.WhichOneof("node") == "current_of_expr" else None
