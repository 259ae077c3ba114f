"""WITH that modifies data, and queries inside a statement that lock rows: all parts read the tables as of before any
part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from catalog.facts.temporary_items import is_temporary_item
from model.errors.sql_error import NotSupported, SqlError
from model.ids.global_id import GlobalId
from model.types.datum import Row
from planner.ir.query import Query
from planner.ir.relation import Constant, Let, LocalGet, Relation
from planner.ir.visit import walk_relation
from planner.plans.changes import DeletePlan, InsertPlan, ModifyingPart, ModifyingPlan, UpdatePlan
from planner.plans.locks import LockRowsPlan
from planner.plans.queries import SelectPlan
from server.pgwire.backend import Command, Rows
from server.planning.access import IndexAccess
from server.planning.statement_plans import ReadSet, read_set
from server.reads.index_reading import KEPT_FAILURES
from server.reads.joined_access import joined_access
from server.reads.reading import Reader
from server.statements.changes.insert import sequence_insert
from server.statements.changes.touched_rows import TouchedRows
from server.statements.changes.update_delete import sequence_delete, sequence_update
from server.statements.results import rows_result
from server.statements.session.lock_rows import locked_part
from server.transactions.catalog_changes import conflicting
from server.transactions.execution import Execution
from server.transactions.transaction_writes import BufferedWrite
from server.writes.constraints.held_rules import HeldRules, held_rules
from server.writes.writing import item_of, lock_for_write


async def sequence_modifying(plan: ModifyingPlan, reads: ReadSet, execution: Execution) -> Command | Rows:
    """Runs all parts; writes are set aside until every part has read, because a transaction's reads see its own writes.

    When a locked row has changed since it was read, a statement that is its transaction's first to read begins again at
    a new time, keeping its locks. Otherwise 40001.
    """
    transaction = execution.transaction
    first, before = transaction.reads.at is None, len(transaction.writes.buffered)
    while True:
        await _lock_for_write(plan, reads, execution)
        run = _Run(plan, execution)
        try:
            result = await run.result()
        finally:
            transaction.writes.buffered[before:before] = run.writes
        if result is not None:
            return result
        if not first or len(transaction.writes.buffered) > before:
            raise conflicting()
        await transaction.locks.release_write_locks()
        transaction.reads.forget()


async def _lock_for_write(plan: ModifyingPlan, reads: ReadSet, execution: Execution) -> None:
    targets = frozenset(each.target for each in plan.changes)
    if not all(is_temporary_item(execution.catalog, target) for target in targets):
        locked = execution.catalog.tables_under(reads.user) | targets
        await lock_for_write(execution.environment, execution.transaction, locked)


class _Run:
    """One run of all parts. `writes` are their writes so far."""

    def __init__(self, plan: ModifyingPlan, execution: Execution) -> None:
        self.writes: list[BufferedWrite] = []
        self._plan = plan
        self._execution = execution
        self._before = len(execution.transaction.writes.buffered)
        self._kept = bool(execution.transaction.locks.locked)

    async def result(self) -> Command | Rows | None:
        """Returns the result; None for another run, because of changed rows that are now locked."""
        parts = _Parts(self._plan, self._execution)
        returned: dict[int, Constant] = {}
        for step in self._plan.steps:
            result = await parts.run(_reading(step.plan, returned))
            if result is None or self._disturbed(step.plan):
                return None
            rows = await _rows_of(result)
            if step.returned is not None:
                returned[step.local_id] = Constant(tuple((row, 1) for row in rows), step.returned)
            self._put_aside()
        result = await parts.run(_reading(self._plan.main, returned))
        if isinstance(result, Rows):
            rows = await _rows_of(result)
            result = rows_result(result.desc, rows, result.tag())
        self._put_aside()
        await parts.require_keys()
        return result

    def _disturbed(self, plan: ModifyingPart) -> bool:
        """Returns whether the run has waited for rows, without its write locks, and may still begin again."""
        waited = self._kept and not self._execution.transaction.locks.locked
        return isinstance(plan, LockRowsPlan) and waited and not self.writes

    def _put_aside(self) -> None:
        writes = self._execution.transaction.writes.buffered
        self.writes += writes[self._before :]
        del writes[self._before :]


def _touched_rows(plan: ModifyingPlan, execution: Execution) -> dict[GlobalId, TouchedRows]:
    """Returns the tables whose rows several parts update or delete."""
    counts = Counter(each.target for each in plan.parts if isinstance(each, UpdatePlan | DeletePlan))
    return {id_: TouchedRows(item_of(execution.catalog, id_).desc) for id_, count in counts.items() if count > 1}


def _refuse_conflicts(plan: ModifyingPlan) -> None:
    """Raises 0A000 for ON CONFLICT on a table that other parts change."""
    counts = Counter(each.target for each in plan.changes)
    for each in plan.changes:
        if isinstance(each, InsertPlan) and each.conflict is not None and counts[each.target] > 1:
            hint = "Write two statements in one transaction."
            raise NotSupported("ON CONFLICT in a statement that writes the table elsewhere too", hint=hint)


def _held_rules(plan: ModifyingPlan, execution: Execution) -> dict[GlobalId, HeldRules]:
    """Returns the rules of the written tables."""
    found: dict[GlobalId, HeldRules] = {}
    for each in plan.changes:
        if each.target not in found:
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

    async def run(self, plan: ModifyingPart) -> Command | Rows | None:
        """Runs one part; None when a locked row has changed since it was read."""
        for each in self._touched.values():
            each.begin_part()
        execution = self._execution
        match plan:
            case InsertPlan(target=target):
                return await sequence_insert(plan, read_set(plan.source.relation), execution, self._rules.get(target))
            case UpdatePlan(target=target):
                touched, rules = self._touched.get(target), self._rules.get(target)
                reads, access = read_set(plan.selection), await self._access(plan)
                return await sequence_update(plan, reads, execution, touched, rules, access)
            case DeletePlan(target=target):
                touched, rules = self._touched.get(target), self._rules.get(target)
                reads, access = read_set(plan.selection), await self._access(plan)
                return await sequence_delete(plan, reads, execution, touched, rules, access)
            case LockRowsPlan():
                return await locked_part(plan, execution)
            case SelectPlan(query=query):
                reader = Reader(execution.environment, execution)
                found = reader.rows(query, read_set(query.relation), plan.as_of)
                rows = [row async for batch in found for row in batch]
                return rows_result(query.desc, rows, f"SELECT {len(rows)}")

    async def _access(self, plan: UpdatePlan | DeletePlan) -> IndexAccess | None:
        """Returns the index that finds the rows by values that earlier parts returned. Errors are left for the plan
        to raise."""
        try:
            return None if read_set(plan.selection).timed else await joined_access(plan.selection, self._execution)
        except SqlError as error:
            if error.sqlstate in KEPT_FAILURES:
                raise
            return None

    async def require_keys(self) -> None:
        """Raises SqlError 23505 for keys violated by all parts together."""
        for rules in self._rules.values():
            await rules.require_keys()


async def _rows_of(result: Command | Rows) -> Sequence[Row]:
    if isinstance(result, Command):
        return ()
    return [row async for batch in result.batches for row in batch]


def _reading(plan: ModifyingPart, returned: dict[int, Constant]) -> ModifyingPart:
    """Returns the part with the rows that earlier parts returned."""
    match plan:
        case SelectPlan() | LockRowsPlan():
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
