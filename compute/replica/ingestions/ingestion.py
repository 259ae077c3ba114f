"""One source, or several that are bound together, run: opened where it is bound up to, read on, bound whenever
something has come, someone waits, or time passes; retried when it fails.

    open ─▶ nothing bound yet? ──yes──▶ bind where upstream begins, at the source's creation time
                    └──no──▶ read on from the remap's frontier ─▶ decode ─▶ bind …

A binding and its rows are one step, so there is nothing to complete after a crash: what was read and not bound is read
again. While upstream is away the unchanged frontier is bound: the source stays complete, and reads don't hang.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa
import structlog

from compute.protocol.response import DataflowPhase, Frontiers
from compute.replica.ingestions.grouped_shards import GroupedShards
from compute.replica.ingestions.held_rows import RowsHeldByCollections, without_false
from compute.replica.ingestions.joining import NOWHERE
from compute.replica.ingestions.joining_members import JoiningMembers
from compute.replica.ingestions.keyed_state import KeyedState
from compute.replica.ingestions.pending_binding import PendingBinding, keys_of_parts
from compute.replica.ingestions.range_rows import changes_of_table, is_emptied, rows_of_records
from compute.replica.ingestions.ranges.ahead import RangesAhead, Ranging
from compute.replica.ingestions.ranges.range_task import RangeTask, StagedRange, is_each_a_row
from compute.replica.ingestions.reclocked_shards import ReclockedShards, Rows, Updates
from compute.replica.ingestions.tally import IngestionTally, amount_of
from compute.replica.ingestions.writer_schemas import KnownSchemas
from compute.replica.running.joined_bindings import JoinedBindings, next_moment
from compute.replica.running.places import Places
from compute.replica.running.reporter import MEASURE_PERIOD_S, Report, Reporter
from compute.replica.running.secret_values import SecretValues
from compute.replica.running.shard_writer import FencedOut, ShardGone, WriteRefused
from compute.replica.running.watch import Watch
from connectors.sources.binding_time import binding_time
from connectors.sources.decode.changed_rows import error_row
from connectors.sources.decode.loaded_changes import loaded_values
from connectors.sources.decode.records import RegistrySchemas
from connectors.sources.description import (
    DivisiblePlace,
    IngestionDescription,
    PostgresTables,
    ReclockedCollection,
    UpstreamPlace,
    followed_place,
    members,
)
from connectors.sources.gauge import Partition, UpstreamFrontier, is_stopped, joined_note, stopped_note
from connectors.sources.open_members import open_members
from connectors.sources.transactional_reader import LoadValues, of_member, records_of_member
from connectors.sources.upstream import VALUE, Arrived, DivisibleReader, FetchedRange, RereadableReader, UpstreamReader
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.generators import UpstreamTable
from model.external.records import RecordEncoding, key_columns
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.backing_off import BackOff, kept_going
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from storage.persist.state import Part, ShardState

log = structlog.get_logger()

_BACK_OFF = BackOff(0.1, 10.0)
_CALM_S = 2.0

OpenUpstream = Callable[[UpstreamPlace, Mapping[GlobalId, str], Clock, Arrived], UpstreamReader]


class IngestionRunner:
    """The runner of an ingestion: `start` first, `stop` at the end. `report` passes responses to the environment."""

    def __init__(
        self,
        number: int,
        description: IngestionDescription,
        places: Places,
        watch: Watch,
        bindings: JoinedBindings,
        secrets: SecretValues,
        open_upstream: OpenUpstream,
        ranging: Ranging,
        report: Report,
    ) -> None:
        self._number = number
        self._description = description
        self._places = places
        self._watch = watch
        self._secrets = secrets
        self._open_upstream = open_upstream
        self._members = members(description)
        self._shards: ReclockedShards | GroupedShards = (
            GroupedShards(description, places, bindings)
            if description.followers
            else ReclockedShards(description, places, bindings)
        )
        self._collections = [each for member in self._members for each in member.collections]
        keyed = (each for each in self._collections if not each.joins and _is_keyed(each))
        self._keyed = {each.id: self._keyed_state(each) for each in keyed}
        self._stops: dict[GlobalId, SqlError] = {}
        """Why collections are no longer followed, as upstream's reader has said."""
        self._schemas = KnownSchemas(self._collections, secrets, places.clock, self._woken)
        self._joining = JoiningMembers(
            self._members, self._shards, self._schemas, places, self._opened_again, self._woken
        )
        self._ranges = RangesAhead(ranging, description.policy, places.stage, places.clock, self._woken)
        self._report_measures = report
        self._reporter = Reporter(description.export_ids, report, lambda _id: None)
        self._held_rows = RowsHeldByCollections(places)
        self._tallies = {member.source: IngestionTally(wide=member.place.gauge.wide) for member in self._members}
        self._measuring: asyncio.TimerHandle | None = None
        self._writable = False
        self._awaited: Timestamp | None = None
        self._wake = asyncio.Event()
        self._reader: UpstreamReader | None = None
        self._read_place: UpstreamPlace | None = None
        self._read_with: Mapping[GlobalId, str] = {}
        """The secrets that the reader was opened with."""
        self._pending: PendingBinding | None = None
        self._undecoded: FetchedRange | None = None
        self._again_at: float | None = None
        """When upstream is to be asked again, by the loop's time, where it could not be read on."""
        self._calm_at = 0.0
        """When it counts as read again, though nothing has come."""
        self._unread = 0
        """How often it could not be read on, one time after the other."""
        self._read_from: UpstreamFrontier = {}
        self._failures = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def slot(self) -> str | None:
        """Returns the replication slot that the ingestion reads from, if any."""
        return self._description.place.slot if isinstance(self._description.place, PostgresTables) else None

    def _woken(self) -> None:
        self._wake.set()

    # Instructions

    def start(self) -> None:
        self._watch.observe(self._number, _unmoved)
        work = kept_going(self._run, self._places.clock, self._defect)
        self._task = asyncio.create_task(work, name=f"ingestion {self._number}")

    async def stop(self, *, delete: bool) -> None:
        """Ends the ingestion. Only its shards stay, which belong to storage."""
        self._watch.unobserve(self._number)
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._end_reports()
        await self._joining.stop()
        await self._ranges.close()
        self._forget_keys(self._keyed)
        self._schemas.close()
        await self._close_reader()

    def kill(self) -> None:
        """Ends the ingestion at once."""
        self._watch.unobserve(self._number)
        self._end_reports()
        if self._task is not None:
            self._task.cancel()
        self._joining.kill()
        self._ranges.kill()
        self._forget_keys(self._keyed)
        self._schemas.close()

    def _end_reports(self) -> None:
        self._reporter.end()
        if self._measuring is not None:
            self._measuring.cancel()

    def compact(self, id_: GlobalId, since: Antichain) -> None:
        """Does nothing: storage decides how much of a collection's past is kept. A dropped collection is written
        until all are dropped, and the ingestion stops: bindings without it would leave a gap for later readers of
        the source."""

    def set_writable(self, writable: bool) -> None:
        self._writable = writable
        self._wake.set()

    def hurry(self, id_: GlobalId, time: Timestamp) -> None:
        """Someone waits until the collection is complete at `time`."""
        self._awaited = time if self._awaited is None else max(time, self._awaited)
        self._reporter.expect(id_, time)
        self._wake.set()

    # Running

    async def _run(self) -> None:
        while True:
            try:
                await self._live()
            except FencedOut as fenced:
                # What has been read stays: the newest environment may take the ingestion over.
                self._reporter.status(DataflowPhase.RUNNING, message="waits for the newest environment")
                await self._places.fencing.changed(fenced.preconditions)
            except ShardGone:
                self._reporter.status(DataflowPhase.FINISHED, message="its shards were dropped")
                await asyncio.get_running_loop().create_future()
            except WriteRefused as refused:
                log.info("binding refused", ingestion=self._number, reason=str(refused))
                await self._forget_pending()
                self._failures += 1
                await _BACK_OFF.wait(self._places.clock, self._failures)
            except Exception as error:  # noqa: BLE001  (it is reported, and tried again)
                self._pending = None
                await self._failed(error)

    def _defect(self, error: Exception | None) -> None:
        log.error("an ingestion's task ended", ingestion=self._number, exc_info=error)

    async def _failed(self, error: Exception) -> None:
        self._failures += 1
        self._tell_failure(error, self._failures)
        await _BACK_OFF.wait(self._places.clock, self._failures)

    def _tell_failure(self, error: Exception, failures: int) -> None:
        """Reports a failure; `failures` counts those in a row."""
        known = error if isinstance(error, SqlError) else None
        message = f"{type(error).__name__}: {error}" if known is None else known.message
        if failures == 1 and known is None:
            log.error("the failure's trace", ingestion=self._number, exc_info=error)
        hint = "" if known is None else known.hint or ""
        self._reporter.status(DataflowPhase.FAILING, message=message, retries=failures, hint=hint)

    async def _live(self) -> None:
        """Binds for ever, or until something fails."""
        await self._may_write()
        await self._shards.open()
        self._report()
        await self._admit(ours=False)
        await self._follow_keys()
        reader = await self._opened_reader()
        if not self._shards.begun:
            await self._begin(reader)
        if self._pending is None or self._shards.frontier != self._read_from:
            # Others may have bound what was read.
            await self._forget_pending()
            self._ranges.stop()
            self._undecoded = None
            reader.begin(self._shards.read_frontier)
        self._again_at = None
        while True:
            await self._bind(reader)
            if self._place() != self._read_place:
                # A table has joined that is followed as something else from now on.
                reader = await self._opened_reader()
                self._undecoded = None
                reader.begin(self._shards.read_frontier)
            self._failures = 0
            if not self._unread:
                self._tell_running(reader)
            self._pending, self._read_from = await self._next(reader), self._shards.frontier
            is_calm = self._again_at is None and asyncio.get_running_loop().time() >= self._calm_at
            if is_calm or self._pending is not None:
                self._unread = 0

    async def _forget_pending(self) -> None:
        """Discards what was to be bound."""
        pending, self._pending = self._pending, None
        if pending is not None:
            await self._places.stage.discard(pending.staged_keys)

    async def _may_write(self) -> None:
        while not self._writable:
            self._wake.clear()
            await self._wake.wait()

    async def _opened_reader(self) -> UpstreamReader:
        place = self._place()
        if place != self._read_place:
            await self._close_reader()
        if self._reader is None:
            description, opening = replace(self._description, place=place), await self._opening()
            open_all = partial(open_members, description, opening, self._loading(), self._places.clock)
            self._reader = await self._places.runner.run(open_all)
            self._read_place = place
        return self._reader

    def _place(self) -> UpstreamPlace:
        """Returns the place to read from: refreshed tables are followed in their old form until they have joined."""
        return followed_place(self._description.place, self._description.collections, self._joining.joined)

    async def _opening(self) -> Callable[[UpstreamPlace], UpstreamReader]:
        """Returns a function that opens upstream, with secrets; takes its time."""
        loop = asyncio.get_running_loop()

        def arrived() -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended before the reader's thread
                loop.call_soon_threadsafe(self._wake.set)

        secrets = await self._secrets.of(id_ for member in self._members for _, id_ in member.place.secrets)
        self._read_with = secrets

        def open_place(place: UpstreamPlace) -> UpstreamReader:
            return self._open_upstream(place, secrets, self._places.clock, arrived)

        return open_place

    def _loading(self) -> LoadValues:
        """Returns a function that decodes records about transactions; it returns None while their schemas are being
        fetched."""
        loop = asyncio.get_running_loop()
        encodings = {each.source: each.collections[0].encoding for each in self._members}

        def load(source: GlobalId, records: pa.Table) -> list[Any] | None:
            encoding = encodings[source]
            assert isinstance(encoding, RecordEncoding), "records tell of transactions"
            schemas = self._schemas.known(records, [encoding])
            if schemas is None:
                with contextlib.suppress(RuntimeError):  # the loop may have ended
                    loop.call_soon_threadsafe(self._schemas.of, records, [encoding])
                return None
            return loaded_values(records.column(VALUE).to_pylist(), encoding.value, schemas)

        return load

    async def _opened_again(self, place: UpstreamPlace) -> RereadableReader:
        reader = await self._places.runner.run(partial(await self._opening(), place))
        assert isinstance(reader, RereadableReader), "no table is added to a source whose past can't be read again"
        return reader

    async def _admit(self, *, ours: bool) -> None:
        """Admits added collections that have joined, by a binding of ours or of others; starts reading upstream for
        the rest."""
        added = [each for each in self._collections if each.joins]
        waiting = {each.id: each for each in added if self._joining.joined(each.id) < each.joins}
        for each in added:
            if each.id not in waiting and _is_keyed(each) and each.id not in self._keyed:
                kept = self._joining.kept_keys(each.id) if ours else None
                if kept is not None:
                    await kept.bound([], NOWHERE, self._shards.upper_of(each.id))
                self._keyed[each.id] = kept or self._keyed_state(each)
        await self._joining.follow(waiting)

    def _keyed_state(self, collection: ReclockedCollection) -> KeyedState:
        assert isinstance(collection.encoding, RecordEncoding)
        return KeyedState(collection.desc, len(key_columns(collection.encoding)), self._places)

    async def _close_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            await self._places.runner.run(reader.close)

    async def _begin(self, reader: UpstreamReader) -> None:
        """The first binding: where upstream begins, at the time at which the source was created."""
        self._reporter.status(DataflowPhase.HYDRATING)
        beginning = await self._places.runner.run(reader.beginning)
        await self._written(self._shards.begin(beginning), {})

    async def _next(self, reader: UpstreamReader) -> PendingBinding | None:
        """Returns the next decoded range; None when the unchanged frontier should be bound again."""
        policy = self._description.policy
        loop = asyncio.get_running_loop()
        deadline = next_moment(loop.time(), policy.interval_ms / 1000)
        while True:
            await self._may_write()
            self._wake.clear()
            if (offered := await self._joining.offer()) is not None:
                return await self._joined_rows(offered)
            if self._undecoded is None and (staged := self._staged_next(reader)) is not None:
                return PendingBinding(staged.moved, staged.parts, {self._description.source: staged.amount})
            if self._undecoded is None and not self._ranges.active:
                self._undecoded = await self._taken(reader)
            fetched = self._undecoded
            if fetched is not None and (rows := await self._decoded(fetched)) is not None:
                self._undecoded = None
                fetched = await without_false(fetched, rows, self._held(), self._shards, self._held_rows)
                frontier = {**fetched.frontier, **self._stop(fetched, rows)}
                amounts = {
                    each.source: amount_of(fetched, self._records_of(each.source, fetched.records), rows, each.own_ids)
                    for each in self._members
                }
                return PendingBinding(frontier, rows, amounts)
            if self._is_awaited() or loop.time() >= deadline:
                return None
            due = self._due(reader)
            moments = (deadline, due, self._again_at)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(min(moment for moment in moments if moment is not None)):
                    await self._wake.wait()

    def _staged_next(self, reader: UpstreamReader) -> StagedRange | None:
        """Returns the next range staged by tasks, while upstream is so far ahead that tasks read it."""
        place, collections, schemas = self._read_place, self._held(), self._schemas.all_known()
        if not isinstance(reader, DivisibleReader) or not isinstance(place, DivisiblePlace):
            return None
        if schemas is None or self._joining.waiting or not all(map(is_each_a_row, collections)):
            self._ranges.give_up(reader, self._shards.read_frontier)
            return None
        policy = self._description.policy
        largest = policy.records_max, policy.bytes_max
        task = RangeTask(place, (), *largest, tuple(collections), schemas, self._read_with)
        return self._ranges.next(reader, self._shards.read_frontier, task)

    async def _taken(self, reader: UpstreamReader) -> FetchedRange | None:
        """Takes the next range. A failure of upstream is reported, and the read repeated later and later; meanwhile
        the unchanged frontier is bound, so that no reader of the source waits for upstream."""
        now = asyncio.get_running_loop().time()
        if self._again_at is not None:
            if now < self._again_at:
                return None
            self._again_at, self._calm_at = None, now + _CALM_S
            reader.begin(self._shards.read_frontier)
        policy = self._description.policy
        try:
            return await self._places.runner.run(partial(reader.take, policy.records_max, policy.bytes_max))
        except SqlError as error:
            self._unread += 1
            self._tell_failure(error, self._unread)
            self._again_at = now + _BACK_OFF.delay_s(self._unread)
            return None

    def _due(self, reader: UpstreamReader) -> float | None:
        """When upstream has more without saying so, by the loop's time."""
        next_ns = reader.status().next_ns
        if next_ns is None:
            return None
        return asyncio.get_running_loop().time() + (next_ns - self._places.clock.elapsed_ns()) / 1e9

    def _is_awaited(self) -> bool:
        return self._awaited is not None and self._shards.upper.less_equal(self._awaited)

    async def _joined_rows(self, offered: Rows) -> PendingBinding:
        """Returns a binding of rows read anew, with retractions of the rows held before."""
        joining = [each for each in self._collections if each.id in offered]
        former = [each.id for each in joining if each.is_followed(self._joining.joined(each.id))]
        gone = await self._retractions(former)
        rows = {id_: [*updates, *gone.get(id_, ())] for id_, updates in offered.items()}
        notes = {self._shards.named(each.id, joined_note(each.id)): each.joins for each in joining}
        return PendingBinding(notes, rows, {})

    def _tell_running(self, reader: UpstreamReader) -> None:
        trouble = self._schemas.trouble or reader.status().trouble or self._joining.trouble
        stopped = next((each for each in self._collections if self._is_stopped(each.id)), None)
        if trouble is not None or stopped is None:
            self._reporter.status(DataflowPhase.RUNNING, message=trouble or "")
            return
        why = self._stops.get(stopped.id) or SqlError(Sqlstate.INTERNAL_ERROR, "a table is no longer followed")
        self._reporter.status(DataflowPhase.RUNNING, message=why.message, hint=why.hint or "")

    def _is_stopped(self, id_: GlobalId) -> bool:
        return is_stopped(self._shards.frontier_of(id_), id_)

    def _stop(self, fetched: FetchedRange, rows: dict[GlobalId, list[pa.Table | Part]]) -> Mapping[Partition, int]:
        """Returns notes for collections that are no longer followed, and adds an error to their rows for their
        readers. Upstream reports the same stop to later readers."""
        notes: dict[Partition, int] = {}
        frontier = self._shards.frontier
        for each in self._description.collections:
            error = fetched.stopped.get(each.encoding.name or "") if isinstance(each.encoding, UpstreamTable) else None
            if error is None or not each.is_followed(self._joining.joined(each.id)):
                continue
            self._stops[each.id] = error
            if not is_stopped(frontier, each.id):
                log.warning("table stopped", ingestion=self._number, collection=str(each.id), error=error.message)
                rows.setdefault(each.id, []).append(error_row(error, each.desc, each.error_at))
                notes[stopped_note(each.id)] = self._joining.joined(each.id) + 1
        return notes

    def _held(self) -> list[ReclockedCollection]:
        """Returns the collections that receive rows."""
        return [
            each
            for each in self._collections
            if each.is_followed(self._joining.joined(each.id))
            and not is_stopped(self._shards.frontier_of(each.id), each.id)
        ]

    async def _retractions(self, ids: Iterable[GlobalId]) -> dict[GlobalId, list[pa.Table | Part]]:
        """Returns updates by which each collection loses all its rows."""
        found: dict[GlobalId, list[pa.Table | Part]] = {}
        try:
            for id_ in ids:
                found[id_] = await self._shards.retraction(id_)
        except BaseException:
            self._places.stage.settle(keys_of_parts(found))
            raise
        return found

    async def _decoded(self, fetched: FetchedRange) -> dict[GlobalId, list[pa.Table | Part]] | None:
        """Decodes fetched records to updates of each collection; returns None while the schemas with which records were
        written are still being fetched."""
        held = self._held()
        schemas = self._schemas_of(fetched, held)
        if schemas is None:
            return None
        rows: dict[GlobalId, list[pa.Table | Part]] = {}
        for member in self._members:
            records = self._records_of(member.source, fetched.records)
            for each in member.collections:
                if each not in held:
                    continue
                if isinstance(each.encoding, UpstreamTable):
                    rows[each.id] = [*changes_of_table(fetched, each, each.encoding)]
                elif records.num_rows:
                    keyed = self._keyed.get(each.id)
                    known = schemas[member.source]
                    told = await rows_of_records(records, each, each.encoding, known, keyed, self._places)
                    rows[each.id] = [told]
        emptied = (each.id for each in held if is_emptied(each, fetched))
        for id_, gone in (await self._retractions(emptied)).items():
            rows[id_] += gone
        return rows

    def _schemas_of(
        self, fetched: FetchedRange, held: Sequence[ReclockedCollection]
    ) -> dict[GlobalId, RegistrySchemas] | None:
        """Returns the schemas with which each source's records were written; None while some are being fetched."""
        found: dict[GlobalId, RegistrySchemas | None] = {}
        for member in self._members:
            encodings = [each.encoding for each in member.collections if each in held]
            records = self._records_of(member.source, fetched.records)
            of_records = [each for each in encodings if isinstance(each, RecordEncoding)]
            found[member.source] = self._schemas.of(records, of_records)
        known = {source: schemas for source, schemas in found.items() if schemas is not None}
        return known if known.keys() == found.keys() else None

    async def _follow_keys(self) -> None:
        """Brings the state of keys up to the shards' contents, whoever has written them."""
        for id_, keyed in self._keyed.items():
            state = self._shards.state(id_)
            if not keyed.follows(state):
                self._reporter.status(DataflowPhase.HYDRATING)
                await keyed.follow(state)

    def _forget_keys(self, ids: Iterable[GlobalId]) -> None:
        for id_ in list(ids):
            self._keyed.pop(id_).close()

    async def _bind(self, reader: UpstreamReader) -> None:
        awaited = self._awaited if self._is_awaited() else None
        time = binding_time(self._places.clock.now_ms(), self._watch.timeline_upper, self._shards.last_upper, awaited)
        pending = self._pending or PendingBinding({}, {}, {})
        pending.require_kept(self._places.clock.now_ms())
        await self._written(self._shards.bind(time, pending.frontier, pending.rows), pending.rows)
        reader.acknowledge(self._shards.read_frontier)
        if self._joining.waiting:
            await self._admit(ours=True)
        if self._pending is not None:
            for source, amount in self._pending.amounts.items():
                self._tallies[source].note(amount, self._places.clock.now_ms())
            self._measure_soon(reader)
        self._pending = None

    async def _written(self, write: Awaitable[list[ShardState]], rows: Updates) -> None:
        lowers = {id_: self._shards.upper_of(id_) for id_ in self._keyed}
        self._adopt(await write)
        for id_, keyed in self._keyed.items():
            tables = [each for each in rows.get(id_, []) if isinstance(each, pa.Table)]
            await keyed.bound(tables, lowers[id_], self._shards.upper_of(id_))

    def _records_of(self, source: GlobalId, records: pa.Table) -> pa.Table:
        return records_of_member(source, records) if self._description.followers else records

    def _frontier_of(self, source: GlobalId, frontier: UpstreamFrontier) -> UpstreamFrontier:
        return of_member(source, frontier) if self._description.followers else frontier

    def _measure_soon(self, reader: UpstreamReader) -> None:
        """Reports the ingestion's measures after some seconds."""

        def measure() -> None:
            self._measuring = None
            known, bound = reader.status().known, self._shards.frontier
            for source, tally in self._tallies.items():
                ends = self._frontier_of(source, known), self._frontier_of(source, bound)
                self._report_measures(tally.measures(source, *ends))

        if self._measuring is None:
            self._measuring = asyncio.get_running_loop().call_later(MEASURE_PERIOD_S, measure)

    def _adopt(self, states: list[ShardState]) -> None:
        for state in states:
            self._watch.adopt(state)
        self._report()

    def _report(self) -> None:
        for id_ in self._description.export_ids:
            upper = self._shards.upper_of(id_)
            self._reporter.frontiers(Frontiers(id_, self._shards.since(id_), upper, upper, upper))
        self._reporter.flush()


def _is_keyed(collection: ReclockedCollection) -> bool:
    return isinstance(collection.encoding, RecordEncoding) and collection.encoding.keyed


def _unmoved() -> None:
    """Does nothing: moves of other collections cause no binding; but the watch looks at time only for observers."""
