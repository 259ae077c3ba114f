"""Backups under way, and how the last ones have ended, for mz_internal.mz_backups."""

from __future__ import annotations

import datetime
from asyncio import CancelledError
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from catalog.declared.snapshot import BackupStatus
from model.errors.sql_error import SqlError
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from storage.backup.writing import BackupProgress

_KEPT_MAX = 100


@dataclass(slots=True, eq=False)
class BackupRecord:
    """One backup. Whoever makes it writes `name` and `timestamp` once they are known, and counts in `progress`."""

    place: str
    started_at: datetime.datetime
    progress: BackupProgress = field(default_factory=BackupProgress)
    name: str | None = None
    timestamp: Timestamp | None = None
    ended_at: datetime.datetime | None = None
    status: str = "running"
    error: str | None = None

    def shown(self) -> BackupStatus:
        """Returns the backup as it is now."""
        at = self.progress
        return BackupStatus(
            self.place,
            self.started_at,
            self.ended_at,
            self.status,
            self.name,
            self.timestamp,
            (at.parts, at.parts_done, at.parts_copied),
            (at.bytes, at.bytes_done, at.bytes_copied),
            self.error,
        )


class Backups:
    """All backups that run, and the newest of those that have ended."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._running: list[BackupRecord] = []
        self._ended: deque[BackupRecord] = deque(maxlen=_KEPT_MAX)

    @contextmanager
    def noted(self, place: str) -> Iterator[BackupRecord]:
        """Notes a backup while the body makes it, and how it has ended."""
        record = BackupRecord(place, self._now())
        self._running.append(record)
        try:
            yield record
            record.status = "done"
        except CancelledError:
            record.status = "cancelled"
            raise
        except Exception as error:
            record.status, record.error = "failed", error.message if isinstance(error, SqlError) else str(error)
            raise
        finally:
            record.ended_at = self._now()
            self._running.remove(record)
            self._ended.append(record)

    def statuses(self) -> tuple[BackupStatus, ...]:
        """Returns all, the oldest first."""
        records = sorted((*self._ended, *self._running), key=lambda record: record.started_at)
        return tuple(record.shown() for record in records)

    def _now(self) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self._clock.now_ms() / 1000, datetime.UTC)
