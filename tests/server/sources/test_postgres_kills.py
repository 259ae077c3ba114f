"""kill -9 of server and replica while a PostgreSQL server is written and read: no transaction is torn, none is lost or
doubled; tables are added and refreshed meanwhile.

pgbench's transfers change three balances and write a line of history each: whenever they are read, the sums of all four
are one. They go on while the first copy is made, and through the kills, forty a second; in the end every table is
upstream's.

`--kill-rounds N` kills N / 2 times, among a hundred a second.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.connectors.sources.postgres.upstream import UpstreamDatabase, upstream_database
from tests.judge import Judge
from tests.server.sources.test_kafka_sources import until
from tests.server_process import ServerProcess, start_server

_RETAINED = "RETAIN HISTORY = FOR '2 h'"
_ACCOUNTS = 2_000
_TABLES = {"accounts": "abalance", "branches": "bbalance", "tellers": "tbalance", "history": "delta"}
_SUMS = " UNION ALL ".join(
    f"SELECT '{name}', sum({column}), count(*) FROM pgbench_{name}" for name, column in _TABLES.items()
)
Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture
def bank(judge: Judge) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, "pgbench") as database:
        arguments = ["-h", judge.host, "-p", str(judge.port), "-U", "headwater"]
        subprocess.run(
            [judge.binaries / "pgbench", *arguments, "-i", "-q", database.name], check=True, capture_output=True
        )
        database.run(f"DELETE FROM pgbench_accounts WHERE aid > {_ACCOUNTS}")
        for name in _TABLES:
            database.run(f"ALTER TABLE pgbench_{name} REPLICA IDENTITY FULL")
        database.run("CREATE PUBLICATION p FOR ALL TABLES")
        yield database


def _sample(connection: Connection, samples: dict[int, list[tuple[Any, ...]]]) -> None:
    with connection.transaction():
        seen = sorted(connection.execute(_SUMS.encode()).fetchall())
        ((now,),) = connection.execute("SELECT mz_now()::text::int8").fetchall()
    assert len({total or 0 for _, total, _ in seen}) == 1, f"a transaction was torn: {seen}"
    assert next(count for name, _, count in seen if name == "accounts") in (0, _ACCOUNTS), "the copy was torn"
    samples[now] = seen


def _check_added(connection: Connection, added: list[str]) -> None:
    """A table that was added has nothing yet, or all that the source's own has at that time."""
    for name in added:
        sql = f"SELECT sum(abalance), count(*) FROM {name}"
        with connection.transaction():
            ((total, count),) = connection.execute(sql.encode()).fetchall()
            ((known,),) = connection.execute(b"SELECT sum(abalance) FROM pgbench_accounts").fetchall()
        assert count == 0 or (total, count) == (known, _ACCOUNTS), f"{name} is torn: {total} of {count}, not {known}"


def _await_equal(connection: Connection, bank: UpstreamDatabase, sql: str) -> None:
    """A table that was refreshed has its new columns once it has joined."""
    wanted = sorted(map(str, bank.rows(sql)))
    until(connection, sql, lambda found: sorted(map(str, found)) == wanted)


def _kill(server: ServerProcess, data_dir: Path, which: str) -> None:
    if which != "server":
        os.kill(int(json.loads((data_dir / "replica.json").read_text())["pid"]), signal.SIGKILL)
    if which != "replica":
        server.kill()


