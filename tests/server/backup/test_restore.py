"""`headwater restore`: what comes back, as of which times, into which places; and what is damaged."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from typer.testing import CliRunner

from connectors.sinks.fences import CHECKPOINTS
from model.time.clock import SystemRandomness
from model.time.timestamp import Timestamp
from server.cli import app
from server.secrets.keyring import Keyring, new_key
from server.start.restore_command import RestoreOptions, run_restore
from storage.persist.open import blobs_overlap
from tests.polling import polls
from tests.server.backup.places import restore, serving
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.sinks.test_sinks import rows, until

Connection = psycopg.Connection[tuple[Any, ...]]


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


def backup(connection: Connection, place: Path) -> tuple[str, int]:
    """Makes a backup; returns its name and its timestamp."""
    name, timestamp, *_ = connection.execute(f"BACKUP TO '{place}'".encode()).fetchall()[0]
    return name, int(timestamp)


def _now(connection: Connection) -> int:
    (answer,) = connection.execute(b"SELECT mz_now()::text").fetchall()[0]
    return int(answer)


def _sink_status(connection: Connection) -> tuple[Any, ...]:
    return connection.execute(b"SELECT status, error FROM mz_internal.mz_sink_statuses").fetchall()[0]


def _commanded(*arguments: str) -> tuple[int, str]:
    run = CliRunner().invoke(app, ["restore", *arguments])
    return run.exit_code, run.output


def test_everything_comes_back_as_of_any_time_that_the_backup_retains(connection: Connection, tmp_path: Path) -> None:
    connection.execute(b"CREATE TABLE t (a int PRIMARY KEY, b text)")
    connection.execute(b"INSERT INTO t SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i")
    connection.execute(b"CREATE MATERIALIZED VIEW v AS SELECT count(*) AS n, sum(a) AS s FROM t")
    connection.execute(b"CREATE SEQUENCE numbers")
    times = {}
    for round_ in range(3):
        first = 1_000 * (round_ + 1)
        more = f"SELECT i, repeat(md5(i::text), 100) FROM generate_series({first}, {first + 30}) i"
        connection.execute(f"INSERT INTO t {more}".encode())
        connection.execute(f"DELETE FROM t WHERE a <= {5 * (round_ + 1)}".encode())
        given = connection.execute(b"SELECT nextval('numbers')").fetchall()[0][0]
        found = connection.execute(b"SELECT * FROM v").fetchall()
        times[_now(connection)] = found, given
        # One update more in the same millisecond would be there, too.
        time.sleep(0.01)
    connection.execute(b"CREATE TABLE later (a int)")
    connection.execute(b"INSERT INTO t VALUES (-1, 'later')")
    backup(connection, tmp_path / "backups")
    for at, (found, given) in times.items():
        restore(tmp_path / "backups", tmp_path / str(at), as_of=str(at))
        with serving(tmp_path / str(at)) as restored, closing(restored.connect()) as own:
            assert own.execute(b"SELECT count(*), sum(a) FROM t").fetchall() == found
            assert own.execute(b"SELECT * FROM v").fetchall() == found
            assert own.execute(b"CHECK MATERIALIZED VIEW v").fetchall() == []
            assert own.execute(b"SELECT nextval('numbers')").fetchall()[0][0] > given
            with pytest.raises(psycopg.errors.UndefinedTable):
                own.execute(b"SELECT * FROM later")
            own.execute(b"CREATE TABLE later (b text)")
            own.execute(b"INSERT INTO later VALUES ('other')")
            own.execute(b"INSERT INTO t VALUES (-2, 'y')")
            assert own.execute(b"SELECT n FROM v").fetchall() == [(found[0][0] + 1,)]


def test_what_the_backup_no_longer_tells_is_named(
    connection: Connection, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connection.execute(b"CREATE TABLE gone (a int)")
    connection.execute(b"CREATE TABLE wider (a int)")
    connection.execute(b"INSERT INTO wider VALUES (1)")
    before = _now(connection)
    time.sleep(0.01)
    connection.execute(b"DROP TABLE gone")
    connection.execute(b"ALTER TABLE wider ADD COLUMN b int DEFAULT 5")
    _, timestamp = backup(connection, tmp_path / "backups")
    place = str(tmp_path / "backups")
    assert run_restore(RestoreOptions(place, tmp_path / "restored", as_of=str(before))) == 1
    told = capsys.readouterr().err
    assert '"gone" was dropped, or replaced, since' in told and '"wider" has other columns since' in told
    assert run_restore(RestoreOptions(place, tmp_path / "restored", as_of=str(timestamp + 1))) == 1
    assert f"no backup was taken at {timestamp + 1} or later" in capsys.readouterr().err
    assert run_restore(RestoreOptions(place, tmp_path / "restored", as_of="1")) == 1
    assert "its catalog begins at" in capsys.readouterr().err
    assert run_restore(RestoreOptions(place, tmp_path / "restored", as_of="yesterday")) == 1
    assert "is no time" in capsys.readouterr().err
    restore(place, tmp_path / "restored", as_of=str(timestamp))


def test_of_several_backups_the_newest_is_restored_or_the_first_that_tells_the_time(
    connection: Connection, tmp_path: Path
) -> None:
    connection.execute(b"CREATE TABLE t (a int)")
    backups = []
    for at in range(3):
        connection.execute(f"INSERT INTO t VALUES ({at})".encode())
        backups.append(backup(connection, tmp_path / "backups"))
    connection.execute(b"DROP TABLE t")
    backup(connection, tmp_path / "backups")
    restore(tmp_path / "backups", tmp_path / "newest")
    restore(tmp_path / "backups", tmp_path / "named", name=backups[0][0])
    restore(tmp_path / "backups", tmp_path / "as_of", as_of=str(backups[1][1]))
    code, told = _commanded(str(tmp_path / "backups"), "--list")
    assert code == 0 and all(f"{name}  as of {at} (" in told for name, at in backups) and len(told.splitlines()) == 4
    for place, wanted in {"named": 1, "as_of": 2}.items():
        with serving(tmp_path / place) as restored, closing(restored.connect()) as own:
            assert own.execute(b"SELECT count(*) FROM t").fetchall() == [(wanted,)]
    with serving(tmp_path / "newest") as restored, closing(restored.connect()) as own:
        assert own.execute(b"SELECT count(*) FROM pg_class WHERE relname = 't'").fetchall() == [(0,)]


@pytest.fixture
def place(connection: Connection, tmp_path: Path) -> Path:
    """A place with one backup, of a table in two parts."""
    connection.execute(b"CREATE TABLE t AS SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i")
    connection.execute(b"INSERT INTO t SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i")
    backup(connection, tmp_path / "backups")
    return tmp_path / "backups"


def _whole(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, int, str]:
    """The codes of --verify and of a restore into a new place, and all that both tell."""
    verified = run_restore(RestoreOptions(str(place), tmp_path / "r", verifying=True))
    restored = run_restore(RestoreOptions(str(place), tmp_path / "r"))
    return verified, restored, "".join(capsys.readouterr())


def test_each_damaged_or_missing_file_is_named_and_nothing_is_restored(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, file in enumerate(sorted(path for path in place.rglob("*") if path.is_file())):
        data = file.read_bytes()
        key = file.relative_to(place).as_posix()
        flipped = bytearray(data)
        flipped[len(data) // 2] ^= 1
        for harm in (bytes(flipped), data[:-1], b""):
            file.write_bytes(harm)
            target = tmp_path / f"{number}"
            verified, restored, told = _whole(place, target, capsys)
            assert (verified, restored) == (1, 1) and key in told, told
            assert not (target / "r" / "consensus.sqlite").exists() or not _keys(target / "r")
        file.unlink()
        verified, restored, told = _whole(place, tmp_path / f"{number} gone", capsys)
        named = "there is no backup" if key.startswith("backup/") else key
        assert (verified, restored) == (1, 1) and named in told, told
        file.write_bytes(data)
    assert _whole(place, tmp_path / "sound", capsys)[:2] == (0, 0)


def _keys(data_dir: Path) -> list[str]:
    with closing(sqlite3.connect(data_dir / "consensus.sqlite")) as consensus:
        return [key for (key,) in consensus.execute("SELECT DISTINCT key FROM versions")]


def test_only_an_empty_place_is_restored_into(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    restore(place, tmp_path / "r")
    before = sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "r" / "blob").rglob("*"))
    assert run_restore(RestoreOptions(str(place), tmp_path / "r")) == 1
    assert "consensus is not empty" in capsys.readouterr().err
    assert sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "r" / "blob").rglob("*")) == before
    # What an interrupted restore has left may be there, and nothing else.
    (tmp_path / "r" / "consensus.sqlite").unlink()
    part = next((tmp_path / "r" / "blob" / "part").rglob("*.parquet"))
    part.write_bytes(b"half of it")
    shutil.copy(part, part.with_name(f"1-{part.name}"))
    assert run_restore(RestoreOptions(str(place), tmp_path / "r")) == 1
    assert "the blob is not empty" in capsys.readouterr().err
    part.with_name(f"1-{part.name}").unlink()
    restore(place, tmp_path / "r")
    with serving(tmp_path / "r") as restored, closing(restored.connect()) as own:
        assert own.execute(b"SELECT count(*) FROM t").fetchall() == [(80,)]


def _mode(directory: Path) -> int:
    return stat.S_IMODE(directory.stat().st_mode)


def test_what_is_no_data_directory_is_left_as_it_is(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir(0o755)
    (theirs / "letter.txt").write_text("mine")
    assert run_restore(RestoreOptions(str(place), theirs)) == 1
    told = capsys.readouterr().err
    assert f"{theirs} is neither empty nor a data directory" in told and "It has letter.txt." in told
    assert [path.name for path in theirs.iterdir()] == ["letter.txt"] and _mode(theirs) == 0o755
    (tmp_path / "empty").mkdir(0o750)
    (tmp_path / "empty" / "lost+found").mkdir()
    restore(place, tmp_path / "empty")
    assert _mode(tmp_path / "empty") == 0o750
    restore(place, tmp_path / "new" / "er")
    assert _mode(tmp_path / "new" / "er") == 0o700


def test_backups_and_a_systems_parts_never_share_a_place(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "beside").symlink_to(place)
    before = sorted(tmp_path.rglob("*"))
    for blob in (place, place / "part", place / "below", tmp_path, tmp_path / "beside", f"file://{place}"):
        assert run_restore(RestoreOptions(str(place), tmp_path / "r", blob=str(blob))) == 1
        assert "can't share their place with the restored system's parts" in capsys.readouterr().err
    assert run_restore(RestoreOptions(str(place), place)) == 1
    assert "can't share their place" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before
    # The place of other backups is found out by what it has.
    shutil.copytree(place / "backup", tmp_path / "others" / "backup")
    assert run_restore(RestoreOptions(str(place), tmp_path / "r", blob=str(tmp_path / "others"))) == 1
    assert "the blob is not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ("s3://b/backups", "s3://b/backups/", True),
        ("s3://b/backups", "s3://b/backups/of/this", True),
        ("s3://b", "s3://b/backups", True),
        ("s3://b/", "s3://b", True),
        ("s3://b/backups", "s3://b/backups2", False),
        ("s3://b", "s3://b2", False),
        ("s3://b/x", "/b/x", False),
        ("/", "/srv", True),
        ("/srv/a", "/srv/ab", False),
        ("file:///srv/a%20b", "/srv/a b/c", True),
        ("/srv/../srv/a", "/srv/a", True),
    ],
)
def test_blobs_overlap_where_one_lies_in_the_other(one: str, other: str, overlap: bool) -> None:
    assert blobs_overlap(one, other) is blobs_overlap(other, one) is overlap


def test_the_backup_of_a_copy_is_whole_as_of_the_copys_own_time(connection: Connection, tmp_path: Path) -> None:
    connection.execute(b"CREATE TABLE t (a int, b text)")
    more = b"INSERT INTO t SELECT i, repeat(md5(i::text), 100) FROM generate_series(1, 40) i"
    for _ in range(5):
        connection.execute(more)
    before = _now(connection)
    until(lambda: _now(connection) > before, True)
    for _ in range(5):
        connection.execute(more)
    name, parts = _compacted(connection, tmp_path / "backups")
    assert parts == 1, "it has updates of before and after"
    restore(tmp_path / "backups", tmp_path / "copy", as_of=str(before), name=name)
    with serving(tmp_path / "copy") as copy, closing(copy.connect()) as own:
        backup(own, tmp_path / "of_the_copy")
    restore(tmp_path / "of_the_copy", tmp_path / "again", as_of=str(before))
    with serving(tmp_path / "again") as again, closing(again.connect()) as own:
        assert own.execute(b"SELECT count(*), sum(a) FROM t").fetchall() == [(200, 4100)]


def _compacted(connection: Connection, place: Path) -> tuple[str, int]:
    """Makes backups until one has a single part; returns the last one's name, and how many parts it has."""
    for _ in polls(120.0):
        name, _, parts, *_ = connection.execute(f"BACKUP TO '{place}'".encode()).fetchall()[0]
        if parts == 1:
            break
    return name, int(parts)


