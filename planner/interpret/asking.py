"""Answers a query's questions to the catalog and the session before the query over users' collections is sent."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Function, Volatility
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_scalar
from planner.ir.relation import Relation
from planner.ir.scalar import Call, Literal, Scalar
from planner.ir.visit import operands_of, rewrite_relation, rewrite_scalar, scalars_of, walk_relation


def with_answers(relation: Relation, context: EvaluationContext) -> Relation:
    """Returns the relation with system calls of constant arguments, such as txid_current(), replaced by their results.

    The result is the same for all rows. A call that fails stays in place: perhaps no row needs the call.
    """

    def visit(node: Scalar, level: int) -> Scalar | None:
        if not isinstance(node, Call):
            return None
        arguments = tuple(rewrite_scalar(argument, visit, level) for argument in node.arguments)
        call = Call(node.function, arguments, node.type)
        if not _asks(FUNCTIONS[node.function]) or not all(isinstance(each, Literal) for each in arguments):
            return call
        try:
            return Literal(evaluate_scalar(call, context), call.type)
        except SqlError:
            return call

    if not any(_asks_anywhere(scalar) for node in walk_relation(relation) for scalar in scalars_of(node)):
        return relation
    return rewrite_relation(relation, visit, 0)


def _asks(function: Function) -> bool:
    return function.needs_system and function.volatility is not Volatility.VOLATILE


def _asks_anywhere(scalar: Scalar) -> bool:
    """Tells whether a relation asks anywhere, but for subqueries, which are relations of their own."""
    if isinstance(scalar, Call) and _asks(FUNCTIONS[scalar.function]):
        return True
    return any(map(_asks_anywhere, operands_of(scalar)))