def _kept(data_dir: Path) -> frozenset[str]:
    """The tables whose copies are whole."""
    for manifest in (data_dir / "copies").glob("*/manifest.json"):
        return frozenset(json.loads(manifest.read_text())["tables"])
    return frozenset()


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_tables_that_were_copied_are_not_copied_again(judge: Judge, tmp_path: Path, whole: bool) -> None:
    """Upstream counts the rows that it has read for it."""
    tables, rows = 8, 30_000
    with upstream_database(judge, "copied") as upstream:
        for number in range(tables):
            upstream.run(
                f"CREATE TABLE t{number} (id int, filler text) WITH (autovacuum_enabled = off)",
                f"ALTER TABLE t{number} REPLICA IDENTITY FULL",
                f"INSERT INTO t{number} SELECT i, repeat('x', 200) FROM generate_series(1, {rows}) i",
            )
        upstream.run("CREATE PUBLICATION p FOR ALL TABLES")
        server = start_server(tmp_path)
        try:
            with server.connect() as connection:
                place = f"HOST '{judge.host}', PORT {judge.port}, DATABASE {upstream.name}, USER headwater"
                connection.execute(f"CREATE CONNECTION c TO POSTGRES ({place})".encode())
                connection.execute(b"CREATE SOURCE s FROM POSTGRES CONNECTION c (PUBLICATION 'p') FOR ALL TABLES")
            for wanted in (1, 3) if whole else (2,):
                while len(_kept(tmp_path)) < wanted:
                    time.sleep(0.001)
                _kill(server, tmp_path, "both")
                kept = _kept(tmp_path)
                # By their places: no more rows are read for it.
                upstream.run(
                    "UPDATE t0 SET filler = filler || 'x' WHERE ctid = '(0,1)'", "INSERT INTO t1 VALUES (0, '')"
                )
                server = start_server(tmp_path)
            with server.connect() as connection:
                until(connection, "SELECT count(*) FROM t0", lambda found: found == [(rows,)])
                read = dict(upstream.rows(f"SELECT relname, seq_tup_read / {rows}.0 FROM pg_stat_user_tables"))
                for number in range(tables):
                    _await_equal(
                        connection, upstream, f"SELECT id, length(filler), count(*) FROM t{number} GROUP BY 1, 2"
                    )
            assert kept and len(kept) < tables, kept
            assert sum(read.values()) < tables + 4, f"all was copied again: {read}"
            assert not list((tmp_path / "copies").glob("*/*.arrow")), "what is bound is still there"
        finally:
            server.stop()


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.time_by("--kill-rounds", 120)
def test_no_transfer_is_torn_lost_or_doubled_whatever_is_killed(
    request: pytest.FixtureRequest, bank: UpstreamDatabase, tmp_path: Path
) -> None:
    rounds = max(1, int(request.config.getoption("--kill-rounds")) // 2)
    rate = "100" if rounds > 1 else "40"
    source = random.Random(7)
    samples: dict[int, list[tuple[Any, ...]]] = {}
    judge = bank.judge
    arguments = ["-h", judge.host, "-p", str(judge.port), "-U", "headwater", "-n", "-c", "4", "-R", rate, "-T", "3600"]
    server = start_server(tmp_path)
    script = tmp_path / "transfers.sql"
    script.write_text(_TRANSFER)
    load = subprocess.Popen(
        [judge.binaries / "pgbench", *arguments, "-f", script, bank.name], stderr=subprocess.DEVNULL
    )
    try:
        with server.connect() as connection:
            place = f"HOST '{judge.host}', PORT {judge.port}, DATABASE {bank.name}, USER headwater"
            connection.execute(f"CREATE CONNECTION c TO POSTGRES ({place})".encode())
            clauses = f"(PUBLICATION 'p') FOR ALL TABLES WITH ({_RETAINED})"
            connection.execute(f"CREATE SOURCE s FROM POSTGRES CONNECTION c {clauses}".encode())
            _sample(connection, samples)
        added: list[str] = []
        for number in range(rounds):
            with server.connect() as connection:
                if number % 2:
                    bank.run(f"ALTER TABLE pgbench_accounts ADD COLUMN more_{number} int DEFAULT {number}")
                    connection.execute(b"ALTER SOURCE s REFRESH")
                added.append(f"added_{number}")
                connection.execute(f"ALTER SOURCE s ADD SUBSOURCE pgbench_accounts AS {added[-1]}".encode())
                time.sleep(source.random())
                _check_added(connection, added)
            which = source.choice(["server", "replica", "both"]) if number else "both"
            _kill(server, tmp_path, which)
            if which != "replica":
                server = start_server(tmp_path)
            with server.connect() as connection:
                until(connection, "SELECT count(*) FROM pgbench_history", lambda found: found[0][0] > 0)
                _sample(connection, samples)
        load.terminate()
        load.wait()
        with server.connect() as connection:
            end = bank.wal_end()
            until(connection, "SELECT lsn FROM s_progress", lambda found: bool(found) and found[0][0] >= end)
            for name in _TABLES:
                _await_equal(connection, bank, f"SELECT * FROM pgbench_{name}")
            for name in added:
                until(connection, f"SELECT count(*) FROM {name}", lambda found: found == [(_ACCOUNTS,)])
            _check_added(connection, added)
            for time_, seen in samples.items():
                assert sorted(connection.execute(f"{_SUMS} AS OF {time_}".encode())) == seen, f"{time_} has changed"
    finally:
        load.kill()
        load.wait()
        server.stop()


_TRANSFER = f"""
\\set aid random(1, {_ACCOUNTS})
\\set tid random(1, 10)
\\set delta random(-5000, 5000)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = 1;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, 1, :aid, :delta, CURRENT_TIMESTAMP);
END;
"""
