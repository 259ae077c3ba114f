"""Calls of the function table as closures: NULLs of strict functions are decided before the call."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from model.errors.sql_error import NotSupported
from model.types.datum import Row
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Function
from planner.interpret.execution import Evaluator, Interpretation, Scopes
from planner.ir.scalar import Call, Scalar, scalar_type


def bound_function(function: Function, arguments: tuple[Scalar, ...], execution: Interpretation) -> Callable[..., Any]:
    """Returns `evaluate` with the lookup and the types that it takes first already given."""
    leading: list[Any] = []
    if function.needs_system:
        if execution.context.system is None:
            raise NotSupported(f"{function.name} without a catalog")
        leading.append(execution.context.system)
    if function.typed:
        own = arguments[: len(arguments) - len(function.session)] if function.session else arguments
        leading.append(tuple(map(scalar_type, own)))
    return partial(function.evaluate, *leading) if leading else function.evaluate


def compile_call(call: Call, arguments: list[Evaluator], execution: Interpretation) -> Evaluator:
    """Compiles a call; `arguments` are the compiled arguments of `call`, session values included."""
    function = FUNCTIONS[call.function]
    evaluate = bound_function(function, call.arguments, execution)
    if not function.strict:
        return _lenient(evaluate, arguments)
    match arguments:
        case []:
            return lambda row, scopes: evaluate()
        case [only]:
            return _strict_of_one(evaluate, only)
        case [first, second]:
            return _strict_of_two(evaluate, first, second)
        case _:
            return _strict_of_many(evaluate, arguments)


def _lenient(evaluate: Callable[..., Any], arguments: list[Evaluator]) -> Evaluator:
    return lambda row, scopes: evaluate(*[argument(row, scopes) for argument in arguments])


def _strict_of_one(evaluate: Callable[..., Any], argument: Evaluator) -> Evaluator:
    def call(row: Row, scopes: Scopes) -> Any:
        value = argument(row, scopes)
        return None if value is None else evaluate(value)

    return call


def _strict_of_two(evaluate: Callable[..., Any], first: Evaluator, second: Evaluator) -> Evaluator:
    def call(row: Row, scopes: Scopes) -> Any:
        left, right = first(row, scopes), second(row, scopes)
        return None if left is None or right is None else evaluate(left, right)

    return call


def _strict_of_many(evaluate: Callable[..., Any], arguments: list[Evaluator]) -> Evaluator:
    def call(row: Row, scopes: Scopes) -> Any:
        values = [argument(row, scopes) for argument in arguments]
        return None if None in values else evaluate(*values)

    return call
