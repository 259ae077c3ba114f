"""Keys and foreign keys checked at COMMIT, or at SET CONSTRAINTS.

Pending are keys that rows asserted, keys that rows began to reference, and keys whose referenced row went away. At the
end, all are checked against the rows then present, so changes undone by ROLLBACK TO do no harm.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.datum import Row
from planner.catalog_view import KeyRule
from planner.plans.foreign_keys import ForeignKey, ForeignKeyRule


@dataclass(slots=True)
class DeferredCheck:
    """The pending checks of one foreign key of the table `child`."""

    child: GlobalId
    oid: int
    referencing: list[Row] = field(default_factory=list)
    referenced: list[Row] = field(default_factory=list)
    parent: GlobalId | None = None

    @property
    def tables(self) -> list[GlobalId]:
        """Returns the tables with rows that made the check wait."""
        parents = [self.parent] if self.referenced and self.parent is not None else []
        return [*parents, *([self.child] if self.referencing else [])]


@dataclass(slots=True)
class DeferredKey:
    """Keys of the index `index` of a table, by their identities, which may be there twice."""

    table: GlobalId
    index: GlobalId
    oid: int
    asserted: dict[Hashable, Row] = field(default_factory=dict)

    @property
    def tables(self) -> list[GlobalId]:
        """Returns the table with rows that made the check wait."""
        return [self.table]


@dataclass(slots=True)
class DeferredKeys:
    """The pending checks of one transaction by the oids of the constraints. `every` and `modes` (by oid) are the
    settings of SET CONSTRAINTS."""

    every: bool | None = None
    modes: dict[int, bool] = field(default_factory=dict)
    waiting: dict[int, DeferredCheck | DeferredKey] = field(default_factory=dict)

    def defers(self, oid: int, rule: KeyRule | ForeignKeyRule) -> bool:
        """Tells whether a constraint waits for COMMIT."""
        if not rule.deferrable:
            return False
        every = rule.deferred if self.every is None else self.every
        return self.modes.get(oid, every)

    def require_none_of(self, table: GlobalId, name: str, command: str) -> None:
        """Raises SqlError 55006 where a check of the table's rows waits: it would be of another table by then."""
        if any(table in waiting.tables for waiting in self.waiting.values()):
            message = f'cannot {command} "{name}" because it has pending trigger events'
            raise SqlError(Sqlstate.OBJECT_IN_USE, message)

    def of(self, child: GlobalId, key: ForeignKey) -> DeferredCheck:
        """Returns the pending checks of a foreign key, to be added to."""
        found = self.waiting.setdefault(key.oid, DeferredCheck(child, key.oid, parent=key.parent))
        assert isinstance(found, DeferredCheck), "the oid is a foreign key's"
        return found

    def add_keys(self, table: GlobalId, index: GlobalId, oid: int, asserted: Mapping[Hashable, Row]) -> None:
        """Adds keys of a unique index to be checked."""
        found = self.waiting.setdefault(oid, DeferredKey(table, index, oid))
        assert isinstance(found, DeferredKey), "the oid is a key's"
        found.asserted.update(asserted)
