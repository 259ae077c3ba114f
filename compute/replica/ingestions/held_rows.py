"""Checks, before a binding, that collections hold the old rows that upstream's changes retract.

A table is followed by its changes, each of which retracts a row in upstream's words. When the row was bound differently
(changes were not published for a moment, a replica says NULL for a former value), the row can't be retracted, and the
collection could never be read again. Such a table is stopped instead, with a remedy.

Rows are compared by a hash of 64 bits. Counts by hash are kept from the first retraction on, in files where there are
many. The counts of collections that have not been asked about for long are forgotten, and read again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.replica.ingestions.grouped_shards import GroupedShards
from compute.replica.ingestions.reclocked_shards import ReclockedShards
from compute.replica.running.places import Places
from connectors.sources.description import ReclockedCollection
from connectors.upstream import FetchedRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.generators import UpstreamTable
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN
from model.time.timestamp import TIMESTAMP_MAX, Timestamp, step_back
from model.types.relation_desc import RelationDesc
from storage.persist.hash_counts import HashCounts, net_of
from storage.persist.held import hashed, rows_not_held
from storage.persist.snapshot import Snapshot, read_changes, read_pieces, snapshot, updates_between
from storage.persist.state import Part, ShardState

HELD_MAX = 1_000_000
"""So many counts of all collections together are held in memory: some 16 MB, or ten times that of small ones."""
_FOLLOWED_MAX = 500_000
"""So many updates are read at once; where more were bound since, the collection is read again, piece by piece."""


@dataclass(slots=True)
class _Counts:
    """The counts of a collection's rows at times before `upto`, by hash."""

    upto: Timestamp
    counts: HashCounts


class RowsHeldByCollections:
    """The counts of one ingestion's collections, by which retractions are checked."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._known: OrderedDict[GlobalId, _Counts] = OrderedDict()

    async def lacking(
        self, id_: GlobalId, state: ShardState, desc: RelationDesc, updates: Sequence[pa.Table | Part]
    ) -> pa.Table | None:
        """Returns some of the rows that the updates retract, but that the collection does not hold; None when the
        collection holds all. The collection is read at the newest time of `state`; raises SqlError if it can't be
        read."""
        upper = state.write_frontier.time
        if upper is None or not any(map(_takes, updates)):
            return None
        places, source = self._places, snapshot(state, step_back(upper), desc)
        tables = [each for each in updates if isinstance(each, pa.Table)]
        counts = await self._counts(id_, state, source, upper) if len(tables) == len(updates) else None
        if counts is not None:
            if await places.runner.run(partial(_hold, counts, tables, desc.arity)):
                return None
        return await rows_not_held(source, updates, places.blob, places.runner)

    def forget(self, updates: Sequence[pa.Table | Part]) -> list[pa.Table | Part]:
        """Releases the staged parts of updates that are not bound."""
        self._places.stage.settle([each.key for each in updates if isinstance(each, Part)])
        return []

    async def _counts(self, id_: GlobalId, state: ShardState, source: Snapshot, upper: Timestamp) -> HashCounts:
        known = self._known.pop(id_, None)
        if known is None or not await self._followed(known, state, source.desc, upper):
            places, known = self._places, _Counts(upper, HashCounts(self._places.directory))
            async for table in read_pieces(source, places.blob, places.runner):
                await places.runner.run(partial(_add, known.counts, table, source.desc.arity))
        self._known[id_] = known
        while sum(each.counts.held for each in self._known.values()) > HELD_MAX:
            self._known.popitem(last=False)
        return known.counts

    async def _followed(self, known: _Counts, state: ShardState, desc: RelationDesc, upper: Timestamp) -> bool:
        """Adds the changes bound since `known.upto` to the known counts. Returns false if the changes are unreadable,
        or too many to read at once."""
        if known.upto == upper:
            return True
        try:
            changes = updates_between(state, known.upto, TIMESTAMP_MAX, desc)
        except SqlError:
            return False
        if sum(piece.rows for piece in (*changes.parts, *changes.inline)) > _FOLLOWED_MAX:
            return False
        table = await read_changes(changes, self._places.blob, self._places.runner)
        await self._places.runner.run(partial(_add, known.counts, table, desc.arity))
        known.upto = upper
        return True


async def without_false(
    fetched: FetchedRange,
    rows: dict[GlobalId, list[pa.Table | Part]],
    collections: Sequence[ReclockedCollection],
    shards: ReclockedShards | GroupedShards,
    held: RowsHeldByCollections,
) -> FetchedRange:
    """Stops tables whose changes retract rows that were never there: drops the rows of these tables from `rows`, and
    returns the fetched range with the stops noted."""
    stopped = dict(fetched.stopped)
    for each in collections:
        name, updates = each.encoding.name if isinstance(each.encoding, UpstreamTable) else None, rows.get(each.id)
        if name is None or not updates or name in stopped:
            continue
        lacking = await held.lacking(each.id, shards.state(each.id), each.desc, updates)
        if lacking is not None:
            rows[each.id] = held.forget(updates)
            stopped[name] = not_held(name)
    return replace(fetched, stopped=stopped)


def not_held(table: str) -> SqlError:
    """Returns the SqlError with which a table stops being followed, because a retracted row is missing."""
    return SqlError(
        Sqlstate.DATA_CORRUPTED,
        f"upstream changes a row of {table} that was never told of",
        detail="Changes before it may not have been published.",
        hint="ALTER SOURCE … REFRESH SUBSOURCE reads the table anew, from upstream as it is now.",
    )


def _takes(updates: pa.Table | Part) -> bool:
    if isinstance(updates, Part):
        return updates.retracts
    return DIFF_COLUMN in updates.column_names and bool(pc.any(pc.less(updates.column(DIFF_COLUMN), 0)).as_py())


def _add(counts: HashCounts, table: pa.Table, arity: int) -> None:
    counts.add(*hashed(table, arity))


def _hold(counts: HashCounts, tables: Sequence[pa.Table], arity: int) -> bool:
    """Returns whether each row is held as often as the tables together retract it."""
    hashes, net = net_of([hashed(table, arity) for table in tables])
    return bool((counts.of(hashes) + np.minimum(net, 0) >= 0).all())
