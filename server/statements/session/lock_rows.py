"""SELECT … FOR UPDATE and its kin.

    read -> lock the rows in their order -> has a row changed since? at the transaction's first read: read again

The first read of a transaction is fixed at a time at which its locked rows have their present values. Later reads use
the same time, so a row that has changed since is 40001.

COMMIT validates the returned rows alone with SKIP LOCKED, because nobody can change locked rows, and for a row read by
its key; otherwise all tables read, as for any query.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from model.types.datum import Row
from model.types.scalar_type import INT8
from planner.interpret.parameters import bind_scalar
from planner.ir.query import Query
from planner.ir.relation import Get
from planner.ir.scalar import Literal, Scalar
from planner.ir.table_rows import computed_view
from planner.ir.visit import walk_relation
from planner.plans.locks import LockRowsPlan, RowLocking, RowMode, TableMode, WaitPolicy
from server.ledgers.locks import Resource
from server.ledgers.row_keys import RowKeys
from server.pgwire.backend import Rows
from server.planning.statement_plans import Planned, ReadSet, read_set
from server.reads.reading import Reader
from server.statements.results import rows_result
from server.transactions.catalog_changes import conflicting
from server.transactions.evaluating import evaluated_values
from server.transactions.execution import Execution
from server.writes.locking.changes import changed_keys
from server.writes.locking.pinned import stays_as_read
from server.writes.locking.waiting import take_lock
from server.writes.locking.written import LOCKED_MAX
from timeline.footprint import Footprint

_AT_ONCE = 500


async def sequence_lock_rows(plan: LockRowsPlan, planned: Planned, execution: Execution) -> Rows:
    """Returns the locked rows. Raises SqlError 55P03, 40P01, 40001."""
    locked = _LockedRows(plan, planned.reads, execution, planned)
    first = execution.transaction.reads.at is None
    while True:
        rows = await locked.rows()
        if rows is not None:
            return rows_result(plan.desc, [row[: plan.arity] for row in rows], f"SELECT {len(rows)}")
        if not first:
            raise conflicting()
        execution.transaction.reads.forget()


async def locked_part(plan: LockRowsPlan, execution: Execution) -> Rows | None:
    """Returns the locked rows of a part of a statement; None when one has changed since it was read."""
    rows = await _LockedRows(plan, read_set(plan.query.relation), execution).rows()
    return None if rows is None else rows_result(plan.desc, [row[: plan.arity] for row in rows], f"SELECT {len(rows)}")


def _refuse_computed(plan: LockRowsPlan, execution: Execution) -> None:
    """Raises 0A000 for views whose rows are no table's."""
    view = partial(execution.environment.planning.view_relation, execution.catalog)
    for each in plan.whole:
        refused = computed_view(each.relation, view)
        if refused is not None:
            message = f"{each.mode.words} is not allowed with {refused}"
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)


