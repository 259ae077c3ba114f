"""The last operations on a query's rows: sort, offset, limit, project."""

from __future__ import annotations

from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.interpret.context import EvaluationContext
from planner.interpret.flows import interpretation
from planner.interpret.relations import row_count
from planner.interpret.sorting import sorter
from planner.ir.relation import Finishing


def finish(rows: list[Row], desc: RelationDesc, finishing: Finishing, context: EvaluationContext) -> list[Row]:
    """Returns the rows that the client sees, in their order. `desc` is of `rows`. Ties are broken by the whole row."""
    execution = interpretation(context)
    start = row_count(finishing.offset, "OFFSET", execution)((), ()) or 0
    count = row_count(finishing.limit, "LIMIT", execution)((), ())
    if finishing.order:
        rows = sorter(finishing.order, desc.types, execution)(rows, ())
    if start or count is not None:
        rows = rows[start : None if count is None else start + count]
    columns = finishing.project
    if columns == tuple(range(desc.arity)):
        return list(rows)
    return [tuple([row[index] for index in columns]) for row in rows]
