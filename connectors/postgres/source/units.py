"""The units in which a publication is read: each is bound as a whole, or not at all.

Unit(bound=0x5A1, changes={"public.t": …}, size=120)      a transaction
FirstUnit(rows, point=0x400, stopped={})                  the initial copy, until the stream has come to `point`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from connectors.postgres.source.assembly import TableChanges
from connectors.postgres.source.copies import CopiedRows
from connectors.sources.spilled import SpilledTables
from model.errors.sql_error import SqlError


@dataclass(frozen=True, slots=True)
class Unit:
    """A transaction, or the initial copy.

    `bound`: everything before this LSN is read with the unit
    `changes`: of each table, in memory
    `size`: bytes in memory, about
    `spilled`: the changes of a unit that is too large for memory
    `stopped`: tables that can't be followed any further, with the reasons
    """

    bound: int
    changes: Mapping[str, TableChanges]
    size: int
    spilled: SpilledTables | None = None
    stopped: Mapping[str, SqlError] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Returns the number of changes in memory."""
        return sum(len(each.diffs) for each in self.changes.values())

    def close(self) -> None:
        """Drops the files of a unit that nobody takes."""
        if self.spilled is not None:
            self.spilled.close()


@dataclass(slots=True)
class FirstUnit:
    """The copied rows and what the stream says of their tables, until the stream has come to `point`, where all
    tables are at the same transactions. Call `whole` then, or `close`."""

    rows: CopiedRows
    point: int
    stopped: dict[str, SqlError] = field(default_factory=dict)
    given: bool = False

    def stop(self, stopped: Mapping[str, SqlError]) -> None:
        """Drops the rows of tables that can't be followed."""
        self.stopped.update(stopped)
        forget_tables(self.rows, stopped)

    def whole(self) -> Unit:
        """Returns the unit, which owns the rows from then on."""
        self.given = True
        return Unit(self.point, {}, 0, self.rows, self.stopped)

    def close(self) -> None:
        """Drops the files of rows that became no unit."""
        if not self.given:
            self.rows.close()


def forget_tables(spilled: SpilledTables | None, names: Iterable[str]) -> None:
    """Drops the spilled changes of these tables."""
    if spilled is not None:
        for name in names:
            spilled.forget(name)
            spilled.emptied.discard(name)
