"""Turns what an ingestion has read into updates of its collections, and keeps the state of keys that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import pyarrow as pa
import structlog

from compute.replica.ingestions.grouped_shards import GroupedShards
from compute.replica.ingestions.held_rows import RowsHeldByCollections, without_false
from compute.replica.ingestions.joining import NOWHERE
from compute.replica.ingestions.joining_members import JoiningMembers
from compute.replica.ingestions.keyed_state import KeyedState
from compute.replica.ingestions.pending_binding import keys_of_parts
from compute.replica.ingestions.range_rows import changes_of_table, is_emptied, rows_of_records
from compute.replica.ingestions.reclocked_shards import ReclockedShards, Updates
from compute.replica.ingestions.writer_schemas import KnownSchemas
from compute.replica.running.places import Places
from connectors.gauge import Partition, is_stopped, stopped_note
from connectors.sources.decode.changed_rows import error_row
from connectors.sources.decode.records import RegistrySchemas
from connectors.sources.description import (
    IngestionDescription,
    ReclockedCollection,
    members,
)
from connectors.sources.transactional_reader import records_of_member
from connectors.upstream import FetchedRange
from model.errors.sql_error import SqlError
from model.external.generators import UpstreamTable
from model.external.records import RecordEncoding, key_columns
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from storage.persist.state import Part

log = structlog.get_logger()


class DecodedRows:
    """The rows of an ingestion's collections.

    `stops`: why collections are no longer followed, as upstream's reader has said.
    """

    def __init__(
        self,
        number: int,
        description: IngestionDescription,
        places: Places,
        shards: ReclockedShards | GroupedShards,
        schemas: KnownSchemas,
        joining: JoiningMembers,
    ) -> None:
        self._number = number
        self._description = description
        self._members = members(description)
        self._collections = [each for member in self._members for each in member.collections]
        self._places = places
        self._shards = shards
        self._schemas = schemas
        self._joining = joining
        keyed = (each for each in self._collections if not each.joins and _is_keyed(each))
        self._keyed = {each.id: self._keyed_state(each) for each in keyed}
        self._held_rows = RowsHeldByCollections(places)
        self.stops: dict[GlobalId, SqlError] = {}

    async def decoded(self, fetched: FetchedRange) -> dict[GlobalId, list[pa.Table | Part]] | None:
        """Decodes fetched records to updates of each collection; returns None while the schemas with which records were
        written are still being fetched."""
        held = self.held()
        schemas = self._schemas_of(fetched, held)
        if schemas is None:
            return None
        rows: dict[GlobalId, list[pa.Table | Part]] = {}
        for member in self._members:
            records = self.records_of(member.source, fetched.records)
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
        for id_, gone in (await self.retractions(emptied)).items():
            rows[id_] += gone
        return rows

    def _schemas_of(
        self, fetched: FetchedRange, held: Sequence[ReclockedCollection]
    ) -> dict[GlobalId, RegistrySchemas] | None:
        """Returns the schemas with which each source's records were written; None while some are being fetched."""
        found: dict[GlobalId, RegistrySchemas | None] = {}
        for member in self._members:
            encodings = [each.encoding for each in member.collections if each in held]
            records = self.records_of(member.source, fetched.records)
            of_records = [each for each in encodings if isinstance(each, RecordEncoding)]
            found[member.source] = self._schemas.of(records, of_records)
        known = {source: schemas for source, schemas in found.items() if schemas is not None}
        return known if known.keys() == found.keys() else None

    def stop(self, fetched: FetchedRange, rows: dict[GlobalId, list[pa.Table | Part]]) -> Mapping[Partition, int]:
        """Returns notes for collections that are no longer followed, and adds an error to their rows for their
        readers. Upstream reports the same stop to later readers."""
        notes: dict[Partition, int] = {}
        frontier = self._shards.frontier
        for each in self._description.collections:
            error = fetched.stopped.get(each.encoding.name or "") if isinstance(each.encoding, UpstreamTable) else None
            if error is None or not each.is_followed(self._joining.joined(each.id)):
                continue
            self.stops[each.id] = error
            if not is_stopped(frontier, each.id):
                log.warning("table stopped", ingestion=self._number, collection=str(each.id), error=error.message)
                rows.setdefault(each.id, []).append(error_row(error, each.desc, each.error_at))
                notes[stopped_note(each.id)] = self._joining.joined(each.id) + 1
        return notes

    def is_stopped(self, id_: GlobalId) -> bool:
        """Tells whether a collection is no longer followed, because of what upstream has become."""
        return is_stopped(self._shards.frontier_of(id_), id_)

    def held(self) -> list[ReclockedCollection]:
        """Returns the collections that receive rows."""
        return [
            each
            for each in self._collections
            if each.is_followed(self._joining.joined(each.id))
            and not is_stopped(self._shards.frontier_of(each.id), each.id)
        ]

    async def retractions(self, ids: Iterable[GlobalId]) -> dict[GlobalId, list[pa.Table | Part]]:
        """Returns updates by which each collection loses all its rows."""
        found: dict[GlobalId, list[pa.Table | Part]] = {}
        try:
            for id_ in ids:
                found[id_] = await self._shards.retraction(id_)
        except BaseException:
            self._places.stage.settle(keys_of_parts(found))
            raise
        return found

    def records_of(self, source: GlobalId, records: pa.Table) -> pa.Table:
        """Returns the records of one source among those that were read together."""
        return records_of_member(source, records) if self._description.followers else records

    async def believed(self, fetched: FetchedRange, rows: dict[GlobalId, list[pa.Table | Part]]) -> FetchedRange:
        """Stops tables whose changes retract rows that collections do not hold: drops their rows from `rows`, and
        returns the range with the stops noted."""
        return await without_false(fetched, rows, self.held(), self._shards, self._held_rows)

    async def admit_keys(self, added: ReclockedCollection, *, ours: bool) -> None:
        """Begins the state of keys of a collection that has joined, by a binding of `ours` or of others."""
        if not _is_keyed(added) or added.id in self._keyed:
            return
        kept = self._joining.kept_keys(added.id) if ours else None
        if kept is not None:
            await kept.bound([], NOWHERE, self._shards.upper_of(added.id))
        self._keyed[added.id] = kept or self._keyed_state(added)

    def key_lowers(self) -> Mapping[GlobalId, Antichain]:
        """Returns the uppers of collections with keys, before a binding is written."""
        return {id_: self._shards.upper_of(id_) for id_ in self._keyed}

    async def bound(self, rows: Updates, lowers: Mapping[GlobalId, Antichain]) -> None:
        """Adds rows that were bound to the state of keys; `lowers`: `key_lowers` before."""
        for id_, keyed in self._keyed.items():
            tables = [each for each in rows.get(id_, []) if isinstance(each, pa.Table)]
            await keyed.bound(tables, lowers[id_], self._shards.upper_of(id_))

    def _keyed_state(self, collection: ReclockedCollection) -> KeyedState:
        assert isinstance(collection.encoding, RecordEncoding)
        return KeyedState(collection.desc, len(key_columns(collection.encoding)), self._places)

    async def follow_keys(self, hydrating: Callable[[], None]) -> None:
        """Brings the state of keys up to the shards' contents, whoever has written them. Calls `hydrating` before
        contents are read."""
        for id_, keyed in self._keyed.items():
            state = self._shards.state(id_)
            if not keyed.follows(state):
                hydrating()
                await keyed.follow(state)

    def forget_keys(self) -> None:
        """Gives up the state of all keys."""
        for id_ in list(self._keyed):
            self._keyed.pop(id_).close()


def _is_keyed(collection: ReclockedCollection) -> bool:
    return isinstance(collection.encoding, RecordEncoding) and collection.encoding.keyed