def test_temporary_tables_are_in_the_way_of_no_time_and_do_not_come_back(
    connection: Connection, tmp_path: Path
) -> None:
    connection.execute(b"CREATE TABLE t AS SELECT 1 AS a")
    connection.execute(b"CREATE TEMPORARY TABLE mine (id serial PRIMARY KEY)")
    connection.execute(b"INSERT INTO mine VALUES (1)")
    before = _now(connection)
    _, timestamp = backup(connection, tmp_path / "backups")
    until(lambda: _now(connection) > timestamp, True)
    connection.execute(b"DROP TABLE mine")
    name, _ = backup(connection, tmp_path / "backups")
    restore(tmp_path / "backups", tmp_path / "dropped", as_of=str(before), name=name)
    restore(tmp_path / "backups", tmp_path / "there", as_of=str(timestamp))
    restore(tmp_path / "backups", tmp_path / "newest", name=_names(tmp_path / "backups")[0])
    targets = "dropped", "there", "newest"
    shards = [[key for key in _keys(tmp_path / target) if "/u" in key] for target in targets]
    assert len(shards[0]) == 1 and shards[0] == shards[1] == shards[2]
    for target in targets:
        with serving(tmp_path / target) as restored, closing(restored.connect()) as own:
            assert own.execute(b"SELECT a FROM t").fetchall() == [(1,)]
            own.execute(b"CREATE TEMPORARY TABLE mine (a int)")
            assert own.execute(b"SELECT count(*) FROM mine").fetchall() == [(0,)]


