"""Foreign keys that are held at COMMIT, or when SET CONSTRAINTS says so.

What waits are keys: those that rows began to reference, and those that were referenced and are gone. Whether rows still
have the former, and nobody has the latter, is asked in the end; so what ROLLBACK TO takes back does no harm here."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.ids.global_id import GlobalId
from model.types.datum import Row
from planner.plans.foreign_keys import ForeignKey


@dataclass(slots=True)
class DeferredCheck:
    """Of one foreign key of the table `child`."""

    child: GlobalId
    oid: int
    referencing: list[Row] = field(default_factory=list)
    referenced: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class DeferredKeys:
    """Of one transaction. `every` and `modes` (by oid) are what SET CONSTRAINTS has said."""

    every: bool | None = None
    modes: dict[int, bool] = field(default_factory=dict)
    waiting: dict[int, DeferredCheck] = field(default_factory=dict)

    def defers(self, key: ForeignKey) -> bool:
        if not key.rule.deferrable:
            return False
        every = key.rule.deferred if self.every is None else self.every
        return self.modes.get(key.oid, every)

    def of(self, child: GlobalId, key: ForeignKey) -> DeferredCheck:
        return self.waiting.setdefault(key.oid, DeferredCheck(child, key.oid))
