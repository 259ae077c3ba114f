"""Checks, before a binding, that collections hold the old rows that upstream's changes retract.

A table is followed by its changes, each of which retracts a row in upstream's words. When the row was bound differently
(changes were not published for a moment, a replica says NULL for a former value), the row can't be retracted, and the
collection could never be read again. Such a table is stopped instead, with a remedy.

Rows are compared by a hash of 64 bits. For collections of up to ROWS_MAX rows, counts by hash are kept, some 16 bytes
each, from the first retraction on; larger collections are read again for each binding with retractions.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from compute.replica.ingestions.grouped_shards import GroupedShards
from compute.replica.ingestions.reclocked_shards import ReclockedShards
from compute.replica.running.places import Places
from connectors.sources.description import ReclockedCollection
from connectors.sources.upstream import FetchedRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.generators import UpstreamTable
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from model.time.timestamp import TIMESTAMP_MAX, Timestamp, step_back
from model.types.relation_desc import RelationDesc
from storage.persist.held import hashed, net_of, rows_not_held
from storage.persist.snapshot import Snapshot, read_changes, read_pieces, snapshot, updates_between
from storage.persist.state import Part, ShardState

ROWS_MAX = 4_000_000
"""Of all collections together whose hashes are kept."""
_RECENT_MAX = 100_000
_FOLLOWED_MAX = 500_000
"""So many updates are read at once; where more were bound since, the collection is read again, piece by piece."""

_Hashes = npt.NDArray[np.int64]


@dataclass(slots=True)
class _Counts:
    """The counts of a collection's rows at times before `upto`, by hash. `recent` has changes since the arrays were
    made."""

    upto: Timestamp
    hashes: _Hashes
    counts: _Hashes
    recent: dict[int, int] = field(default_factory=dict)

    def fold(self, changes: pa.Table, arity: int) -> None:
        hashes, diffs = hashed(changes, arity)
        for hash_, diff in zip(hashes.tolist(), diffs.tolist(), strict=True):
            self.recent[hash_] = self.recent.get(hash_, 0) + diff
        if len(self.recent) > _RECENT_MAX:
            recent = np.fromiter(self.recent.keys(), np.int64), np.fromiter(self.recent.values(), np.int64)
            self.hashes, self.counts = _there(*net_of([(self.hashes, self.counts), recent]))
            self.recent = {}

    def hold(self, hashes: _Hashes, taken: _Hashes) -> bool:
        """Returns whether each row is held as often as it is retracted."""
        at = np.searchsorted(self.hashes, hashes)
        inside = at < len(self.hashes)
        there = np.zeros(len(hashes), np.int64)
        found = inside.copy()
        found[inside] = self.hashes[at[inside]] == hashes[inside]
        there[found] = self.counts[at[found]]
        recent = np.fromiter((self.recent.get(hash_, 0) for hash_ in hashes.tolist()), np.int64, len(hashes))
        return bool((there + recent >= taken).all())


class RowsHeldByCollections:
    """The counts of one ingestion's collections, by which retractions are checked."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._known: OrderedDict[GlobalId, _Counts] = OrderedDict()

    async def lacking(
        self, id_: GlobalId, state: ShardState, desc: RelationDesc, updates: Sequence[pa.Table | Part]
    ) -> pa.Table | None:
        """Returns the first rows that the updates retract from a collection, bound as in `state`, without the
        collection holding them; None when all are held. SqlError as of reading the collection."""
        upper = state.write_frontier.time
        if upper is None or not any(map(_takes, updates)):
            return None
        places, source = self._places, snapshot(state, step_back(upper), desc)
        tables = [each for each in updates if isinstance(each, pa.Table)]
        counts = await self._counts(id_, state, source, upper) if len(tables) == len(updates) else None
        if counts is not None:
            hashes, net = await places.runner.run(partial(_net_hashes, tables, desc.arity))
            if counts.hold(hashes[net < 0], -net[net < 0]):
                return None
        return await rows_not_held(source, updates, places.blob, places.runner)

    def forget(self, updates: Sequence[pa.Table | Part]) -> list[pa.Table | Part]:
        """Releases the staged parts of updates that are not bound."""
        self._places.stage.settle([each.key for each in updates if isinstance(each, Part)])
        return []

    async def _counts(self, id_: GlobalId, state: ShardState, source: Snapshot, upper: Timestamp) -> _Counts | None:
        """None for a collection of too many rows."""
        known = self._known.get(id_)
        if known is not None and await self._followed(known, state, source.desc, upper):
            self._known.move_to_end(id_)
            self._make_room(0)  # it may have grown
            if id_ in self._known:
                return known
        self._known.pop(id_, None)
        rows = sum(piece.rows for piece in (*source.parts, *source.inline))
        if rows > ROWS_MAX:
            return None
        self._make_room(rows)
        places, found = self._places, list[tuple[_Hashes, _Hashes]]()
        async for table in read_pieces(source, places.blob, places.runner):
            found.append(await places.runner.run(partial(hashed, table, source.desc.arity)))
        self._known[id_] = made = _Counts(upper, *await places.runner.run(lambda: _there(*net_of(found))))
        return made

    def _make_room(self, rows: int) -> None:
        """Forgets old counts until the hashes of `rows` more rows fit."""
        while self._known and sum(len(each.hashes) for each in self._known.values()) + rows > ROWS_MAX:
            self._known.popitem(last=False)

    async def _followed(self, known: _Counts, state: ShardState, desc: RelationDesc, upper: Timestamp) -> bool:
        """Adds changes bound since; false if they are unreadable or too many to read at once."""
        if known.upto == upper:
            return True
        try:
            changes = updates_between(state, known.upto, TIMESTAMP_MAX, desc)
        except SqlError:
            return False
        if sum(piece.rows for piece in (*changes.parts, *changes.inline)) > _FOLLOWED_MAX:
            return False
        table = await read_changes(changes, self._places.blob, self._places.runner)
        await self._places.runner.run(partial(known.fold, table.drop_columns([TIME_COLUMN]), desc.arity))
        known.upto = upper
        return True


async def without_false(
    fetched: FetchedRange,
    rows: dict[GlobalId, list[pa.Table | Part]],
    collections: Sequence[ReclockedCollection],
    shards: ReclockedShards | GroupedShards,
    held: RowsHeldByCollections,
) -> FetchedRange:
    """Stops tables that retract missing rows; returns the fetched range with the stops, without the tables' rows."""
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
    """Why a table is no longer followed."""
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


def _there(hashes: _Hashes, counts: _Hashes) -> tuple[_Hashes, _Hashes]:
    """Removes rows with a count of zero."""
    left = counts != 0
    return hashes[left], counts[left]


def _net_hashes(tables: Sequence[pa.Table], arity: int) -> tuple[_Hashes, _Hashes]:
    return net_of([hashed(table, arity) for table in tables])
