"""A query's rows as they come, in the order in which a client sees them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from model.types.datum import Row
from planner.interpret.context import EvaluationContext
from planner.interpret.finishing import finish
from planner.interpret.flows import interpretation
from planner.interpret.relations import row_count
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import Constant

_CONSTANT_ROWS_MAX = 1000


def constant_rows(query: Query) -> list[Row] | None:
    """Returns the rows of a query over a few constant rows, unchanged; None for any other query."""
    relation, finishing = query.relation, query.finishing
    if not isinstance(relation, Constant) or len(relation.rows) > _CONSTANT_ROWS_MAX:
        return None
    if finishing.order or finishing.limit is not None or finishing.offset is not None:
        return None
    counted = [row for row, count in relation.rows if count == 1]
    if len(counted) < len(relation.rows):
        return None
    columns = finishing.project
    if columns == tuple(range(relation.desc.arity)):
        return counted
    return [tuple([row[index] for index in columns]) for row in counted]


def stream_query(query: Query, context: EvaluationContext) -> Iterator[Row]:
    """Evaluates as evaluate_query does, in the same order; rows are made on demand, unless they are sorted."""
    execution = interpretation(context)
    relation, finishing = query.relation, query.finishing
    rows = execution.compile_flow(relation, execution)(())
    if finishing.order:
        yield from finish(list(rows), relation_desc_of(relation), finishing, context)
        return
    start = row_count(finishing.offset, "OFFSET", execution)((), ()) or 0
    count = row_count(finishing.limit, "LIMIT", execution)((), ())
    columns = finishing.project
    whole = columns == tuple(range(relation_desc_of(relation).arity))
    for row in islice(rows, start, None if count is None else start + count):
        yield row if whole else tuple([row[index] for index in columns])
