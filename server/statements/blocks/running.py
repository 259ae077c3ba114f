"""Runs the steps of a block of PL/pgSQL, and the code of routines."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from typing import assert_never

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum, Row
from model.types.scalar_type import INT4, INT8, TEXT
from planner.function_rules import FunctionRules
from planner.plans.functions import (
    Assignment,
    BlockHandler,
    BlockStep,
    ChoiceStep,
    CountedStep,
    CountStep,
    Destination,
    DoPlan,
    LeaveStep,
    LoopStep,
    PlpgsqlBlock,
    RaiseStep,
    ReturnRowsStep,
    ReturnStep,
    RowsStep,
    RunStep,
    RunTextStep,
)
from planner.statements.functions.block_reading import read_routine
from server.pgwire.backend import Command, Rows, StatementResult
from server.statements.blocks.raising import handler_of, raised
from server.statements.blocks.returning import ReturnedRows, parameters_of
from server.statements.blocks.variables import HeldVariable, Variables
from server.statements.statement_session import StatementSession
from server.statements.within_routine import as_routine, read_rows
from server.transactions.execution import Execution
from server.writes.unstorable import Unstorable


class _Left(Exception):
    """EXIT or CONTINUE on its way to a loop."""

    def __init__(self, step: LeaveStep) -> None:
        super().__init__("EXIT" if step.exits else "CONTINUE")
        self.step = step


class _Returned(Exception):
    """RETURN on its way to the end."""


async def sequence_do(plan: DoPlan, execution: Execution, session: StatementSession) -> Command:
    """Runs a block. Raises SqlError as the block's statements do, and for RAISE."""
    async with as_routine(execution, session):
        await _Running(session, Variables(session), None).whole(plan.block)
    return Command("DO")


async def rows_of_code(
    name: str, rules: FunctionRules, values: tuple[Datum, ...], execution: Execution, session: StatementSession
) -> Sequence[Row]:
    """Runs the code of a routine with values of its parameters; returns its rows, of the columns that it returns."""
    block = read_routine(rules)
    variables = Variables(session, name=name, rules=rules, parameters=parameters_of(rules, values))
    rows = ReturnedRows(rules, name, variables)
    async with as_routine(execution, session):
        return await rows.end(returned=await _Running(session, variables, rows).whole(block))


