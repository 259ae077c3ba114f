"""A query's rows one by one: what needs no more than one row at a time keeps no more.

Series, projections, filters, unions and the rounds of a recursion hand each row on as it comes; what has to see all
rows (sorts, groups, joins) is computed as a whole beneath them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from model.datum import Row
from planner.interpret.context import EvaluationContext
from planner.interpret.execution import Interpretation
from planner.interpret.finishing import finish
from planner.interpret.recursion import recursion_rounds
from planner.interpret.relations import compile_relation, flat_mapper, row_count
from planner.interpret.scalars import compile_scalars
from planner.interpret.selection import conjuncts, selection
from planner.ir.handing_on import hands_on
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
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
    Union,
)


def stream_query(query: Query, context: EvaluationContext) -> Iterator[Row]:
    """As evaluate_query, in the same order."""
    execution = Interpretation(context, compile_relation)
    relation, finishing = query.relation, query.finishing
    if finishing.order:
        rows = list(_stream(relation, execution, {}))
        yield from finish(rows, relation_desc_of(relation), finishing, context)
        return
    start = row_count(finishing.offset, "OFFSET", execution)((), ()) or 0
    count = row_count(finishing.limit, "LIMIT", execution)((), ())
    columns = finishing.project
    whole = columns == tuple(range(relation_desc_of(relation).arity))
    for row in islice(_stream(relation, execution, {}), start, None if count is None else start + count):
        yield row if whole else tuple([row[index] for index in columns])


def _stream(relation: Relation, execution: Interpretation, lazy: Mapping[int, Iterator[Row]]) -> Iterator[Row]:
    """`lazy`: the rows of those Lets that are read as they come."""
    match relation:
        case Constant(rows):
            for row, count in rows:
                for _ in range(count):
                    yield row
        case Project(input_, columns):
            for row in _stream(input_, execution, lazy):
                yield tuple([row[index] for index in columns])
        case Map():
            scalars = compile_scalars(relation.scalars, execution)
            for row in _stream(relation.input, execution, lazy):
                yield row + tuple([scalar(row, ()) for scalar in scalars])
        case FlatMap():
            produced = flat_mapper(relation, execution)
            for row in _stream(relation.input, execution, lazy):
                yield from produced(row, ())
        case Filter() if not isinstance(relation.input, Join):
            passes = selection(compile_scalars(conjuncts(relation.predicates), execution))
            for row in _stream(relation.input, execution, lazy):
                if passes(row, ()):
                    yield row
        case LocalGet(local_id=local_id) if local_id in lazy:
            yield from lazy[local_id]
        case Let(local_id, value, body) if hands_on(relation):
            yield from _stream(body, execution, {**lazy, local_id: _stream(value, execution, lazy)})
        case Let():
            execution.locals[relation.local_id] = list(_stream(relation.value, execution, lazy))
            yield from _stream(relation.body, execution, lazy)
        case Recursive():
            for added in recursion_rounds(relation, execution)(()):
                yield from added
        case Union() if not any(isinstance(each, Negate) for each in relation.inputs):
            for each in relation.inputs:
                yield from _stream(each, execution, lazy)
        case _:
            yield from compile_relation(relation, execution)(())
