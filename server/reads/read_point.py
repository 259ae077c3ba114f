"""When a query reads: holds taken, the timestamp chosen, inputs waited for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass

from catalog.durable.rows import CATALOG_SHARD_ID
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import MINIMUM, Antichain
from model.time.timestamp import TIMESTAMP_MAX, Timestamp
from planner.interpret.effort import is_small_scalar
from planner.interpret.evaluate import evaluate_scalar
from planner.interpret.parameters import bind_scalar
from planner.ir.query import AsOf
from planner.ir.scalar import Scalar
from server.environment.environment import Environment
from server.planning.statement_plans import ReadSet
from server.reads.later_reads import read_later
from server.reads.source_reads import source_collections_under
from server.transactions.execution import Execution
from storage.holds import StorageReadHold
from timeline.footprint import ReadKeys
from timeline.timestamp_selection import (
    AsOfTime,
    InputFrontiers,
    TimestampAnswer,
    TimestampQuestion,
    select_timestamp,
)


@dataclass(frozen=True, slots=True)
class ReadPoint:
    """The time at which a query reads, with the choice's reasons (None: in a transaction that had chosen before)."""

    timestamp: Timestamp
    answer: TimestampAnswer | None


class ReadPoints:
    """Chooses the time of reads, for one execution of one statement."""

    def __init__(self, environment: Environment, execution: Execution) -> None:
        self._environment = environment
        self._execution = execution
        self._writes = len(execution.transaction.writes.buffered)
        self._collections = environment.collections.as_of_now()
        """Those that are held, awaited and read; all by one catalog."""

    def look_again(self) -> None:
        """Uses the present catalog's collections from now on."""
        self._collections = self._environment.collections.as_of_now()

    def replaced(self, ids: Iterable[GlobalId]) -> bool:
        """Returns whether a commit has since replaced or dropped a collection of the items: the old one may never be
        complete."""
        return self._collections.differ(self._environment.collections, ids)

    async def read_point(
        self,
        reads: ReadSet,
        as_of: AsOf | None,
        holds: ExitStack,
        indexes: Sequence[GlobalId] = (),
        keys: ReadKeys | None = None,
    ) -> ReadPoint:
        """Takes read holds, chooses the timestamp, and waits until the inputs are complete there.

        Holds are released with `holds`, or with the transaction if it keeps them. `indexes` are collections of indexes
        that may answer instead; then nothing is waited for. Of the tables in `keys` only rows with the keys are read.
        """
        transaction, collections = self._execution.transaction, self._collections
        ids = reads.user - transaction.changes.created
        answer = None
        by_key = {key.table for key in keys or ()} & ids
        if keys and as_of is None and self._execution.writing and by_key == ids:
            await read_later(self._environment, transaction, keys)
        if as_of is None and transaction.reads.at is not None:
            timestamp = transaction.reads.at
            for id_ in sorted(ids):
                if collections.of(id_) not in transaction.reads.held:
                    hold = collections.hold(id_, timestamp)
                    if transaction.lasts:
                        transaction.reads.hold([hold])
                    else:
                        holds.enter_context(hold)
        else:
            answer = await self.choose(reads, ids, as_of, holds, indexes)
            timestamp = answer.timestamp
        if by_key and as_of is None:
            await self._environment.committer.told_until(timestamp)
        if not indexes:
            await self.wait_for(reads.user, timestamp)
        if reads.system or reads.timed or not reads.user:
            await self._environment.storage.wait_for_upper(CATALOG_SHARD_ID, timestamp)
        if as_of is None:
            transaction.reads.dated = transaction.reads.dated or reads.timed
            transaction.reads.ids |= self._execution.catalog.tables_under(ids - by_key)
            transaction.reads.add_keys({key: found for key, found in (keys or {}).items() if key.table in by_key})
            transaction.reads.sources |= source_collections_under(self._execution.catalog, ids)
            if transaction.reads.at is None:
                self._begin_reading(timestamp)
        return ReadPoint(timestamp, answer)

    def _begin_reading(self, timestamp: Timestamp) -> None:
        """Fixes the transaction's read time and its catalog; with max_staleness, the present catalog."""
        transaction, catalog = self._execution.transaction, self._environment.catalog
        transaction.reads.at = timestamp
        transaction.reads.seen = catalog.at(timestamp) if self._execution.max_staleness_ms is None else catalog.state
        if transaction.lasts:
            # Later statements may read anything at this time that can be read at it.
            transaction.reads.holds.append(self._environment.storage.reads.hold_everything(timestamp))

    def begin_at(self, timestamp: Timestamp) -> None:
        """Fixes the read time of a transaction that has read nothing, where others hold everything readable; the time
        stays, whatever the transaction reads."""
        self._begin_reading(timestamp)
        self._execution.transaction.reads.dated = True

    async def choose_time(self, reads: ReadSet) -> None:
        """Chooses the transaction's read time before its first statement is fully planned. An implicit transaction
        of one statement holds the expected reads."""
        transaction = self._execution.transaction
        ids = reads.user - transaction.changes.created
        answer, taken = await self._chosen(reads, ids, None, ())
        try:
            self._begin_reading(answer.timestamp)
        finally:
            if transaction.reads.holds:
                _release(taken)
            else:
                transaction.reads.hold(taken)

    async def wait_for(self, ids: frozenset[GlobalId], timestamp: Timestamp) -> None:
        """Returns once all items are complete at the timestamp."""
        execution = self._execution
        for id_ in sorted(ids - execution.transaction.changes.created):
            await self._collections.wait_for_upper(id_, timestamp, instead=execution.cluster_oid)

    async def choose(
        self,
        reads: ReadSet,
        ids: Set[GlobalId],
        as_of: AsOf | None,
        holds: ExitStack,
        indexes: Sequence[GlobalId] = (),
    ) -> TimestampAnswer:
        """Returns the choice alone, with holds at the chosen time."""
        answer, taken = await self._chosen(reads, ids, as_of, indexes)
        for hold in taken:
            holds.enter_context(hold)
        return answer

    async def _chosen(
        self, reads: ReadSet, ids: Set[GlobalId], as_of: AsOf | None, indexes: Sequence[GlobalId]
    ) -> tuple[TimestampAnswer, list[StorageReadHold]]:
        """Returns the choice, and holds at the chosen time."""
        taken: list[StorageReadHold] = []
        try:
            for id_ in sorted(ids):
                taken.append(self._collections.hold(id_))
            answer = await self._answered(reads, ids, as_of, indexes)
            for hold in taken:
                hold.downgrade(hold.frontier.join(Antichain(answer.timestamp)))
        except BaseException:
            _release(taken)
            raise
        return answer, taken

    async def _answered(
        self, reads: ReadSet, ids: Set[GlobalId], as_of: AsOf | None, indexes: Sequence[GlobalId]
    ) -> TimestampAnswer:
        """Returns the choice for held inputs."""
        read_ts = await self._environment.oracle.read_ts()
        inputs = [self._input(id_) for id_ in sorted(ids)]
        if reads.system or reads.timed or not ids:
            bounds = self._environment.storage.frontiers(CATALOG_SHARD_ID)
            inputs.append(InputFrontiers("catalog", bounds.since, bounds.upper))
        dataflows = self._environment.dataflows
        # One that was dropped in between is not going to answer.
        for index in filter(dataflows.__contains__, indexes):
            inputs.append(InputFrontiers(str(index), MINIMUM, self._upper(index)))
        question = TimestampQuestion(
            inputs=tuple(inputs),
            read_ts=read_ts,
            as_of=None if as_of is None else AsOfTime(self.time_of(as_of.time, read_ts), as_of.at_least),
            max_staleness_ms=self._execution.max_staleness_ms,
        )
        return select_timestamp(question)

    def _input(self, id_: GlobalId) -> InputFrontiers:
        collection = self._collections.of(id_)
        bounds = self._environment.dataflows.bounds(collection)
        item = self._execution.catalog.items.get(id_)
        upper = bounds.upper if self._patient else self._environment.dataflows.known_until(collection)
        return InputFrontiers(str(id_) if item is None else item.name, bounds.since, upper)

    def _upper(self, collection: GlobalId) -> Antichain:
        """Returns the time up to which a collection is complete; for an impatient read, the time up to which it is
        known."""
        dataflows = self._environment.dataflows
        return dataflows.bounds(collection).upper if self._patient else dataflows.known_until(collection)

    @property
    def _patient(self) -> bool:
        """Returns whether the read waits rather than read the past."""
        return self._execution.max_staleness_ms is None

    async def fixed_time(self, as_of: AsOf | None) -> Timestamp | None:
        """Returns the time at which the statement has to read; None if it may choose."""
        if as_of is None:
            return self._execution.transaction.reads.at
        return None if as_of.at_least else self.time_of(as_of.time, await self._environment.oracle.read_ts())

    def time_of(self, time: Scalar, now: Timestamp, clause: str = "AS OF") -> Timestamp:
        """Returns the time given by an expression of the clause, in which mz_now() is `now`; raises SqlError for
        anything else."""
        execution = self._execution
        bound = bind_scalar(time, execution.parameters, execution.session_values(now))
        if not is_small_scalar(bound):
            raise SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, f"the time of {clause} is too complex")
        value = evaluate_scalar(bound, execution.evaluation_context(now))
        if value is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, f"{clause} must not be NULL")
        assert isinstance(value, int)
        if not 0 <= value < TIMESTAMP_MAX:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"{clause} {value} is out of range")
        return Timestamp(value)


def _release(holds: Iterable[StorageReadHold]) -> None:
    for hold in holds:
        hold.release()
