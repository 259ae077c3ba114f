"""PREPARE, EXECUTE, DEALLOCATE."""

from __future__ import annotations

from model.errors import SqlError
from model.scalar_type import ScalarType
from model.sqlstate import Sqlstate
from model.timestamp import TIMESTAMP_MIN
from planner.interpret.evaluate import evaluate_scalar
from planner.ir.scalar import Scalar, scalar_type
from planner.plans import DeallocatePlan, ExecutePlan, PreparePlan
from planner.sql.coercion import coerce_for_assignment
from server.coordinator.execution import Execution
from server.coordinator.sequence.statement_session import StatementSession
from server.pgwire.backend import Command, StatementResult


def sequence_prepare(plan: PreparePlan, session: StatementSession) -> Command:
    if plan.name in session.prepared_statements:
        raise SqlError(Sqlstate.DUPLICATE_PREPARED_STATEMENT, f'prepared statement "{plan.name}" already exists')
    prepared = session.prepare(plan.name, plan.statement_sql, plan.parameter_types, from_sql=True)
    session.prepared_statements[plan.name] = prepared
    return Command("PREPARE")


async def sequence_execute(plan: ExecutePlan, execution: Execution, session: StatementSession) -> StatementResult:
    prepared = session.prepared_named(plan.name)
    if len(plan.arguments) != len(prepared.parameter_types):
        raise SqlError(
            Sqlstate.SYNTAX_ERROR,
            f'wrong number of parameters for prepared statement "{plan.name}"',
            detail=f"Expected {len(prepared.parameter_types)} parameters but got {len(plan.arguments)}.",
        )
    context = execution.evaluation_context(TIMESTAMP_MIN)
    values = tuple(
        evaluate_scalar(_cast(argument, type_, number), context)
        for number, (argument, type_) in enumerate(zip(plan.arguments, prepared.parameter_types, strict=True), start=1)
    )
    planned = session.plan_text(prepared.sql, prepared.declared_types)
    return await session.execute_plan(planned, values)


def _cast(argument: Scalar, type_: ScalarType, number: int) -> Scalar:
    cast = coerce_for_assignment(argument, type_)
    if cast is None:
        raise SqlError(
            Sqlstate.DATATYPE_MISMATCH,
            f"parameter ${number} of type {scalar_type(argument)} cannot be coerced to the expected type {type_}",
            hint="You will need to rewrite or cast the expression.",
        )
    return cast


def sequence_deallocate(plan: DeallocatePlan, session: StatementSession) -> Command:
    if plan.name is None:
        session.prepared_statements.clear()
        return Command("DEALLOCATE ALL")
    session.prepared_named(plan.name)
    del session.prepared_statements[plan.name]
    return Command("DEALLOCATE")
