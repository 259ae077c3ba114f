"""WITH that modifies data: steps and the statement itself, all reading the tables as they were before any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from catalog.temporary import is_temporary_item
from model.datum import Row
from model.errors import NotSupported
from model.global_id import GlobalId
from planner.ir.query import Query
from planner.ir.relation import Constant, Let, LocalGet, Relation
from planner.ir.visit import walk_relation
from planner.plans.changes import DeletePlan, InsertPlan, ModifyingPlan, UpdatePlan
from planner.plans.queries import SelectPlan
from server.coordinator.constraints.held_rules import HeldRules, held_rules
from server.coordinator.execution import Execution
from server.coordinator.planning import ReadSet, read_set
from server.coordinator.reading import Reader
from server.coordinator.sequence.insert import sequence_insert
from server.coordinator.sequence.results import rows_result
from server.coordinator.sequence.touched_rows import TouchedRows
from server.coordinator.sequence.update_delete import sequence_delete, sequence_update
from server.coordinator.writing import item_of, lock_for_write
from server.pgwire.backend import Command, Rows
from server.session.transaction import BufferedWrite

_Statement = SelectPlan | InsertPlan | UpdatePlan | DeletePlan


async def sequence_modifying(plan: ModifyingPlan, reads: ReadSet, execution: Execution) -> Command | Rows:
    """Writes of a step are put aside until all have read: a transaction's reads see its own writes."""
    transaction = execution.transaction
    targets = frozenset(each.target for each in plan.parts if not isinstance(each, SelectPlan))
    if not all(is_temporary_item(execution.catalog, target) for target in targets):
        locked = execution.catalog.tables_under(reads.user) | targets
        await lock_for_write(execution.environment, transaction, locked)
    parts = _Parts(plan, execution)
    before = len(transaction.writes)
    writes: list[BufferedWrite] = []
    returned: dict[int, Constant] = {}
    try:
        for step in plan.steps:
            result = await parts.run(_reading(step.plan, returned))
            rows = await _rows_of(result)
            if step.returned is not None:
                returned[step.local_id] = Constant(tuple((row, 1) for row in rows), step.returned)
            writes += transaction.writes[before:]
            del transaction.writes[before:]
        result = await parts.run(_reading(plan.main, returned))
        if isinstance(result, Rows):
            rows = await _rows_of(result)
            result = rows_result(result.desc, rows, result.tag())
        writes += transaction.writes[before:]
        del transaction.writes[before:]
        await parts.require_keys()
    finally:
        transaction.writes[before:before] = writes
    return result


def _touched_rows(plan: ModifyingPlan, execution: Execution) -> dict[GlobalId, TouchedRows]:
    """Of the tables whose rows are updated or deleted by several parts."""
    counts = Counter(each.target for each in plan.parts if isinstance(each, UpdatePlan | DeletePlan))
    return {id_: TouchedRows(item_of(execution.catalog, id_).desc) for id_, count in counts.items() if count > 1}


def _refuse_conflicts(plan: ModifyingPlan) -> None:
    """0A000 where ON CONFLICT would have to know what other parts do to its table."""
    counts = Counter(each.target for each in plan.parts if not isinstance(each, SelectPlan))
    for each in plan.parts:
        if isinstance(each, InsertPlan) and each.conflict is not None and counts[each.target] > 1:
            hint = "Write two statements in one transaction."
            raise NotSupported("ON CONFLICT in a statement that writes the table elsewhere too", hint=hint)


def _held_rules(plan: ModifyingPlan, execution: Execution) -> dict[GlobalId, HeldRules]:
    """Of the tables that are written and have any."""
    found: dict[GlobalId, HeldRules] = {}
    for each in plan.parts:
        if not isinstance(each, SelectPlan) and each.target not in found:
            rules = held_rules(each.rules, item_of(execution.catalog, each.target), execution)
            if rules is not None:
                found[each.target] = rules
    return found


class _Parts:
    """The parts of one statement, in turn."""

    def __init__(self, plan: ModifyingPlan, execution: Execution) -> None:
        _refuse_conflicts(plan)
        self._execution = execution
        self._touched = _touched_rows(plan, execution)
        self._rules = _held_rules(plan, execution)

    async def run(self, plan: _Statement) -> Command | Rows:
        for each in self._touched.values():
            each.next_part()
        execution = self._execution
        match plan:
            case InsertPlan(target=target):
                return await sequence_insert(plan, read_set(plan.source.relation), execution, self._rules.get(target))
            case UpdatePlan(target=target):
                touched, rules = self._touched.get(target), self._rules.get(target)
                return await sequence_update(plan, read_set(plan.selection), execution, touched, rules)
            case DeletePlan(target=target):
                touched, rules = self._touched.get(target), self._rules.get(target)
                return await sequence_delete(plan, read_set(plan.selection), execution, touched, rules)
            case SelectPlan(query=query):
                reader = Reader(execution.environment, execution)
                found = reader.rows(query, read_set(query.relation), plan.as_of)
                rows = [row async for batch in found for row in batch]
                return rows_result(query.desc, rows, f"SELECT {len(rows)}")

    async def require_keys(self) -> None:
        """SqlError 23505 for what all parts together have made of the tables."""
        for rules in self._rules.values():
            await rules.require_keys()


async def _rows_of(result: Command | Rows) -> Sequence[Row]:
    if isinstance(result, Command):
        return ()
    return [row async for batch in result.batches for row in batch]


def _reading(plan: _Statement, returned: dict[int, Constant]) -> _Statement:
    """The statement with the rows that the steps before it returned."""
    match plan:
        case SelectPlan():
            return replace(plan, query=_query(plan.query, returned))
        case InsertPlan(source=source, returning=returning, conflict=conflict):
            shown = None if returning is None else _query(returning, returned)
            if conflict is not None and conflict.update is not None:
                relation = _relation(conflict.update.relation, returned)
                conflict = replace(conflict, update=replace(conflict.update, relation=relation))
            return replace(plan, source=_query(source, returned), returning=shown, conflict=conflict)
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
