"""Runs the steps of a block of PL/pgSQL, and the code of routines."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator, Sequence
from math import prod
from typing import assert_never

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.arrays import dimensions_of, items_of, shaped
from model.types.datum import Datum, Row, ShapedArray
from model.types.scalar_type import INT4, INT8, TEXT, ScalarType, TypeName, type_text
from planner.function_rules import FunctionRules
from planner.plans.functions import (
    Assignment,
    BlockHandler,
    BlockStep,
    ChoiceStep,
    CloseStep,
    CountStep,
    CursorRowsStep,
    Destination,
    DiagnosticsStep,
    DoPlan,
    FetchStep,
    ItemsStep,
    LeaveStep,
    LoopStep,
    OpenStep,
    PartAssignmentStep,
    PlpgsqlBlock,
    RaiseStep,
    ReturnRowsStep,
    ReturnStep,
    RowsStep,
    RunStep,
    RunTextStep,
)
from planner.statements.functions.block_reading import read_routine
from planner.syntax.parse import parse
from server.pgwire.backend import Command, Rows, StatementResult
from server.statements.blocks.cursors import BlockCursors, current_of
from server.statements.blocks.parts import PartAssigning, take
from server.statements.blocks.raising import handler_of, raised, told_of
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
        await _Running(execution, session, Variables(session), None).whole(plan.block)
    return Command("DO")


async def rows_of_code(
    name: str, rules: FunctionRules, values: tuple[Datum, ...], execution: Execution, session: StatementSession
) -> Sequence[Row]:
    """Runs the code of a routine with values of its parameters; returns its rows, of the columns that it returns."""
    block = read_routine(rules)
    variables = Variables(session, name=name, rules=rules, parameters=parameters_of(rules, values))
    rows = ReturnedRows(rules, name, variables)
    async with as_routine(execution, session):
        return await rows.end(returned=await _Running(execution, session, variables, rows).whole(block))


class _Running:
    def __init__(
        self,
        execution: Execution,
        session: StatementSession,
        variables: Variables,
        returned: ReturnedRows | None,
    ) -> None:
        self._session = session
        self._cursors = BlockCursors(execution, session, variables)
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
            self._variables.hide([variable.name for variable in block.variables], before)

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
            self._variables.hide(list(told), before)

    async def _steps(self, steps: Sequence[BlockStep]) -> None:
        for step in steps:
            await self._step(step)

    async def _step(self, step: BlockStep) -> None:
        match step:
            case PlpgsqlBlock():
                await self.block(step)
            case Assignment(name, value):
                await self._variables.assign(name, *await self._variables.value(value))
            case PartAssignmentStep(name, path, value):
                await PartAssigning(self._variables, name, *await self._variables.value(value)).assign(path)
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
            case DiagnosticsStep():
                await self._diagnose(step)
            case ItemsStep():
                await self._each_item(step)
            case OpenStep():
                await self._cursors.open(step)
            case FetchStep():
                self._rows = await self._cursors.fetch(step)
                self._variables.found(self._rows > 0)
            case CloseStep(cursor):
                await self._cursors.close(cursor)
            case CursorRowsStep():
                await self._each_of_cursor(step)
            case _:
                assert_never(step)

    # Statements

    async def _result(self, step: RunStep | RunTextStep) -> StatementResult:
        if isinstance(step, RunStep):
            (statement,) = parse(step.sql)
            with current_of(statement, self._variables, self._session):
                return await self._variables.run(step.sql)
        return await self._variables.run_text(step)

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
        await take(self._variables, into, result.desc.names, result.desc.types, rows[0] if rows else None)

    async def _raise(self, step: RaiseStep) -> None:
        if step.message is None and step.condition is None and not step.options:
            if not self._handled:
                message = "RAISE without parameters cannot be used outside an exception handler"
                raise SqlError(Sqlstate.STACKED_DIAGNOSTICS_ACCESSED_WITHOUT_ACTIVE_HANDLER, message)
            raise self._handled[-1]
        await raised(step, self._variables, self._session)

    async def _diagnose(self, step: DiagnosticsStep) -> None:
        """Carries out GET DIAGNOSTICS. Raises SqlError 0Z002 for that of an error where none is handled."""
        if step.stacked and not self._handled:
            message = "GET STACKED DIAGNOSTICS cannot be used outside an exception handler"
            raise SqlError(Sqlstate.STACKED_DIAGNOSTICS_ACCESSED_WITHOUT_ACTIVE_HANDLER, message)
        for name, kind in step.items:
            if kind == "ROW_COUNT":
                await self._variables.assign(name, INT8, self._rows)
            else:
                text = told_of(self._handled[-1], kind) if step.stacked else ""
                await self._variables.assign(name, TEXT, text)

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
            self._variables.hide([step.name], before)
        self._variables.found(found)

    async def _each_row(self, step: RowsStep) -> None:
        result = await self._result(step.query)
        if not isinstance(result, Rows):
            raise SqlError(Sqlstate.SYNTAX_ERROR, "cannot open a query that returns no rows as a cursor")
        rows = await read_rows(result, None)
        for row in rows:
            await take(self._variables, step.target, result.desc.names, result.desc.types, row)
            if not await self._goes_on(step.label, step.body):
                break
        self._variables.found(bool(rows))

    async def _each_of_cursor(self, step: CursorRowsStep) -> None:
        before, found = dict(self._variables.known), False
        rows = self._cursors.rows(step)
        self._variables.known[step.name] = HeldVariable(None, None)
        try:
            async for result, row in rows:
                found = True
                target = Destination((step.name,), whole=True)
                await take(self._variables, target, result.desc.names, result.desc.types, row)
                if not await self._goes_on(step.label, step.body):
                    break
        finally:
            await rows.aclose()
            self._variables.hide([step.name], before)
        self._variables.found(found)

    async def _each_item(self, step: ItemsStep) -> None:
        given, value = await self._variables.value(step.array)
        items = items_over(step, given, value, self._variables.known.get(step.target.names[0]))
        found = False
        for type_, item in items:
            found = True
            names, types, row = _row_of(step.target, type_, item)
            await take(self._variables, step.target, names, types, row)
            if not await self._goes_on(step.label, step.body):
                break
        self._variables.found(found)


def _row_of(
    target: Destination, type_: ScalarType, item: Datum
) -> tuple[Sequence[str], Sequence[ScalarType], Row | None]:
    """Returns the columns of an element: of a row its fields. Raises SqlError 42804 for other elements where several
    variables take them."""
    if type_.name is TypeName.RECORD and (target.whole or len(target.names) > 1):
        fields = [name for name, _ in type_.fields], [each for _, each in type_.fields]
        return *fields, item if isinstance(item, tuple) else None
    if len(target.names) > 1:
        raise SqlError(Sqlstate.DATATYPE_MISMATCH, "cannot assign non-composite value to a row variable")
    return target.names, (type_,), (item,)


def items_over(
    step: ItemsStep, given: ScalarType, value: Datum, target: HeldVariable | None
) -> Iterator[tuple[ScalarType, Datum]]:
    """Yields the elements or the slices of an array, with their type. Raises SqlError 22004 for NULL, 42804 for what is
    no array and for a variable that can't take them, 2202E for slices of more dimensions than there are."""
    if value is None:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "FOREACH expression must not be null")
    element = given.element
    if element is None or not isinstance(value, tuple | ShapedArray):
        message = f"FOREACH expression must yield an array, not type {type_text(given)}"
        raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)
    dimensions = dimensions_of(value)
    if step.slice > len(dimensions):
        message = f"slice dimension ({step.slice}) is out of the valid range 0..{len(dimensions)}"
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, message)
    takes_array = target is not None and target.type is not None and target.type.element is not None
    if step.slice and not takes_array:
        message = "FOREACH ... SLICE loop variable must be of an array type"
        raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)
    if not step.slice and takes_array:
        raise SqlError(Sqlstate.DATATYPE_MISMATCH, "FOREACH loop variable must not be of an array type")
    items = items_of(value)
    if not step.slice:
        yield from ((element, item) for item in items)
        return
    shape = dimensions[len(dimensions) - step.slice :]
    size = prod(length for _, length in shape)
    for start in range(0, len(items), size):
        yield given, shaped(items[start : start + size], shape)


def _counted(result: Command) -> int:
    """Returns the number of rows in a command's tag."""
    last = result.tag.split()[-1]
    return int(last) if last.isdigit() else 0
