"""Sinks into servers of other makers, over SQL: connections that are tried, what is written, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pymysql
import pytest

from connectors.aws.clients import aws_client
from model.types.datum import Row
from tests.connectors.sinks.opensearch_server import OpensearchServer, opensearch_server
from tests.data_servers import MariaDb, RedisServer
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.sinks.test_sinks import Connection, until


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[Connection]:
    """With a table of its own."""
    with server.connect() as connection:
        connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text, n numeric(10, 2), f float8)")
        yield connection
        connection.execute(b"DROP TABLE t CASCADE")


def test_a_table_of_mysql_is_written_by_a_connection(connection: Connection, mariadb: MariaDb) -> None:
    mariadb.query("CREATE USER writer IDENTIFIED BY 'p\u00e4ss'")
    mariadb.query("CREATE DATABASE out_db CHARACTER SET utf8mb4")
    mariadb.query("GRANT ALL ON out_db.* TO writer")
    connection.execute("CREATE SECRET mysql_password AS 'p\u00e4ss'".encode())
    place = f"HOST '{mariadb.host}', PORT {mariadb.port}, DATABASE 'out_db', USER 'writer'"
    connection.execute(f"CREATE CONNECTION my TO MYSQL ({place}, PASSWORD SECRET mysql_password)".encode())
    connection.execute(b"VALIDATE CONNECTION my")
    assert ("my", "mysql") in connection.execute(b"SELECT name, type FROM mz_connections").fetchall()
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5, 0.1), (2, NULL, NULL, NULL)")
    connection.execute(b"CREATE SINK m FROM t INTO MYSQL CONNECTION my (TABLE flights) KEY (id)")

    def found() -> list[Row]:
        try:
            return mariadb.query("SELECT id, v, CAST(n AS CHAR), f FROM out_db.flights ORDER BY id")
        except pymysql.err.ProgrammingError:
            return []

    until(found, [(1, "a", "1.50", 0.1), (2, None, None, None)])
    connection.execute(b"UPDATE t SET n = 2 WHERE id = 1")
    connection.execute(b"DELETE FROM t WHERE id = 2")
    until(found, [(1, "a", "2.00", 0.1)])
    for (session,) in mariadb.query("SELECT id FROM information_schema.processlist WHERE user = 'writer'"):
        mariadb.query(f"KILL {session!r}")
    connection.execute(b"INSERT INTO t VALUES (3)")
    until(lambda: [row[0] for row in found()], [1, 3])
    ((kind, sql),) = connection.execute(b"SELECT type, create_sql FROM mz_sinks").fetchall()
    assert kind == "mysql"
    assert "INTO MYSQL CONNECTION public.my (TABLE = 'flights') KEY (id)" in sql
    connection.execute(b"INSERT INTO t VALUES (4, NULL, NULL, 'NaN')")
    said = "a number to be written is NaN or infinite, which MySQL has not"
    until(lambda: _error(connection, "m"), said)
    connection.execute(b"DELETE FROM t WHERE id = 4")
    until(lambda: _error(connection, "m"), None)
    connection.execute(b"DROP CONNECTION my CASCADE")


def _error(connection: Connection, sink: str) -> Any:
    query = f"SELECT error FROM mz_internal.mz_sink_statuses WHERE name = '{sink}'"
    return connection.execute(query.encode()).fetchall()[0][0]


@pytest.mark.parametrize(
    ("options", "sqlstate", "said"),
    [
        ("HOST '127.0.0.1', DATABASE 'd'", "22023", "needs USER"),
        ("HOST '127.0.0.1', DATABASE 'd', USER 'u', PASSWORD 'p'", "22023", "must be a secret"),
        ("HOST '127.0.0.1', DATABASE 'd', USER 'u', SSL MODE 'prefer'", "22023", "must be one of disabled, preferred"),
        ("HOST 'h', DATABASE 'd', USER 'u', SSL CERTIFICATE AUTHORITY 'x'", "22023", "needs SSL MODE verify-ca"),
        ("HOST '127.0.0.1', PORT 9, DATABASE 'd', USER 'u'", "08001", "cannot connect to MYSQL"),
        ("HOST '127.0.0.1', PORT {port}, DATABASE 'd', USER 'u'", "08001", "Access denied"),
        ("HOST '127.0.0.1', PORT {port}, DATABASE 'none', USER 'root'", "08001", "Unknown database"),
        (
            "HOST '127.0.0.1', PORT {port}, DATABASE 'headwater', USER 'root', SSL MODE 'required'",
            "08001",
            "SSL",
        ),
    ],
)
def test_connections_to_mysql_that_can_not_be_are_refused(
    connection: Connection, mariadb: MariaDb, options: str, sqlstate: str, said: str
) -> None:
    with pytest.raises(psycopg.Error) as error:
        connection.execute(f"CREATE CONNECTION c TO MYSQL ({options.format(port=mariadb.port)})".encode())
    assert error.value.sqlstate == sqlstate
    assert said in f"{error.value} {error.value.diag.message_detail}"


def test_keys_of_redis_are_written_by_a_connection(connection: Connection, redis_server: RedisServer) -> None:
    redis_server.ask("FLUSHALL")
    redis_server.ask("ACL", "SETUSER", "writer", "on", ">p\u00e4ss", "allkeys", "+@all")
    connection.execute("CREATE SECRET redis_password AS 'p\u00e4ss'".encode())
    place = f"HOST '{redis_server.host}', PORT {redis_server.port}, DATABASE 3, USER 'writer'"
    connection.execute(f"CREATE CONNECTION r TO REDIS ({place}, PASSWORD SECRET redis_password)".encode())
    connection.execute(b"VALIDATE CONNECTION r")
    assert ("r", "redis") in connection.execute(b"SELECT name, type FROM mz_connections").fetchall()
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5, 0.1), (2, NULL, NULL, 'NaN')")
    connection.execute(b"CREATE SINK k FROM t INTO REDIS CONNECTION r (TABLE 'app:rows') KEY (id)")
    connection.execute(b"CREATE SINK h FROM t INTO REDIS CONNECTION r")

    def held() -> dict[bytes, dict[bytes, bytes]]:
        return redis_server.hashes("app:rows:*", 3)

    first = {b"id": b"1", b"v": b"a", b"n": b"1.50", b"f": b"0.1"}
    until(held, {b"app:rows:1": first, b"app:rows:2": {b"id": b"2", b"f": b"NaN"}})
    connection.execute(b"UPDATE t SET n = NULL WHERE id = 1")
    connection.execute(b"DELETE FROM t WHERE id = 2")
    until(held, {b"app:rows:1": {name: value for name, value in first.items() if name != b"n"}})
    redis_server.ask("CLIENT", "KILL", "USER", "writer")
    connection.execute(b"INSERT INTO t VALUES (3)")
    until(lambda: sorted(held()), [b"app:rows:1", b"app:rows:3"])
    redis_server.ask("FLUSHALL")
    connection.execute(b"INSERT INTO t VALUES (4)")
    until(lambda: sorted(held()), [b"app:rows:1", b"app:rows:3", b"app:rows:4"])
    sinks = connection.execute(b"SELECT name, type, create_sql FROM mz_sinks ORDER BY name").fetchall()
    assert [sink[:2] for sink in sinks] == [("h", "redis"), ("k", "redis")]
    assert "INTO REDIS CONNECTION public.r (TABLE = 't') WITH" in sinks[0][2]
    assert "INTO REDIS CONNECTION public.r (TABLE = 'app:rows') KEY (id)" in sinks[1][2]
    connection.execute(b"DROP CONNECTION r CASCADE")


def test_sums_of_changes_are_kept_in_redis(connection: Connection, redis_server: RedisServer) -> None:
    redis_server.ask("FLUSHALL")
    connection.execute(b"CREATE TABLE moves (taker int, amount int)")
    connection.execute(f"CREATE CONNECTION r TO REDIS (HOST '{redis_server.host}', PORT {redis_server.port})".encode())
    connection.execute(b"INSERT INTO moves VALUES (1, 10), (1, 5), (2, 7)")
    connection.execute(b"CREATE SINK s FROM moves INTO REDIS CONNECTION r KEY (taker) WITH (REDUCE (amount SUM))")

    def sums() -> list[tuple[bytes, bytes]]:
        return sorted((row[b"taker"], row[b"amount"]) for row in redis_server.hashes("moves:*").values())

    until(sums, [(b"1", b"15"), (b"2", b"7")])
    connection.execute(b"DELETE FROM moves WHERE amount = 5")
    connection.execute(b"INSERT INTO moves VALUES (2, 1), (3, 3)")
    until(sums, [(b"1", b"10"), (b"2", b"8"), (b"3", b"3")])
    connection.execute(b"DROP CONNECTION r CASCADE")
    connection.execute(b"DROP TABLE moves")


@pytest.mark.parametrize(
    ("options", "sqlstate", "said"),
    [
        ("PORT 6379", "22023", "needs HOST"),
        ("HOST 'h', PASSWORD 'p'", "22023", "must be a secret"),
        ("HOST 'h', USER 'u'", "22023", "needs PASSWORD beside it"),
        ("HOST 'h', DATABASE 'd'", "22023", "must be between 0 and 9999"),
        ("HOST 'h', SSL MODE 'preferred'", "22023", "must be one of disabled, required, verify-ca, verify-identity"),
        ("HOST 'h', SSL CERTIFICATE AUTHORITY 'x'", "22023", "needs SSL MODE required, verify-ca or verify-identity"),
        (
            "HOST 'h', SSL MODE 'required', SSL CERTIFICATE AUTHORITY 'x'",
            "22023",
            "needs SSL MODE verify-ca or verify-identity",
        ),
        ("HOST 'h', SSL MODE 'required', SSL CERTIFICATE 'x'", "22023", "needs SSL KEY beside it"),
        ("HOST 'h', SSL MODE 'required', SSL KEY 'x'", "22023", "must be a secret"),
        ("HOST 'h', CHANNEL 'c'", "42601", "not recognized"),
        ("HOST '127.0.0.1', PORT 9", "08001", "cannot connect to REDIS"),
        ("HOST '127.0.0.1', PORT {port}, DATABASE 9999", "08001", "out of range"),
    ],
)
def test_connections_to_redis_that_can_not_be_are_refused(
    connection: Connection, redis_server: RedisServer, options: str, sqlstate: str, said: str
) -> None:
    with pytest.raises(psycopg.Error) as error:
        connection.execute(f"CREATE CONNECTION c TO REDIS ({options.format(port=redis_server.port)})".encode())
    assert error.value.sqlstate == sqlstate
    assert said in f"{error.value} {error.value.diag.message_detail}"


@pytest.mark.parametrize(
    ("said", "sqlstate"),
    [
        ("(TABLE '') KEY (id) FORMAT JSON", "42601"),
        ("(TABLE 'x') KEY (id) ENVELOPE UPSERT", "42601"),
        ("(TOPIC 'x') KEY (id)", "42601"),
        ("(TABLE '{long}') KEY (id)", "22023"),
        ("KEY (f)", "0A000"),
    ],
)
def test_sinks_into_redis_that_can_not_be_are_refused(
    connection: Connection, redis_server: RedisServer, said: str, sqlstate: str
) -> None:
    place = f"HOST '{redis_server.host}', PORT {redis_server.port}"
    connection.execute(f"CREATE CONNECTION IF NOT EXISTS refusing TO REDIS ({place})".encode())
    with pytest.raises(psycopg.Error) as error:
        statement = f"CREATE SINK s FROM t INTO REDIS CONNECTION refusing {said.format(long='x' * 1001)}"
        connection.execute(statement.encode())
    assert error.value.sqlstate == sqlstate


# DynamoDB


@pytest.fixture
def account(connection: Connection, amazon: str) -> Any:
    """A connection `aws` to what has no tables then, and a client of that."""
    client = aws_client("dynamodb", {"endpoint": amazon, "region": "eu-west-1", "key_id": "k", "key": "s"})
    for left in client.list_tables()["TableNames"]:
        client.delete_table(TableName=left)
    connection.execute(b"CREATE SECRET IF NOT EXISTS aws_key AS 's'")
    options = f"ENDPOINT '{amazon}', REGION 'eu-west-1', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET aws_key"
    connection.execute(f"CREATE CONNECTION IF NOT EXISTS aws TO AWS ({options})".encode())
    return client


def test_items_of_dynamodb_are_written_by_a_connection(connection: Connection, account: Any) -> None:
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5, 0.1), (2, NULL, NULL, 'NaN')")
    connection.execute(b"CREATE SINK d FROM t INTO DYNAMODB CONNECTION aws (TABLE 'the.rows') KEY (id)")

    def found() -> list[dict[str, Any]]:
        try:
            items = account.scan(TableName="the.rows", ConsistentRead=True)["Items"]
        except account.exceptions.ResourceNotFoundException:
            return []
        return sorted(items, key=lambda item: int(item["id"]["N"]))

    one = {"id": {"N": "1"}, "v": {"S": "a"}, "n": {"N": "1.5"}, "f": {"N": "0.1"}}
    until(found, [one, {"id": {"N": "2"}, "f": {"S": "NaN"}}])
    connection.execute(b"UPDATE t SET v = '', n = 200 WHERE id = 1")
    connection.execute(b"DELETE FROM t WHERE id = 2")
    until(found, [{**one, "v": {"S": ""}, "n": {"N": "2E+2"}}])
    connection.execute(b"INSERT INTO t SELECT i, 'many' FROM generate_series(10, 500) i")
    until(lambda: len(found()), 492)
    ((kind, sql),) = connection.execute(b"SELECT type, create_sql FROM mz_sinks").fetchall()
    assert kind == "dynamodb"
    assert "INTO DYNAMODB CONNECTION public.aws (TABLE = 'the.rows') KEY (id)" in sql
    explained = "\n".join(line for (line,) in connection.execute(b"EXPLAIN SINK d").fetchall())
    assert "up to 99 documents appear whole" in explained


@pytest.mark.parametrize(
    ("said", "sqlstate"),
    [
        ("", "42601"),
        ("(TABLE 'x') KEY (id)", "22023"),
        ("(TABLE 'no/table') KEY (id)", "22023"),
        ("KEY (id) FORMAT JSON", "42601"),
        ("KEY (id, v, n)", "0A000"),
        ("KEY (f)", "0A000"),
        ("KEY (b)", "0A000"),
        ("KEY (id) WITH (REDUCE (n SUM))", "0A000"),
        ("KEY (nothing)", "42703"),
    ],
)
@pytest.mark.usefixtures("account")
def test_sinks_into_dynamodb_that_can_not_be_are_refused(connection: Connection, said: str, sqlstate: str) -> None:
    connection.execute(b"CREATE TABLE IF NOT EXISTS three (id int, v text, n int, f float8, b boolean)")
    with pytest.raises(psycopg.Error) as error:
        connection.execute(f"CREATE SINK s FROM three INTO DYNAMODB CONNECTION aws {said}".encode())
    assert error.value.sqlstate == sqlstate


# OpenSearch


@pytest.fixture
def search(connection: Connection) -> Iterator[OpensearchServer]:
    """A server for whose user there is the connection `search`."""
    with opensearch_server("s3cret") as found:
        connection.execute(b"CREATE SECRET IF NOT EXISTS search_password AS 's3cret'")
        options = f"URL '{found.url}', USERNAME 'writer', PASSWORD SECRET search_password"
        connection.execute(f"CREATE CONNECTION search TO OPENSEARCH ({options})".encode())
        yield found
        connection.execute(b"DROP CONNECTION search CASCADE")


def test_documents_of_opensearch_are_written_by_a_connection(connection: Connection, search: OpensearchServer) -> None:
    connection.execute(b"VALIDATE CONNECTION search")
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5, 0.1), (2, NULL, NULL, 'NaN')")
    connection.execute(b"CREATE SINK o FROM t INTO OPENSEARCH CONNECTION search (TABLE 'the-rows') KEY (id)")

    def found() -> dict[str, dict[str, Any]]:
        return search.indices["the-rows"].documents if "the-rows" in search.indices else {}

    one = {"id": 1, "v": "a", "n": 1.5, "f": 0.1}
    until(found, {"1": one, "2": {"id": 2, "v": None, "n": None, "f": "NaN"}})
    search.busy = {"1": 2}
    connection.execute(b"UPDATE t SET v = '', n = 200 WHERE id = 1")
    connection.execute(b"DELETE FROM t WHERE id = 2")
    until(found, {"1": {**one, "v": "", "n": 200.0}})
    connection.execute(b"INSERT INTO t SELECT i, 'many' FROM generate_series(10, 500) i")
    until(lambda: len(found()), 492)
    ((kind, sql),) = connection.execute(b"SELECT type, create_sql FROM mz_sinks").fetchall()
    assert kind == "opensearch"
    assert "INTO OPENSEARCH CONNECTION public.search (TABLE = 'the-rows') KEY (id)" in sql
    explained = "\n".join(line for (line,) in connection.execute(b"EXPLAIN SINK o").fetchall())
    assert "a transaction appears in parts" in explained


@pytest.mark.parametrize(
    ("said", "sqlstate"),
    [
        ("", "42601"),
        ("(TABLE 'Upper') KEY (id)", "22023"),
        ("(TABLE '_x') KEY (id)", "22023"),
        ("(TABLE 'a,b') KEY (id)", "22023"),
        ("(INDEX 't') KEY (id)", "42601"),
        ("KEY (id) FORMAT JSON", "42601"),
        ("KEY (id) ENVELOPE UPSERT", "42601"),
        ("KEY (id) WITH (PARALLELISM 2)", "0A000"),
        ("KEY (id) WITH (REDUCE (n SUM))", "0A000"),
    ],
)
@pytest.mark.usefixtures("search")
def test_sinks_into_opensearch_that_can_not_be_are_refused(connection: Connection, said: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as error:
        connection.execute(f"CREATE SINK s FROM t INTO OPENSEARCH CONNECTION search {said}".encode())
    assert error.value.sqlstate == sqlstate


@pytest.mark.parametrize(
    ("into", "said"),
    [
        ("OPENSEARCH CONNECTION search", "a OPENSEARCH sink needs TABLE"),
        ("DYNAMODB CONNECTION aws", "a DYNAMODB sink needs TABLE"),
    ],
)
@pytest.mark.usefixtures("search", "account")
def test_a_relations_name_that_is_none_there_wants_another(connection: Connection, into: str, said: str) -> None:
    connection.execute(b'CREATE TABLE IF NOT EXISTS "A?" (id int PRIMARY KEY)')
    with pytest.raises(psycopg.Error) as error:
        connection.execute(f'CREATE SINK s FROM "A?" INTO {into} KEY (id)'.encode())
    assert error.value.sqlstate == "22023"
    assert error.value.diag.message_primary == said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("USERNAME 'w', PASSWORD SECRET search_password", "an OPENSEARCH connection needs URL"),
        ("URL 'h:9200'", 'option "URL" must be http://HOST[:PORT] or https://HOST[:PORT]'),
        ("URL 'http://h:9200', USERNAME 'w'", 'option "USERNAME" needs PASSWORD beside it'),
        ("URL 'http://h:9200', USERNAME 'w', PASSWORD 'p'", 'option "PASSWORD" must be a secret'),
        (
            "URL 'http://h:9200', SSL CERTIFICATE AUTHORITY 'c'",
            'option "SSL CERTIFICATE AUTHORITY" needs a URL that begins with https',
        ),
    ],
)
@pytest.mark.usefixtures("search")
def test_connections_to_opensearch_that_can_not_be_are_refused(connection: Connection, options: str, said: str) -> None:
    with pytest.raises(psycopg.Error) as error:
        connection.execute(f"CREATE CONNECTION c TO OPENSEARCH ({options})".encode())
    assert (error.value.sqlstate, error.value.diag.message_primary) == ("22023", said)
