"""That a table stops is told until it is bound: without rows, the frontier stays where it was."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from connectors.gauge import Partition, UpstreamFrontier
from connectors.postgres.source.reader import PARTITION, PostgresReader
from connectors.postgres.source.units import Unit
from connectors.sources.description import PostgresTables
from connectors.sources.read_ahead import Left
from connectors.upstream import FetchedRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.publications import UpstreamSystem
from model.time.clock import SystemClock

_PLACE = PostgresTables((), (), "p", "headwater_t", UpstreamSystem("1", 1), ())
_BOUND: UpstreamFrontier = {PARTITION: 5}


def test_a_stop_that_was_taken_and_not_bound_is_told_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped, arrived = SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, "altered"), threading.Semaphore(0)

    def follow(self: PostgresReader, frontier: dict[Partition, int]) -> None:
        """The catalogs say that a table was altered, and nothing comes behind."""
        self.give(Unit(frontier[PARTITION], {}, 0, stopped={"public.t": stopped}))
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._wanted is not None)
        raise Left

    monkeypatch.setattr(PostgresReader, "_follow", follow)
    reader = PostgresReader(_PLACE, {}, SystemClock(), arrived.release, tmp_path)

    def taken() -> FetchedRange | None:
        return reader.take(100, 1 << 20)

    try:
        reader.begin(_BOUND)
        for _ in range(3):
            assert arrived.acquire(timeout=30)
            fetched = taken()
            assert fetched is not None and dict(fetched.stopped) == {"public.t": stopped}
            assert fetched.frontier == _BOUND and taken() is None
            reader.begin(_BOUND)  # it could not be bound
        assert arrived.acquire(timeout=30)
        assert taken() is not None
        reader.acknowledge(_BOUND)
        reader.begin(_BOUND)
        assert not arrived.acquire(blocking=False) and taken() is None
    finally:
        reader.close()
