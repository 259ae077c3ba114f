"""Sinks of several ranges of keys over SQL: what is written, what is told of it, and where keys can't be divided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg
import pymysql
import pytest

from compute.replica.sinks.key_ranges import ranges_of
from connectors.aws.clients import aws_client
from connectors.sinks.fences import CHECKPOINTS
from tests.compute.sinks.ranged_store import key_hash
from tests.data_servers import MariaDb, RedisServer
from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.sinks.test_sinks import Connection, status, until

_PARTS = "key_end - key_begin < 4294967295"
_NOTICE = "ranges of keys are committed one by one"


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


@pytest.fixture
def connection(
    server: MemoryServer, judge: Judge, redis_server: RedisServer, mariadb: MariaDb, amazon: str
) -> Iterator[Connection]:
    """With a table of 1,000 rows, and connections."""
    redis_server.ask("FLUSHALL")
    with server.connect() as connection:
        place = f"HOST '{judge.host}', PORT {judge.port}, DATABASE 'headwater', USER 'headwater'"
        connection.execute(f"CREATE CONNECTION pg TO POSTGRES ({place})".encode())
        place = f"HOST '{redis_server.host}', PORT {redis_server.port}"
        connection.execute(f"CREATE CONNECTION r TO REDIS ({place})".encode())
        place = f"HOST '{mariadb.host}', PORT {mariadb.port}, DATABASE 'headwater', USER 'root'"
        connection.execute(f"CREATE CONNECTION m TO MYSQL ({place})".encode())
        mariadb.query(f"DROP TABLE IF EXISTS t, {CHECKPOINTS}")
        connection.execute(b"CREATE SECRET word AS 's'")
        place = f"ENDPOINT '{amazon}', REGION 'eu-west-1', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET word"
        connection.execute(f"CREATE CONNECTION aws TO AWS ({place})".encode())
        connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text)")
        connection.execute(b"INSERT INTO t SELECT g, 'a' FROM generate_series(1, 1000) g")
        yield connection
        for name in ("pg", "r", "m", "aws"):
            connection.execute(f"DROP CONNECTION {name} CASCADE".encode())
        connection.execute(b"DROP SECRET word")
        connection.execute(b"DROP TABLE t CASCADE")


@pytest.fixture
def there(judge: Judge) -> Iterator[Connection]:
    judge.empty()
    with judge.connect() as there:
        yield there


def _held(there: Connection) -> list[tuple[Any, ...]]:
    if there.execute(b"SELECT to_regclass('t')").fetchone() == (None,):
        return []
    return there.execute(b"SELECT id, v FROM t ORDER BY id").fetchall()


def _ranges(there: Connection) -> int:
    """How many there are besides the one of all keys."""
    ((count,),) = there.execute(f"SELECT count(*) FROM {CHECKPOINTS} WHERE {_PARTS}".encode()).fetchall()
    return int(count)


def test_keys_are_divided_and_joined_while_rows_change(connection: Connection, there: Connection) -> None:
    notices: list[str] = []
    connection.add_notice_handler(lambda told: notices.append(str(told.message_primary)))
    connection.execute(b"CREATE SINK s FROM t INTO POSTGRES CONNECTION pg KEY (id) WITH (PARALLELISM 4)")
    assert notices == [_NOTICE]
    wanted = dict.fromkeys(range(1, 1001), "a")
    for at, count in enumerate((4, 2, 1, 3)):
        connection.execute(f"ALTER SINK s SET (PARALLELISM {count})".encode())
        connection.execute(f"UPDATE t SET v = v || {at} WHERE id % 3 = {at % 3}".encode())
        connection.execute(f"DELETE FROM t WHERE id = {at + 1}".encode())
        wanted = {id_: f"{v}{at}" if id_ % 3 == at % 3 else v for id_, v in wanted.items() if id_ != at + 1}
        until(lambda: dict(_held(there)), wanted)
        until(lambda: _ranges(there), 0 if count == 1 else count)
    assert notices == [_NOTICE] * 4
    ((sql,),) = connection.execute(b"SELECT create_sql FROM mz_sinks").fetchall()
    assert sql.endswith("MAX SIZE = 500000, PARALLELISM = 3);")
    plan = [line for (line,) in connection.execute(b"EXPLAIN SINK s").fetchall()]
    assert "  In 3 ranges of keys, which close at the same times" in plan
    frontier, now = map(int, connection.execute(b"SELECT frontier, mz_now() FROM s_progress").fetchall()[0])
    assert frontier > now
    ((least,),) = there.execute(f"SELECT min(frontier) FROM {CHECKPOINTS} WHERE {_PARTS}".encode()).fetchall()
    assert least >= frontier


def test_a_range_that_can_not_commit_holds_up_the_progress(connection: Connection, there: Connection) -> None:
    """Ranges come apart, the frontier is the least one's; nothing is lost or doubled once it heals."""
    connection.execute(b"CREATE SINK s FROM t INTO POSTGRES CONNECTION pg KEY (id) WITH (PARALLELISM 2)")
    until(lambda: len(_held(there)), 1000)
    connection.execute(b"INSERT INTO t VALUES (2001, 'b')")
    until(lambda: (_ranges(there), len(_held(there))), (2, 1001))
    there.execute(
        b"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
        b" $$BEGIN IF NEW.key_begin > 0 AND EXISTS (SELECT FROM t WHERE id >= 3000) THEN RAISE 'not now'; END IF;"
        b" RETURN NEW; END$$"
    )
    there.execute(
        b"CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON headwater_checkpoints DEFERRABLE INITIALLY DEFERRED"
        b" FOR EACH ROW WHEN (OLD.frontier <> NEW.frontier) EXECUTE FUNCTION refuse()"
    )
    connection.execute(b"INSERT INTO t SELECT g, 'c' FROM generate_series(3000, 3099) g")
    until(lambda: status(connection, "s")[0], "stalled")
    until(lambda: 1001 < len(_held(there)) < 1101, True)
    connection.execute(b"UPDATE t SET v = 'd' WHERE id > 2500")
    connection.execute(b"DELETE FROM t WHERE id > 3050")
    query = f"SELECT frontier FROM {CHECKPOINTS} ORDER BY key_begin"
    frontiers = [at for (at,) in there.execute(query.encode()).fetchall()]
    assert frontiers[-1] < max(frontiers)
    query = "SELECT frontier FROM mz_internal.mz_sink_statistics"
    until(lambda: [int(at) for (at,) in connection.execute(query.encode()).fetchall()], frontiers[-1:])
    there.execute(b"DROP TRIGGER refuse ON headwater_checkpoints")
    there.execute(b"DROP FUNCTION refuse")
    until(lambda: _held(there), connection.execute(b"SELECT id, v FROM t ORDER BY id").fetchall())
    until(lambda: status(connection, "s"), ("running", None))


