"""What a transaction has written: updates in memory or staged in parts, which reach storage at COMMIT.

writes.buffered                 # [BufferedWrite(u7, [a table of two rows]), BufferedWrite(u9, [a part])]
writes.of(GlobalId("u7"))       # the updates of one collection, in order
writes.cut(1, 0, 0)             # ROLLBACK TO a savepoint set after the first write
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa

from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.physical.conforming import conformed
from model.types.relation_desc import RelationDesc
from server.ledgers.own_writes import signed
from server.ledgers.scheduled import ScheduledRows
from server.transactions.open_objects import OpenLargeObjects
from server.transactions.own_keys import OwnKeys
from server.transactions.row_moves import RowMoves
from storage.persist.state import Part
from storage.persist.write import Stage


@dataclass(frozen=True, slots=True)
class BufferedWrite:
    """Updates of one collection: tables whose `diff` column may be missing (+1), and parts already staged.

    `retracts`: the updates include deletions; `as_stored`: all updates came from an index, in stored form; `moves`:
    old and new rows, if a cursor scans the table.
    """

    id: GlobalId
    updates: Sequence[pa.Table | Part]
    retracts: bool = False
    as_stored: bool = False
    moves: RowMoves | None = None


@dataclass(slots=True)
class TransactionWrites:
    """The writes of one transaction.

    `buffered`: the writes at the time of COMMIT, in the order of their statements
    `scheduled`: rows for later times
    `written_in`: the catalog in which each table was first written
    `own_keys`: the keys written, by index
    `widenings`: tables that have got columns, with the places and the forms of their writes before
    `objects`: open large objects, with changes on their way into tables
    """

    buffered: list[BufferedWrite] = field(default_factory=list)
    scheduled: list[ScheduledRows] = field(default_factory=list)
    written_in: dict[GlobalId, CatalogState] = field(default_factory=dict)
    own_keys: dict[tuple[GlobalId | str, ...], OwnKeys] = field(default_factory=dict)
    widenings: list[dict[int, BufferedWrite]] = field(default_factory=list)
    objects: OpenLargeObjects = field(default_factory=OpenLargeObjects)

    def ids(self) -> set[GlobalId]:
        """Returns the collections that are written at the time of COMMIT."""
        return {write.id for write in self.buffered}

    def of(self, id_: GlobalId, count: int | None = None) -> list[pa.Table | Part]:
        """Returns the updates of a collection, in all of its writes or in the first `count`."""
        return [update for write in self.buffered[:count] if write.id == id_ for update in write.updates]

    def widen(self, id_: GlobalId, after: RelationDesc) -> None:
        """Notes that a table has got columns, and adds them to the rows written to it."""
        self.widenings.append({place: write for place, write in enumerate(self.buffered) if write.id == id_})
        self._conform(id_, after)

    async def stage(self, id_: GlobalId, desc: RelationDesc, stage: Stage) -> None:
        """Stages the updates of a collection that are in memory, in their places. Raises SqlError when that fails."""
        for place, write in enumerate(self.buffered):
            tables = [each for each in write.updates if isinstance(each, pa.Table) and each.num_rows]
            if write.id == id_ and tables:
                parts = await stage.stage_parts(str(id_), desc, pa.concat_tables(map(signed, tables)))
                kept = [each for each in write.updates if isinstance(each, Part)]
                self.buffered[place] = replace(write, updates=(*kept, *parts))

    def cut(self, buffered: int, scheduled: int, widenings: int) -> list[str]:
        """Drops all but the first `buffered` writes, `scheduled` rows and `widenings`; returns the keys of the parts
        that were staged for dropped writes."""
        staged = [each.key for write in self.buffered[buffered:] for each in write.updates if isinstance(each, Part)]
        del self.buffered[buffered:]
        del self.scheduled[scheduled:]
        for before in reversed(self.widenings[widenings:]):
            for place, write in before.items():
                if place < buffered:
                    self.buffered[place] = write
        del self.widenings[widenings:]
        return staged

    def _conform(self, id_: GlobalId, desc: RelationDesc) -> None:
        """Adds new columns to buffered tables (parts are adapted when they are read)."""

        def of_now(update: pa.Table | Part) -> pa.Table | Part:
            return update if isinstance(update, Part) else conformed(update, desc)

        self.buffered = [
            replace(write, updates=tuple(map(of_now, write.updates))) if write.id == id_ else write
            for write in self.buffered
        ]
