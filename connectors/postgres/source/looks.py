"""Looks at upstream's catalogs while its stream is read: regularly, and whenever a relation is described.

A transaction may be sent a moment before it is visible to others, and only then are its catalogs looked at. The result
of a look holds for every transaction visible by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

import psycopg

from connectors.postgres.probe import Upstream
from connectors.postgres.source.standings import Standings
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError

_LOCK_TIMEOUT = "SET lock_timeout = '2s'"
"""Whoever alters a table holds up who looks at it, for as long as the transaction takes."""
_SEEN, _SEEN_S = 1_000, 0.01
_XIDS = 1 << 32


class Looks:
    """The looks for one source. `connecting` opens a connection for each look; `require_wanted` raises once the reader
    has gone, which ends a waiting look."""

    def __init__(
        self,
        standings: Standings,
        connecting: Callable[[], AbstractContextManager[Upstream]],
        require_wanted: Callable[[], None],
    ) -> None:
        self._standings = standings
        self._connecting = connecting
        self._require_wanted = require_wanted
        self._seen: _Snapshot | None = None
        self._changed: Mapping[str, SqlError] = {}

    def outdate(self) -> None:
        """Forgets the last look, because more transactions have arrived since."""
        self._seen = None

    def error_of(self, name: str, xid: int) -> SqlError | None:
        """Returns why a table can't be followed any more, as seen once this transaction is. Raises Unreachable, or
        psycopg's error, where upstream doesn't tell."""
        if self._seen is None or not self._seen.has(xid):
            self._look_behind(xid)
        return self._changed.get(name)

    def changed(self) -> Mapping[str, SqlError] | None:
        """Returns all tables that can't be followed any more; None while somebody is altering one."""
        try:
            with self._connecting() as upstream:
                upstream.execute(_LOCK_TIMEOUT)
                return self._standings.look(upstream)
        except psycopg.errors.LockNotAvailable:
            return None

    def _look_behind(self, xid: int) -> None:
        with self._connecting() as upstream:
            upstream.execute(_LOCK_TIMEOUT)
            for _ in range(_SEEN):
                seen = _snapshot(upstream)
                if seen.has(xid):
                    break
                self._require_wanted()
                time.sleep(_SEEN_S)
            else:
                raise Unreachable(f"transaction {xid} was sent, and can't be seen yet")
            self._changed = self._standings.look(upstream)
        self._seen = seen


class _Snapshot:
    """The transactions that have ended: those before `end` that are not `open`."""

    def __init__(self, end: int, still: frozenset[int]) -> None:
        self._end = end
        self._open = still

    def has(self, xid: int) -> bool:
        """Returns whether a transaction had ended at the look. Streams tell the lower half of a number."""
        before = (self._end - xid) % _XIDS
        return 0 < before < _XIDS // 2 and self._end - before not in self._open


def _snapshot(upstream: Upstream) -> _Snapshot:
    row = upstream.execute("SELECT pg_current_snapshot()::text").fetchone()
    assert row is not None
    _, end, still = str(row[0]).split(":")
    return _Snapshot(int(end), frozenset(int(each) for each in still.split(",") if each))