def test_redis_is_written_in_ranges(connection: Connection, redis_server: RedisServer) -> None:
    connection.execute(b"CREATE SINK s FROM t INTO REDIS CONNECTION r KEY (id) WITH (PARALLELISM 3)")
    until(lambda: len(redis_server.hashes("t:*", 0)), 1000)
    for at in range(3):
        connection.execute(f"UPDATE t SET v = 'b{at}' WHERE id % 2 = 0".encode())
        connection.execute(f"DELETE FROM t WHERE id = {at + 1}".encode())
        found = connection.execute(b"SELECT id, v FROM t").fetchall()
        wanted = {f"t:{id_}".encode(): {b"id": str(id_).encode(), b"v": v.encode()} for id_, v in found}
        until(lambda: redis_server.hashes("t:*", 0), wanted)
    until(lambda: len(redis_server.ask("HKEYS", "headwater_checkpoints")), 4)


def _changed_while_divided(
    connection: Connection, read: Callable[[], dict[Any, Any]], counts: Sequence[int] = (4, 2, 1, 3)
) -> None:
    """Rows change, and some go and some come, while keys are divided otherwise; all of them are there each time."""
    for at, count in enumerate(counts):
        connection.execute(f"ALTER SINK s SET (PARALLELISM {count})".encode())
        connection.execute(f"UPDATE t SET v = v || {at} WHERE id % 3 = {at % 3}".encode())
        connection.execute(f"DELETE FROM t WHERE id % 100 = {at + 1}".encode())
        new = f"generate_series({2000 + at * 500}, {2150 + at * 500})"
        connection.execute(f"INSERT INTO t SELECT g, 'new' FROM {new} g".encode())
        until(read, dict(connection.execute(b"SELECT id, v FROM t").fetchall()))
        connection.execute(f"INSERT INTO t VALUES ({9000 + at}, 'x')".encode())
        until(read, dict(connection.execute(b"SELECT id, v FROM t").fetchall()))


