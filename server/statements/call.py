"""CALL, and functions that are no query: their statements, one after the other, in the transaction of the caller, or
their code.

Each is planned when its turn comes, by the rights of the caller, and sees what those before it have done. What the last
returns is the answer where the procedure has OUT parameters, or where the function returns something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import VOID
from planner.function_rules import FunctionRules, Language
from planner.interpret.parameters import bind_query, bind_scalar
from planner.ir.query import whole_query
from planner.ir.relation import Constant, Let, Map, Project, Relation
from planner.ir.scalar import Column, Scalar
from planner.plans.functions import CallPlan, RoutineStep, SteppedPlan
from planner.syntax.parse import parse
from server.pgwire.backend import Command, Rows, StatementResult
from server.statements.blocks.running import rows_of_code
from server.statements.results import rows_result, whole_rows
from server.statements.statement_session import StatementSession
from server.statements.within_routine import as_routine, read_rows, require_allowed, run_within
from server.transactions.evaluating import evaluated_rows, evaluated_values
from server.transactions.execution import Execution


async def sequence_routines(
    plan: CallPlan | SteppedPlan, execution: Execution, session: StatementSession
) -> StatementResult:
    if isinstance(plan, CallPlan):
        return await _sequence_call(plan, execution, session)
    return await _sequence_stepped(plan, execution, session)


async def _sequence_call(plan: CallPlan, execution: Execution, session: StatementSession) -> StatementResult:
    rows = await _rows(plan, execution, session, first=True)
    if plan.desc is None:
        return Command("CALL")
    if not rows:
        raise SqlError(Sqlstate.INTERNAL_ERROR, "procedure returned null record")
    return rows_result(plan.desc, rows, "CALL")


async def _sequence_stepped(plan: SteppedPlan, execution: Execution, session: StatementSession) -> Rows:
    """Runs functions, and then the query over their rows."""
    relation: Relation = plan.query.relation
    for step in plan.steps:
        relation = Let(step.local_id, await _returned(step, execution, session), relation)
    query = replace(plan.query, relation=relation)
    bound = bind_query(query, execution.parameters, execution.session_values(TIMESTAMP_MIN))
    return whole_rows(plan.query.desc, await evaluated_rows(bound, execution, TIMESTAMP_MIN), "SELECT")


async def _returned(step: RoutineStep, execution: Execution, session: StatementSession) -> Constant:
    """Returns the rows of a function, numbered; the only one of void is NULL."""
    rules = step.rules
    rows = await _rows(step, execution, session, first=not rules.sets)
    if not rules.sets and rules.result == VOID:
        rows = [("" if rules.language is Language.PLPGSQL else None,)]
    return Constant(tuple(((*row, number), 1) for number, row in enumerate(rows, 1)), step.desc)


async def _rows(
    call: CallPlan | RoutineStep, execution: Execution, session: StatementSession, *, first: bool
) -> Sequence[Row]:
    """Runs a routine, by the rights of the definer if it has one; returns the rows that the routine returns, or only
    the `first`. The arguments are the caller's."""
    rules, definer = call.rules, call.definer
    session_values = execution.session_values(TIMESTAMP_MIN)
    bound = [bind_scalar(each, execution.parameters, session_values) for each in call.arguments]
    values = await evaluated_values(bound, execution)
    if rules.strict and any(value is None for value in values):
        return []
    if definer is None and not rules.settings:
        return await _run(call.name.name, rules, values, execution, session, first=first)
    undo = session.transactions.ensure().undo
    known, role = len(undo), None if definer is None else definer.role
    with session.variables.of_routine(role, rules.settings) as before:
        try:
            return await _run(call.name.name, rules, values, execution, session, first=first)
        finally:
            changed, was = undo[known:], dict(before)
            # A plain SET in the body outlives the routine's own; a rollback goes back to the caller's in any case.
            for name in {each.name for each in changed if not each.local and each.name in before}:
                del before[name]
            undo[known:] = [replace(was.get(each.name, each), local=each.local) for each in changed]


async def _run(
    name: str,
    rules: FunctionRules,
    values: tuple[Datum, ...],
    execution: Execution,
    session: StatementSession,
    *,
    first: bool,
) -> Sequence[Row]:
    """Returns the rows of a routine with these values of its parameters, or only the `first`."""
    if rules.language is Language.PLPGSQL:
        rows = await rows_of_code(name, rules, values, execution, session)
        return rows[:1] if first else rows
    last = await _last_result(name, rules, values, execution, session)
    if not rules.columns_returned(name):
        await read_rows(last, 0)
        return []
    casts = session.planner.result_casts(rules, name, last.desc.types if isinstance(last, Rows) else None)
    assert isinstance(last, Rows), "nothing else has columns"
    return await _cast(last.desc, await read_rows(last, 1 if first else None), casts, execution)


async def _last_result(
    name: str, rules: FunctionRules, values: tuple[Datum, ...], execution: Execution, session: StatementSession
) -> StatementResult | None:
    """Runs the statements of a routine; returns the result of the last, whose rows may be still to come."""
    names, result = rules.naming(name), None
    async with as_routine(execution, session):
        for statement in parse(rules.body):
            require_allowed(statement, rules)
            await read_rows(result, 0)
            planned = await session.planner.planned(statement, rules.types, names)
            result = await run_within(session, planned, values)
    return result


async def _cast(
    desc: RelationDesc, rows: Sequence[Row], casts: Sequence[Scalar], execution: Execution
) -> Sequence[Row]:
    """Returns rows with their columns cast to those that a routine declares."""
    if not rows or casts == tuple(Column(at, type_) for at, type_ in enumerate(desc.types)):
        return rows
    columns = relation_desc(*((f"c{at}", type_) for at, type_ in enumerate(desc.types)))
    names = tuple(f"r{at}" for at in range(len(casts)))
    relation = Map(Constant(tuple((row, 1) for row in rows), columns), tuple(casts), names)
    places = tuple(range(desc.arity, desc.arity + len(casts)))
    return await evaluated_rows(whole_query(Project(relation, places)), execution, TIMESTAMP_MIN)
