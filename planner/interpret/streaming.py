"""A query's rows as they come, in the order in which a client sees them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from model.datum import Row
from planner.interpret.context import EvaluationContext
from planner.interpret.finishing import finish
from planner.interpret.flows import interpretation
from planner.interpret.relations import row_count
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query


def stream_query(query: Query, context: EvaluationContext) -> Iterator[Row]:
    """As evaluate_query, in the same order; no row is made before it is asked for, unless they are sorted."""
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
