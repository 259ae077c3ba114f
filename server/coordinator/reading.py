"""A query's rows at one timestamp.

    holds taken -> timestamp chosen -> inputs complete at it -> parameters filled in -> rows

Queries over collections of users run on Spark, through a peek. Constants and system relations are evaluated by the
interpreter; in a query over both, a system relation becomes a constant. What the transaction has written itself is
added to what it reads.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import pyarrow as pa

from catalog.builtin.registry import builtin_with_id
from catalog.durable import CATALOG_SHARD_ID
from compute.controller.pending import PeekRequest
from compute.protocol.dataflow import Import
from model.datum import Datum, Row
from model.errors import NotSupported, SqlError
from model.global_id import GlobalId
from model.physical import DIFF_COLUMN, rows_from_arrow, rows_to_arrow
from model.relation_desc import RelationDesc
from model.sqlstate import Sqlstate
from model.timestamp import TIMESTAMP_MAX, TIMESTAMP_MIN, Timestamp
from planner.interpret.evaluate import evaluate_query, evaluate_scalar
from planner.interpret.parameters import bind_query, bind_scalar
from planner.ir.reads import reads_of
from planner.ir.relation import Constant, Get, Negate, Relation, Threshold, Union
from planner.ir.rewrite_gets import rewrite_gets
from planner.ir.scalar import Scalar
from planner.plans import AsOf, Query
from server.coordinator.environment import Environment
from server.coordinator.execution import Execution
from server.coordinator.planning import ReadSet
from storage.persist.state import Part
from timeline.timestamp_selection import (
    AsOfTime,
    InputFrontiers,
    TimestampAnswer,
    TimestampQuestion,
    select_timestamp,
)

_ROWS_A_BATCH = 4096
_OWN_ROWS_MAX = 200_000


@dataclass(frozen=True, slots=True)
class ReadPoint:
    """When a query reads, with the choice's reasons (None: in a transaction that had chosen before)."""

    timestamp: Timestamp
    answer: TimestampAnswer | None


