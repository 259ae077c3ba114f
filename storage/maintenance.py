"""Background work on collections: leases, retention, compaction, garbage; in rounds, a collection at a time.

A round does a bounded amount of work and every step is safe to repeat or to give up. A failure is logged and leaves
the collection as it is; the next round tries again.

There may be thousands of collections to which nothing comes. A round looks at those that have a new state, or of which
something failed, and at a tenth of the others: what is due because time has passed, or because a statement has ended,
has time for ten rounds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType

import structlog

from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from storage.capabilities import expired
from storage.collection import Collection
from storage.controller import StorageController
from storage.persist.commit import Conflict
from storage.persist.compact import choose_batches, prepare_compaction
from storage.persist.gc import collect_garbage, delete_orphans, old_parts
from storage.persist.location import Indeterminate
from storage.persist.retry import retried
from storage.persist.shard import PreparedWrite
from storage.persist.state import CapabilityKind, Holder
from storage.persist.transition import Refusal, TransitionRefused
from storage.persist.version import truncate_before

ROUND_SECONDS = 0.5
TURNS = 10
"""In so many rounds each collection is looked at, also where nothing changes."""
_NEVER = -1
RETENTION_STEP_MS = 10_000
"""How far a since lags behind what retention allows, at most, so that it isn't written every round."""
ORPHANS_EVERY_MS = 10 * 60 * 1000

_log = structlog.get_logger("storage")

Chore = Callable[[], Awaitable[None]]
_NO_CHORES: Mapping[str, Chore] = MappingProxyType({})


class MaintenanceFenced(Exception):
    """Another environment has taken over; no work may go on."""


