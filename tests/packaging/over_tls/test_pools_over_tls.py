"""PgBouncer between clients and the server: their transactions share two connections, which go over TLS, and each
client keeps what is its own."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.cancelling import cancelled
from tests.judge import binaries
from tests.packaging.over_tls.bouncer import run_bouncer
from tests.packaging.over_tls.served import Place, run_place, run_tool
from tests.polling import await_that
from tests.server.tls.authority import Authority

_SIZE = 2
_CLIENTS, _TRANSACTIONS = 6, 8


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def place(authority: Authority) -> Iterator[Place]:
    with run_place(authority, "pooled", "alone") as place:
        yield place


@pytest.fixture(scope="module")
def bounced(place: Place, authority: Authority) -> Iterator[Place]:
    with run_bouncer(place, authority.file, _SIZE) as bouncer:
        yield bouncer.place


def _rows(connection: psycopg.Connection[Any], sql: str) -> list[Any]:
    return connection.execute(sql.encode()).fetchall()


def test_transactions_of_many_clients_share_few_connections_over_tls(place: Place, bounced: Place) -> None:
    with place.connect("pooled") as connection:
        connection.execute("CREATE TABLE counted (client int PRIMARY KEY, n int NOT NULL)")
        connection.execute(f"INSERT INTO counted SELECT g, 0 FROM generate_series(1, {_CLIENTS}) AS g".encode())

    def work(client: int) -> set[Any]:
        seen = set()
        with bounced.connect("pooled") as connection:
            connection.prepare_threshold = None
            for n in range(_TRANSACTIONS):
                with connection.transaction():
                    connection.execute("SET LOCAL application_name = 'in a pool'")
                    connection.execute("UPDATE counted SET n = n + %s WHERE client = %s", (n, client))
                    asked = "SELECT pid, ssl, current_setting('application_name'), current_user, usesuper"
                    asked += " FROM pg_stat_ssl, pg_user WHERE pid = pg_backend_pid() AND usename = current_user"
                    seen |= set(_rows(connection, asked))
        return seen

    with ThreadPoolExecutor(_CLIENTS) as pool:
        seen = set().union(*pool.map(work, range(1, _CLIENTS + 1)))
    assert 1 <= len({pid for pid, *_ in seen}) <= _SIZE
    assert {tuple(rest) for _, *rest in seen} == {(True, "in a pool", "shop", False)}
    with place.connect("pooled") as connection:
        assert _rows(connection, "SELECT DISTINCT n FROM counted") == [(sum(range(_TRANSACTIONS)),)]


def test_settings_that_the_server_reports_follow_the_client(bounced: Place) -> None:
    """PgBouncer sets them anew where the connection had another client's, by what the server has told it."""
    zones = [f"Etc/GMT+{n}" for n in range(1, 2 * _SIZE + 2)]
    clients = [bounced.connect("pooled") for _ in zones]
    try:
        for zone, client in zip(zones, clients, strict=True):
            client.execute(f"SET TimeZone = '{zone}'".encode())
        for zone, client in zip(zones * 2, clients * 2, strict=True):
            assert _rows(client, "SHOW TimeZone") == [(zone,)]
    finally:
        for client in clients:
            client.close()


def test_a_transaction_that_failed_leaves_the_connection_to_others(bounced: Place) -> None:
    for _ in range(2 * _SIZE):
        with bounced.connect("pooled") as failing, pytest.raises(psycopg.errors.DivisionByZero):
            with failing.transaction():
                failing.execute("SELECT 1 / 0")
        left = bounced.connect("pooled")
        left.execute("BEGIN")
        left.close()
    with bounced.connect("pooled") as client:
        assert _rows(client, "SELECT 42") == [(42,)]


def test_a_statement_is_cancelled_through_the_pool(bounced: Place) -> None:
    with bounced.connect("pooled") as sleeping, cancelled(sleeping), pytest.raises(psycopg.errors.QueryCanceled):
        sleeping.execute("SELECT pg_sleep(200)")


def test_pgbench_through_the_pool(place: Place, bounced: Place, tmp_path: Path) -> None:
    with place.connect("pooled") as connection:
        connection.execute("CREATE TABLE log (at timestamptz, client int)")
    (tmp_path / "log.sql").write_text("BEGIN;\nINSERT INTO log VALUES (now(), :client_id);\nEND;\n")
    words = ["-n", "-c", str(_CLIENTS), "-t", "10", "--max-tries=100", "-f", "log.sql"]
    done = run_tool([binaries() / "pgbench", *words], bounced, "pooled", tmp_path)
    assert done.returncode == 0, done.stderr
    with place.connect("pooled") as connection:
        assert _rows(connection, "SELECT count(*), count(DISTINCT client) FROM log") == [(10 * _CLIENTS, _CLIENTS)]


def test_the_pool_does_not_speak_to_a_server_of_another_authority(place: Place, authority: Authority) -> None:
    other = Authority(authority.file.parent, "other")
    with run_bouncer(place, other.file, _SIZE) as bouncer:
        # It tries again and again, and lets its client wait.
        with pytest.raises(psycopg.OperationalError, match="timeout"):
            bouncer.place.connect("alone", connect_timeout="2")
        await_that(lambda: "certificate verify failed" in bouncer.log.read_text())
