"""The doors of the interpreter. Parameters are bound before; session values are, or the context holds them."""

from __future__ import annotations

from collections.abc import Callable

from model.types.datum import Datum, Row
from planner.interpret.context import EvaluationContext
from planner.interpret.finishing import finish
from planner.interpret.flows import interpretation
from planner.interpret.relations import compile_relation
from planner.interpret.scalars import compile_scalar
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar


def evaluate_relation(relation: Relation, context: EvaluationContext, *, obvious: bool = False) -> list[Row]:
    """Returns the relation's rows, each as often as it occurs, in no order. `obvious` evaluates by definition, without
    hashing or remembering: what tests hold the usual way against. Raises SqlError as the expressions raise."""
    execution = interpretation(context, obvious=obvious)
    return list(compile_relation(relation, execution)(()))


def evaluate_query(query: Query, context: EvaluationContext, *, obvious: bool = False) -> list[Row]:
    """Evaluates a query; returns the rows that a client sees, in the query's order."""
    rows = evaluate_relation(query.relation, context, obvious=obvious)
    return finish(rows, relation_desc_of(query.relation), query.finishing, context)


def evaluate_scalar(scalar: Scalar, context: EvaluationContext) -> Datum:
    """Returns the value of an expression that reads no columns."""
    value: Datum = compile_scalar(scalar, interpretation(context))((), ())
    return value


def row_function(scalar: Scalar, context: EvaluationContext) -> Callable[[Row], Datum]:
    """Returns a function that computes an expression's value for a row."""
    compiled = compile_scalar(scalar, interpretation(context))
    return lambda row: compiled(row, ())
