"""Foreign keys checked at COMMIT, or at SET CONSTRAINTS.

Two kinds of keys are pending: keys that rows began to reference, and keys whose referenced row went away. At the end,
both are checked against the rows then present, so changes undone by ROLLBACK TO do no harm.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from model.ids.global_id import GlobalId
from model.types.datum import Row
from planner.plans.foreign_keys import ForeignKey


@dataclass(slots=True)
class DeferredCheck:
    """The pending checks of one foreign key of the table `child`."""

    child: GlobalId
    oid: int
    referencing: list[Row] = field(default_factory=list)
    referenced: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class DeferredKeys:
    """The pending checks of one transaction. `every` and `modes` (by oid) are the settings of SET CONSTRAINTS."""

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
