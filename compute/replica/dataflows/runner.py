"""Runs one dataflow: opens or begins it, ticks when inputs have moved, makes checkpoints, retries after failures.

    open ─▶ kept state? ──yes──────────────────────────▶ tick [upper, inputs' upper) … ─▶ until: finished
                 └──no──▶ tick of the contents at as_of ──┘

A runner may have several members, with equal computations (see `sharing`). They tick, fail and are checkpointed as one;
each has its own since, and comes and goes alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

import structlog

from compute.replica.dataflows.attention import Attention
from compute.replica.dataflows.exports.index_sink import IndexDropped, IndexSink
from compute.replica.dataflows.exports.shard_sink import ShardSink
from compute.replica.dataflows.exports.subscribe_sink import SubscribeSink
from compute.replica.dataflows.former_places import FormerPlaces
from compute.replica.dataflows.members import DataflowMember, DataflowMembers
from compute.replica.dataflows.opening import OpenedDataflow, Surroundings, open_dataflow
from compute.replica.dataflows.reports import DataflowReports
from compute.replica.dataflows.sharing import PATIENCE_S, Sharers
from compute.replica.dataflows.shelf import computed_name
from compute.replica.dataflows.standing import DataflowStanding
from compute.replica.dataflows.ticks import DataflowTicks
from compute.replica.running.shell import Shell
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp

log = structlog.get_logger()


class DataflowRunner:
    """The runner of a dataflow: `start` first, `stop` at the end. It waits for the tasks in `after` before starting.

    `sharers`: the runners with equal computations.
    `shared`: whether the state lies in the common directory of the sharers.
    `part`: begins a runner for a member without kept state here.
    """

    def __init__(
        self,
        member: DataflowMember,
        shelf_name: str,
        around: Surroundings,
        after: tuple[asyncio.Task[None], ...],
        sharers: Sharers[DataflowRunner],
        part: Callable[[DataflowMember], None],
        *,
        shared: bool,
    ) -> None:
        self._description = member.description
        self.members = DataflowMembers([member])
        self._shelf_name = shelf_name
        self._around = around
        self._sharers = sharers
        self._part = part
        self._emit = member.emit
        self._standing = DataflowStanding(member.number, member.description.as_of)
        self._reports = DataflowReports(self._standing, self.members, around)
        self._shell = Shell("dataflow", self, around.places, around.watch, self._reports.reporter, after=after)
        self._wake = self._shell.wake
        self._attention = Attention(around.watch, self._reports.reporter)
        self._ticks = DataflowTicks(
            self._standing,
            self._reports,
            self._attention,
            around,
            member.description.until,
            lambda: sharers.bound(self),
            lambda: self.members.writable,
            lambda: self._part_from(self.members[1:]),
        )
        self.shared = shared
        self.forming = shared
        self._resting = False
        self._former = FormerPlaces()
        self._to_be_deleted: asyncio.Future[bool] | None = None
        self._open_event = asyncio.Event()
        self._stopped = False

    @property
    def computed(self) -> str:
        """Returns the name of the computation."""
        return computed_name(self._description)

    @property
    def number(self) -> int:
        return self._standing.number

    # Instructions

    def start(self) -> None:
        self._observe()
        self._shell.start()

    def _observe(self) -> None:
        """Registers with the watch, by the number of a present member: a parted member is another observer."""
        reads = (item.shard for item in self._description.imports)
        self._around.watch.unobserve(self._standing.number)
        if self.members and all(member.number != self._standing.number for member in self.members):
            self._standing.number = self.members[0].number
        self._around.watch.observe(
            self._standing.number, self._told, reads, self.members.written_shards(), self._followed()
        )

    def _followed(self) -> Iterable[str]:
        """Returns the shards written by others until the dataflow may write."""
        return () if self.members.writable else self.members.written_shards()

    def _told(self) -> None:
        self._wake.set()
        if self._standing.opened is not None and self._attention.awaited(self._standing.number, self._standing.opened):
            self._around.turns.hurry(self._ticks)

    async def stop(self, *, delete: bool) -> None:
        """Ends the runner; its state is kept, or deleted."""
        self._stopped = True
        if delete:
            self._former.delete()
        self._sharers.leave(self)
        self._open_event.set()
        await self._shell.stop()
        opened, self._standing.opened = self._standing.opened, None
        if opened is None:
            return
        extent = opened.extent(self._standing.upper)
        if not delete and extent is not None:
            await opened.checkpoints.last(*extent)
        await opened.close(delete=delete, dropped=delete)

    def kill(self) -> None:
        """Ends the runner at once."""
        self._shell.kill()

    def found(self, member: DataflowMember) -> None:
        """Adds a member before the kept state is known."""
        assert self.forming
        self.members.append(member)
        self._reports.reporter.add(member.description.export_ids)
        self._observe()

    def leave(self, number: int) -> bool:
        """Removes a member. False for the only member, which stays."""
        if len(self.members) == 1:
            return False
        for member in [each for each in self.members if each.number == number]:
            self._let_go(member)
            self._former.delete([number])
            if self._standing.opened is not None:
                for id_ in member.since:
                    self._standing.opened.drop(id_)
                self._standing.opened.checkpoints.hasten()
        self._open_event.set()
        self._wake.set()
        return True

    def _let_go(self, member: DataflowMember) -> None:
        self.members.remove(member)
        for id_ in member.since:
            self._reports.drop(id_)
        self._observe()

    def compact(self, id_: GlobalId, since: Antichain) -> None:
        """Times of the export before `since` need not be told apart; the empty frontier: it is not wanted."""
        self.members.compact(id_, since)
        self._open_event.set()
        if self._standing.opened is not None:
            self._standing.opened.exports.compact(id_, self.members.since(id_))
            self._reports.tell()

    def set_writable(self, number: int, writable: bool) -> None:
        self.members.set_writable(number, writable)
        self._around.watch.change_followed(self._standing.number, self._followed())
        self._wake.set()

    def allow_batches(self, id_: GlobalId, batches: int, told: Antichain) -> None:
        if self._standing.opened is not None:
            sink = self._standing.opened.exports.of(SubscribeSink).get(id_)
            if sink is not None:
                sink.allow(batches, told)

    def begin_anew(self) -> None:
        """Begins anew because somebody doubts the state: it is made anew from the inputs, after the tick under way."""
        if self._standing.opened is not None:
            self._standing.opened.doubted = True
        self._wake.set()

    def hurry(self, id_: GlobalId, time: Timestamp) -> None:
        """Hurries, since someone waits until the export is complete at `time`."""
        self._reports.reporter.expect(id_, time)
        self._attention.note_reader()
        self._wake.set()
        if self._attention.soon(time):
            self._around.turns.hurry(self._ticks)
        self._reports.hurry_shards()

    async def index(self, id_: GlobalId) -> IndexSink:
        """Returns the index, once the dataflow is open. It may be replaced later: see IndexReplaced."""
        while True:
            if self._stopped or self.members.since(id_).empty:
                raise IndexDropped(id_)
            if self._standing.opened is not None:
                return self._standing.opened.exports.of(IndexSink)[id_]
            self._open_event.clear()
            await self._open_event.wait()

    # Running

    async def live(self) -> None:
        """Ticks until the dataflow is finished, or something fails; a finished dataflow rests for ever."""
        if not self._standing.finished:
            await self._run_ticks()
        if self._standing.finished:
            await asyncio.get_running_loop().create_future()

    async def interrupted(self, error: Exception) -> None:
        """Keeps the state: a failed tick leaves the state of its beginning."""

    async def dropped(self) -> str | None:
        """Ends the exports whose shards were dropped, and the runner without any other."""
        message = "its shard was dropped"
        opened = self._standing.opened
        shards = {} if opened is None else opened.exports.of(ShardSink)
        gone = [id_ for id_, sink in shards.items() if sink.writer.machine.state.dropped]
        if opened is not None and not gone:
            # It was dropped while its shard was written: those that stay go on.
            await self._shell.back_off()
        elif opened is None or len(gone) == len(opened.exports.sinks()):
            self._standing.finished = True
            return message
        else:
            for id_ in gone:
                opened.exports.remove(id_)
                self._reports.reporter.finished(id_, message)
        return None

    async def _run_ticks(self) -> None:
        """Ticks until the dataflow is finished, or something fails."""
        while self._standing.opened is None:
            await self._open()
        opened = self._standing.opened
        while not self._standing.finished:
            await self._wait_for_work(opened)
            if opened.distrusted or opened.overtaken(self._standing.upper):
                return await self._ticks.reset(opened)
            worked = await self._ticks.go_on(opened)
            self._shell.well()
            self._reports.tell(at_once=worked or self._standing.finished)
            self._standing.checkpoint()

    async def _open(self) -> None:
        descriptions = [member.description for member in self.members]
        try:
            opened, taken = await open_dataflow(
                self._standing.number,
                descriptions,
                self._shelf_name,
                self._around,
                self._reports.advanced,
                self._kept,
                self._emit,
            )
        except SqlError as error:
            if error.sqlstate == Sqlstate.UNDEFINED_OBJECT:
                # One of them lacks its shard: the others are not to fail for that.
                self._part_from(self.members[1:])
            raise
        if not any(member.description is one for member in self.members for one in taken):
            # Those whose state it is were dropped meanwhile, and others have come.
            await opened.close(delete=True, dropped=True)
            return
        self._standing.opened = opened
        self._standing.upper = Antichain(opened.begin)
        for id_ in [id_ for id_ in opened.exports.sinks() if id_ not in self.members.exports]:
            opened.drop(id_)
        self._part_from([each for each in self.members if not any(each.description is one for one in taken)])
        self.forming = False
        for id_ in list(opened.exports.sinks()):
            opened.exports.compact(id_, self.members.since(id_))
        self._open_event.set()
        self._reports.tell()
        self._reports.reporter.measure_soon()

    def _part_from(self, members: Iterable[DataflowMember]) -> None:
        """Lets members go on alone."""
        for member in list(members):
            self._let_go(member)
            self._former.leave([member.number])
            self._part(member)

    async def _wait_for_work(self, opened: OpenedDataflow) -> None:
        while True:
            self._wake.clear()
            self._attention.tell(self._standing.number, opened)
            if not self._sharers.meet(self):
                # Its task is about to be cancelled.
                await asyncio.get_running_loop().create_future()
            target = self._ticks.target(opened)
            behind = self._standing.upper.precedes(target) and self._standing.upper != target
            if opened.distrusted or (behind and not self._sharers.waits(self)):
                return
            if self.members.writable and opened.follows:
                return
            self._standing.checkpoint()
            self._sharers.call(self)
            await self._rest(PATIENCE_S if behind else opened.checkpoints.wait_s or None)

    async def _rest(self, seconds: float | None) -> None:
        self._resting = True
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            pass
        finally:
            self._resting = False

    # Sharing

    @property
    def upper(self) -> Antichain:
        return self._standing.upper

    @property
    def heading(self) -> Antichain:
        return self._standing.upper if self._standing.heading is None else self._standing.heading

    @property
    def resting(self) -> bool:
        return self._resting

    @property
    def keeping(self) -> bool:
        return self._standing.opened is not None and self._standing.opened.checkpoints.busy

    @property
    def joinable(self) -> bool:
        opened = self._standing.opened
        return (
            opened is not None
            and opened.hydrated
            and opened.settled
            and not opened.follows
            and opened.errors == 0
            and self.members.writable
            and not (self._standing.finished or self._stopped or self._shell.failures or self._standing.upper.empty)
            and self.members.wanted
        )

    def wake(self) -> None:
        self._wake.set()

    def take(self, other: DataflowRunner) -> None:
        opened, taken, upper = self._standing.opened, other._standing.opened, self._standing.upper.time
        assert opened is not None and taken is not None and upper is not None
        other._stopped = True
        other._around.watch.unobserve(other._standing.number)
        other._to_be_deleted = self._former.add(other._standing.number)
        opened.take(taken, upper, self._reports.advanced)
        self.members += other.members
        self._reports.take(other._reports, taken)
        self._attention.take(other._attention)
        opened.checkpoints.hasten()
        self._observe()
        self._reports.reporter.measure_soon()
        self._wake.set()
        log.info(
            "dataflows became one",
            dataflow=self._standing.number,
            other=other._standing.number,
            members=len(self.members),
        )

    async def end_taken(self) -> None:
        """Ends a runner whose exports another has taken. The state here is deleted once kept there, or wanted no
        more."""
        self._reports.reporter.end()
        await self._shell.end()
        opened, self._standing.opened = self._standing.opened, None
        assert opened is not None and self._to_be_deleted is not None
        await opened.leave()
        if await self._to_be_deleted:
            await opened.maintained.delete()

    def _kept(self) -> None:
        """Handles a durable checkpoint."""
        self._former.delete()
        if len(self._sharers.members) > 1:
            self._wake.set()
        self._reports.kept()