class _Running:
    def __init__(self, session: StatementSession, variables: Variables, returned: ReturnedRows | None) -> None:
        self._session = session
        self._variables = variables
        self._returned = returned
        self._rows = 0
        self._numbers = itertools.count()
        self._handled: list[SqlError] = []

    async def whole(self, block: PlpgsqlBlock) -> bool:
        """Runs all of the code; tells whether it has ended by RETURN."""
        try:
            await self.block(block)
        except _Returned:
            return True
        except _Left as left:
            message = f"{left} cannot be used outside a loop, unless it has a label"
            raise SqlError(Sqlstate.SYNTAX_ERROR, message) from None
        return False

    async def block(self, block: PlpgsqlBlock) -> None:
        before = dict(self._variables.known)
        for variable in block.variables:
            await self._variables.declare(variable)
        try:
            if block.handlers:
                await self._guarded(block)
            else:
                await self._steps(block.body)
        except _Left as left:
            if not (left.step.exits and block.label is not None and left.step.label == block.label):
                raise
        finally:
            self._hide([variable.name for variable in block.variables], before)

    def _hide(self, names: Sequence[str], before: dict[str, HeldVariable]) -> None:
        """Gives names the variables of before again."""
        for name in names:
            if name in before:
                self._variables.known[name] = before[name]
            else:
                self._variables.known.pop(name, None)

    async def _guarded(self, block: PlpgsqlBlock) -> None:
        """Runs a block's steps; after an error with a handler the steps are undone, and the handler's run."""
        transaction = self._session.transactions.ensure()
        savepoint = f"\0block {next(self._numbers)}"
        transaction.set_savepoint(savepoint, self._session.holdings.open_names)
        try:
            await self._steps(block.body)
        except Unstorable:
            # No error of the code's: columns become wide, and the whole statement runs again.
            raise
        except SqlError as error:
            handler = handler_of(error, block.handlers)
            if handler is None:
                raise
            await self._session.transactions.roll_back_to(savepoint)
            transaction.release(savepoint)
            await self._handle(handler, error)
        except (_Left, _Returned):
            transaction.release(savepoint)
            raise
        else:
            transaction.release(savepoint)

    async def _handle(self, handler: BlockHandler, error: SqlError) -> None:
        before = dict(self._variables.known)
        told = {"sqlstate": error.sqlstate.value, "sqlerrm": error.message}
        for name, value in told.items():
            self._variables.known[name] = HeldVariable("text", TEXT, value, constant=True)
        self._handled.append(error)
        try:
            await self._steps(handler.body)
        finally:
            self._handled.pop()
            self._hide(list(told), before)

    async def _steps(self, steps: Sequence[BlockStep]) -> None:
        for step in steps:
            await self._step(step)

    async def _step(self, step: BlockStep) -> None:
        match step:
            case PlpgsqlBlock():
                await self.block(step)
            case Assignment(name, value):
                await self._variables.assign(name, *await self._variables.value(value))
            case RunStep() | RunTextStep():
                await self._run(step)
            case RaiseStep():
                await self._raise(step)
            case ChoiceStep():
                await self._choose(step)
            case LoopStep():
                await self._loop(step)
            case CountStep():
                await self._count(step)
            case RowsStep():
                await self._each_row(step)
            case LeaveStep(condition=condition):
                if condition is None or await self._variables.is_true(condition):
                    raise _Left(step)
            case ReturnStep() | ReturnRowsStep():
                await self._return(step)
            case CountedStep(name):
                await self._variables.assign(name, INT8, self._rows)
            case _:
                assert_never(step)

    # Statements

    async def _result(self, step: RunStep | RunTextStep) -> StatementResult:
        if isinstance(step, RunStep):
            return await self._variables.run(step.sql)
        text = await self._variables.text(step.text)
        if text is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "query string argument of EXECUTE is null")
        given = [await self._variables.value(each) for each in step.parameters]
        return await self._variables.run_text(text, [type_ for type_, _ in given], [value for _, value in given])

    async def _run(self, step: RunStep | RunTextStep) -> None:
        result = await self._result(step)
        if step.into is not None:
            await self._take(result, step.into)
            return
        if isinstance(step, RunTextStep) or step.discards:
            found = len(await read_rows(result, None))
        elif isinstance(result, Rows):
            await read_rows(result, 0)
            hint = "If you want to discard the results of a SELECT, use PERFORM instead."
            raise SqlError(Sqlstate.SYNTAX_ERROR, "query has no destination for result data", hint=hint)
        else:
            found = 0
        if isinstance(result, Command):
            self._rows = _counted(result)
            if result.tag.split()[0] in ("INSERT", "UPDATE", "DELETE", "MERGE"):
                self._variables.found(self._rows > 0)
        elif isinstance(step, RunStep):
            self._rows = found
            self._variables.found(found > 0)

    async def _take(self, result: StatementResult, into: Destination) -> None:
        if not isinstance(result, Rows):
            raise SqlError(Sqlstate.SYNTAX_ERROR, "INTO used with a command that cannot return data")
        rows = await read_rows(result, 2)
        if into.strict and not rows:
            raise SqlError(Sqlstate.NO_DATA_FOUND, "query returned no rows")
        if into.strict and len(rows) > 1:
            hint = "Make sure the query returns a single row, or use LIMIT 1."
            raise SqlError(Sqlstate.TOO_MANY_ROWS, "query returned more than one row", hint=hint)
        self._rows = min(len(rows), 1)
        self._variables.found(bool(rows))
        await self._variables.take(into, result.desc.names, result.desc.types, rows[0] if rows else None)

    async def _raise(self, step: RaiseStep) -> None:
        if step.message is None and step.condition is None and not step.options:
            if not self._handled:
                message = "RAISE without parameters cannot be used outside an exception handler"
                raise SqlError(Sqlstate.STACKED_DIAGNOSTICS_ACCESSED_WITHOUT_ACTIVE_HANDLER, message)
            raise self._handled[-1]
        await raised(step, self._variables, self._session)

    async def _return(self, step: ReturnStep | ReturnRowsStep) -> None:
        """Adds what the routine returns. Raises _Returned where the code ends."""
        if isinstance(step, ReturnRowsStep):
            assert self._returned is not None, "the grammar takes it in functions of sets alone"
            self._rows = await self._returned.add_all(await self._result(step.query))
            self._variables.found(self._rows > 0)
            return
        if self._returned is not None and (step.more or step.value is not None):
            await self._returned.add(step)
        if not step.more:
            raise _Returned

    # Choices and loops

    async def _choose(self, step: ChoiceStep) -> None:
        for condition, body in step.branches:
            if await self._variables.is_true(condition):
                await self._steps(body)
                return
        await self._steps(step.otherwise)

    async def _goes_on(self, label: str | None, body: Sequence[BlockStep]) -> bool:
        """Runs the body of a loop once; tells whether the loop goes on."""
        # A loop without statements waits for nothing, and would keep all others from running.
        await asyncio.sleep(0)
        try:
            await self._steps(body)
        except _Left as left:
            if left.step.label is not None and left.step.label != label:
                raise
            return not left.step.exits
        return True

    async def _loop(self, step: LoopStep) -> None:
        while step.condition is None or await self._variables.is_true(step.condition):
            if not await self._goes_on(step.label, step.body):
                return

    async def _count(self, step: CountStep) -> None:
        lower = await self._variables.number(step.lower, "lower bound")
        upper = await self._variables.number(step.upper, "upper bound")
        by = 1 if step.step is None else await self._variables.number(step.step, "BY value")
        if by <= 0:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, "BY value of FOR loop must be greater than zero")
        before, found = dict(self._variables.known), False
        numbers = range(lower, upper - 1, -by) if step.reverse else range(lower, upper + 1, by)
        try:
            for number in numbers:
                found = True
                self._variables.known[step.name] = HeldVariable("integer", INT4, number)
                if not await self._goes_on(step.label, step.body):
                    break
        finally:
            self._hide([step.name], before)
        self._variables.found(found)

    async def _each_row(self, step: RowsStep) -> None:
        result = await self._result(step.query)
        if not isinstance(result, Rows):
            raise SqlError(Sqlstate.SYNTAX_ERROR, "cannot open a query that returns no rows as a cursor")
        rows = await read_rows(result, None)
        for row in rows:
            await self._variables.take(step.target, result.desc.names, result.desc.types, row)
            if not await self._goes_on(step.label, step.body):
                break
        self._variables.found(bool(rows))


def _counted(result: Command) -> int:
    """Returns the number of rows in a command's tag."""
    last = result.tag.split()[-1]
    return int(last) if last.isdigit() else 0
