"""Changes of the catalog, as mz_catalog.mz_audit_events shows them.

A shard holds the newest events. The commit of a change of the catalog writes the events of the change, too, so neither
is durable without the other. Each event carries the time of the commit, by which reads of the past are answered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import pyarrow as pa

from catalog.declared.snapshot import AuditEvent
from model.ids.global_id import GlobalId
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8, JSONB, TEXT
from model.updates.update import Update, updates_to_arrow

AUDIT_SHARD_ID = GlobalId.system(4)
AUDIT_DESC = relation_desc(
    ("number", INT8, False),
    ("event", TEXT, False),
    ("object_type", TEXT, False),
    ("details", JSONB, False),
    ("user", TEXT),
    ("time", INT8, False),
)
AUDIT_EVENTS_MAX = 20_000


class AuditLog:
    """The newest events, in memory as in the shard. Only the group committer adds some."""

    def __init__(self, updates: Iterable[Update], most: int = AUDIT_EVENTS_MAX) -> None:
        present: dict[int, AuditEvent] = {}
        for update in sorted(updates, key=lambda update: update.diff, reverse=True):
            event = _event(update.row)
            if update.diff > 0:
                present[event.number] = event
            else:
                present.pop(event.number, None)
        self._events = deque(present[number] for number in sorted(present))
        self._most = most

    @property
    def last(self) -> int:
        """Returns the number of the newest event, 0 before the first."""
        return self._events[-1].number if self._events else 0

    def until(self, time: Timestamp) -> tuple[AuditEvent, ...]:
        """Returns the events of commits at or before `time`, in order; all of them where a statement has no time."""
        if time == TIMESTAMP_MIN:
            return tuple(self._events)
        return tuple(event for event in self._events if event.time <= time)

    def updates(self, events: Sequence[AuditEvent], time: Timestamp) -> pa.Table:
        """Returns what the commit of these events at `time` writes to the shard; the oldest events go."""
        come = (Update(_row(event), time, 1) for event in events[-self._most :])
        gone = (Update(_row(self._events[at]), time, -1) for at in range(self._surplus(events)))
        return updates_to_arrow((*gone, *come), AUDIT_DESC)

    def add(self, events: Sequence[AuditEvent]) -> None:
        """Adds events that have become durable."""
        for _ in range(self._surplus(events)):
            self._events.popleft()
        self._events.extend(events[-self._most :])

    def _surplus(self, events: Sequence[AuditEvent]) -> int:
        """Returns how many of the present events go when these come."""
        return min(len(self._events), max(len(self._events) + len(events) - self._most, 0))


def _row(event: AuditEvent) -> Row:
    return event.number, event.event, event.object_type, event.details, event.user, event.time


def _event(row: Row) -> AuditEvent:
    number, event, object_type, details, user, time = row
    assert isinstance(number, int) and isinstance(event, str) and isinstance(object_type, str)
    assert isinstance(details, str) and (user is None or isinstance(user, str)) and isinstance(time, int)
    return AuditEvent(number, event, object_type, details, user, time)
