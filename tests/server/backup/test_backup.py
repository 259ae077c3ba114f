"""BACKUP: what is in a place afterwards, who may make one, and what is told of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import boto3
import psycopg
import pytest

from server.ledgers.server_access import ServerAccess
from storage.persist.files import FileBlob
from tests.server.backup.places import restore, serving
from tests.server.memory_server import MemoryServer, memory_server

Connection = psycopg.Connection[tuple[Any, ...]]
_ACCOUNTS, _MONEY = 50, 5_000


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[Connection]:
    with closing(server.connect()) as connection:
        yield connection
        connection.execute(b"DROP SCHEMA public CASCADE")
        connection.execute(b"CREATE SCHEMA public")


def backup(connection: Connection, place: Path) -> dict[str, Any]:
    """Makes a backup, and returns what it says by the names of its columns."""
    answer = connection.execute(f"BACKUP TO '{place}'".encode())
    assert answer.description is not None and answer.statusmessage == "BACKUP 1"
    return dict(zip((column.name for column in answer.description), answer.fetchall()[0], strict=True))


def _files(place: Path) -> set[str]:
    return {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}


def test_a_backup_under_writes_is_the_system_at_its_timestamp(
    server: MemoryServer, connection: Connection, tmp_path: Path
) -> None:
    connection.execute(b"CREATE TABLE account (id int PRIMARY KEY, money int)")
    connection.execute(b"CREATE TABLE moved (source int, target int)")
    connection.execute(
        f"INSERT INTO account SELECT i, {_MONEY // _ACCOUNTS} FROM generate_series(1, {_ACCOUNTS}) i".encode()
    )
    connection.execute(b"CREATE MATERIALIZED VIEW total AS SELECT sum(money) AS s, count(*) AS n FROM account")
    stop = threading.Event()
    failures: list[BaseException] = []

    def transfer(worker: int) -> None:
        try:
            with closing(server.connect()) as own:
                for at in range(10_000):
                    if stop.is_set():
                        return
                    # Each worker's accounts are its own, so no transfer waits for another.
                    source, target = (1 + worker * 10 + (at * step) % 10 for step in (3, 7))
                    with own.transaction():
                        own.execute(f"UPDATE account SET money = money - 1 WHERE id = {source}".encode())
                        own.execute(f"UPDATE account SET money = money + 1 WHERE id = {target}".encode())
                        own.execute(f"INSERT INTO moved VALUES ({source}, {target})".encode())
        except BaseException as error:  # noqa: BLE001 - shown by the test
            failures.append(error)

    workers = [threading.Thread(target=transfer, args=(worker,)) for worker in range(3)]
    for worker in workers:
        worker.start()
    taken = [backup(connection, tmp_path / "backups") for _ in range(4)]
    stop.set()
    for worker in workers:
        worker.join()
    assert not failures
    wanted = {
        each["backup"]: [
            connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2 AS OF {each['timestamp']}".encode()).fetchall()
            for name in ("account", "moved")
        ]
        for each in taken
    }
    for each in (taken[0], taken[-1]):
        restore(tmp_path / "backups", tmp_path / each["backup"], name=each["backup"])
        with serving(tmp_path / each["backup"]) as restored, closing(restored.connect()) as own:
            found = [
                own.execute(f"SELECT * FROM {name} ORDER BY 1, 2".encode()).fetchall() for name in ("account", "moved")
            ]
            assert found == wanted[each["backup"]]
            assert own.execute(b"SELECT * FROM total").fetchall() == [(_MONEY, _ACCOUNTS)]
            assert own.execute(b"CHECK MATERIALIZED VIEW total").fetchall() == []
            own.execute(b"UPDATE account SET money = money + 5 WHERE id = 1")
            assert own.execute(b"SELECT s FROM total").fetchall() == [(_MONEY + 5,)]


def test_parts_that_are_there_are_not_copied_again(connection: Connection, tmp_path: Path) -> None:
    connection.execute(b"CREATE TABLE t (a int, b text)")
    connection.execute(b"INSERT INTO t SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i")
    first = backup(connection, tmp_path)
    assert first["parts"] == first["parts_copied"] > 0 and first["bytes"] == first["bytes_copied"] > 0
    again = backup(connection, tmp_path)
    assert (again["parts"], again["parts_copied"], again["bytes_copied"]) == (first["parts"], 0, 0)
    connection.execute(b"CREATE TABLE u AS SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i")
    third = backup(connection, tmp_path)
    assert third["parts_copied"] == third["parts"] - first["parts"] > 0
    assert {name for name in _files(tmp_path) if name.startswith("backup/")} == {
        f"backup/{each['backup']}.json" for each in (first, again, third)
    }


def test_what_runs_and_how_it_ended_is_told(
    server: MemoryServer, connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.execute(b"CREATE TABLE t AS SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i")
    begun, go_on = threading.Event(), threading.Event()
    put = FileBlob._put

    def slowly(blob: FileBlob, key: str, data: bytes) -> None:
        begun.set()
        assert go_on.wait(60)
        put(blob, key, data)

    monkeypatch.setattr(FileBlob, "_put", slowly)
    query = b"SELECT status, parts, parts_done, error, ended_at IS NULL FROM mz_internal.mz_backups ORDER BY started_at"
    with closing(server.connect()) as other:
        failure: list[psycopg.Error] = []

        def run() -> None:
            try:
                backup(other, tmp_path / "cancelled")
            except psycopg.Error as error:
                failure.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        assert begun.wait(60)
        assert connection.execute(query).fetchall()[-1] == ("running", 1, 0, None, True)
        # Nobody waits for it.
        connection.execute(b"INSERT INTO t VALUES (0, 'x')")
        other.cancel_safe()
        thread.join(60)
        assert not thread.is_alive() and failure[0].sqlstate == "57014"
    go_on.set()
    assert connection.execute(query).fetchall()[-1] == ("cancelled", 1, 0, None, False)
    assert not any(name.startswith("backup/") for name in _files(tmp_path / "cancelled"))
    backup(connection, tmp_path / "whole")
    assert connection.execute(query).fetchall()[-1][:3] == ("done", 1, 1)


def test_what_cannot_be_written_is_told_and_leaves_no_backup(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.execute(b"CREATE TABLE t AS SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i")

    def full(blob: FileBlob, key: str, data: bytes) -> None:
        if key.startswith("state/"):
            raise OSError(28, "No space left on device")
        put(blob, key, data)

    put = FileBlob._put
    monkeypatch.setattr(FileBlob, "_put", full)
    with pytest.raises(psycopg.errors.DiskFull, match=r"could not write state/.* no space left"):
        backup(connection, tmp_path)
    assert not any(name.startswith("backup/") for name in _files(tmp_path))
    monkeypatch.undo()
    # The next one goes on with what is there.
    assert backup(connection, tmp_path)["parts_copied"] == 0


def test_only_superusers_may_make_a_backup_and_never_in_a_transaction_block(
    server: MemoryServer, connection: Connection, tmp_path: Path
) -> None:
    connection.execute(b"CREATE ROLE someone LOGIN")
    connection.execute(b"GRANT pg_write_server_files TO someone")
    connection.execute(b"SET ROLE someone")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied to make a backup"):
        backup(connection, tmp_path / "b")
    connection.execute(b"RESET ROLE")
    connection.execute(b"BEGIN")
    with pytest.raises(psycopg.errors.ActiveSqlTransaction, match="BACKUP cannot run inside a transaction block"):
        backup(connection, tmp_path / "b")
    connection.execute(b"ROLLBACK")
    with pytest.raises(psycopg.errors.ActiveSqlTransaction):
        connection.execute(f"SELECT 1; BACKUP TO '{tmp_path / 'b'}'".encode())
    connection.execute(b"DROP ROLE someone")
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("statement", "state", "message"),
    [
        ("BACKUP TO 'somewhere'", "42602", "relative path not allowed for BACKUP"),
        ("BACKUP TO ''", "42602", "relative path"),
        ("BACKUP TO 's3://'", "22023", "names no bucket"),
        ("BACKUP TO 'gs://bucket/x'", "22023", "not to"),
        ("BACKUP TO '/proc/none/such'", "58P01", "could not use directory"),
        ("BACKUP TO '/dev/null'", "58", "could not use directory"),
        ("BACKUP", "42601", "syntax error"),
        ("BACKUP TO", "42601", "syntax error"),
        ("BACKUP TO nowhere", "42601", "syntax error"),
        ("BACKUP TO '/x' AND MORE", "42601", "syntax error"),
        ("BACKUP TO '/x' AS OF 5", "42601", "syntax error"),
        ("EXPLAIN BACKUP TO '/x'", "42601", "syntax error"),
    ],
)
def test_what_is_no_place_is_refused(connection: Connection, statement: str, state: str, message: str) -> None:
    with pytest.raises(psycopg.Error, match=message) as refused:
        connection.execute(statement.encode())
    assert (refused.value.sqlstate or "").startswith(state)


def test_directories_are_refused_where_files_are_switched_off(tmp_path: Path) -> None:
    with memory_server(access=ServerAccess(files=False)) as server, closing(server.connect()) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="files of the server are switched off"):
            backup(connection, tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_the_places_own_parts_are_no_place_for_a_backup(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "beside").symlink_to(tmp_path / "data" / "blob")
    with serving(tmp_path / "data") as server, closing(server.connect()) as connection:
        for place in ("data/blob", "data/blob/part", "data", "beside"):
            with pytest.raises(psycopg.errors.InvalidParameterValue, match="the system's own parts"):
                backup(connection, tmp_path / place)
        backup(connection, tmp_path / "data_backups")


def test_the_parts_of_another_data_directory_are_no_place_for_a_backup(connection: Connection, tmp_path: Path) -> None:
    with serving(tmp_path / "other"):
        pass
    (tmp_path / "beside").symlink_to(tmp_path / "other" / "blob")
    for place in ("other/blob", "other/blob/below", "beside"):
        with pytest.raises(psycopg.errors.InvalidParameterValue, match="is a place of another system's parts"):
            backup(connection, tmp_path / place)
    assert not _files(tmp_path / "other" / "blob")
    (tmp_path / "blob").mkdir()
    backup(connection, tmp_path / "blob")


def test_a_bucket_takes_a_backup_and_gives_it_back(
    connection: Connection, tmp_path: Path, amazon: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"ENDPOINT_URL": amazon, "ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b", "DEFAULT_REGION": "us-east-1"}
    for name, value in told.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    connection.execute(b"CREATE TABLE t AS SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i")
    with pytest.raises(psycopg.errors.IoError, match="could not look into the backup's place"):
        connection.execute(b"BACKUP TO 's3://no-such-bucket/x'")
    boto3.client("s3").create_bucket(Bucket="backups")
    for copied in (1, 0):
        row = connection.execute(b"BACKUP TO 's3://backups/of/this'").fetchall()[0]
        assert row[4] == copied
    restore("s3://backups/of/this", tmp_path / "restored")
    with serving(tmp_path / "restored") as server, closing(server.connect()) as own:
        assert own.execute(b"SELECT count(*), sum(i) FROM t").fetchall() == [(40, 820)]


def test_compaction_and_garbage_go_on_beside_a_backup_and_take_no_part_of_it(
    server: MemoryServer, connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.execute(b"CREATE TABLE t (a int, b text)")
    for _ in range(4):
        connection.execute(b"INSERT INTO t SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i")
    compacted = threading.Event()
    put = FileBlob._put

    def once_compacted(blob: FileBlob, key: str, data: bytes) -> None:
        compacted.wait(60)
        put(blob, key, data)

    monkeypatch.setattr(FileBlob, "_put", once_compacted)
    answers: list[dict[str, Any]] = []
    with closing(server.connect()) as other:
        thread = threading.Thread(target=lambda: answers.append(backup(other, tmp_path / "backups")))
        thread.start()
        connection.execute(b"DELETE FROM t")
        connection.execute(b"INSERT INTO t VALUES (1, 'x')")
        connection.execute(b"DROP TABLE t")
        time.sleep(1.5)
        compacted.set()
        thread.join(60)
    restore(tmp_path / "backups", tmp_path / "restored")
    with serving(tmp_path / "restored") as restored, closing(restored.connect()) as own:
        assert own.execute(b"SELECT count(*) FROM t").fetchall() == [(160,)]
    assert answers[0]["parts"] >= 4