def test_mysql_is_written_in_ranges(connection: Connection, mariadb: MariaDb) -> None:
    connection.execute(b"CREATE SINK s FROM t INTO MYSQL CONNECTION m KEY (id) WITH (PARALLELISM 3)")

    def read() -> dict[Any, Any]:
        with suppress(pymysql.err.ProgrammingError):
            rows: list[tuple[Any, ...]] = [*mariadb.query("SELECT id, v FROM t")]
            return dict(rows)
        return {}

    until(lambda: len(read()), 1000)
    _changed_while_divided(connection, read)
    query = f"SELECT count(*) FROM {CHECKPOINTS} WHERE target = 'headwater.t' AND {_PARTS}"
    until(lambda: mariadb.query(query), [(3,)])
    assert status(connection, "s") == ("running", None)


@pytest.mark.slow
def test_dynamodb_is_written_in_ranges(connection: Connection, amazon: str) -> None:
    connection.execute(b"DELETE FROM t WHERE id > 150")
    into = "DYNAMODB CONNECTION aws (TABLE ranged)"
    connection.execute(f"CREATE SINK s FROM t INTO {into} KEY (id) WITH (PARALLELISM 3)".encode())
    settings = {"endpoint": amazon, "region": "eu-west-1", "key_id": "k", "key": "s"}
    with closing(aws_client("dynamodb", settings)) as client:

        def items(table: str) -> list[dict[str, Any]]:
            with suppress(client.exceptions.ResourceNotFoundException):
                pages = client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
                return [item for page in pages for item in page["Items"]]
            return []

        def read() -> dict[Any, Any]:
            return {int(item["id"]["N"]): item["v"]["S"] for item in items("ranged")}

        until(lambda: len(read()), 150)
        _changed_while_divided(connection, read, (2, 3))
        until(lambda: len([row for row in items(CHECKPOINTS) if row["target"]["S"] == "ranged"]), 4)


@pytest.mark.parametrize(
    "made",
    ["id int PRIMARY KEY, v longtext, UNIQUE (v(9))", "at int AUTO_INCREMENT PRIMARY KEY, id int UNIQUE, v longtext"],
)
def test_what_else_is_unique_in_mysql_is_refused(connection: Connection, mariadb: MariaDb, made: str) -> None:
    mariadb.query(f"CREATE TABLE t ({made}) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin")
    connection.execute(b"UPDATE t SET v = id")
    with pytest.raises(psycopg.errors.DatatypeMismatch, match="something besides its primary key is unique"):
        connection.execute(b"CREATE SINK s FROM t INTO MYSQL CONNECTION m KEY (id) WITH (PARALLELISM 2)")
    connection.execute(b"CREATE SINK s FROM t INTO MYSQL CONNECTION m KEY (id)")
    until(lambda: mariadb.query("SELECT count(*) FROM t"), [(1000,)])
    until(lambda: status(connection, "s"), ("running", None))


def test_what_else_is_unique_there_is_refused(connection: Connection, there: Connection) -> None:
    there.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text UNIQUE)")
    connection.execute(b"UPDATE t SET v = id")
    with pytest.raises(psycopg.errors.DatatypeMismatch, match="something besides the key is unique there"):
        connection.execute(b"CREATE SINK s FROM t INTO POSTGRES CONNECTION pg KEY (id) WITH (PARALLELISM 2)")
    connection.execute(b"CREATE SINK s FROM t INTO POSTGRES CONNECTION pg KEY (id)")
    until(lambda: len(_held(there)), 1000)
    until(lambda: status(connection, "s"), ("running", None))


