"""Nobody's connection is opened, and nobody's secret is told, for a role that may not use it."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from connectors.postgres.table import PostgresTable
from model.external.sinks import ConnectedTable
from server.objects.sinks.places import sink_place
from tests.server.memory_server import MemoryServer, memory_server

Connection = psycopg.Connection[tuple[Any, ...]]
_UNTRIED = "WITH (VALIDATE = false)"
_OF_BROKER = "CREATE SOURCE own FROM KAFKA BROKER '127.0.0.1:9' TOPIC 't'"
_OF_BUCKET = "CREATE SOURCE own FROM S3 CONNECTION aws"


@pytest.fixture(scope="module")
def listener() -> Iterator[socket.socket]:
    """Where all connections lead; nobody answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


@pytest.fixture(scope="module")
def server(listener: socket.socket) -> Iterator[MemoryServer]:
    """With connections of the superuser's and a source of theirs, and a role `alice` that may create objects."""
    at = f"127.0.0.1:{listener.getsockname()[1]}"
    host, port = at.split(":")
    login = f"HOST '{host}', PORT {port}, DATABASE d, USER u, PASSWORD SECRET hushed"
    keys = f"ENDPOINT 'http://{at}', REGION 'eu-west-1', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET hushed"
    with memory_server() as running, running.connect() as admin:
        admin.execute("CREATE ROLE alice LOGIN; GRANT CREATE ON SCHEMA public TO alice; CREATE SECRET hushed AS 'x'")
        for statement in (
            f"CREATE CONNECTION pg TO POSTGRES ({login}) {_UNTRIED}",
            f"CREATE CONNECTION aws TO AWS ({keys}) {_UNTRIED}",
            f"CREATE CONNECTION kafka TO KAFKA (BROKER '{at}') {_UNTRIED}",
            f"CREATE CONNECTION registry TO CONFLUENT SCHEMA REGISTRY (URL 'http://{at}') {_UNTRIED}",
            "CREATE TABLE secrets (a int PRIMARY KEY)",
            "CREATE SOURCE counted FROM LOAD GENERATOR COUNTER",
        ):
            admin.execute(statement.encode())
        yield running


def _asked(listener: socket.socket) -> bool:
    """Whether anybody has connected; forgets them."""
    ready, _, _ = select.select([listener], [], [], 0)
    if ready:
        listener.accept()[0].close()
    return bool(ready)


@pytest.mark.parametrize(
    "statement",
    [
        "VALIDATE CONNECTION pg",
        "ALTER CONNECTION pg SET (HOST '127.0.0.1')",
        "ALTER CONNECTION aws SET (REGION 'eu-west-2')",
        "CREATE CONNECTION own TO POSTGRES (HOST '127.0.0.1', PORT {port}, DATABASE d, USER u, PASSWORD SECRET hushed)",
        "CREATE SOURCE own FROM POSTGRES CONNECTION pg (PUBLICATION 'p') FOR ALL TABLES",
        "CREATE SOURCE own FROM KAFKA CONNECTION kafka (TOPIC 't') FORMAT BYTES",
        f"{_OF_BROKER} FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION registry",
        f"{_OF_BUCKET} DISCOVER OBJECTS MATCHING '*' USING BUCKET SCAN 'bucket' FORMAT PARQUET",
        "COPY secrets FROM 's3://b/key' WITH (CONNECTION aws)",
        "COPY (SELECT 1) TO 's3://b/key' WITH (CONNECTION aws)",
        "CREATE SINK own FROM mine INTO POSTGRES CONNECTION pg (TABLE = 't') KEY (a)",
        "ALTER SINK mine_out SET FROM secrets",
        "ALTER SOURCE counted ADD TABLE more",
    ],
)
def test_other_roles_reach_nothing_by_a_connection(
    server: MemoryServer, listener: socket.socket, statement: str
) -> None:
    dsn = server.dsn().replace("user=headwater", "user=alice")
    with psycopg.connect(dsn, autocommit=True) as alice:
        alice.execute("CREATE TABLE IF NOT EXISTS mine (a int PRIMARY KEY)")
        with pytest.raises(psycopg.Error) as refused:
            alice.execute(statement.format(port=listener.getsockname()[1]).encode())
        assert (refused.value.sqlstate, _asked(listener)) == ("42501", False), str(refused.value)


@pytest.fixture
def alice() -> Iterator[tuple[MemoryServer, Connection]]:
    """On a server of her own, which lets in the user of this process, as PostgreSQL does by `peer` and `ident`."""
    with memory_server() as running, running.connect() as admin:
        admin.execute("CREATE ROLE alice LOGIN; GRANT CREATE ON SCHEMA public TO alice")
        admin.execute("CREATE ROLE asked LOGIN PASSWORD 'x'; CREATE SECRET hushed AS 'x'")
        admin.execute("GRANT USAGE ON SECRET hushed TO alice; CREATE TABLE t (a int PRIMARY KEY)")
        with psycopg.connect(running.dsn().replace("user=headwater", "user=alice"), autocommit=True) as connection:
            yield running, connection


def _to_postgres(server: MemoryServer, name: str, user: str, more: str = "") -> bytes:
    at = f"HOST '127.0.0.1', PORT {server.port}, DATABASE headwater, USER {user}{more}"
    return f"CREATE CONNECTION {name} TO POSTGRES ({at})".encode()


def test_a_connection_proves_who_made_it(alice: tuple[MemoryServer, Connection]) -> None:
    server, connection = alice
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(_to_postgres(server, "c", "headwater"))
    assert refused.value.sqlstate == "2F003"
    with pytest.raises(psycopg.Error) as unasked:
        connection.execute(_to_postgres(server, "c", "headwater", ", PASSWORD SECRET hushed"))
    assert unasked.value.sqlstate == "08001", "the server lets this process in, and asks for no password"
    connection.execute(_to_postgres(server, "c", "asked", ", PASSWORD SECRET hushed"))
    with pytest.raises(psycopg.Error) as taken_back:
        connection.execute("ALTER CONNECTION c RESET (PASSWORD)")
    assert taken_back.value.sqlstate == "2F003"
    with pytest.raises(psycopg.Error) as elsewhere:
        connection.execute("ALTER CONNECTION c SET (USER headwater)")
    assert elsewhere.value.sqlstate == "08001"
    connection.execute("VALIDATE CONNECTION c")


def test_a_superusers_connection_needs_no_password(alice: tuple[MemoryServer, Connection]) -> None:
    server, connection = alice
    with server.connect() as admin:
        admin.execute(_to_postgres(server, "c", "headwater"))
        admin.execute(_to_postgres(server, "d", "headwater", ", PASSWORD SECRET hushed"))
        admin.execute("GRANT USAGE ON CONNECTION c TO alice")
    connection.execute("VALIDATE CONNECTION c")


def test_a_sink_is_told_whose_its_connection_is(alice: tuple[MemoryServer, Connection]) -> None:
    server, connection = alice
    connection.execute(_to_postgres(server, "c", "asked", ", PASSWORD SECRET hushed"))
    with server.connect() as admin:
        admin.execute(_to_postgres(server, "d", "headwater", ", PASSWORD SECRET hushed"))
    state = server.environment.catalog.state
    ids = {item.name: item.id for item in state.items.values()}
    said = {}
    for name in ("c", "d"):
        place = sink_place(ConnectedTable("POSTGRES", ids[name], ("t",)), state)
        assert isinstance(place, PostgresTable)
        said[name] = "require_auth" in dict(place.settings)
    assert said == {"c": True, "d": False}
