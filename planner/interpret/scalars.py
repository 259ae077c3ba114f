"""Expressions as closures over (row, enclosing rows). Logic is three-valued; guards keep errors from being raised.

And: false if an operand is false, else the first error, else NULL if an operand is NULL, else true
Or:  true if an operand is true, else the first error, else NULL if an operand is NULL, else false
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from model.errors.sql_error import SqlError
from model.types.datum import Row
from model.types.scalar_type import ScalarType, TypeName
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Function
from planner.interpret.calls import compile_call
from planner.interpret.execution import Evaluator, Interpretation, Scopes
from planner.interpret.subqueries import compile_subquery
from planner.ir.placeholder import Placeholder
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Case,
    Coalesce,
    Column,
    Exists,
    Literal,
    Or,
    OuterColumn,
    Parameter,
    QuantifiedArray,
    Quantifier,
    RowOf,
    Scalar,
    SessionValue,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
    scalar_type,
)


def compile_scalar(scalar: Scalar, execution: Interpretation) -> Evaluator:
    """Returns the expression's value, as a function of its row and the rows around."""
    match scalar:
        case Column(index):
            return lambda row, scopes: row[index]
        case OuterColumn(depth, index):
            return lambda row, scopes: scopes[depth - 1][index]
        case Literal(value):
            return lambda row, scopes: value
        case Parameter(number):
            raise AssertionError(f"parameter ${number} was not bound")
        case SessionValue(name):
            fixed = execution.context.session_value(name)
            return lambda row, scopes: fixed
        case Placeholder():
            raise AssertionError(f"{scalar} in a finished plan")
        case Call():
            return compile_call(scalar, compile_scalars(scalar.arguments, execution), execution)
        case And(operands):
            return conjunction(compile_scalars(operands, execution))
        case Or(operands):
            return _decided_by(True, compile_scalars(operands, execution))
        case Case():
            return _case(scalar, execution)
        case Coalesce(operands):
            return _coalesce(compile_scalars(operands, execution))
        case ArrayOf():
            return _tuple(compile_scalars(scalar.elements, execution))
        case RowOf(fields):
            return _tuple(compile_scalars(fields, execution))
        case Exists() | SubqueryValue() | SubqueryArray() | SubqueryCompare():
            return compile_subquery(scalar, execution, compile_scalar)
        case QuantifiedArray():
            return _quantified(scalar, execution)
        case _:
            assert_never(scalar)


def compile_scalars(scalars: Sequence[Scalar], execution: Interpretation) -> list[Evaluator]:
    return [compile_scalar(scalar, execution) for scalar in scalars]


def conjunction(operands: Sequence[Evaluator]) -> Evaluator:
    """Joins evaluators by AND; of no operands, true."""
    return operands[0] if len(operands) == 1 else _decided_by(False, operands)


def _decided_by(decisive: bool, operands: Sequence[Evaluator]) -> Evaluator:
    """Joins evaluators by AND, which one false decides, or by OR, which one true decides, whatever others fail with."""

    def evaluate(row: Row, scopes: Scopes) -> bool | None:
        result: bool | None = not decisive
        failure: SqlError | None = None
        for operand in operands:
            try:
                value: bool | None = operand(row, scopes)
            except SqlError as error:
                failure = failure or error
                continue
            if value is decisive:
                return decisive
            if value is None:
                result = None
        if failure is not None:
            raise failure
        return result

    return evaluate


def _case(case: Case, execution: Interpretation) -> Evaluator:
    branches = [
        (compile_scalar(condition, execution), compile_scalar(value, execution)) for condition, value in case.branches
    ]
    otherwise = compile_scalar(case.otherwise, execution)

    def evaluate(row: Row, scopes: Scopes) -> Any:
        for condition, value in branches:
            if condition(row, scopes) is True:
                return value(row, scopes)
        return otherwise(row, scopes)

    return evaluate


def _coalesce(operands: Sequence[Evaluator]) -> Evaluator:
    def evaluate(row: Row, scopes: Scopes) -> Any:
        for operand in operands:
            value = operand(row, scopes)
            if value is not None:
                return value
        return None

    return evaluate


def _tuple(items: Sequence[Evaluator]) -> Evaluator:
    return lambda row, scopes: tuple([item(row, scopes) for item in items])


_VECTOR_ELEMENTS = {TypeName.INT2VECTOR: TypeName.INT2, TypeName.OIDVECTOR: TypeName.OID}


def _element_type(array: ScalarType) -> ScalarType:
    if array.name in _VECTOR_ELEMENTS:
        return ScalarType(_VECTOR_ELEMENTS[array.name])
    assert array.element is not None
    return array.element


def _comparison(function: Function, left: ScalarType, right: ScalarType) -> Any:
    if function.typed:
        return lambda a, b: function.evaluate((left, right), a, b)
    return function.evaluate


def _quantified(node: QuantifiedArray, execution: Interpretation) -> Evaluator:
    """Quantifies a comparison: the first element that decides ends the search; NULL when none does and one might."""
    function = FUNCTIONS[node.comparison]
    compare = _comparison(function, scalar_type(node.left), _element_type(scalar_type(node.array)))
    strict = function.strict
    left, array = compile_scalar(node.left, execution), compile_scalar(node.array, execution)
    decisive = node.quantifier is Quantifier.ANY

    def evaluate(row: Row, scopes: Scopes) -> bool | None:
        value, items = left(row, scopes), array(row, scopes)
        if items is None:
            return None
        result: bool | None = not decisive
        for item in items:
            answer: bool | None = None if strict and (value is None or item is None) else compare(value, item)
            if answer is decisive:
                return answer
            if answer is None:
                result = None
        return result

    return evaluate
