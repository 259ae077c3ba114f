"""The conditions of sources and sinks, present and past, as reported by the replica."""

from __future__ import annotations

import datetime
from collections import deque

from catalog.declared.snapshot import TaskCondition
from compute.protocol.response import DataflowPhase, DataflowStatus
from model.ids.global_id import GlobalId
from model.process.redaction import redacted
from model.time.clock import Clock

_KNOWN_MAX = 100
"""Of each so many are known."""
_STATUSES = {
    DataflowPhase.CREATED: "starting",
    DataflowPhase.HYDRATING: "starting",
    DataflowPhase.RUNNING: "running",
    DataflowPhase.FAILING: "stalled",
    DataflowPhase.STALLED: "stalled",
    DataflowPhase.FINISHED: "dropped",
}


class Conditions:
    """The history of each source's or sink's condition (as running, stalled); the last entry is the present
    condition."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._conditions: dict[GlobalId, deque[TaskCondition]] = {}

    def told(self, status: DataflowStatus) -> None:
        """Takes a status from the replica. A running source or sink with a message counts as stalled."""
        name, error = _STATUSES[status.phase], status.message or None
        if name == "running" and error is not None:
            name = "stalled"
        self.became(status.id, name, error, status.hint or None)

    def became(self, id_: GlobalId, status: str, error: str | None = None, hint: str | None = None) -> None:
        """Adds a condition, unless it equals the present one. Secrets in a library's error are cut."""
        error, hint = error and redacted(error), hint and redacted(hint)
        conditions = self._conditions.setdefault(id_, deque(maxlen=_KNOWN_MAX))
        if not conditions or (conditions[-1].status, conditions[-1].error) != (status, error):
            conditions.append(TaskCondition(at(self._clock.now_ms()), status, error, hint))

    def of(self, id_: GlobalId) -> tuple[TaskCondition, tuple[TaskCondition, ...]]:
        """Returns the present condition, and all known conditions, the oldest first."""
        history = tuple(self._conditions.get(id_, ()))
        return (history[-1] if history else TaskCondition(None, "starting")), history

    def forget(self, id_: GlobalId) -> None:
        """Forgets a dropped source or sink. Idempotent."""
        self._conditions.pop(id_, None)


def at(wall_ms: int) -> datetime.datetime:
    """Returns a moment of the wall's clock, in UTC."""
    return datetime.datetime.fromtimestamp(wall_ms / 1000, datetime.UTC)
