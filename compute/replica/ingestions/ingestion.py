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
from collections.abc import Awaitable
from functools import partial

from compute.protocol.response import DataflowPhase, Frontiers
from compute.replica.ingestions.decoded_rows import DecodedRows
from compute.replica.ingestions.grouped_shards import GroupedShards
from compute.replica.ingestions.joining_members import JoiningMembers
from compute.replica.ingestions.measuring import IngestionMeasuring
from compute.replica.ingestions.opened_reader import OpenedReader, OpenUpstream
from compute.replica.ingestions.pending_binding import PendingBinding
from compute.replica.ingestions.ranges.ahead import RangesAhead, Ranging
from compute.replica.ingestions.ranges.range_task import RangeTask, StagedRange, is_each_a_row
from compute.replica.ingestions.reclocked_shards import ReclockedShards, Rows, Updates
from compute.replica.ingestions.tally import amount_of
from compute.replica.ingestions.writer_schemas import KnownSchemas
from compute.replica.running.joined_bindings import JoinedBindings, next_moment
from compute.replica.running.places import Places
from compute.replica.running.reporter import Report, Reporter
from compute.replica.running.secret_values import SecretValues
from compute.replica.running.shard_writer import FencedOut, WriteRefused
from compute.replica.running.shell import BACK_OFF, Shell
from compute.replica.running.watch import Watch
from connectors.gauge import UpstreamFrontier, joined_note
from connectors.sources.binding_time import binding_time
from connectors.sources.description import (
    IngestionDescription,
    PostgresTables,
    followed_place,
    members,
)
from connectors.systems import system_of_source
from connectors.upstream import DivisibleReader, FetchedRange, UpstreamPlace, UpstreamReader
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from storage.persist.state import ShardState

