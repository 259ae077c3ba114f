"""A look waits until a transaction that was sent can be seen, and ends with the reader that wanted it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import cast

import pytest

from connectors.postgres.probe import Upstream
from connectors.postgres.source import looks
from connectors.postgres.source.looks import Looks
from connectors.postgres.source.standings import Standings
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_STOPPED = SqlError(Sqlstate.DATA_CORRUPTED, "t was altered")


class _Left(Exception):
    pass


class _Upstream:
    """Tells one snapshot after the other, the last one again and again."""

    def __init__(self, snapshots: list[str]) -> None:
        self._snapshots = snapshots
        self.asked = self.looked = 0
        self.connections = 0

    def execute(self, query: str) -> _Upstream:
        if query.startswith("SELECT pg_current_snapshot"):
            self.asked += 1
        return self

    def fetchone(self) -> tuple[str]:
        return (self._snapshots[min(self.asked, len(self._snapshots)) - 1],)

    def look(self, upstream: object) -> Mapping[str, SqlError]:
        self.looked += 1
        return {"t": _STOPPED}

    @contextmanager
    def connected(self) -> Iterator[Upstream]:
        self.connections += 1
        try:
            yield cast(Upstream, self)
        finally:
            self.connections -= 1


def _looks(upstream: _Upstream, left_after: int = 1 << 30) -> Looks:
    def require_wanted() -> None:
        if upstream.asked >= left_after:
            raise _Left

    return Looks(cast(Standings, upstream), upstream.connected, require_wanted)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "_SEEN_S", 0.0)


def test_a_look_ends_with_its_reader() -> None:
    upstream = _Upstream(["3:9:7"])
    with pytest.raises(_Left):
        _looks(upstream, left_after=4).error_of("t", 7)
    assert (upstream.asked, upstream.looked, upstream.connections) == (4, 0, 0)


def test_catalogs_are_looked_at_once_the_transaction_is_seen() -> None:
    """7 has not ended in the first two snapshots. What was seen then holds for others that had ended."""
    upstream = _Upstream(["3:7:", "3:9:7,8", "8:9:8"])
    found = _looks(upstream)
    assert found.error_of("t", 7) is _STOPPED and found.error_of("u", 7) is None
    assert found.error_of("t", 6) is _STOPPED
    assert (upstream.asked, upstream.looked, upstream.connections) == (3, 1, 0)
    found.outdate()
    assert found.error_of("t", 6) is _STOPPED
    assert upstream.looked == 2


def test_a_transaction_that_is_never_seen_is_told_of() -> None:
    upstream = _Upstream(["3:9:7"])
    with pytest.raises(Unreachable, match="transaction 7 was sent, and can't be seen yet"):
        _looks(upstream).error_of("t", 7)
    assert upstream.looked == 0 and upstream.connections == 0


def test_numbers_of_transactions_begin_anew() -> None:
    upstream = _Upstream([f"{(1 << 32) - 5}:{(1 << 32) + 3}:"])
    found = _looks(upstream)
    assert found.error_of("t", (1 << 32) - 1) is _STOPPED and found.error_of("t", 2) is _STOPPED
    assert upstream.asked == 1
