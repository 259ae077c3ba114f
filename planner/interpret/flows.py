"""Evaluates relations row by row: an operator that needs one row at a time keeps one row, and a reader may stop early.

Series, projections, filters, unions, joins and the rounds of a recursion hand each row on at once. Operators that need
all rows (sorts, groups) are computed as a whole beneath. A recursion may be endless: its readers, through any operators
between, ask for rows only while they need more.

    WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 3      ends
"""

from __future__ import annotations

from collections.abc import Iterator

from model.types.datum import Row
from planner.interpret.context import EvaluationContext
from planner.interpret.execution import Interpretation, RowFlow, Scopes
from planner.interpret.join_flows import compile_join_flow
from planner.interpret.joins import filtered
from planner.interpret.recursion import recursion_flow
from planner.interpret.relations import (
    compile_relation,
    counted_flow,
    counts_as_they_come,
    flat_mapper,
    let_binder,
    takes_first,
    top_flow,
)
from planner.interpret.scalars import compile_scalars
from planner.interpret.selection import filter_flow
from planner.ir.handing_on import handed_on, hands_on
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Join,
    Let,
    LocalGet,
    Map,
    Negate,
    Project,
    Recursive,
    Relation,
    TopK,
    Union,
    Window,
)


def interpretation(context: EvaluationContext, *, obvious: bool = False) -> Interpretation:
    """Returns the beginning of an evaluation."""
    return Interpretation(context, compile_relation, compile_flow, obvious)


def compile_flow(relation: Relation, execution: Interpretation) -> RowFlow:
    """Returns the relation's rows in the order in which they come, as a function of the rows around it."""
    match relation:
        case Constant(rows):
            return lambda scopes: (row for row, count in rows for _ in range(count))
        case Project():
            return _project(relation, execution)
        case Map():
            return _map(relation, execution)
        case FlatMap():
            source, produced = compile_flow(relation.input, execution), flat_mapper(relation, execution)
            return lambda scopes: (made for row in source(scopes) for made in produced(row, scopes))
        case Filter(input=Join()):
            merged = filtered(relation.input, relation.predicates)
            return compile_flow(merged, execution) if isinstance(merged, Join) else filter_flow(relation, execution)
        case Filter():
            return filter_flow(relation, execution)
        case LocalGet(local_id=local_id) if local_id in execution.flowing:
            return lambda scopes: iter(execution.locals[local_id])
        case Let():
            return _let(relation, execution)
        case Recursive():
            return recursion_flow(relation, execution)
        case Join() if execution.endless(relation):
            return compile_join_flow(relation, execution)
        case TopK() if takes_first(relation, execution):
            return top_flow(relation, execution)
        case Window() if counts_as_they_come(relation, execution):
            return counted_flow(relation, execution)
        case Union() if not any(isinstance(each, Negate) for each in relation.inputs):
            flows = [compile_flow(each, execution) for each in relation.inputs]
            return lambda scopes: (row for flow in flows for row in flow(scopes))
        case _:
            whole = compile_relation(relation, execution)
            return lambda scopes: iter(whole(scopes))


def _project(project: Project, execution: Interpretation) -> RowFlow:
    source, columns = compile_flow(project.input, execution), project.columns
    return lambda scopes: (tuple([row[index] for index in columns]) for row in source(scopes))


def _map(map_: Map, execution: Interpretation) -> RowFlow:
    source, scalars = compile_flow(map_.input, execution), compile_scalars(map_.scalars, execution)
    return lambda scopes: (row + tuple([scalar(row, scopes) for scalar in scalars]) for row in source(scopes))


def _let(let: Let, execution: Interpretation) -> RowFlow:
    if hands_on(let):
        return compile_flow(handed_on(let), execution)
    bind = let_binder(let, execution)
    body = compile_flow(let.body, execution)

    def flow(scopes: Scopes) -> Iterator[Row]:
        bind(scopes)
        yield from body(scopes)

    return flow
