"""Sinks into Kafka over SQL: what readers of a topic find, how the sink is shown, and what is refused."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import fastavro
import psycopg
import pytest
from confluent_kafka import Consumer, KafkaError, TopicPartition

from tests.kafka_broker import KafkaBroker, run_broker
from tests.schema_registry import SchemaRegistry, running_registry
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.sinks.test_sinks import Connection, status, until

broker = pytest.fixture(scope="module")(run_broker)


@pytest.fixture(scope="module")
def registry() -> Iterator[SchemaRegistry]:
    with running_registry() as found:
        yield found


@pytest.fixture(scope="module")
def server(broker: KafkaBroker, registry: SchemaRegistry) -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            connection.execute(f"CREATE CONNECTION k TO KAFKA (BROKER '{broker.address}')".encode())
            connection.execute(f"CREATE CONNECTION r TO CONFLUENT SCHEMA REGISTRY (URL '{registry.url}')".encode())
        yield running


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[Connection]:
    """With a table of its own."""
    with server.connect() as connection:
        connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text, n numeric(10, 2))")
        yield connection
        connection.execute(b"DROP TABLE t CASCADE")


class Topic:
    """All messages so far, in the order of their partition."""

    def __init__(self, broker: KafkaBroker, name: str) -> None:
        reads = {"group.id": "reader", "enable.auto.commit": False, "enable.partition.eof": True}
        # A broker tells where a partition ends once it has waited for more.
        soon = {"isolation.level": "read_committed", "fetch.wait.max.ms": 10}
        self._consumer = Consumer({**broker.settings, **reads, **soon})
        self._name = name

    def messages(self) -> list[tuple[bytes | None, bytes | None]]:
        """Key and value of each."""
        return [(message.key(), message.value()) for message in self.read()]

    def read(self) -> list[Any]:
        """As the client has them."""
        left = set(self._consumer.list_topics(self._name, timeout=60).topics[self._name].partitions)
        self._consumer.assign([TopicPartition(self._name, number, 0) for number in left])
        found = []
        while left:
            for message in self._consumer.consume(1000, 0.1):
                error = message.error()
                if error is None:
                    found.append(message)
                else:
                    assert error.code() == KafkaError._PARTITION_EOF
                    left.discard(message.partition())
        return found

    def objects(self) -> list[tuple[Any, Any]]:
        """As JSON, in no order but that of a key."""
        return sorted(
            [(key and json.loads(key), value and json.loads(value)) for key, value in self.messages()],
            key=lambda each: json.dumps(each[0]),
        )


def test_a_table_is_followed_by_key(connection: Connection, broker: KafkaBroker) -> None:
    broker.create("upserts", 2)
    topic = Topic(broker, "upserts")
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5), (2, NULL, -0.10)")
    connection.execute(
        b"CREATE SINK s FROM t INTO KAFKA CONNECTION k (TOPIC 'upserts') KEY (id) FORMAT JSON ENVELOPE UPSERT"
    )
    whole = [({"id": 1}, {"id": 1, "v": "a", "n": 1.5}), ({"id": 2}, {"id": 2, "v": None, "n": -0.1})]
    until(topic.objects, whole)
    connection.execute(b"DELETE FROM t WHERE id = 2")
    until(topic.objects, [*whole, ({"id": 2}, None)])
    connection.execute(b"UPDATE t SET n = 12345678.25")
    until(topic.objects, [whole[0], ({"id": 1}, {"id": 1, "v": "a", "n": 12345678.25}), whole[1], ({"id": 2}, None)])
    assert status(connection, "s") == ("running", None)
    columns = "type, envelope_type, format, key_format, create_sql"
    ((*told, sql),) = connection.execute(f"SELECT {columns} FROM mz_sinks WHERE name = 's'".encode()).fetchall()
    assert told == ["kafka", "upsert", "json", None]
    target = "INTO KAFKA CONNECTION public.k (TOPIC = 'upserts') KEY (id) FORMAT JSON ENVELOPE UPSERT"
    assert sql == f"CREATE SINK public.s FROM public.t {target} WITH (MAX AGE = '100 ms', MAX SIZE = 500000);"
    connection.execute(b"DROP SINK s")
    connection.execute(sql.encode())


def test_what_was_and_what_is(connection: Connection, broker: KafkaBroker) -> None:
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1)")
    connection.execute(
        b"CREATE SINK d FROM t INTO KAFKA CONNECTION k (TOPIC 'debezium', TOPIC PARTITION COUNT 1,"
        b" COMPRESSION TYPE zstd, TRANSACTIONAL ID PREFIX 'tid-', PROGRESS GROUP ID PREFIX 'gid-')"
        b" KEY (id) KEY FORMAT TEXT VALUE FORMAT JSON ENVELOPE DEBEZIUM"
    )
    until(lambda: status(connection, "d")[0], "running")
    topic = Topic(broker, "debezium")
    first, second = {"id": 1, "v": "a", "n": 1}, {"id": 1, "v": "b", "n": 1}
    until(topic.objects, [(1, {"before": None, "after": first})])
    connection.execute(b"UPDATE t SET v = 'b'")
    until(topic.objects, [(1, {"before": None, "after": first}), (1, {"before": first, "after": second})])
    connection.execute(b"DELETE FROM t")
    until(lambda: topic.objects()[2:], [(1, {"before": second, "after": None})])
    (row,) = connection.execute(b"SELECT key_format, value_format FROM mz_sinks WHERE name = 'd'").fetchall()
    assert row == ("text", "json")


def test_a_column_is_headers_and_another_says_the_partition(connection: Connection, broker: KafkaBroker) -> None:
    broker.create("placed", 3)
    connection.execute(b"CREATE TABLE h (k int8, part int8, tags map[text=>text], PRIMARY KEY (k, part))")
    connection.execute(
        b"INSERT INTO h VALUES (1, 4, '{a=>x,b=>NULL}'), (2, -1, NULL), (3, 9223372036854775807, '{}'),"
        b" (4, 0, '{a=>y}')"
    )
    target = "INTO KAFKA CONNECTION public.k (TOPIC = 'placed', PARTITION BY = part) KEY (k, part) HEADERS tags"
    connection.execute(f"CREATE SINK h_sink FROM h {target} FORMAT JSON ENVELOPE UPSERT".encode())
    until(lambda: len(Topic(broker, "placed").messages()), 4)
    connection.execute(b"DELETE FROM h WHERE k = 4")
    until(lambda: len(Topic(broker, "placed").messages()), 5)
    reader = Topic(broker, "placed")
    found = {
        (json.loads(message.key())["k"], message.value() is None): (message.partition(), message.headers())
        for message in reader.read()
    }
    assert found == {
        (1, False): (1, [("a", b"x"), ("b", None)]),
        (2, False): (2, None),
        (3, False): (9223372036854775807 % 3, None),
        (4, False): (0, [("a", b"y")]),
        (4, True): (0, None),
    }
    ((sql,),) = connection.execute(b"SELECT create_sql FROM mz_sinks WHERE name = 'h_sink'").fetchall()
    assert f"FROM public.h {target} FORMAT JSON ENVELOPE UPSERT" in sql
    connection.execute(b"DROP SINK h_sink")
    connection.execute(sql.encode())
    connection.execute(b"DROP TABLE h CASCADE")


@pytest.mark.parametrize(
    ("target", "sqlstate"),
    [
        ("(TOPIC 'x') KEY (k) HEADERS k FORMAT JSON", "42804"),
        ("(TOPIC 'x') KEY (k) HEADERS none FORMAT JSON", "42703"),
        ("(TOPIC 'x') KEY (k) HEADERS tags FORMAT JSON ENVELOPE DEBEZIUM", "0A000"),
        ("(TOPIC 'x') HEADERS tags FORMAT JSON", "0A000"),
        ("(TOPIC 'x', PARTITION BY = v) KEY (k) FORMAT JSON", "22023"),
        ("(TOPIC 'x', PARTITION BY = v) KEY (v) FORMAT JSON", "42804"),
        ("(TOPIC 'x', PARTITION BY = k) FORMAT JSON", "22023"),
        ("(TOPIC 'x', PARTITION BY = none) KEY (k) FORMAT JSON", "42703"),
    ],
)
def test_headers_and_partitions_that_can_not_be(connection: Connection, target: str, sqlstate: str) -> None:
    connection.execute(b"CREATE TABLE IF NOT EXISTS refused (k int8, v text, tags map[text=>text])")
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(f"CREATE SINK r FROM refused INTO KAFKA CONNECTION k {target}".encode())
    assert raised.value.sqlstate == sqlstate, raised.value


def test_changes_have_their_times(connection: Connection, broker: KafkaBroker) -> None:
    connection.execute(b"CREATE SINK c FROM t INTO KAFKA CONNECTION k (TOPIC changes) FORMAT JSON")
    until(lambda: status(connection, "c")[0], "running")
    topic = Topic(broker, "changes")
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1)")
    connection.execute(b"UPDATE t SET v = 'b'")
    until(lambda: sum(value["mz_diff"] for _, value in topic.objects()), 1)
    until(lambda: len(topic.objects()), 3)
    told = sorted((value["mz_timestamp"], value["mz_diff"], value["v"]) for _, value in topic.objects())
    assert [each[1:] for each in told] == [(1, "a"), (-1, "a"), (1, "b")] and told[1][0] == told[2][0] > told[0][0]


def test_avro_is_registered_and_read_by_its_schema(
    connection: Connection, broker: KafkaBroker, registry: SchemaRegistry
) -> None:
    connection.execute(
        b"CREATE SINK a FROM t INTO KAFKA CONNECTION k (TOPIC 'avro') KEY (id)"
        b" FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION r ENVELOPE UPSERT"
    )
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5)")
    until(lambda: status(connection, "a")[0], "running")
    topic = Topic(broker, "avro")
    until(lambda: len(topic.messages()), 1)
    ((key, value),) = topic.messages()
    assert key is not None and value is not None
    schema = json.loads(registry.schemas[int.from_bytes(value[1:5], "big")]["schema"])
    row = fastavro.schemaless_reader(io.BytesIO(value[5:]), schema, None)
    assert isinstance(row, dict) and {name: str(each) for name, each in row.items()} == {
        "id": "1",
        "v": "a",
        "n": "1.50",
    }
    assert sorted(each for each in registry.subjects if each.startswith("avro-")) == ["avro-key", "avro-value"]
    (shown,) = connection.execute(b"SHOW CREATE SINK a").fetchall()
    assert "FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION public.r ENVELOPE UPSERT" in shown[1]
    with pytest.raises(psycopg.errors.DependentObjectsStillExist):
        connection.execute(b"DROP CONNECTION r")


@pytest.mark.parametrize(
    ("clauses", "sqlstate"),
    [
        ("KAFKA CONNECTION k (TOPIC 'x') KEY (id) ENVELOPE UPSERT", "42601"),
        ("KAFKA CONNECTION k FORMAT JSON", "22023"),
        ("KAFKA CONNECTION k (TOPIC '') FORMAT JSON", "22023"),
        ("KAFKA CONNECTION k (TOPIC 'a b') FORMAT JSON", "22023"),
        ("KAFKA CONNECTION k (TOPIC 'x', TOPIC PARTITION COUNT 0) FORMAT JSON", "22023"),
        ("KAFKA CONNECTION k (TOPIC 'x', COMPRESSION TYPE 'rar') FORMAT JSON", "22023"),
        ("KAFKA CONNECTION k (TOPIC 'x', ACKS 0) FORMAT JSON", "42601"),
        ("KAFKA CONNECTION k (TOPIC 'x') FORMAT JSON ENVELOPE UPSERT", "42601"),
        ("KAFKA CONNECTION k (TOPIC 'x') KEY (id) FORMAT JSON ENVELOPE WHATEVER", "0A000"),
        ("KAFKA CONNECTION k (TOPIC 'x') FORMAT CSV", "0A000"),
        ("KAFKA CONNECTION k (TOPIC 'x') FORMAT AVRO", "42601"),
        ("KAFKA CONNECTION k (TOPIC 'x') KEY (id, v) KEY FORMAT TEXT VALUE FORMAT JSON", "42601"),
        ("KAFKA CONNECTION k (TOPIC 'x') FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION k", "42809"),
        ("KAFKA CONNECTION r (TOPIC 'x') FORMAT JSON", "42809"),
        ("KAFKA (TOPIC 'x') FORMAT JSON", "42601"),
        ("KAFKA CONNECTION k (TOPIC 'x') KEY (id) FORMAT JSON WITH (REDUCE (n SUM))", "0A000"),
    ],
)
def test_what_can_not_be_is_refused(connection: Connection, clauses: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as failure:
        connection.execute(f"CREATE SINK x FROM t INTO {clauses}".encode())
    assert failure.value.sqlstate == sqlstate