class StorageMaintenance:
    """Maintains collections in rounds: `run` goes on until cancelled, `round` makes a single round."""

    def __init__(
        self, controller: StorageController, chores: Mapping[str, Chore] = _NO_CHORES, wall: Clock | None = None
    ) -> None:
        """Takes the controller and further chores.

        `chores`: work of others that can wait, by name; each is done once a round.
        `wall`: the clock by which other processes stage parts; the default is the controller's own clock.
        """
        self._controller = controller
        self._wall = controller.clock if wall is None else wall
        self._chores = chores
        self._complaints: dict[str, str] = {}
        self._looked_at: dict[GlobalId, int] = {}
        self._turn = 0
        self._orphans_checked_ms = controller.clock.now_ms()

    async def run(self, interval_seconds: float = ROUND_SECONDS) -> None:
        """Rounds for ever; returns once fenced."""
        while True:
            await self._controller.clock.sleep(interval_seconds)
            try:
                await self.round(everything=False)
            except MaintenanceFenced:
                return
            except Exception as error:  # noqa: BLE001
                self._complain("all", error)
            else:
                self._complaints.pop("all", None)

    async def round(self, *, everything: bool = True) -> None:
        """Makes one round, over all collections or only the due collections. Raises Fenced."""
        await self._check_fence()
        await self._controller.refresh_written()
        collections = self._controller.collections() if everything else self._due()
        await self._commit([*self._expire_leases(collections), *self._release_dropped(collections)])
        await self._commit(self._advance_sinces(collections))
        orphans_due = self._controller.clock.now_ms() - self._orphans_checked_ms >= ORPHANS_EVERY_MS
        for collection in collections:
            seqno = collection.state.seqno
            try:
                await self._maintain(collection)
            except MaintenanceFenced:
                raise
            except Exception as error:  # noqa: BLE001
                self._complain(str(collection.id), error)
            else:
                self._looked_at[collection.id] = seqno
                self._complaints.pop(str(collection.id), None)
        for name, chore in self._chores.items():
            try:
                await chore()
            except Exception as error:  # noqa: BLE001
                self._complain(name, error)
            else:
                self._complaints.pop(name, None)
        if orphans_due:
            await self._delete_orphans()

    def _due(self) -> list[Collection]:
        """Returns the collections for the next round."""
        self._turn = (self._turn + 1) % TURNS
        collections = self._controller.collections()
        self._looked_at = {each.id: self._looked_at.get(each.id, _NEVER) for each in collections}
        return [
            each
            for place, each in enumerate(collections)
            if place % TURNS == self._turn or self._looked_at[each.id] != each.state.seqno
        ]

    async def _maintain(self, collection: Collection) -> None:
        controller = self._controller
        machine = collection.machine
        batches = choose_batches(machine.state)
        if batches:
            write = await prepare_compaction(machine, controller.blob, controller.runner, batches)
            await self._commit([write])
        collected = await collect_garbage(machine, controller.blob, collection.holds.oldest_seqno())
        if collected is not None:
            await self._commit([collected])
        before = truncate_before(machine.state.seqno)
        if before is not None and before > collection.truncated_before:
            await controller.consensus.truncate(machine.key, before)
            collection.truncated_before = before

    async def _delete_orphans(self) -> None:
        controller = self._controller
        self._orphans_checked_ms = controller.clock.now_ms()
        # Whichever clock a part was staged by, and however that has jumped since: it is no older than this.
        earliest_ms = min(self._orphans_checked_ms, self._wall.now_ms())
        try:
            for shard, old in (await old_parts(controller.blob, earliest_ms)).items():
                deleted = await delete_orphans(
                    controller.machine(shard), controller.blob, controller.preconditions, old
                )
                if deleted:
                    _log.info("parts that were never appended deleted", shard=shard, count=len(deleted))
        except Exception as error:  # noqa: BLE001
            self._complain("parts that were never appended", error)

    def _complain(self, of: str, error: Exception) -> None:
        """Logs a failure, once per series of equal failures: the next round tries again. An unexpected exception is
        a defect and is logged with its trace."""
        if self._complaints.get(of) != str(error):
            self._complaints[of] = str(error)
            expected = isinstance(error, SqlError | OSError | Indeterminate)
            _log.warning("maintenance failed", of=of, error=str(error), exc_info=None if expected else error)

    def _expire_leases(self, collections: Sequence[Collection]) -> list[PreparedWrite]:
        now = self._controller.clock.now_ms()
        writes = []
        for collection in collections:
            gone = [held.id for held in collection.state.held if expired(held, now)]
            if gone:
                writes.append(collection.machine.prepare_capabilities(drop=gone))
        return writes

    def _release_dropped(self, collections: Sequence[Collection]) -> list[PreparedWrite]:
        """Returns the environment's read capabilities on dropped collections that no statement holds."""
        writes = []
        for collection in collections:
            if collection.state.dropped and not self._controller.reads.is_wanted(collection):
                own = [
                    held.id
                    for held in collection.state.held
                    if held.kind is CapabilityKind.READ and held.holder is Holder.ENVIRONMENT
                ]
                if own:
                    collection.since_underway = EMPTY
                    writes.append(collection.machine.prepare_capabilities(drop=own))
        return writes

    def _advance_sinces(self, collections: Sequence[Collection]) -> list[PreparedWrite]:
        sinces = {}
        for collection in collections:
            wanted = collection.since_wanted.join(self._retained(collection))
            if self._worthwhile(collection, wanted):
                sinces[collection.id] = wanted
        return self._controller.prepare_allow_compaction(sinces)

    def _retained(self, collection: Collection) -> Antichain:
        """Returns the earliest time that retention still keeps."""
        upper = self._controller.upper_of(collection).time
        if collection.state.retain_ms is None or upper is None:
            return collection.state.since
        return Antichain(Timestamp(max(0, upper - 1 - collection.state.retain_ms)))

    def _worthwhile(self, collection: Collection, wanted: Antichain) -> bool:
        """Returns whether moving the since would let anything be compacted; otherwise the past may as well stay
        readable."""
        since = collection.state.since
        if collection.state.dropped or since.time is None or wanted.time is None:
            return False
        if wanted.time < since.time + RETENTION_STEP_MS and collection.since_wanted.precedes(since):
            return False
        return any(
            piece.time_max is not None and piece.time_max > since.time
            for batch in collection.state.batches
            for piece in batch.pieces
        )

    async def _check_fence(self) -> None:
        preconditions = self._controller.preconditions
        heads = await retried(lambda: self._controller.consensus.head(list(preconditions)), self._controller.clock)
        if any((head and head.seqno) != preconditions[key] for key, head in heads.items()):
            raise MaintenanceFenced

    async def _commit(self, writes: list[PreparedWrite]) -> None:
        if not writes:
            return
        outcome = await self._controller.commit(writes)
        if isinstance(outcome, Conflict):
            for write in writes:
                write.abandon()
            if any(_is_fence(refused) for refused in outcome.refusals.values()):
                raise MaintenanceFenced


def _is_fence(refused: TransitionRefused) -> bool:
    return refused.refusal is Refusal.FENCED