class Reader:
    """Reads for one execution of one statement."""

    def __init__(self, environment: Environment, execution: Execution) -> None:
        self._environment = environment
        self._execution = execution

    async def rows(self, query: Query, reads: ReadSet, as_of: AsOf | None = None) -> AsyncIterator[Sequence[Row]]:
        """The query's rows, in batches."""
        if not reads.user:
            for batch in await self._system_rows(query, reads, as_of):
                yield batch
            return
        async for table in self.tables(query, reads, as_of):
            for start in range(0, table.num_rows, _ROWS_A_BATCH):
                yield rows_from_arrow(table.slice(start, _ROWS_A_BATCH), query.desc)

    async def tables(self, query: Query, reads: ReadSet, as_of: AsOf | None = None) -> AsyncIterator[pa.Table]:
        """The rows of a query over collections of users, as Arrow tables of columns c0, c1, …"""
        with ExitStack() as holds:
            point = await self.read_point(reads, as_of, holds)
            bound = self._bound(query, point.timestamp)
            relation = bound.relation
            if reads.system:
                relation = self._with_system_rows(relation, point.timestamp)
            relation = self._with_own_writes(relation) if as_of is None else self._of_others(relation, point.timestamp)
            gets = reads_of(relation).collections
            if not gets:
                bound = Query(relation, bound.finishing, bound.desc)
                rows = evaluate_query(bound, self._execution.evaluation_context(point.timestamp))
                yield rows_to_arrow(rows, query.desc)
                return
            request = PeekRequest(relation, imports_of(relation), point.timestamp, bound.finishing)
            async with contextlib.aclosing(self._environment.compute.peek(request)) as batches:
                async for batch in batches:
                    yield pa.Table.from_batches([batch])

    async def _system_rows(self, query: Query, reads: ReadSet, as_of: AsOf | None) -> list[list[Row]]:
        timestamp = TIMESTAMP_MIN
        if reads.system or reads.timed or as_of is not None:
            with ExitStack() as holds:
                timestamp = (await self.read_point(reads, as_of, holds)).timestamp
        bound = self._bound(query, timestamp)
        relation = self._with_system_rows(bound.relation, timestamp) if reads.system else bound.relation
        rows = evaluate_query(
            Query(relation, bound.finishing, bound.desc), self._execution.evaluation_context(timestamp)
        )
        return [rows[start : start + _ROWS_A_BATCH] for start in range(0, len(rows), _ROWS_A_BATCH)]

    def _bound(self, query: Query, timestamp: Timestamp) -> Query:
        return bind_query(query, self._execution.parameters, self._execution.session_values(timestamp))

    # When

    async def read_point(self, reads: ReadSet, as_of: AsOf | None, holds: ExitStack) -> ReadPoint:
        """Takes read holds on what is read, chooses the timestamp, and waits until it is complete.

        The holds are released with `holds`, or with the transaction when they are its own.
        """
        transaction = self._execution.transaction
        ids = {id_ for id_ in reads.user if id_ not in transaction.created}
        if as_of is None and transaction.read_ts is not None:
            transaction.read_ids |= ids | ({CATALOG_SHARD_ID} if reads.system else set())
            timestamp = transaction.read_ts
            self._take(ids, timestamp, holds)
            return ReadPoint(timestamp, None)
        answer = await self.choose(reads, ids, as_of, holds)
        for id_ in ids:
            await self._environment.storage.wait_for_upper(id_, answer.timestamp)
        if reads.system or reads.timed:
            await self._environment.storage.wait_for_upper(CATALOG_SHARD_ID, answer.timestamp)
        if as_of is None:
            transaction.read_ts = answer.timestamp
            transaction.read_ids |= ids | ({CATALOG_SHARD_ID} if reads.system else set())
            if transaction.explicit:
                # Later statements may read any table at this time.
                storage = self._environment.storage
                for id_ in self._environment.table_ids():
                    # A table that was created since can't be read at this time, whatever is held.
                    if storage.frontiers(id_).since.less_equal(answer.timestamp):
                        transaction.holds.append(storage.hold(id_, answer.timestamp))
        return ReadPoint(answer.timestamp, answer)

    async def choose(self, reads: ReadSet, ids: set[GlobalId], as_of: AsOf | None, holds: ExitStack) -> TimestampAnswer:
        """The choice alone, with holds at the chosen time."""
        storage = self._environment.storage
        taken = [holds.enter_context(storage.hold(id_)) for id_ in sorted(ids)]
        read_ts = await self._environment.oracle.read_ts()
        inputs = [self._input(id_) for id_ in sorted(ids)]
        if reads.system or reads.timed or not ids:
            inputs.append(self._input(CATALOG_SHARD_ID))
        question = TimestampQuestion(
            inputs=tuple(inputs),
            read_ts=read_ts,
            as_of=None if as_of is None else AsOfTime(self.time_of(as_of.time, read_ts), as_of.at_least),
            max_staleness_ms=self._execution.max_staleness_ms,
        )
        answer = select_timestamp(question)
        for hold in taken:
            hold.downgrade(hold.frontier.join(type(hold.frontier)(answer.timestamp)))
        return answer

    def _take(self, ids: set[GlobalId], timestamp: Timestamp, holds: ExitStack) -> None:
        for id_ in ids:
            holds.enter_context(self._environment.storage.hold(id_, timestamp))

    def _input(self, id_: GlobalId) -> InputFrontiers:
        frontiers = self._environment.storage.frontiers(id_)
        item = self._execution.catalog.items.get(id_)
        name = "catalog" if item is None else item.name
        return InputFrontiers(name, frontiers.since, frontiers.upper)

    def time_of(self, time: Scalar, now: Timestamp, clause: str = "AS OF") -> Timestamp:
        """The time that an expression of the clause names, in which mz_now() is `now`; SqlError when it is none."""
        execution = self._execution
        bound = bind_scalar(time, execution.parameters, execution.session_values(now))
        value = evaluate_scalar(bound, execution.evaluation_context(now))
        if value is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, f"{clause} must not be NULL")
        assert isinstance(value, int)
        if not 0 <= value < TIMESTAMP_MAX:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"{clause} {value} is out of range")
        return Timestamp(value)

    # What

    def _with_system_rows(self, relation: Relation, timestamp: Timestamp) -> Relation:
        """System relations as constants of their rows at `timestamp`."""
        snapshot = self._execution.system_snapshot(timestamp)

        def replace(get: Get) -> Relation:
            builtin = builtin_with_id(get.id)
            if builtin is None:
                return get
            return Constant(tuple((row, 1) for row in builtin.rows(snapshot)), get.desc)

        return rewrite_gets(relation, replace)

    def _with_own_writes(self, relation: Relation) -> Relation:
        """Collections that the transaction has written or created as their contents with its own changes."""
        transaction = self._execution.transaction
        written = transaction.written_ids()
        if not written and not transaction.created:
            return relation

        def replace(get: Get) -> Relation:
            if get.id not in written and get.id not in transaction.created:
                return get
            added, removed = _own_rows(transaction.writes_of(get.id), get.desc)
            base: Relation = Constant((), get.desc) if get.id in transaction.created else get
            if removed:
                return Threshold(Union((base, Constant(added, get.desc), Negate(Constant(removed, get.desc)))))
            return Union((base, Constant(added, get.desc)))

        return rewrite_gets(relation, replace)

    def _of_others(self, relation: Relation, timestamp: Timestamp) -> Relation:
        """The relation as it is: what was at a time is the same for everyone. SqlError where nothing can have been."""
        execution = self._execution
        for id_ in sorted(reads_of(relation).collections.keys() & execution.transaction.created):
            raise SqlError(
                Sqlstate.INVALID_PARAMETER_VALUE,
                f"Timestamp ({timestamp}) is not valid for all inputs: "
                f'"{execution.catalog.items[id_].name}" is created by this transaction',
            )
        return relation


def imports_of(relation: Relation) -> tuple[Import, ...]:
    """The collections that a relation reads, by id, as compute imports them."""
    return tuple(Import(id_, str(id_), get.desc) for id_, get in sorted(reads_of(relation).collections.items()))


_Rows = tuple[tuple[Row, int], ...]


def _own_rows(updates: Sequence[pa.Table | Part], desc: RelationDesc) -> tuple[_Rows, _Rows]:
    """The rows that buffered updates add, and those that they remove, net of each other."""
    tables = [update for update in updates if isinstance(update, pa.Table)]
    if len(tables) < len(updates) or sum(table.num_rows for table in tables) > _OWN_ROWS_MAX:
        raise NotSupported(
            "reading a table after a bulk load into it in the same transaction",
            hint="COMMIT the load first, then read.",
        )
    net: dict[Row, int] = {}
    for table in tables:
        diffs: list[Datum] = (
            table.column(DIFF_COLUMN).to_pylist() if DIFF_COLUMN in table.column_names else [1] * table.num_rows
        )
        for row, diff in zip(rows_from_arrow(table, desc), diffs, strict=True):
            assert isinstance(diff, int)
            net[row] = net.get(row, 0) + diff
    added = tuple((row, count) for row, count in net.items() if count > 0)
    removed = tuple((row, -count) for row, count in net.items() if count < 0)
    return added, removed
