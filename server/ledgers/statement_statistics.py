"""Counts and durations of statements, as pg_stat_statements shows both.

Texts that differ only in constants, comments and spaces count as the same statement of a role and a database. The
counts are in memory alone: a restart begins anew. A text that was counted a moment ago costs one look into a mapping.
"""

from __future__ import annotations

import datetime
import hashlib
import heapq
from dataclasses import dataclass, field

from catalog.declared.snapshot import Durations, StatementStatistics, StatisticsStatus
from model.process.redaction import redacted, secrets_generation
from model.time.clock import Clock
from planner.syntax.secret_texts import public_text
from planner.syntax.statement_identity import identity, with_parameters

STATISTICS_MAX = 2_000
_TEXTS_MAX = 1_000
_SHARE_LEFT = 20
"""Of a full set of statements one in 20 is left out, the least called first."""
_NS_PER_MS = 1e6

_Key = tuple[int, str, int]
"""A role, a database and a statement."""


class _Spread:
    """The durations of a statement's calls, in ms."""

    __slots__ = ("count", "largest", "least", "mean", "squares")

    def __init__(self) -> None:
        self.count, self.least, self.largest, self.mean, self.squares = 0, 0.0, 0.0, 0.0, 0.0

    def add(self, ms: float) -> None:
        """Adds a duration, in Welford's way: mean and sum of squares lose no digits."""
        self.count += 1
        if self.count == 1 or ms < self.least:
            self.least = ms
        if ms > self.largest:
            self.largest = ms
        before = ms - self.mean
        self.mean += before / self.count
        self.squares += before * (ms - self.mean)

    def figures(self) -> Durations:
        if not self.count:
            return Durations(0, 0.0, 0.0, 0.0, 0.0, 0.0)
        deviation = max(self.squares / self.count, 0.0) ** 0.5
        return Durations(self.count, self.mean * self.count, self.least, self.largest, self.mean, deviation)


@dataclass(slots=True)
class _Statement:
    """A statement; `shown` is the text for readers, once somebody has looked, without the secrets of a generation."""

    text: str
    shown: str | None = None
    generation: int = 0
    rows: int = 0
    planning: _Spread = field(default_factory=_Spread)
    executing: _Spread = field(default_factory=_Spread)

    def shown_text(self, generation: int) -> str:
        """Returns the text without secrets of the present generation."""
        if self.shown is None or self.generation != generation:
            self.shown = redacted(public_text(self.text) if self.shown is None else self.shown)
            self.generation = generation
        return self.shown


class Statistics:
    """Keeps at most `most` statements; the least called go first."""

    def __init__(self, clock: Clock, most: int = STATISTICS_MAX) -> None:
        self._clock = clock
        self._most = most
        self._statements: dict[_Key, _Statement] = {}
        self._known: dict[tuple[int, str, str], _Statement] = {}
        self._left_out = 0
        self._since_ms = clock.now_ms()

    def add(self, role: int, database: str, sql: str, planned_ns: int, executed_ns: int, rows: int | None) -> None:
        """Counts a call that has succeeded."""
        statement = self._known.get((role, database, sql))
        if statement is None:
            statement = self._found(role, database, sql)
        statement.planning.add(planned_ns / _NS_PER_MS)
        statement.executing.add(executed_ns / _NS_PER_MS)
        if rows is not None:
            statement.rows += rows

    def _found(self, role: int, database: str, sql: str) -> _Statement:
        digest = hashlib.blake2b(identity(sql).encode(), digest_size=8).digest()
        key = role, database, int.from_bytes(digest, signed=True)
        statement = self._statements.get(key)
        if statement is None:
            if len(self._statements) >= self._most:
                self._leave_out()
            statement = self._statements[key] = _Statement(with_parameters(sql))
        if len(self._known) >= _TEXTS_MAX:
            self._known.clear()
        self._known[role, database, sql] = statement
        return statement

    def _leave_out(self) -> None:
        count = max(len(self._statements) // _SHARE_LEFT, 1)
        least = heapq.nsmallest(count, self._statements, key=lambda key: self._statements[key].executing.count)
        for key in least:
            del self._statements[key]
        self._known.clear()
        self._left_out += len(least)

    def reset(self, role: int, database: str | None, query: int) -> None:
        """Forgets the statements of a role, in a database, with an id; 0 and None stand for all."""
        kept = {
            key: statement
            for key, statement in self._statements.items()
            if (role and key[0] != role) or (database is not None and key[1] != database) or (query and key[2] != query)
        }
        if not kept:
            self._left_out, self._since_ms = 0, self._clock.now_ms()
        self._statements = kept
        self._known.clear()

    def status(self) -> StatisticsStatus:
        """Returns the figures of all statements; no text shows a secret's value."""
        secrets = secrets_generation()
        statements = tuple(
            StatementStatistics(
                role,
                database,
                query,
                statement.shown_text(secrets),
                statement.planning.figures(),
                statement.executing.figures(),
                statement.rows,
            )
            for (role, database, query), statement in self._statements.items()
        )
        since = datetime.datetime.fromtimestamp(self._since_ms / 1000, datetime.UTC)
        return StatisticsStatus(statements, self._left_out, since)
