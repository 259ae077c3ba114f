"""Runs one sink: opens it at the destination's frontier, then makes one transaction after the other; opens it again
after a failure.

    open ─▶ the destination's own frontier, else the recovery log's ─▶ transaction ─▶ transaction ─▶ …

A transaction is all updates of the input between two whole timestamps. The destination commits, or stages, and the
recovery log records it afterwards; a destination that knows its own frontier takes precedence. An end between the two
steps is thus repaired at the next opening. While one transaction commits, the next is read (`OpenTransaction`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from compute.protocol.response import DataflowPhase, Frontiers, SinkMeasures
from compute.replica.running.joined_bindings import JoinedBindings
from compute.replica.running.places import Places
from compute.replica.running.reporter import Report, Reporter
from compute.replica.running.secret_values import SecretValues
from compute.replica.running.shell import Shell
from compute.replica.running.watch import Watch
from compute.replica.sinks.driver_thread import DriverChannel
from compute.replica.sinks.input_updates import STORE_ROWS, closing_time, import_of, pieces_between
from compute.replica.sinks.key_ranges import RangeStand, ranges_next, ranges_of
from compute.replica.sinks.open_transaction import OpenTransaction
from compute.replica.sinks.sessions import Sessions
from compute.replica.sinks.sink_documents import SinkDocuments
from compute.replica.sinks.sink_log import SinkLog
from compute.replica.sinks.unique_keys import UniqueKeys
from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import (
    ALL_KEYS,
    Acknowledge,
    Acknowledged,
    DriverState,
    FlushLoads,
    Load,
    Open,
    StartCommit,
    StartedCommit,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MIN, Timestamp, step_back
from storage.persist.snapshot import snapshot
from storage.persist.state import ShardState

_OF_KEYS = (Sqlstate.UNIQUE_VIOLATION, Sqlstate.NOT_NULL_VIOLATION)
IDLE_S = 10.0
"""After so long a transaction without documents says how far the destination is."""

OpenDriver = Callable[[SinkDescription, str, Path, Callable[[str], None]], DriverChannel]


@dataclass(slots=True)
class _Doubts:
    """Knowledge about keys that may not be unique, and about errors, at times from `position` on.

    `doubted`: some key may not be unique.
    `cleared`: a count has found all keys unique.
    `tried`: no time to close at was found up to here.
    """

    position: Timestamp = TIMESTAMP_MIN
    doubted: bool = False
    cleared: bool = False
    tried: Timestamp = TIMESTAMP_MIN


class SinkRunner:
    """The runner of a sink: `start` first, `stop` at the end. `report` passes responses to the environment."""

    def __init__(
        self,
        number: int,
        description: SinkDescription,
        places: Places,
        watch: Watch,
        commits: JoinedBindings,
        secrets: SecretValues,
        open_driver: OpenDriver,
        report: Report,
    ) -> None:
        self.number = number
        self._sink = description
        self._places = places
        self._watch = watch
        self._secrets = secrets
        self._open_driver = open_driver
        self._log = SinkLog(description.sink, places, commits)
        self._reporter = Reporter(description.export_ids, report, self._measures)
        self._shell = Shell("sink", self, places, watch, self._reporter, with_details=True)
        self._wake = self._shell.wake
        self._sessions = Sessions(description, self._opened_channel)
        self._documents = SinkDocuments(description, places, watch, self._sessions)
        self._position = Timestamp(0)
        self._stands: tuple[RangeStand, ...] = ()
        self._joined = False
        self._awaited = Timestamp(0)
        self._doubts = _Doubts()
        self._acknowledged: DriverState | None = None
        self._followed = False
        self._reads_from: int | None = None
        self._ahead: OpenTransaction | None = None

    # Instructions

    def start(self) -> None:
        self._watch.observe(self.number, self._moved, reads=(self._sink.input,))
        self._watch.attend(self.number, attends=True, first=True)
        self._shell.start()

    async def stop(self, *, delete: bool) -> None:
        """Ends the sink. The destination keeps its contents."""
        await self._shell.stop()
        await self._sessions.close()
        self._leave()

    def kill(self) -> None:
        """Ends the sink at once."""
        self._shell.kill()

    def compact(self, id_: GlobalId, since: Antichain) -> None:
        """Does nothing: storage decides how much of the log's past is kept."""

    def set_writable(self, writable: bool) -> None:
        self._shell.set_writable(writable)

    def hurry(self, id_: GlobalId, time: Timestamp) -> None:
        """Hurries, because a reader waits until the destination has everything up to `time`."""
        self._awaited = max(self._awaited, time)
        self._wake.set()

    def _moved(self) -> None:
        self._wake.set()
        if self._ahead is not None:
            self._ahead.moved()

    # Running

    async def interrupted(self, error: Exception) -> None:
        """Closes the sessions; keys that a destination has refused are counted from now on."""
        of_keys = isinstance(error, SqlError) and error.sqlstate in _OF_KEYS
        if of_keys and not self._doubts_here().cleared:
            self._doubts_here().doubted = True
        await self._sessions.close()

    async def dropped(self) -> str | None:
        """Closes the sessions of a sink that was dropped."""
        await self._sessions.close()
        return "it was dropped"

    async def live(self) -> None:
        """Makes transactions for ever, or until something fails, or the ranges of keys are others."""
        await self._shell.may_write()
        await self._log.open()
        if not self._followed:
            await self._watch.follow(self._sink.input)
            self._followed = True
        await self._watch.look()
        self._report()
        self._position = await self._opened()
        if self._log.frontier < self._position:
            # The destination committed, and whoever had it do so ended before the log could say it.
            await self._logged(self._position, None, self._log.ranges)
        await self._acknowledge()
        try:
            # A log that is later than the destination takes no entry yet: opened again, that would be as it was before.
            while self._position < self._log.frontier or self._joined or self._log.ranges == self._sessions.count:
                await self._transact(await self._next())
                await self._acknowledge()
                self._shell.well()
                self._reporter.status(DataflowPhase.RUNNING)
            await self._sessions.close()
        finally:
            ahead, self._ahead = self._ahead, None
            if ahead is not None:
                await ahead.discard()

    # The session

    async def _opened(self) -> Timestamp:
        """Opens the destination, and returns the frontier of its ranges.

        The destination is begun anew if the input can't be read from the frontier on, or is another than before. A
        single range can't be begun anew, because a new beginning replaces the whole destination, which belongs to all
        ranges.
        """
        if self._log.begun and self._log.input != self._sink.identity:
            return await self._open(anew=True)
        position = await self._open(anew=False)
        newest = max([position, *(stand.frontier for stand in self._stands)])
        limit = self._watch.timeline_upper.join(self._watch.upper(self._sink.input)).time
        if limit is not None and newest > limit:
            message = f"the destination is at {newest}, which is later than anything here"
            hint = "Was the server's data restored from an older copy? Drop the sink, and create it again."
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint=hint)
        readable = position > 0 and self._watch.state(self._sink.input).since.less_equal(step_back(position))
        if readable or (position == 0 and self._sessions.count == 1):
            return position
        await self._sessions.close()
        return await self._open(anew=True)

    async def _open(self, *, anew: bool) -> Timestamp:
        secrets = await self._secrets.of(id_ for _, id_ in self._sink.place.secrets)
        values: Mapping[str, str] = {name: secrets[id_] for name, id_ in self._sink.place.secrets}
        frontier = Timestamp(0) if anew else self._log.frontier
        request = Open(self._sink, ALL_KEYS, frontier, self._log.state, values, anew)
        stands = await self._sessions.open(request, ranges_of(1 if anew else self._log.ranges))
        frontiers = {stand.frontier for stand in stands}
        self._joined = self._sessions.count not in (1, self._ranges_wanted) and len(frontiers) == 1
        if self._joined:
            # Ranges that stand at one time are joined before they write: they may not be able to without each other.
            await self._sessions.close()
            stands = await self._sessions.open(request, ranges_of(1))
            frontiers = {stand.frontier for stand in stands}
        self._stands = stands if len(frontiers) > 1 else ()
        return min(frontiers)

    def _opened_channel(self) -> DriverChannel:
        token, directory = self._places.randomness.token(), self._places.directory
        return self._open_driver(self._sink, token, directory, self._slow)

    def _slow(self, message: str) -> None:
        self._reporter.status(DataflowPhase.FAILING, message=message, retries=max(1, self._shell.failures))

    # Transactions

    async def _next(self) -> Timestamp:
        """Waits, and returns the end of the next transaction: when changes have come, or after some time without
        any."""
        loop = asyncio.get_running_loop()
        idle_at = loop.time() + IDLE_S
        ahead = self._ahead
        due = (loop.time() if ahead is None else ahead.begun_at) + self._sink.policy.age_ms / 1000
        while True:
            self._wake.clear()
            if ahead is not None and ahead.full:
                return ahead.upper
            state, upper = self._watch.state(self._sink.input), self._watch.upper(self._sink.input).time
            if upper is None:
                raise SqlError(Sqlstate.UNDEFINED_OBJECT, "what the sink reads was dropped")
            if self._stands:
                # A range goes nowhere back, and the latest may be the last time at which a key of it was unique. What
                # has left parts may have been to close later than that.
                closing, tried = max(stand.frontier for stand in self._stands), self._doubts_here().tried
                if upper >= closing and (not tried or pieces_between(state, max(self._position, tried), upper)):
                    return upper if self._doubts_here().doubted or self._sessions.partial else closing
                until = loop.time() + IDLE_S
            elif upper > max(self._position, self._log.begins_at) and state.since.less_equal(step_back(upper)):
                tried = self._doubts_here().tried
                come = bool(pieces_between(state, max(self._position, tried), upper))
                if tried:
                    # Where nothing heals what was found, there is nothing to try again.
                    wanted, until = come and loop.time() >= due, due if come else loop.time() + IDLE_S
                else:
                    come = come or self._position == 0
                    awaited = self._position <= self._awaited < upper or self._sessions.count != self._ranges_wanted
                    wanted = awaited or (come and loop.time() >= due) or loop.time() >= idle_at
                    until = due if come else idle_at
                if wanted:
                    # What never ended, and has left parts, can't have been later: closed before its end, another
                    # transaction would write over some of them only.
                    if self._position == 0 or self._sessions.partial or tried:
                        return upper
                    closing = closing_time(state, self._position, upper, self._sink.policy.rows_max)
                    return closing if ahead is None else max(closing, ahead.upper)
            else:
                until = loop.time() + IDLE_S
            if self._doubts_here().tried:
                self._reporter.stalled()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    await self._wake.wait()

    async def _transact(self, upper: Timestamp) -> None:
        """Brings the destination to `upper`, or to where the input's errors begin, or a key is not unique any more."""
        transaction, self._ahead = self._ahead or self._opened_at(self._position, self._stands), None
        try:
            upper = read_to = await self._read(transaction, upper)
            failure = transaction.updates.failure()
            if failure is not None:
                await self._require_later(failure[0], read_to, failure[1])
                upper = failure[0]
            if self._sink.sums:
                await self._reduce(transaction, upper)
            else:
                doubled = False
                if self._counts_keys:
                    upper, doubled = await self._before_doubled_keys(upper, read_to)
                await self._sessions.ask(FlushLoads())
                if self._sessions.partial and self._position > 0 and (doubled or upper < read_to):
                    await self._documents.store_contents(self._sessions, self._position, upper, read_to)
                else:
                    upper = await self._stored(transaction, upper)
            self._read_ahead(upper)
            began_ns = self._places.clock.elapsed_ns()
            started = await self._sessions.ask(StartCommit(upper))
        finally:
            await transaction.discard()
        patches = [each.state for each in started if isinstance(each, StartedCommit)]
        assert len(patches) == 1 or not any(patches), "ranges are of destinations that remember for themselves"
        await self._logged(upper, patches[0], ranges_next(self._sessions.count, self._ranges_wanted))
        doubted = self._doubts_here().doubted
        self._position, self._stands, self._joined = upper, (), False
        # Where it has closed before a key that is not unique, that is what the next one begins with.
        self._doubts_here().doubted = doubted
        self._documents.tally.transactions += 1
        self._documents.tally.commit_ms = (self._places.clock.elapsed_ns() - began_ns) // 1_000_000
        self._reporter.measure_soon()

    def _opened_at(self, lower: Timestamp, stands: Sequence[RangeStand] = ()) -> OpenTransaction:
        return OpenTransaction(self._sink, self._places, self._watch, lower, self._reading, stands)

    @property
    def _ranges_wanted(self) -> int:
        return self._sink.policy.parallelism

    def _read_ahead(self, lower: Timestamp) -> None:
        """Begins the next transaction, at the end of the present one."""
        if self._ahead is None:
            self._ahead = self._opened_at(lower)
            self._ahead.start(self._wake.set)

    def _reading(self, state: ShardState) -> None:
        self._reads_from = state.seqno

    def _doubts_here(self) -> _Doubts:
        if self._doubts.position != self._position:
            self._doubts = _Doubts(self._position)
        return self._doubts

    async def _require_later(self, closing: Timestamp, read_to: Timestamp, error: SqlError) -> None:
        """Raises the error that keeps a transaction from closing later, if the error is there from the beginning, or
        closing would move a range back."""
        if 0 < self._position < closing and all(stand.frontier <= closing for stand in self._stands):
            return
        if self._position > 0 and self._sessions.knows:
            await self._documents.undo_parts(self._position, read_to)
        self._doubts_here().tried = read_to
        raise error

    @property
    def _counts_keys(self) -> bool:
        """Returns whether keys are counted before anything is stored.

        They are when there are doubts, and when a destination that knows its frontier has parts of a transaction that
        never ended: it then can't tell whether a key was there before. A destination that takes any document has never
        told.
        """
        return self._position > 0 and (self._sessions.knows if self._sessions.partial else self._doubts_here().doubted)

    async def _before_doubled_keys(self, upper: Timestamp, read_to: Timestamp) -> tuple[Timestamp, bool]:
        """Returns the latest time at which a transaction may close with unique keys, from the counts of all rows by
        key; and whether some key was not unique."""
        sink, doubts = self._sink.of_keys, self._doubts_here()
        keys = UniqueKeys(sink, self._position, upper)
        async with (
            self._documents.contents(sink, self._position, upper) as rows,
            aclosing(rows.portions(upper, timed=True)) as portions,
        ):
            async for portion in portions:
                await self._places.work(portion.num_rows, partial(keys.take, portion))
        closing, error = keys.closing()
        if error is None:
            doubts.doubted, doubts.cleared = False, doubts.doubted
        else:
            doubts.doubted = True
            await self._require_later(closing, read_to, error)
        return closing, keys.doubled

    async def _stored(self, transaction: OpenTransaction, upper: Timestamp) -> Timestamp:
        """Stores the documents of updates before `upper`, and returns the end. When a key proves not to be unique
        before anything is stored, stores only updates before the doubling."""
        begun = False
        try:
            async with aclosing(transaction.documents(upper, touched=self._sessions.partial)) as documents:
                async for each in documents:
                    begun = True
                    self._read_ahead(upper)
                    await self._documents.store(each)
        except SqlError as error:
            if begun or error.sqlstate not in _OF_KEYS or self._position == 0 or self._sessions.partial:
                raise
            upper, _ = await self._before_doubled_keys(upper, upper)
            async with aclosing(transaction.documents(upper, touched=False)) as documents:
                async for each in documents:
                    self._read_ahead(upper)
                    await self._documents.store(each)
        return upper

    async def _reduce(self, transaction: OpenTransaction, upper: Timestamp) -> None:
        """Loads the documents of all changed keys, and stores the results."""
        reduction = await transaction.reduction(upper)
        self._read_ahead(upper)
        loads = () if self._position == 0 else reduction.to_load(STORE_ROWS)
        self._documents.load(reduction, await self._sessions.ask(*map(Load, loads)))
        self._documents.load(reduction, await self._sessions.ask(FlushLoads()))
        for documents in reduction.documents(STORE_ROWS):
            await self._documents.store(documents)

    async def _read(self, transaction: OpenTransaction, upper: Timestamp) -> Timestamp:
        """Reads the transaction's updates, and returns its end."""
        if self._position > 0:
            return await transaction.close_at(upper)
        state = self._watch.state(self._sink.input)
        self._reading(state)
        self._reporter.status(DataflowPhase.HYDRATING)
        if self._sink.policy.snapshot or self._log.begun:
            await transaction.updates.read(snapshot(state, step_back(upper), import_of(self._sink).stored))
        return upper

    async def _acknowledge(self) -> None:
        """Acknowledges the last transaction, now that the log has it: staged documents are applied; then loads
        documents for the next transaction."""
        reduction = None if self._ahead is None else self._ahead.reduced()
        loads = () if reduction is None else reduction.to_load(STORE_ROWS)
        responses = await self._sessions.ask(Acknowledge(), *map(Load, loads))
        for response in responses:
            if isinstance(response, Acknowledged):
                self._acknowledged = response.state
        self._documents.load(reduction, responses)

    async def _logged(self, frontier: Timestamp, patch: DriverState | None, ranges: int) -> None:
        """Records the destination's durable frontier. A frontier told before may have been later, if the destination
        has lost data."""
        acknowledged, self._acknowledged = self._acknowledged, None
        if acknowledged is not None:
            patch = {**acknowledged, **(patch or {})}
        if self._log.frontier < frontier:
            self._watch.adopt(await self._log.append(frontier, patch, self._sink.identity, ranges))
        self._report()

    def _report(self) -> None:
        upper = self._log.upper
        self._reporter.frontiers(Frontiers(self._sink.sink, self._log.since, upper, upper, upper))

    def _measures(self, id_: GlobalId) -> SinkMeasures | None:
        """Returns the sink's measures. Files named only by versions before the last one read may be deleted."""
        tally, version = self._documents.tally, self._reads_from
        if version is None:
            return None
        counts = tally.transactions, tally.loaded, tally.stored, tally.bytes, tally.commit_ms
        return SinkMeasures(id_, *counts, ((self._sink.input, version),))

    def _leave(self) -> None:
        if self._followed:
            self._watch.leave(self._sink.input)
            self._followed = False
