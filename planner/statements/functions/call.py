"""CALL procedure(arguments): OUT arguments are written, and not evaluated, as in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import relation_desc
from model.types.scalar_type import ScalarType, bare_text
from planner.catalog_view import ItemView
from planner.expressions.calls import aggregate_word, cast_arguments
from planner.expressions.named_arguments import (
    RoutineCall,
    fitting_call,
    gathered_arguments,
    preference,
    require_names_last,
    written_arguments,
)
from planner.expressions.planner import ClausePlace, Expressions
from planner.expressions.users.functions import SystemFunction, default_of, system_functions
from planner.ir.scalar import Scalar, scalar_type
from planner.plans.functions import CallPlan
from planner.privileges import EXECUTE
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of, strings
from planner.scope.scope import Scope
from planner.syntax.parse import ParsedStatement
from planner.types.resolution import Ambiguous, candidates_for, resolve


def plan(analysis: Analysis, statement: ParsedStatement) -> CallPlan:
    node = statement.node.funccall
    expressions = Expressions(analysis, Scope(()), QueryEnvironment(), ClausePlace.CALL)
    parts, context = strings(node.funcname), analysis.context
    if len(parts) == 2 and context.catalog.schema_oid(context.database, parts[0]) is None:
        raise analysis.error(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{parts[0]}" does not exist', node.location)
    _refuse_syntax(analysis, node, parts)
    written, names = written_arguments(node.args)
    require_names_last(analysis, names, node.location)
    arguments = [expressions.plan(each) for each in written]
    call = _meant(analysis, node, parts, names, [scalar_type(each) for each in arguments])
    analysis.depends_on.add(call.item.id)
    analysis.use(call.item, EXECUTE)
    cast = cast_arguments(analysis, call.arguments, arguments, [location_of(each) for each in written])
    given = gathered_arguments(call, cast)
    outputs = call.rules.outputs
    if outputs and analysis.context.routine is not None:
        message = "calling procedures with output arguments is not supported in SQL functions"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, node.location)
    desc = relation_desc(*outputs) if outputs else None
    return CallPlan(call.item.name, call.rules, _values(analysis, call, given), desc, call.item.definer)


def _refuse_syntax(analysis: Analysis, node: Any, parts: Sequence[str]) -> None:
    word = "OVER" if node.HasField("over") else aggregate_word(node, parts[-1])
    if word == "OVER":
        message = f"OVER specified, but {parts[-1]} is not a window function nor an aggregate function"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    if word is not None:
        message = f"{word} specified, but {parts[-1]} is not an aggregate function"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)


def _meant(
    analysis: Analysis, node: Any, parts: tuple[str, ...], names: Sequence[str], types: Sequence[ScalarType]
) -> RoutineCall:
    """Returns the procedure that a call means. Raises SqlError 42883, 42725, and 42809 for a function."""
    context = analysis.context
    shown = [f"{name} => {type_}" if name else type_ for name, type_ in zip(names, map(bare_text, types), strict=True)]
    called = f"{'.'.join(parts)}({', '.join(shown)})"
    items = context.catalog.resolve_functions(parts, context.search_path, context.database)
    fitting = [call for item in items if (call := _fit(item, names, as_array=node.func_variadic)) is not None]
    system = system_functions(parts[-1]) if len(parts) == 1 and not any(names) else []
    overloads: list[RoutineCall | SystemFunction] = [
        *system,
        *sorted(fitting, key=preference),
    ]
    try:
        found = resolve(candidates_for(overloads, len(types)), types)
    except Ambiguous:
        hint = "Could not choose a best candidate procedure. You might need to add explicit type casts."
        message = f"procedure {called} is not unique"
        raise analysis.error(Sqlstate.AMBIGUOUS_FUNCTION, message, node.location, hint=hint) from None
    if found is None:
        hint = "No procedure matches the given name and argument types. You might need to add explicit type casts."
        message = f"procedure {called} does not exist"
        raise analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, node.location, hint=hint)
    if isinstance(found.overload, RoutineCall) and found.overload.rules.procedure:
        return found.overload
    raise _is_function(analysis, parts, found.overload.arguments, node.location)


def _fit(item: ItemView, names: Sequence[str], *, as_array: bool) -> RoutineCall | None:
    """Returns how a routine takes arguments: a procedure those of its OUT parameters, too."""
    assert item.function is not None, "a routine's item has its rules"
    rules = item.function
    return fitting_call(item, rules.parameters if rules.procedure else rules.inputs, names, as_array=as_array)


def _is_function(analysis: Analysis, parts: Sequence[str], types: Sequence[ScalarType], location: int) -> SqlError:
    message = f"{'.'.join(parts)}({', '.join(map(bare_text, types))}) is not a procedure"
    hint = "To call a function, use SELECT."
    return analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, location, hint=hint)


def _values(analysis: Analysis, call: RoutineCall, given: Sequence[Scalar]) -> tuple[Scalar, ...]:
    """Returns the value of each parameter that takes one."""
    context, inputs = replace(analysis.context, search_path=(), routine=None), 0
    values: list[Scalar] = []
    for parameter, at in zip(call.rules.parameters, call.places, strict=True):
        if parameter.mode == "o":
            continue
        values.append(given[at] if at is not None else default_of(context, call.rules, inputs))
        inputs += 1
    return tuple(values)
