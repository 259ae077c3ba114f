"""One attempt to make the initial copy whole. It continues an earlier attempt, of this process or of another one, while
the slot still stands where that attempt began:

    no copy kept ──▶ a new slot, whose snapshot is copied
    some tables kept ──▶ the slot stays; a temporary slot gives a later snapshot, of which the other tables are copied
    all tables kept ──▶ nothing is copied
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from connectors.postgres.probe import Upstream
from connectors.postgres.source.asked import AskedConnections
from connectors.postgres.source.copies import Copies
from connectors.postgres.source.initial_copy import CopiedTables, begin_snapshot, is_same_to_copy, lock_tables
from connectors.postgres.source.slots import create_slot, drop_slot, drop_temporary_slot, standing
from connectors.postgres.source.standings import Standings
from connectors.sources.description import PostgresTables
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError


class CopyAttempt:
    """An attempt to copy the tables of `place` to the files of `copies`. `require_stay` raises once the reader is to
    leave upstream, which ends the attempt."""

    def __init__(
        self,
        place: PostgresTables,
        copies: Copies,
        standings: Standings,
        asked: AskedConnections,
        require_stay: Callable[[], None],
    ) -> None:
        self._place = place
        self._copies = copies
        self._standings = standings
        self._asked = asked
        self._require_stay = require_stay

    def copy(self, replication: Upstream) -> Mapping[str, SqlError]:
        """Copies the tables that an earlier attempt has not kept; returns those that have changed and can't be
        followed."""
        tables = {table.full_name: table for table in self._place.tables}
        with self._asked.connecting() as upstream, self._asked.asked(replication):
            resumed = self._resume(upstream)
            slot = f"{self._place.slot}_rest" if resumed else self._place.slot
            missing = [name for name in tables if name not in self._copies.points]
            if resumed and not missing:
                return self._standings.look(upstream)
            drop_slot(upstream, slot)
            point, snapshot = create_slot(replication, slot, lasting=self._place.lasting and not resumed)
            if not resumed:
                self._copies.begin(point)
            begin_snapshot(upstream, snapshot)
            changed = dict(self._standings.look(upstream))
            there = {name: self._standings.called_there(name) for name in missing if name not in changed}
            lock_tables(upstream, there.values())
            # Snapshots don't hold what alters a table: its rows lie elsewhere then, and names are those of now.
            with self._asked.connecting() as outside:
                changed |= self._standings.look(outside)
            pairs = [(tables[name], table) for name, table in there.items() if name not in changed]
            for ours, table in pairs:
                if not is_same_to_copy(table, self._standings.called_there(ours.full_name)):
                    raise Unreachable(f"table {ours.full_name} was altered while it was to be copied")
            connecting = self._asked.connecting
            copied = CopiedTables(connecting, snapshot, self._copies, point, lambda _rows: self._require_stay())
            copied.copy(upstream, pairs)
            if resumed:
                drop_temporary_slot(replication, slot)
        return changed

    def _resume(self, upstream: Upstream) -> bool:
        """Tells whether there is a copy to continue: the slot must still have everything that follows the copy."""
        start = standing(upstream, self._place.slot) if self._place.lasting else None
        return start is not None and self._copies.resume(start, self._place.tables)