def _names(place: Path) -> list[str]:
    return sorted(path.stem for path in (place / "backup").iterdir())


def test_a_damaged_manifest_hides_no_other_backup(
    connection: Connection, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        backup(connection, place)
    first, second, third = _names(place)
    capsys.readouterr()
    damaged = place / "backup" / f"{second}.json"
    damaged.write_bytes(damaged.read_bytes()[:-9])
    for foreign in ("x", "9", "99999999999999-notes", "zz-1"):
        (place / "backup" / f"{foreign}.json").write_text("{}")
    (tmp_path / "x.json").write_text("{}")
    assert run_restore(RestoreOptions(str(place), tmp_path / "r", listing=True)) == 1
    listed = capsys.readouterr()
    assert [line.split()[0] for line in listed.out.splitlines()] == [first, third]
    assert f"backup backup/{second}.json is damaged" in listed.err and len(listed.err.splitlines()) == 1
    for wrong in ("../x", "../../x", "x", "/x", ""):
        assert run_restore(RestoreOptions(str(place), tmp_path / "r", name=wrong)) == 1
        assert f'there is no backup "{wrong}"' in capsys.readouterr().err
    assert run_restore(RestoreOptions(str(place), tmp_path / "r", as_of="9999999999999")) == 1
    assert f"the newest is of {int(third.partition('-')[0])}" in capsys.readouterr().err
    restore(place, tmp_path / "r")


def test_a_backup_of_a_newer_format_is_refused(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = next((place / "backup").iterdir())
    told = json.loads(manifest.read_bytes())
    manifest.write_bytes(json.dumps({"format": told["format"] + 1, "anything": "else"}).encode())
    assert _whole(place, tmp_path, capsys)[:2] == (1, 1)
    assert run_restore(RestoreOptions(str(place), tmp_path / "r")) == 1
    assert "was written by a newer Headwater: its format is 2" in capsys.readouterr().err


def test_a_manifest_names_all_files_of_states_with_lengths_and_checksums(place: Path) -> None:
    sealed = json.loads(next((place / "backup").iterdir()).read_bytes())
    states = sealed["manifest"]["states"]
    assert {each["key"] for each in states} == {
        path.relative_to(place).as_posix() for path in (place / "state").rglob("*") if path.is_file()
    }
    for each in states:
        data = (place / each["key"]).read_bytes()
        assert (len(data), zlib.crc32(data)) == (each["bytes"], each["checksum"])
        assert msgspec.msgpack.decode(data)


def test_where_no_backup_is_nothing_is_restored(tmp_path: Path) -> None:
    code, told = _commanded(str(tmp_path / "nowhere"), "--data-dir", str(tmp_path / "r"))
    assert code == 1 and "there is no directory" in told
    (tmp_path / "empty").mkdir()
    code, told = _commanded(str(tmp_path / "empty"), "--data-dir", str(tmp_path / "r"))
    assert code == 1 and "there is no backup in" in told
    code, told = _commanded(str(tmp_path / "empty"), "--backup", "x", "--data-dir", str(tmp_path / "r"))
    assert code == 1 and 'there is no backup "x"' in told
    code, told = _commanded(str(tmp_path / "empty"), "--consensus", "mysql://x", "--data-dir", str(tmp_path / "r"))
    assert code == 1 and "consensus is" in told
    assert not (tmp_path / "r").exists()


def test_secrets_come_back_with_their_key_alone(tmp_path: Path) -> None:
    keys = [Keyring((new_key(SystemRandomness()),)) for _ in range(2)]
    with memory_server(keyring=keys[0]) as server, closing(server.connect()) as connection:
        connection.execute(b"CREATE SECRET word AS 'open sesame'")
        options = b"HOST 'localhost', DATABASE 'd', USER 'u', PASSWORD SECRET word"
        connection.execute(b"CREATE CONNECTION pg TO POSTGRES (" + options + b") WITH (VALIDATE = false)")
        backup(connection, tmp_path / "backups")
    assert not any(b"sesame" in path.read_bytes() for path in (tmp_path / "backups").rglob("*") if path.is_file())
    restore(tmp_path / "backups", tmp_path / "r")
    for keyring, refused in ((keys[1], "its key is not here"), (keys[0], None)):
        with serving(tmp_path / "r", keyring) as restored, closing(restored.connect()) as own:
            with pytest.raises(psycopg.Error) as told:
                own.execute(b"VALIDATE CONNECTION pg")
            assert ("its key is not here" in str(told.value)) is (refused is not None)


def test_sinks_are_paused_under_another_name_and_write_everything_anew(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text)")
    connection.execute(b"INSERT INTO t VALUES (1, 'a'), (2, 'b')")
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{path}') KEY (id)".encode())
    until(lambda: rows(path, "t"), [(1, "a"), (2, "b")])
    backup(connection, tmp_path / "backups")
    connection.execute(b"INSERT INTO t VALUES (3, 'after the backup')")
    until(lambda: rows(path, "t"), [(1, "a"), (2, "b"), (3, "after the backup")])
    code, told = _commanded(str(tmp_path / "backups"), "--data-dir", str(tmp_path / "r"))
    assert code == 0 and "paused, until ALTER SINK … RESUME writes everything anew: s" in told
    with serving(tmp_path / "r") as restored, closing(restored.connect()) as own:
        status, error = _sink_status(own)
        assert status == "paused" and "it was restored from a backup" in error
        own.execute(b"INSERT INTO t VALUES (4, 'in the copy')")
        assert rows(path, "t")[2:] == [(3, "after the backup")]
        connection.execute(b"INSERT INTO t VALUES (5, 'in the original')")
        until(lambda: rows(path, "t")[3:], [(5, "in the original")])
        connection.execute(b"ALTER SINK s PAUSE")
        own.execute(b"ALTER SINK s RESUME")
        # The destination is the original's, until somebody says that it is not.
        until(lambda: "is written by another sink" in str(_sink_status(own)), True)
        with closing(sqlite3.connect(path)) as there:
            there.execute("DROP TABLE t")
            there.execute(f"DELETE FROM {CHECKPOINTS}")
            there.commit()
        until(lambda: rows(path, "t"), [(1, "a"), (2, "b"), (4, "in the copy")])
        own.execute(b"ALTER SINK s PAUSE")
        until(lambda: _sink_status(own), ("paused", None))


def test_sources_go_on_where_they_were_bound_and_rows_wait_for_their_time(
    connection: Connection, tmp_path: Path
) -> None:
    connection.execute(b"CREATE SOURCE g FROM LOAD GENERATOR COUNTER (TICK INTERVAL '200ms')")
    connection.execute(b"CREATE MATERIALIZED VIEW v AS SELECT count(*) AS n, max(counter) AS m FROM g")
    connection.execute(b"CREATE TABLE t (a int)")
    until(lambda: connection.execute(b"SELECT n > 4 FROM v").fetchall(), [(True,)])
    later = _now(connection) + 3_600_000
    connection.execute(f"INSERT INTO t VALUES (1) AS OF {later}".encode())
    before = _now(connection)
    until(lambda: connection.execute(b"SELECT n > 8 FROM v").fetchall(), [(True,)])
    _, timestamp = backup(connection, tmp_path / "backups")
    asked = "SELECT count(*), max(counter) FROM g AS OF {at}"
    for at in (timestamp, before):
        ((count, most),) = connection.execute(asked.format(at=at).encode()).fetchall()
        assert count == most
        restore(tmp_path / "backups", tmp_path / str(at), as_of=str(at))
        with serving(tmp_path / str(at)) as restored, closing(restored.connect()) as own:
            assert own.execute(asked.format(at=at).encode()).fetchall() == [(count, most)]
            assert own.execute(f"SELECT * FROM v AS OF {at}".encode()).fetchall() == [(count, most)]
            more = f"SELECT n > {count} AND n = m FROM v"
            until(lambda: own.execute(more.encode()).fetchall(), [(True,)])  # noqa: B023 - called at once
            assert own.execute(b"CHECK MATERIALIZED VIEW v").fetchall() == []
            assert own.execute(b"SELECT count(*) FROM t").fetchall() == [(0,)]
            scheduled = restored.environment.scheduled
            assert scheduled.due_before(Timestamp(later + 1)) and not scheduled.due_before(Timestamp(later))
    connection.execute(b"DROP SOURCE g CASCADE")
