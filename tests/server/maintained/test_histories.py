"""Histories: what relations of the present have told, each minute of the past hour, bounded."""

from __future__ import annotations

import datetime
import os
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from catalog.declared.snapshot import ReplicaFigures, Sample
from compute.controller.replica_status import ObservedReplica
from server.environment.environment import Environment
from server.environment.sampling import EVERY_MS, Sampling
from server.ledgers import samples as ledger
from server.ledgers.samples import Samples
from tests.polling import await_that
from tests.server.memory_server import MemoryServer, memory_server

_BEGAN = datetime.datetime(2026, 11, 28, tzinfo=datetime.UTC)
_PATIENCE_S = 120.0


def _sample(minute: int, rows: int = 1) -> Sample:
    return Sample(_BEGAN + datetime.timedelta(minutes=minute), (("u1", minute),) * rows)


def test_an_hour_is_kept() -> None:
    kept = Samples()
    for minute in range(100):
        kept.add(_sample(minute))
    assert [sample.lags_ms[0][1] for sample in kept.recent()] == list(range(40, 100))


def test_a_clock_that_is_set_back_leaves_no_future() -> None:
    kept = Samples()
    for minute in (10, 11, 5, 6):
        kept.add(_sample(minute))
    assert [sample.lags_ms[0][1] for sample in kept.recent()] == [5, 6]


def test_rows_are_bounded_and_the_newest_sample_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "ROWS_MAX", 10)
    kept = Samples()
    for minute in range(5):
        kept.add(_sample(minute, rows=4))
    assert [sample.lags_ms[0][1] for sample in kept.recent()] == [3, 4]
    kept.add(_sample(5, rows=100))
    assert [sample.lags_ms[0][1] for sample in kept.recent()] == [5]


def _await_figures(server: MemoryServer) -> None:
    """Returns once the source has received something, and the sink has written something."""
    with server.connect() as session:
        asked = "SELECT count(*) FROM mz_internal.mz_{}_statistics"
        await_that(lambda: all(session.execute(asked.format(kind)).fetchone() != (0,) for kind in ("source", "sink")))


def test_the_past_is_told_as_the_present_was(tmp_path: object) -> None:
    with memory_server() as server, server.connect() as session:
        session.execute("CREATE SOURCE ticking FROM LOAD GENERATOR COUNTER (TICK INTERVAL '100 ms')")
        session.execute("CREATE TABLE sunk (a int)")
        session.execute("INSERT INTO sunk VALUES (1)")
        session.execute(f"CREATE SINK down FROM sunk INTO SQLITE (PATH '{tmp_path}/out.db') KEY (a)")
        _await_figures(server)
        server.run(Sampling(server.environment).take())
        lags = session.execute("""
            SELECT o.name, bool_and(h.lag >= '0' AND h.lag < '10 min' AND h.occurred_at <= now())
            FROM mz_internal.mz_wallclock_global_lag_history h JOIN mz_catalog.mz_objects o ON o.id = h.object_id
            WHERE o.name IN ('sunk', 'ticking') GROUP BY o.name ORDER BY o.name""").fetchall()
        assert lags == [("sunk", True), ("ticking", True)]
        (both,) = session.execute("""
            SELECT count(*) FROM mz_internal.mz_wallclock_global_lag_history
            FULL JOIN mz_internal.mz_wallclock_global_lag_recent_history USING (object_id, occurred_at)
            WHERE (SELECT count(*) FROM mz_internal.mz_wallclock_global_lag_history) > 2""").fetchone() or (0,)
        assert both > 2
        for kind, count in (("source", "messages_received"), ("sink", "transactions")):
            grown = session.execute(f"""
                SELECT h.{count} > 0 AND h.{count} <= n.{count} FROM mz_internal.mz_{kind}_statistics_history h
                JOIN mz_internal.mz_{kind}_statistics n USING (id) ORDER BY h.occurred_at DESC LIMIT 1""").fetchone()
            assert grown == (True,), kind
        session.execute("DROP SINK down")
        kept = session.execute("SELECT count(*) FROM mz_internal.mz_sink_statistics_history").fetchone()
        assert kept is not None and kept[0] >= 1, "the past of what is dropped stays for its hour"


class _OwnProcess:
    """Compute whose replica is said to be this process."""

    def __init__(self, told: ObservedReplica) -> None:
        self._told = told

    def statuses(self) -> tuple[ObservedReplica, ...]:
        return (replace(self._told, pid=os.getpid()),)


def test_replicas_tell_memory_and_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    with memory_server() as server, server.connect() as session:
        environment = server.environment
        assert session.execute("SELECT * FROM mz_internal.mz_cluster_replica_metrics").fetchall() == []
        (own,) = environment.compute.statuses()
        monkeypatch.setattr(environment.compute, "statuses", _OwnProcess(own).statuses)
        sampling = Sampling(environment)
        for _ in range(2):
            server.run(sampling.take())
            sum(range(1_000_000))
        first, second = (sample.replicas[0] for sample in environment.observed.samples.recent()[-2:])
        assert isinstance(first, ReplicaFigures) and first.cpu_nano_cores is None and first.memory_bytes > 1 << 20
        assert second.cpu_nano_cores is not None and second.cpu_nano_cores > 0
        told = session.execute("""
            SELECT m.process_id::int, m.cpu_nano_cores::int8, m.memory_bytes::int8
            FROM mz_internal.mz_cluster_replica_metrics m JOIN mz_catalog.mz_cluster_replicas r ON r.id = m.replica_id
            """).fetchall()
        assert told == [(0, second.cpu_nano_cores, second.memory_bytes)]
        history = session.execute("""
            SELECT cpu_nano_cores IS NULL FROM mz_internal.mz_cluster_replica_metrics_history ORDER BY occurred_at
            """).fetchall()
        assert history == [(True,), (False,)]


async def test_a_sample_is_taken_each_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    moments: list[int] = []
    taken: list[int] = []
    clock = SimpleNamespace(now_ms=lambda: moments[-1])
    sampling = Sampling(cast("Environment", SimpleNamespace(clock=clock)))

    async def take() -> None:
        taken.append(moments[-1])

    monkeypatch.setattr(sampling, "take", take)
    for moment in (1_000_000, 1_000_001, 1_000_000 + EVERY_MS - 1, 1_000_000 + EVERY_MS, 5_000, 5_001):
        moments.append(moment)
        await sampling.look()
    assert taken == [1_000_000, 1_000_000 + EVERY_MS, 5_000]
