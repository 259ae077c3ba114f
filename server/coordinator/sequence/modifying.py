"""WITH that modifies data: steps and the statement itself, all reading the tables as they were before any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from catalog.temporary import is_temporary_item
from model.datum import Row
from model.global_id import GlobalId
from planner.ir.relation import Constant, Let, LocalGet, Relation
from planner.ir.visit import walk_relation
from planner.plans import DeletePlan, InsertPlan, ModifyingPlan, Query, SelectPlan, UpdatePlan
from server.coordinator.execution import Execution
from server.coordinator.planning import ReadSet, read_set
from server.coordinator.reading import Reader
from server.coordinator.sequence.insert import sequence_insert
from server.coordinator.sequence.results import rows_result
from server.coordinator.sequence.touched_rows import TouchedRows
from server.coordinator.sequence.update_delete import sequence_delete, sequence_update
from server.coordinator.writing import item_of, lock_for_write
from server.pgwire.backend import Command, Rows

_Statement = SelectPlan | InsertPlan | UpdatePlan | DeletePlan


async def sequence_modifying(plan: ModifyingPlan, reads: ReadSet, execution: Execution) -> Command | Rows:
    """Writes of a step are put aside until all have read: a transaction's reads see its own writes."""
    transaction = execution.transaction
    targets = frozenset(each.target for each in plan.parts if not isinstance(each, SelectPlan))
    if not all(is_temporary_item(execution.catalog, target) for target in targets):
        locked = execution.catalog.tables_under(reads.user) | targets
        await lock_for_write(execution.environment, transaction, locked)
    touched = _touched_rows(plan, execution)
    before = len(transaction.writes)
    writes = []
    returned: dict[int, Constant] = {}
    for step in plan.steps:
        result = await _run(_reading(step.plan, returned), execution, touched)
        rows = await _rows_of(result)
        if step.plan.returning is not None:
            returned[step.local_id] = Constant(tuple((row, 1) for row in rows), step.plan.returning.desc)
        writes += transaction.writes[before:]
        del transaction.writes[before:]
    result = await _run(_reading(plan.main, returned), execution, touched)
    if isinstance(result, Rows):
        rows = await _rows_of(result)
        result = rows_result(result.desc, rows, result.tag())
    transaction.writes[before:before] = writes
    return result


def _touched_rows(plan: ModifyingPlan, execution: Execution) -> dict[GlobalId, TouchedRows]:
    """Of the tables whose rows are updated or deleted by several parts."""
    counts = Counter(each.target for each in plan.parts if isinstance(each, UpdatePlan | DeletePlan))
    return {id_: TouchedRows(item_of(execution.catalog, id_).desc) for id_, count in counts.items() if count > 1}


async def _run(plan: _Statement, execution: Execution, touched: Mapping[GlobalId, TouchedRows]) -> Command | Rows:
    for each in touched.values():
        each.next_part()
    match plan:
        case InsertPlan():
            return await sequence_insert(plan, read_set(plan.source.relation), execution)
        case UpdatePlan():
            return await sequence_update(plan, read_set(plan.selection), execution, touched.get(plan.target))
        case DeletePlan():
            return await sequence_delete(plan, read_set(plan.selection), execution, touched.get(plan.target))
        case SelectPlan():
            query = plan.query
            reader = Reader(execution.environment, execution)
            rows = [row async for batch in reader.rows(query, read_set(query.relation), plan.as_of) for row in batch]
            return rows_result(query.desc, rows, f"SELECT {len(rows)}")


async def _rows_of(result: Command | Rows) -> Sequence[Row]:
    if isinstance(result, Command):
        return ()
    return [row async for batch in result.batches for row in batch]


def _reading(plan: _Statement, returned: dict[int, Constant]) -> _Statement:
    """The statement with the rows that the steps before it returned."""
    match plan:
        case SelectPlan():
            return replace(plan, query=_query(plan.query, returned))
        case InsertPlan(source=source, returning=returning):
            shown = None if returning is None else _query(returning, returned)
            return replace(plan, source=_query(source, returned), returning=shown)
        case (
            UpdatePlan(selection=selection, returning=returning) | DeletePlan(selection=selection, returning=returning)
        ):
            shown = None if returning is None else _query(returning, returned)
            return replace(plan, selection=_relation(selection, returned), returning=shown)


def _query(query: Query, returned: dict[int, Constant]) -> Query:
    return replace(query, relation=_relation(query.relation, returned))


def _relation(relation: Relation, returned: dict[int, Constant]) -> Relation:
    read = {node.local_id for node in walk_relation(relation) if isinstance(node, LocalGet)}
    for local_id, rows in returned.items():
        if local_id in read:
            relation = Let(local_id, rows, relation)
    return relation
