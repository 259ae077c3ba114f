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


def _of_fields(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": each, "type": of} for each, of in fields.items()]}


_COUNTED = {"type": "array", "items": _of_fields("event", data_collection="string", event_count="long")}
_BOUNDARY = _of_fields("boundary", status="string", id="string", data_collections=["null", _COUNTED])
_KEY = _of_fields("key", id="int")


def _change_of(**columns: Any) -> dict[str, Any]:
    after, block = _of_fields("value", **columns), _of_fields("block", id="string", total_order="long")
    return _of_fields("envelope", before=["null", after], after=["null", "value"], transaction=["null", block])


def _changed(transaction: str, **after: Any) -> dict[str, Any]:
    return {"before": None, "after": after, "transaction": {"id": transaction, "total_order": 1}}


def _ended(transaction: str, count: int) -> dict[str, Any]:
    events = [{"data_collection": "db.accounts", "event_count": count}]
    return {"status": "END", "id": transaction, "data_collections": events}


def test_whole_transactions_in_avro_wait_for_the_schemas_that_tell_of_them(
    broker: KafkaBroker, registry: SchemaRegistry, connection: psycopg.Connection[tuple[Any, ...]]
) -> None:
    old = _change_of(id="int", n="int")
    for number, schema, subject in (
        (1, _BOUNDARY, "db.tx-value"),
        (2, _KEY, "db.accounts-key"),
        (3, old, "db.accounts-value"),
        (4, _of_fields("other", a="int"), "db.other-value"),
    ):
        registry.register(number, schema, subject)
    for topic in ("db.tx", "db.accounts", "db.other"):
        broker.create(topic, 1)
    changes = [_framed(3, old, _changed("t1", id=id_, n=50)) for id_ in (1, 2)]
    broker.produce("db.accounts", [(0, _framed(2, _KEY, {"id": at + 1}), each) for at, each in enumerate(changes)])
    broker.produce("db.tx", [(0, None, _framed(1, _BOUNDARY, _ended("t1", 2)))])
    connection.execute(f"CREATE CONNECTION kafka TO KAFKA (BROKER '{broker.address}')".encode())
    connection.execute(f"CREATE CONNECTION registry TO CONFLUENT SCHEMA REGISTRY (URL '{registry.url}')".encode())
    by = "FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION registry"
    for source, topic in (("tx", "db.tx"), ("other", "db.other")):
        connection.execute(f"CREATE SOURCE {source} FROM KAFKA CONNECTION kafka (TOPIC '{topic}') {by}".encode())
    create = (
        f"CREATE SOURCE accounts FROM KAFKA CONNECTION kafka (TOPIC 'db.accounts') {by}"
        " ENVELOPE DEBEZIUM (TRANSACTION METADATA (SOURCE tx, COLLECTION 'db.accounts'))"
    )
    with pytest.raises(psycopg.errors.WrongObjectType, match='source "other" can\'t tell of transactions'):
        connection.execute(create.replace("SOURCE tx", "SOURCE other").encode())
    connection.execute(create.encode())
    bound(connection, "accounts", {0: 2})
    assert rows(connection, "SELECT id, n FROM accounts ORDER BY id") == [(1, 50), (2, 50)]

    newer = _change_of(id="int", note=["null", "string"], n="int")
    registry.answer = (503, b"")
    registry.register(5, newer)
    moved = [_framed(5, newer, _changed("t2", id=id_, note=None, n=n)) for id_, n in ((1, 20), (2, 80))]
    broker.produce("db.accounts", [(0, _framed(2, _KEY, {"id": at + 1}), each) for at, each in enumerate(moved)])
    broker.produce("db.tx", [(0, None, _framed(1, _BOUNDARY, _ended("t2", 2)))])
    statuses = "SELECT status, error FROM mz_internal.mz_source_statuses WHERE name = 'accounts'"
    stalled = until(connection, statuses, lambda found: found[0][0] == "stalled")
    assert stalled == [("stalled", "the schema registry does not tell schema 5: HTTP 503 Service Unavailable")]
    assert rows(connection, "SELECT id, n FROM accounts ORDER BY id") == [(1, 50), (2, 50)]
    registry.answer = None
    bound(connection, "accounts", {0: 4})
    assert rows(connection, "SELECT id, n FROM accounts ORDER BY id") == [(1, 20), (2, 80)]
    assert rows(connection, "SELECT count(*)::int FROM tx") == [(2,)]
    connection.execute(b"DROP SOURCE accounts, tx, other")
