"""PREPARE, EXECUTE, DEALLOCATE."""

from __future__ import annotations

from dataclasses import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import TextContext
from model.text.dispatch import parse_datum
from model.types.datum import Datum
from model.types.scalar_type import UNKNOWN, ScalarType, without_domains
from planner.functions.casts.table import find_cast
from planner.functions.signature import CastContext
from planner.ir.scalar import Call, Literal, Scalar, SessionValue, scalar_type
from planner.plans.explaining import ExplainExecutePlan
from planner.plans.session import DeallocatePlan, ExecutePlan, PreparePlan
from server.cursors.portals import Prepared
from server.pgwire.backend import Command, StatementResult
from server.statements.statement_session import StatementSession
from server.transactions.evaluating import evaluated_values
from server.transactions.execution import Execution


async def sequence_prepare(plan: PreparePlan, session: StatementSession) -> Command:
    session.holdings.require_new_statement(plan.name)
    prepared = await session.planner.prepare(plan.name, plan.statement_sql, plan.parameter_types, by=plan.sql)
    session.holdings.statements[plan.name] = prepared
    return Command("PREPARE")


async def sequence_execute(plan: ExecutePlan, execution: Execution, session: StatementSession) -> StatementResult:
    prepared, values = await _with_values(plan, execution, session)
    return await session.execute_plan(await session.planner.planned_anew(prepared), values)


async def sequence_explain_execute(
    plan: ExplainExecutePlan, execution: Execution, session: StatementSession
) -> StatementResult:
    """Explains the prepared statement's text with the values of EXECUTE."""
    prepared, values = await _with_values(plan.execute, execution, session)
    text = "" if prepared.statement is None else prepared.statement.text
    explaining = await session.planner.prepare("", f"{plan.words} {text}", prepared.parameter_types, by=prepared.by)
    return await session.execute_plan(await session.planner.planned_anew(explaining), values)


async def _with_values(
    plan: ExecutePlan, execution: Execution, session: StatementSession
) -> tuple[Prepared, tuple[Datum, ...]]:
    """Returns the prepared statement, and the values of its parameters, in order."""
    prepared, types = session.holdings.statement_named(plan.name), session.parameter_types(plan.name)
    if len(plan.arguments) != len(types):
        raise SqlError(
            Sqlstate.SYNTAX_ERROR,
            f'wrong number of parameters for prepared statement "{plan.name}"',
            detail=f"Expected {len(types)} parameters but got {len(plan.arguments)}.",
        )
    context = replace(execution.asker.text_context, objects=session.names)
    arguments = [
        _cast(argument, without_domains(type_), number, context)
        for number, (argument, type_) in enumerate(zip(plan.arguments, types, strict=True), start=1)
    ]
    cast = await evaluated_values(arguments, execution)
    values = [session.planner.parameter_check(type_)(value) for value, type_ in zip(cast, types, strict=True)]
    return prepared, tuple(values)


def _cast(argument: Scalar, type_: ScalarType, number: int, context: TextContext) -> Scalar:
    """Casts an argument of EXECUTE to the parameter's type, as an assignment does."""
    source = scalar_type(argument)
    if source.plain() == type_.plain():
        return argument
    if source == UNKNOWN and isinstance(argument, Literal):
        text = argument.value
        assert text is None or isinstance(text, str)
        return Literal(None if text is None else parse_datum(text, type_, context=context), type_)
    cast = find_cast(source, type_)
    if cast is not None and cast.context is not CastContext.EXPLICIT:
        values = tuple(SessionValue(name) for name in cast.function.session)
        return Call(cast.function.key, (argument, *values), type_)
    raise SqlError(
        Sqlstate.DATATYPE_MISMATCH,
        f"parameter ${number} of type {source} cannot be coerced to the expected type {type_}",
        hint="You will need to rewrite or cast the expression.",
    )


def sequence_deallocate(plan: DeallocatePlan, session: StatementSession) -> Command:
    if plan.name is None:
        session.holdings.statements.clear()
        return Command("DEALLOCATE ALL")
    session.holdings.statement_named(plan.name)
    del session.holdings.statements[plan.name]
    return Command("DEALLOCATE")
