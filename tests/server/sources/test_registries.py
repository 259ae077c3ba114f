"""Sources whose schemas a registry has: made by the newest, read by those that records name, through its absence."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import fastavro
import psycopg
import pytest

from tests.kafka_broker import KafkaBroker
from tests.schema_registry import SchemaRegistry, running_registry
from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import bound, rows, until
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark
_DATABASE = "registries"


@pytest.fixture
def registry() -> Iterator[SchemaRegistry]:
    with running_registry() as registry:
        yield registry


@pytest.fixture
def connection(headwater_server: ServerProcess) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    with own_database(headwater_server, _DATABASE) as connection:
        yield connection


def _record(*fields: tuple[str, Any]) -> dict[str, Any]:
    return {
        "type": "record",
        "name": "r",
        "fields": [{"name": name, "type": type_, **({"default": 0} if name == "c" else {})} for name, type_ in fields],
    }


def _framed(number: int, schema: Any, datum: Any) -> bytes:
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), datum)
    return b"\0" + number.to_bytes(4, "big") + out.getvalue()


def test_records_are_read_by_the_schemas_that_they_name_also_after_the_registry_was_away(
    broker: KafkaBroker, registry: SchemaRegistry, connection: psycopg.Connection[tuple[Any, ...]]
) -> None:
    old, new = _record(("a", "int"), ("b", "string")), _record(("b", "string"), ("c", "long"))
    registry.login = "Basic dTpw"
    registry.register(1, "int", "events-key")
    registry.register(2, old)
    registry.register(3, new, "events-value")
    broker.create("events", 1)
    broker.produce("events", [(0, _framed(1, "int", 1), _framed(2, old, {"a": 1, "b": "x"}))])
    connection.execute(f"CREATE CONNECTION kafka TO KAFKA (BROKER '{broker.address}')".encode())
    connection.execute(b"CREATE SECRET password AS 'wrong'")
    to = f"TO CONFLUENT SCHEMA REGISTRY (URL '{registry.url}', USERNAME 'u', PASSWORD SECRET password)"
    with pytest.raises(psycopg.Error, match="cannot connect to CONFLUENT SCHEMA REGISTRY"):
        connection.execute(f"CREATE CONNECTION registry {to}".encode())
    connection.execute(f"CREATE CONNECTION registry {to} WITH (VALIDATE = false)".encode())
    create = (
        "CREATE SOURCE events FROM KAFKA CONNECTION kafka (TOPIC 'events')"
        " FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION registry ENVELOPE UPSERT"
    )
    with pytest.raises(psycopg.Error, match="cannot connect to CONFLUENT SCHEMA REGISTRY"):
        connection.execute(create.encode())
    connection.execute(b"ALTER SECRET password AS 'p'")
    with pytest.raises(psycopg.errors.UndefinedObject, match='no schema of the subject "nothing-value"'):
        connection.execute(create.replace("'events'", "'nothing'").encode())
    with pytest.raises(psycopg.errors.WrongObjectType, match='"kafka" is not one to CONFLUENT'):
        connection.execute(create.replace("CONNECTION registry", "CONNECTION kafka").encode())
    connection.execute(create.encode())
    bound(connection, "events", {0: 1})
    assert rows(connection, "SELECT key, b, c FROM events") == [(1, "x", 0)]
    with pytest.raises(psycopg.Error, match="source events depends on connection registry"):
        connection.execute(b"DROP CONNECTION registry")

    newer = _record(("c", "long"), ("b", "string"), ("d", "int"))
    registry.answer = (503, b"")
    registry.register(4, newer)
    broker.produce("events", [(0, _framed(1, "int", 2), _framed(4, newer, {"c": 5, "b": "y", "d": 6}))])
    statuses = "SELECT status, error FROM mz_internal.mz_source_statuses WHERE name = 'events'"
    stalled = until(connection, statuses, lambda found: found[0][0] == "stalled")
    assert stalled == [("stalled", "the schema registry does not tell schema 4: HTTP 503 Service Unavailable")]
    assert rows(connection, "SELECT key, b, c FROM events") == [(1, "x", 0)], "reads go on meanwhile"
    registry.answer = None
    bound(connection, "events", {0: 2})
    assert rows(connection, "SELECT key, b, c FROM events ORDER BY key") == [(1, "x", 0), (2, "y", 5)]
    until(connection, statuses, lambda found: found == [("running", None)])

    inline = json.dumps(_record(("b", "string")))
    strategies = f"KEY STRATEGY ID 1 VALUE STRATEGY INLINE '{inline}'"
    connection.execute(
        create.replace(" ENVELOPE", f" {strategies} ENVELOPE").replace("SOURCE events", "SOURCE two").encode()
    )
    bound(connection, "two", {0: 2})
    assert rows(connection, "SELECT * FROM two ORDER BY key") == [(1, "x"), (2, "y")]
    connection.execute(b"DROP SOURCE two, events")