_CALM_S = 2.0


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
        self.number = number
        self._description = description
        self._places = places
        self._watch = watch
        self._members = members(description)
        self._shards: ReclockedShards | GroupedShards = (
            GroupedShards(description, places, bindings)
            if description.followers
            else ReclockedShards(description, places, bindings)
        )
        self._reporter = Reporter(description.export_ids, report, lambda _id: None)
        self._shell = Shell("ingestion", self, places, watch, self._reporter)
        self._wake, woken = self._shell.wake, self._shell.woken
        self._collections = [each for member in self._members for each in member.collections]
        self._schemas = KnownSchemas(self._collections, secrets, places.clock, woken)
        self._opened = OpenedReader(description, places, secrets, self._schemas, open_upstream, woken)
        self._joining = JoiningMembers(self._members, self._shards, self._schemas, places, self._opened.again, woken)
        self._rows = DecodedRows(number, description, places, self._shards, self._schemas, self._joining)
        self._ranges = RangesAhead(ranging, description.policy, places.stage, places.clock, woken)
        self._measuring = IngestionMeasuring(description, places, report)
        self._awaited: Timestamp | None = None
        self._pending: PendingBinding | None = None
        self._undecoded: FetchedRange | None = None
        self._again_at: float | None = None
        """When upstream is to be asked again, by the loop's time, where it could not be read on."""
        self._calm_at = 0.0
        """When it counts as read again, though nothing has come."""
        self._unread = 0
        """How often it could not be read on, one time after the other."""
        self._read_from: UpstreamFrontier = {}

    @property
    def slot(self) -> str | None:
        """Returns the replication slot that the ingestion reads from, if any."""
        return self._description.place.slot if isinstance(self._description.place, PostgresTables) else None

    # Instructions

    def start(self) -> None:
        self._watch.observe(self.number, _unmoved)
        self._shell.start()

    async def stop(self, *, delete: bool) -> None:
        """Ends the ingestion. Only its shards stay, which belong to storage."""
        await self._shell.stop()
        self._measuring.end()
        await self._joining.stop()
        await self._ranges.close()
        self._rows.forget_keys()
        self._schemas.close()
        await self._opened.close()

    def kill(self) -> None:
        """Ends the ingestion at once."""
        self._shell.kill()
        self._measuring.end()
        self._joining.kill()
        self._ranges.kill()
        self._rows.forget_keys()
        self._schemas.close()

    def compact(self, id_: GlobalId, since: Antichain) -> None:
        """Does nothing: storage decides how much of a collection's past is kept. A dropped collection is written
        until all are dropped, and the ingestion stops: bindings without it would leave a gap for later readers of
        the source."""

    def set_writable(self, writable: bool) -> None:
        self._shell.set_writable(writable)

    def hurry(self, id_: GlobalId, time: Timestamp) -> None:
        """Hurries, since someone waits until the collection is complete at `time`."""
        self._awaited = time if self._awaited is None else max(time, self._awaited)
        self._reporter.expect(id_, time)
        self._wake.set()

    # Running

    async def interrupted(self, error: Exception) -> None:
        """Forgets what was to be bound. What was read stays when fenced out: the newest environment may take the
        ingestion over."""
        match error:
            case FencedOut():
                pass
            case WriteRefused():
                await self._forget_pending()
            case _:
                self._pending = None

    async def dropped(self) -> str | None:
        """Tells that the source was dropped: its shards go together."""
        return "its shards were dropped"

    async def live(self) -> None:
        """Binds for ever, or until something fails."""
        await self._shell.may_write()
        await self._shards.open()
        self._report()
        await self._admit(ours=False)
        await self._rows.follow_keys(partial(self._reporter.status, DataflowPhase.HYDRATING))
        reader = await self._opened.at(self._place())
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
            if self._place() != self._opened.place:
                # A table has joined that is followed as something else from now on.
                reader = await self._opened.at(self._place())
                self._undecoded = None
                reader.begin(self._shards.read_frontier)
            self._shell.well()
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

    def _place(self) -> UpstreamPlace:
        """Returns the place to read from: refreshed tables are followed in their old form until they have joined."""
        return followed_place(self._description.place, self._description.collections, self._joining.joined)

    async def _admit(self, *, ours: bool) -> None:
        """Admits added collections that have joined, by a binding of ours or of others; starts reading upstream for
        the rest."""
        added = [each for each in self._collections if each.joins]
        waiting = {each.id: each for each in added if self._joining.joined(each.id) < each.joins}
        for each in added:
            if each.id not in waiting:
                await self._rows.admit_keys(each, ours=ours)
        await self._joining.follow(waiting)

    async def _begin(self, reader: UpstreamReader) -> None:
        """Writes the first binding: where upstream begins, at the time at which the source was created."""
        self._reporter.status(DataflowPhase.HYDRATING)
        beginning = await self._places.runner.run(reader.beginning)
        await self._written(self._shards.begin(beginning), {})

    async def _next(self, reader: UpstreamReader) -> PendingBinding | None:
        """Returns the next decoded range; None when the unchanged frontier should be bound again."""
        policy = self._description.policy
        loop = asyncio.get_running_loop()
        deadline = next_moment(loop.time(), policy.interval_ms / 1000)
        while True:
            await self._shell.may_write()
            self._wake.clear()
            if (offered := await self._joining.offer()) is not None:
                return await self._joined_rows(offered)
            if self._undecoded is None and (staged := self._staged_next(reader)) is not None:
                return PendingBinding(staged.moved, staged.parts, {self._description.source: staged.amount})
            if self._undecoded is None and not self._ranges.active:
                self._undecoded = await self._taken(reader)
            fetched = self._undecoded
            if fetched is not None and (rows := await self._rows.decoded(fetched)) is not None:
                self._undecoded = None
                fetched = await self._rows.believed(fetched, rows)
                frontier = {**fetched.frontier, **self._rows.stop(fetched, rows)}
                amounts = {
                    each.source: amount_of(
                        fetched, self._rows.records_of(each.source, fetched.records), rows, each.own_ids
                    )
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
        place, collections, schemas = self._opened.place, self._rows.held(), self._schemas.all_known()
        if not isinstance(reader, DivisibleReader) or place is None or system_of_source(place).open_range is None:
            return None
        if schemas is None or self._joining.waiting or not all(map(is_each_a_row, collections)):
            self._ranges.give_up(reader, self._shards.read_frontier)
            return None
        policy = self._description.policy
        largest = policy.records_max, policy.bytes_max
        task = RangeTask(place, (), *largest, tuple(collections), schemas, self._opened.secrets)
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
            self._shell.tell_failure(error, self._unread)
            self._again_at = now + BACK_OFF.delay_s(self._unread)
            return None

    def _due(self, reader: UpstreamReader) -> float | None:
        """Returns when upstream has more without saying so, by the loop's time."""
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
        gone = await self._rows.retractions(former)
        rows = {id_: [*updates, *gone.get(id_, ())] for id_, updates in offered.items()}
        notes = {self._shards.named(each.id, joined_note(each.id)): each.joins for each in joining}
        return PendingBinding(notes, rows, {})

    def _tell_running(self, reader: UpstreamReader) -> None:
        trouble = self._schemas.trouble or reader.status().trouble or self._joining.trouble
        stopped = next((each for each in self._collections if self._rows.is_stopped(each.id)), None)
        if trouble is not None or stopped is None:
            self._reporter.status(DataflowPhase.RUNNING, message=trouble or "")
            return
        why = self._rows.stops.get(stopped.id) or SqlError(Sqlstate.INTERNAL_ERROR, "a table is no longer followed")
        self._reporter.status(DataflowPhase.RUNNING, message=why.message, hint=why.hint or "")

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
            self._measuring.note(self._pending.amounts)
            self._measuring.soon(reader, self._shards)
        self._pending = None

    async def _written(self, write: Awaitable[list[ShardState]], rows: Updates) -> None:
        lowers = self._rows.key_lowers()
        self._adopt(await write)
        await self._rows.bound(rows, lowers)

    def _adopt(self, states: list[ShardState]) -> None:
        for state in states:
            self._watch.adopt(state)
        self._report()

    def _report(self) -> None:
        for id_ in self._description.export_ids:
            upper = self._shards.upper_of(id_)
            self._reporter.frontiers(Frontiers(id_, self._shards.since(id_), upper, upper, upper))
        self._reporter.flush()


def _unmoved() -> None:
    """Does nothing: moves of other collections cause no binding; but the watch looks at time only for observers."""
