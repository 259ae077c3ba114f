"""The newest statements, running and ended, for mz_internal.mz_recent_activity_log.

Kept in memory alone: a restart begins anew. A statement costs a few microseconds here: texts are
neither read nor cut apart before somebody looks.
"""

from __future__ import annotations

import asyncio
import datetime
import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from catalog.declared.snapshot import ClientKind, StatementStatus
from model.process.redaction import redacted, secrets_generation
from model.time.clock import Clock
from planner.syntax.secret_texts import public_text
from server.ledgers.statement_statistics import Statistics

STATEMENTS_DEFAULT, STATEMENTS_MAX = 2_000, 10_000
CONSOLE_PAGES = "headwater console pages"
"""The application that the console's pages name, which ask every few seconds while they are in sight."""
_SHARE_OF_PAGES = 20
_TEXT_LENGTH_MAX = 4_096
_TEXTS_LENGTH_MAX = 4 << 20
_NS_PER_MS, _NS_PER_S = 1e6, 1e9
_TURN_NS = 10_000_000
"""The time for telling statements before other work has a turn of the event loop."""


@dataclass(frozen=True, slots=True)
class LoggedSession:
    """The part of a session told with each statement."""

    pid: int
    user: str
    database: str
    kind: ClientKind


class StatementRecord:
    """A statement in the log, running or ended.

    `shown`: the text without secrets, made when somebody first reads the log
    `shown_without`: the generation of the secrets that were cut out of `shown`
    `told`: the whole record as the log shows it, made when somebody reads the log after the statement's end

    Times are of the monotonic clock, in nanoseconds: `arrived_ns`, `begun_ns`, `planned_ns` and `ended_ns`; the last
    two are None until they are known.
    """

    __slots__ = (
        "application",
        "arrived_ns",
        "begun_ns",
        "bytes",
        "ended_ns",
        "number",
        "planned_ns",
        "read_ts",
        "role",
        "rows",
        "session",
        "shown",
        "shown_without",
        "sql",
        "sqlstate",
        "told",
        "type",
    )

    def __init__(
        self, session: LoggedSession, role: int, application: str, sql: str, type_: str, arrived_ns: int, begun_ns: int
    ) -> None:
        self.session = session
        self.role = role
        self.application = application
        self.sql = sql
        self.type = type_
        self.arrived_ns = arrived_ns
        self.begun_ns = begun_ns
        self.shown: str | None = None
        self.shown_without = 0
        self.told: StatementStatus | None = None
        self.planned_ns: int | None = None
        self.ended_ns: int | None = None
        self.read_ts: int | None = None
        self.rows: int | None = None
        self.sqlstate: str | None = None
        self.bytes = 0
        self.number = 0


class _Newest:
    """The newest `most` statements, whose texts are at most `length_max` characters together."""

    def __init__(self, most: int, length_max: int) -> None:
        self.records: deque[StatementRecord] = deque()
        self._most = most
        self._length_max = length_max
        self._length = 0

    def add(self, record: StatementRecord) -> None:
        self.records.append(record)
        self._length += len(record.sql)
        while len(self.records) > self._most or self._length > self._length_max:
            self._length -= len(self.records.popleft().sql)


class StatementLog:
    """Keeps the newest `most` statements, or fewer where their texts are long; 0 keeps none. Of the console's pages a
    few are kept apart, and push nobody's statements out."""

    def __init__(self, clock: Clock, most: int = STATEMENTS_DEFAULT) -> None:
        self._clock = clock
        self._newest = _Newest(most, _TEXTS_LENGTH_MAX)
        self._of_pages = _Newest(-(-most // _SHARE_OF_PAGES), _TEXTS_LENGTH_MAX // _SHARE_OF_PAGES)
        self._numbers = 0
        self.statistics = Statistics(clock)
        self.now_ns = clock.elapsed_ns
        self.kept = most > 0
        """Whether anything is kept."""

    def begin(self, record: StatementRecord) -> None:
        """Notes the beginning of a statement; the session completes the record."""
        if len(record.sql) > _TEXT_LENGTH_MAX:
            record.sql = record.sql[:_TEXT_LENGTH_MAX]
        self._numbers += 1
        record.number = self._numbers
        (self._of_pages if record.application == CONSOLE_PAGES else self._newest).add(record)

    def ended(self, record: StatementRecord, own_text: str) -> None:
        """Counts a statement as a success by its own text, which may be a part of a message, unless a page of the
        console has sent the statement."""
        planned_ns, ended_ns = record.planned_ns, record.ended_ns
        if planned_ns is not None and ended_ns is not None and record.application != CONSOLE_PAGES:
            took = planned_ns - record.begun_ns, ended_ns - planned_ns
            self.statistics.add(record.role, record.session.database, own_text[:_TEXT_LENGTH_MAX], *took, record.rows)

    async def prepare(self) -> None:
        """Prepares `statuses`, with turns for the rest of the loop between."""
        began_ns = self.now_ns()
        for record in list(self._records()):
            now_ns = self.now_ns()
            if now_ns - began_ns >= _TURN_NS:
                await asyncio.sleep(0)
                began_ns = now_ns = self.now_ns()
            _status(record, now_ns, self._clock.now_ms(), secrets_generation())

    def statuses(self) -> tuple[StatementStatus, ...]:
        """Returns the statements, oldest first. What follows a secret's name in a text is not shown."""
        now_ns, now_ms, secrets = self.now_ns(), self._clock.now_ms(), secrets_generation()
        return tuple(_status(record, now_ns, now_ms, secrets) for record in self._records())

    def _records(self) -> Iterator[StatementRecord]:
        return heapq.merge(self._newest.records, self._of_pages.records, key=lambda record: record.number)


def _status(record: StatementRecord, now_ns: int, now_ms: int, secrets: int) -> StatementStatus:
    """Returns the status of a statement; that of an ended statement is made once, until another secret is known."""
    if record.told is not None and record.shown_without == secrets:
        return record.told
    status = _status_now(record, now_ns, now_ms, secrets)
    if record.ended_ns is not None:
        record.told = status
    return status


def _status_now(record: StatementRecord, now_ns: int, now_ms: int, secrets: int) -> StatementStatus:
    ended_ns = now_ns if record.ended_ns is None else record.ended_ns
    if record.shown is None or record.shown_without != secrets:
        record.shown = redacted(public_text(record.sql) if record.shown is None else record.shown)
        record.shown_without = secrets
    planned_ns = ended_ns if record.planned_ns is None else record.planned_ns
    # By the clock of now: nobody asks that of the wall for each statement.
    begun_at = datetime.datetime.fromtimestamp(now_ms / 1000 - (now_ns - record.begun_ns) / _NS_PER_S, datetime.UTC)
    session = record.session
    took = datetime.timedelta(microseconds=(ended_ns - record.begun_ns) // 1000)
    return StatementStatus(
        number=record.number,
        pid=session.pid,
        role=record.role,
        user=session.user,
        database=session.database,
        application_name=record.application,
        kind=session.kind,
        type=record.type,
        sql=record.shown,
        began_at=begun_at,
        finished_at=None if record.ended_ns is None else begun_at + took,
        queued_ms=max(record.begun_ns - record.arrived_ns, 0) / _NS_PER_MS,
        planned_ms=(planned_ns - record.begun_ns) / _NS_PER_MS,
        executed_ms=(ended_ns - planned_ns) / _NS_PER_MS,
        rows=record.rows,
        bytes=record.bytes,
        sqlstate=record.sqlstate,
        read_ts=record.read_ts,
    )