def test_what_becomes_unique_there_does_not_hold_up_ranges_for_ever(connection: Connection, there: Connection) -> None:
    """A value goes from a row of one range to a row of the other, which waits for the first one's commit, which comes
    when all have stored. The server sees no circle in that."""
    one, other = ranges_of(2)
    gone = [key for key in range(1, 1001) if key_hash(key) <= one.end]
    come = [key for key in range(3000, 9000) if key_hash(key) >= other.begin]
    connection.execute(b"UPDATE t SET v = id")
    connection.execute(b"CREATE SINK s FROM t INTO POSTGRES CONNECTION pg KEY (id) WITH (PARALLELISM 2)")
    until(lambda: len(_held(there)), 1000)
    connection.execute(b"INSERT INTO t VALUES (2000, 'b')")
    until(lambda: (_ranges(there), len(_held(there))), (2, 1001))

    def move() -> list[tuple[Any, ...]]:
        """What was there before. Other rows come before the one that has to wait, so the first one has gone by then."""
        before = _held(there)
        there.execute(b"CREATE UNIQUE INDEX its_value ON t (v)")
        left, taken = gone.pop(), [come.pop(0) for _ in range(1000)]
        values = ", ".join(f"({id_}, '{id_}')" for id_ in taken[:-1])
        with connection.transaction():
            connection.execute(f"DELETE FROM t WHERE id = {left}".encode())
            connection.execute(f"INSERT INTO t VALUES {values}, ({taken[-1]}, '{left}')".encode())
        return before

    before = move()
    until(lambda: "its_value" in (status(connection, "s")[1] or ""), True)
    assert status(connection, "s")[0] == "stalled"
    assert _held(there) == before
    there.execute(b"DROP INDEX its_value")
    until(lambda: _held(there), connection.execute(b"SELECT id, v FROM t ORDER BY id").fetchall())
    until(lambda: (status(connection, "s"), _ranges(there)), (("running", None), 2))
    move()
    until(lambda: "its_value" in (status(connection, "s")[1] or ""), True)
    connection.execute(b"ALTER SINK s SET (PARALLELISM 1)")
    until(lambda: _held(there), connection.execute(b"SELECT id, v FROM t ORDER BY id").fetchall())
    until(lambda: (status(connection, "s"), _ranges(there)), (("running", None), 0))


@pytest.mark.parametrize(
    ("into", "sqlstate", "said"),
    [
        ("POSTGRES CONNECTION pg KEY (id) WITH (PARALLELISM 0)", "22023", "PARALLELISM"),
        ("POSTGRES CONNECTION pg KEY (id) WITH (PARALLELISM 33)", "22023", "PARALLELISM"),
        ("POSTGRES CONNECTION pg KEY (id) WITH (PARALLELISM 'x')", "22023", "PARALLELISM"),
        ("POSTGRES CONNECTION pg WITH (PARALLELISM 2)", "0A000", "Keys are divided, and it has none."),
        ("MYSQL CONNECTION m KEY (id) NOT ENFORCED WITH (PARALLELISM 2)", "0A000", "Where a key is not unique"),
        ("REDIS CONNECTION r WITH (PARALLELISM 2)", "0A000", "Keys are divided, and it has none."),
        ("SQLITE (PATH '{path}/x.db') KEY (id) WITH (PARALLELISM 2)", "0A000", "SQLite has one writer at a time."),
        ("DELTA (PATH '{path}/d') KEY (id) WITH (PARALLELISM 2)", "0A000", "A commit there fails where another"),
        ("FILES (PATH '{path}/f') WITH (PARALLELISM 2)", "0A000", "Changes are written there one behind the other."),
        ("CONNECTOR (COMMAND 'x') KEY (id) WITH (PARALLELISM 2)", "0A000", "What a program remembers can't be"),
    ],
)
def test_where_keys_can_not_be_divided_it_is_refused(
    connection: Connection, tmp_path: Path, into: str, sqlstate: str, said: str
) -> None:
    with pytest.raises(psycopg.Error) as error:
        connection.execute(f"CREATE SINK s FROM t INTO {into.format(path=tmp_path)}".encode())
    assert error.value.sqlstate == sqlstate
    assert said in f"{error.value} {error.value.diag.message_detail}"


def test_what_is_altered_is_checked_alike(connection: Connection, tmp_path: Path) -> None:
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{tmp_path}/x.db') KEY (id)".encode())
    for said, sqlstate in (
        ("(PARALLELISM 2)", "0A000"),
        ("(PARALLELISM 99)", "22023"),
        ("(MAX AGE '1 s')", "42601"),
        ("()", "42601"),
    ):
        with pytest.raises(psycopg.Error) as error:
            connection.execute(f"ALTER SINK s SET {said}".encode())
        assert (said, error.value.sqlstate) == (said, sqlstate)
