"""Collections added to an existing source, or to be read anew: the source's past is read for them separately.

    beginning ──▶ ranges before the bound ──▶ all of them? ──yes──▶ a binding writes their rows, and notes the joining
                       ▲                              │
                       └──────────────no──────────────┘   the bound has moved on meanwhile

Law: an added collection is empty until it joins, and from that binding on holds what the source's frontier says. A
collection that is read anew is followed in its old form until then.

Only the note is durable: after a crash the reading starts again. The source goes on meanwhile; rows wait in files
without names, in any number.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Set
from dataclasses import replace
from functools import partial

import pyarrow as pa
import structlog

from compute.replica.ingestions.keyed_state import KeyedState
from compute.replica.ingestions.range_rows import changes_of_table, rows_of_records
from compute.replica.ingestions.reclocked_shards import Rows
from compute.replica.ingestions.writer_schemas import KnownSchemas
from compute.replica.running.places import Places
from connectors.gauge import Partition, UpstreamFrontier
from connectors.sources.decode.records import RegistrySchemas
from connectors.sources.description import BindingPolicy, PostgresTables, ReclockedCollection
from connectors.sources.spilled import SpilledTables
from connectors.upstream import FetchedRange, RereadableReader, UpstreamPlace
from model.errors.sql_error import SqlError
from model.external.generators import UpstreamTable
from model.external.records import RecordEncoding, key_columns
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.backing_off import BackOff

log = structlog.get_logger()

_BACK_OFF = BackOff(0.2, 10.0)
_POLL_S = 0.05
_WAITED_S = 1.0
NOWHERE = Antichain.at(0)
"""Up to where the shard of a collection is written from whose keys nothing was written."""

OpenPlace = Callable[[UpstreamPlace], Awaitable[RereadableReader]]


class JoiningCollections:
    """The joining collections of one source: `start` first, `stop` at the end. `bound` reports the source's
    frontier; once everything before it is read, `offer` returns the rows."""

    def __init__(
        self,
        place: UpstreamPlace,
        collections: Mapping[GlobalId, ReclockedCollection],
        policy: BindingPolicy,
        schemas: KnownSchemas,
        places: Places,
        open_place: OpenPlace,
        bound: Callable[[], UpstreamFrontier],
        arrived: Callable[[], None],
    ) -> None:
        self._place = joining_place(place, collections.values())
        self._collections = dict(collections)
        self._policy = policy
        self._schemas = schemas
        self._places = places
        self._open_place = open_place
        self._bound = bound
        self._arrived = arrived
        self._keyed: dict[GlobalId, KeyedState] = {}
        self._spilled = SpilledTables()
        self._taken: dict[GlobalId, list[pa.Table]] = {}
        self._reached: dict[Partition, int] | None = None
        """Up to where all is here; None where it is not."""
        self._near = False
        """It has been where the source was."""
        self.trouble: str | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def ids(self) -> Set[GlobalId]:
        """The collections."""
        return self._collections.keys()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"joining {', '.join(map(str, self._collections))}")

    async def stop(self) -> None:
        """Releases all rows of collections that have not joined."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._forget()

    def kill(self) -> None:
        """Ends the reading at once."""
        if self._task is not None:
            self._task.cancel()
        self._forget()

    async def offer(self) -> Rows | None:
        """Returns the rows of everything the source has, once read; repeatedly until they have joined. When the
        bound keeps moving ahead, waits a little for rows nearly read."""
        offered = self._offered()
        if offered is None and self._near:
            clock = self._places.clock
            until_ns = clock.elapsed_ns() + int(_WAITED_S * 1e9)
            while offered is None and clock.elapsed_ns() < until_ns:
                await clock.sleep(_POLL_S)
                offered = self._offered()
            self._near = offered is not None
        return offered

    def _offered(self) -> Rows | None:
        if self._reached is None or not _covers(self._reached, self._bound()):
            return None
        for name, table in self._spilled.taken().items():
            self._taken.setdefault(GlobalId.parse(name), []).append(table)
        return {id_: self._taken.get(id_, []) for id_ in self._collections}

    def kept_keys(self, id_: GlobalId) -> KeyedState | None:
        """Returns the state of keys of a collection that has just joined, and stops keeping it."""
        return self._keyed.pop(id_, None)

    def _forget(self) -> None:
        self._reached, self._near = None, False
        self._spilled.close()
        self._taken.clear()
        for state in self._keyed.values():
            state.close()
        self._keyed.clear()

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                await self._read_on()
            except SqlError as error:
                self.trouble = f"a table that was added is read again: {error.message}"
                log.warning("joining failed", place=type(self._place).__name__, error=error.message, retries=failures)
            except Exception as defect:
                self.trouble = f"a table that was added is read again: {type(defect).__name__}: {defect}"
                log.exception("joining failed", place=type(self._place).__name__, retries=failures)
            self._arrived()
            failures += 1
            self._forget()
            await _BACK_OFF.wait(self._places.clock, failures)

    async def _read_on(self) -> None:
        """Reads on for ever, or until something fails."""
        for id_, each in self._collections.items():
            if isinstance(each.encoding, RecordEncoding) and each.encoding.keyed:
                self._keyed[id_] = KeyedState(each.desc, len(key_columns(each.encoding)), self._places)
                await self._keyed[id_].begin_empty()
        while not self._bound():
            # Upstream is empty, or the source itself has everything before it: there is nothing to be read twice.
            self._arrive({})
            await self._places.clock.sleep(_POLL_S)
        self._reached = None
        reader = await self._open_place(self._place)
        try:
            await self._read_by(reader)
        finally:
            await self._places.runner.run(reader.close)

    async def _read_by(self, reader: RereadableReader) -> None:
        reached = dict(await self._places.runner.run(reader.beginning))
        reader.begin(reached)
        while True:
            upto = self._bound()
            policy = self._policy
            take = partial(reader.take_until, policy.records_max, policy.bytes_max, upto)
            fetched = await self._places.runner.run(take)
            if fetched is not None:
                self._reached = None
                await self._keep(fetched)
                reached |= fetched.frontier
                self.trouble = None
            elif _covers(reached, upto):
                self._arrive(reached)
                await self._places.clock.sleep(_POLL_S)
            else:
                self.trouble = reader.status().trouble
                await self._places.clock.sleep(_POLL_S)

    def _arrive(self, reached: UpstreamFrontier) -> None:
        if self._reached != reached:
            self._reached, self._near = dict(reached), True
            self._arrived()

    async def _keep(self, fetched: FetchedRange) -> None:
        for error in fetched.stopped.values():
            raise error
        schemas = await self._schemas_of(fetched)
        for id_, each in self._collections.items():
            if isinstance(each.encoding, UpstreamTable):
                if each.encoding.name in fetched.emptied:
                    self._spilled.forget(str(id_))
                    self._taken.pop(id_, None)
                rows = changes_of_table(fetched, each, each.encoding)
            elif fetched.records.num_rows:
                keyed = self._keyed.get(id_)
                rows = [await rows_of_records(fetched.records, each, each.encoding, schemas, keyed, self._places)]
                if keyed is not None:
                    await keyed.bound(rows, NOWHERE, NOWHERE)
            else:
                rows = []
            for table in rows:
                await self._places.runner.run(partial(self._spilled.add, str(id_), table))

    async def _schemas_of(self, fetched: FetchedRange) -> RegistrySchemas:
        encodings = [each.encoding for each in self._collections.values() if isinstance(each.encoding, RecordEncoding)]
        while (schemas := self._schemas.of(fetched.records, encodings)) is None:
            await self._places.clock.sleep(_POLL_S)
        return schemas


def joining_place(place: UpstreamPlace, collections: Iterable[ReclockedCollection]) -> UpstreamPlace:
    """Returns the place for reading these collections alone. A replication slot has one reader, so they get a slot
    of their own while joining."""
    if not isinstance(place, PostgresTables):
        return place
    read = {each.encoding.name for each in collections if isinstance(each.encoding, UpstreamTable)}
    tables = tuple(table for table in place.tables if table.full_name in read)
    return replace(place, slot=f"{place.slot}_joining", tables=tables, lasting=False)


def _covers(reached: UpstreamFrontier, bound: UpstreamFrontier) -> bool:
    return all(reached.get(partition, 0) >= upto for partition, upto in bound.items())