class _LockedRows:
    """The locking of one execution; `planned` is given for a statement's own query."""

    def __init__(
        self, plan: LockRowsPlan, reads: ReadSet, execution: Execution, planned: Planned | None = None
    ) -> None:
        mode = max([each.mode for each in plan.rows] + [each.mode for each in plan.whole])
        execution.transaction.require_writable(f"SELECT {mode.words}")
        execution.transaction.require_effects(f"SELECT {mode.words}")
        _refuse_computed(plan, execution)
        self._plan = plan
        self._reads = reads
        self._planned = planned
        self._execution = execution
        self._keys = {each.table: RowKeys(execution.catalog.items[each.table], execution.catalog) for each in plan.rows}
        self._skipping = any(each.waiting is WaitPolicy.SKIP for each in plan.rows)

    async def rows(self) -> list[Row] | None:
        """Reads and locks; None when a locked row has changed since it was read."""
        transaction = self._execution.transaction
        place, earlier = len(transaction.locks.holder.taken), transaction.reads.footprint
        if not await self._lock_whole():
            return []
        rows, resources = await self._locked(place)
        time = transaction.reads.at
        if time is not None and await self._changed(resources, time):
            return None
        transaction.locks.holder.release_but(place, resources)
        self._forget_locked(rows, earlier)
        return rows

    async def _lock_whole(self) -> bool:
        """Locks all rows of the tables under locked views and subqueries; returns false if a lock could not be had."""
        execution = self._execution
        for each in self._plan.whole:
            for id_ in sorted(execution.catalog.tables_under([each.relation]) - execution.transaction.changes.created):
                name = execution.catalog.items[id_].name
                if not await take_lock(execution, Resource(id_), TableMode.ALL_ROWS, each.waiting, name):
                    return False
        return True

    async def _locked(self, place: int) -> tuple[list[Row], set[Resource]]:
        """Returns the rows now locked, and their locks."""
        limit, offset = await self._limits()
        others = sum(self._execution.environment.locks.rows.rows_locked(each.table) for each in self._plan.rows)
        # Powers of two, so that Spark has few plans to prepare, however many rows are locked at the moment.
        asked = None if limit is None or not self._skipping else 1 << (limit + offset + others).bit_length()
        while True:
            found = await self._read(asked)
            rows, resources = await self._lock(found, None if limit is None else limit + offset)
            enough = limit is None or len(rows) >= limit + offset
            if not self._skipping:
                return rows, resources
            if enough or asked is None or len(found) < asked:
                return rows[offset:], resources
            asked = None

    async def _limits(self) -> tuple[int | None, int]:
        """Returns LIMIT and OFFSET, which count rows that are not skipped."""
        finishing = self._plan.query.finishing
        if not self._skipping or (finishing.limit is None and finishing.offset is None):
            return None, 0
        given = [Literal(None, INT8) if each is None else each for each in (finishing.limit, finishing.offset)]
        limit, offset = await evaluated_values([self._bound(each) for each in given], self._execution)
        assert limit is None or isinstance(limit, int)
        assert offset is None or isinstance(offset, int)
        if offset is not None and offset < 0:
            raise SqlError(Sqlstate.INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE, "OFFSET must not be negative")
        if limit is not None and limit < 0:
            raise SqlError(Sqlstate.INVALID_ROW_COUNT_IN_LIMIT_CLAUSE, "LIMIT must not be negative")
        return limit, offset or 0

    def _bound(self, scalar: Scalar) -> Scalar:
        execution = self._execution
        return bind_scalar(scalar, execution.parameters, execution.session_values(TIMESTAMP_MIN))

    async def _read(self, count: int | None) -> list[Row]:
        """Returns the query's rows with all columns. If locked rows are skipped, returns only the first `count`
        rows."""
        query, planned = self._plan.query, self._planned
        reader = Reader(self._execution.environment, self._execution)
        if not self._skipping:
            ways = (None, None) if planned is None else (planned.access, planned.arranged)
            found = reader.rows(query, self._reads, None, *ways)
            return [row async for batch in found for row in batch]
        limit = None if count is None else Literal(count, INT8)
        found = reader.rows(self._limited(query, limit), self._reads)
        return [row async for batch in found for row in batch]

    def _limited(self, query: Query, limit: Scalar | None) -> Query:
        return replace(query, finishing=replace(query.finishing, limit=limit, offset=None))

    async def _lock(self, found: Sequence[Row], most: int | None) -> tuple[list[Row], set[Resource]]:
        """Locks rows in their order, up to `most`; skipped rows are left out."""
        if len(found) > LOCKED_MAX and not self._skipping:
            return list(found), await self._lock_all()
        rows: list[Row] = []
        resources: set[Resource] = set()
        for number, row in enumerate(found):
            if most is not None and len(rows) >= most:
                break
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
            own = [(each, self._resource(each, row)) for each in self._plan.rows]
            if all([await self._take(each, resource) for each, resource in own]):
                rows.append(row)
                resources.update(resource for _, resource in own)
        return rows, resources

    async def _lock_all(self) -> set[Resource]:
        """Locks all rows of the tables at once, because the rows to lock are very many; returns these locks."""
        for each in self._plan.rows:
            await take_lock(self._execution, Resource(each.table), TableMode.ALL_ROWS, each.waiting, each.name)
        return {Resource(each.table) for each in self._plan.rows}

    def _resource(self, locking: RowLocking, row: Row) -> Resource:
        return Resource(locking.table, self._keys[locking.table].of(self._stored(locking, row)))

    def _stored(self, locking: RowLocking, row: Row) -> Row:
        """Returns the locked table's row in a row of the query."""
        return self._keys[locking.table].stored([row[at] for at in locking.columns])

    async def _take(self, locking: RowLocking, resource: Resource) -> bool:
        return await take_lock(self._execution, resource, locking.mode, locking.waiting, locking.name)

    async def _changed(self, resources: set[Resource], time: Timestamp) -> bool:
        """Returns whether a locked row has changed since it was read."""
        tables = {each.table for each in resources}
        catalog = self._execution.catalog
        whole = {id_ for each in self._plan.whole for id_ in catalog.tables_under([each.relation])}
        for id_ in sorted(tables | whole):
            changed = await changed_keys(self._execution, id_, time)
            if changed and (id_ in whole or Resource(id_) in resources):
                return True
            if any(Resource(id_, key) in resources for key in changed):
                return True
        return False

    def _forget_locked(self, rows: Sequence[Row], earlier: Footprint) -> None:
        """Removes tables from the transaction's reads of which only locked rows matter."""
        transaction, relation = self._execution.transaction, self._plan.query.relation
        if self._reads.timed:
            return
        locked = set[GlobalId]()
        if self._skipping and not self._plan.whole:
            reading = [node.id for node in walk_relation(relation) if isinstance(node, Get)]
            locking = [each.table for each in self._plan.rows if each.mode >= RowMode.SHARE]
            locked = {id_ for id_ in locking if reading.count(id_) <= locking.count(id_)}
        elif len(self._plan.rows) == 1:
            own = [self._stored(self._plan.rows[0], row) for row in rows[:2]]
            table = stays_as_read(relation, own, self._execution)
            locked = set() if table is None else {table}
        transaction.reads.forget_since(earlier, locked)
