"""Kafka sources over SQL, on a real broker: rows, progress, views over them, errors, and tables beside them."""

from __future__ import annotations

import base64
import decimal
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import fastavro
import psycopg
import pytest
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

from tests.kafka_broker import KafkaBroker, start_broker
from tests.polling import polls
from tests.schema_registry import running_registry
from tests.server.sources.own_database import own_database
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark
_PATIENCE_S = 180.0
Connection = psycopg.Connection[tuple[Any, ...]]


_DATABASE = "sources"


def connect(server: ServerProcess) -> Connection:
    """To a database that other modules' relations are not in."""
    return psycopg.connect(f"{server.dsn()} dbname={_DATABASE}", autocommit=True)


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess) -> Iterator[Connection]:
    with own_database(headwater_server, _DATABASE) as connection:
        yield connection


def rows(connection: Connection, sql: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql.encode()).fetchall()


def until(connection: Connection, sql: str, done: Callable[[list[tuple[Any, ...]]], bool]) -> list[tuple[Any, ...]]:
    """The query's rows, as soon as they are what is wanted. A source that had stopped is tried again after a while."""
    found: object = None
    for _ in polls(_PATIENCE_S):
        try:
            answer = rows(connection, sql)
        except psycopg.errors.ObjectNotInPrerequisiteState as error:
            found = error
            continue
        if done(answer):
            return answer
        found = answer
    raise AssertionError(f"{sql}: {found}")


def bound(connection: Connection, source: str, wanted: dict[int, int]) -> None:
    """Returns once as much of the topic is bound."""
    sql = f'SELECT partition, "offset" FROM {source}_progress ORDER BY 1'
    until(connection, sql, lambda found: dict(found) == wanted)


def _from(broker: KafkaBroker, topic: str) -> str:
    return f"FROM KAFKA BROKER '{broker.address}' TOPIC '{topic}'"


def test_records_are_rows_and_progress_says_how_many(broker: KafkaBroker, connection: Connection) -> None:
    broker.create("orders", 2)
    broker.produce("orders", [(n % 2, f"k{n}".encode(), f'{{"n": {n}}}'.encode()) for n in range(10)])
    clauses = "KEY FORMAT TEXT VALUE FORMAT JSON INCLUDE KEY, PARTITION AS p, OFFSET"
    connection.execute(f"CREATE SOURCE orders {_from(broker, 'orders')} {clauses}".encode())
    bound(connection, "orders", {0: 5, 1: 5})
    wanted = [(f"k{n}", {"n": n}, n % 2, n // 2) for n in range(10)]
    assert rows(connection, "SELECT * FROM orders ORDER BY (data->>'n')::int") == wanted


def test_views_over_a_source_follow_it_and_agree_with_progress_at_every_time(
    broker: KafkaBroker, connection: Connection
) -> None:
    broker.create("numbers", 2)
    connection.execute(f"CREATE SOURCE numbers {_from(broker, 'numbers')} FORMAT TEXT EXPOSE PROGRESS AS upto".encode())
    connection.execute(b"CREATE MATERIALIZED VIEW total AS SELECT count(*) AS c, sum(text::int) AS s FROM numbers")
    connection.execute(b"CREATE VIEW doubled AS SELECT text::int * 2 AS d FROM numbers")
    connection.execute(b"CREATE INDEX ON doubled (d)")
    for step in range(3):
        broker.produce("numbers", [(n % 2, None, str(n).encode()) for n in range(step * 100, step * 100 + 100)])
        count = step * 100 + 100
        until(connection, "SELECT c, s FROM total", lambda found: found == [(count, count * (count - 1) // 2)])  # noqa: B023
    assert rows(connection, "SELECT d FROM doubled WHERE d = 598") == [(598,)]
    history = rows(connection, "SELECT DISTINCT mz_timestamp FROM (SELECT * FROM upto) AS now")
    (at,) = history[0]
    sums = f'SELECT sum("offset")::int FROM upto AS OF {at}'
    counted = f"SELECT count(*)::int FROM numbers AS OF {at}"
    assert rows(connection, sums) == rows(connection, counted) == [(300,)]
    assert rows(connection, f"SELECT DISTINCT mz_timestamp FROM upto AS OF {at}") == [(at,)]


def test_a_record_that_cannot_be_decoded_is_the_sources_error_unless_it_is_skipped(
    broker: KafkaBroker, connection: Connection
) -> None:
    broker.create("bad", 1)
    broker.produce("bad", [(0, None, b"1"), (0, None, b"{"), (0, None, b"3")])
    connection.execute(f"CREATE SOURCE strict {_from(broker, 'bad')} FORMAT JSON".encode())
    skipping = "WITH (DECODING ERRORS = SKIP)"
    connection.execute(f"CREATE SOURCE lax {_from(broker, 'bad')} FORMAT JSON {skipping}".encode())
    bound(connection, "strict", {0: 3})
    bound(connection, "lax", {0: 3})
    with pytest.raises(psycopg.errors.InvalidTextRepresentation, match="at partition 0, offset 1 can't be decoded"):
        rows(connection, "SELECT * FROM strict")
    assert rows(connection, "SELECT data FROM lax ORDER BY data") == [(1,), (3,)]
    figures = """
        SELECT messages_received, updates_committed, errors, offset_known, offset_committed, offset_lag
        FROM mz_internal.mz_source_statistics t JOIN mz_sources s ON s.id = t.id WHERE s.name = 'strict'
    """
    until(connection, figures, lambda found: found == [(3, 2, 1, 3, 3, 0)])


def test_avro_records_are_columns_by_the_schema_that_the_source_has(
    broker: KafkaBroker, connection: Connection
) -> None:
    amount = {"type": "bytes", "logicalType": "decimal", "precision": 8, "scale": 2}
    fields = [{"name": "who", "type": ["null", "string"]}, {"name": "amount", "type": amount}]
    schema = {"type": "record", "name": "payment", "fields": fields}
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), {"who": "ada", "amount": decimal.Decimal("1.25")})
    broker.create("payments", 1)
    broker.produce("payments", [(0, b"\x02", out.getvalue()), (0, b"\x04", out.getvalue()), (0, b"\x02", None)])
    avro = "AVRO USING SCHEMA '{}' (CONFLUENT WIRE FORMAT = false)"
    formats = f"KEY FORMAT {avro.format('int')} VALUE FORMAT {avro.format(json.dumps(schema))}"
    connection.execute(f"CREATE SOURCE payments {_from(broker, 'payments')} {formats} ENVELOPE UPSERT".encode())
    bound(connection, "payments", {0: 3})
    assert rows(connection, "SELECT * FROM payments") == [(2, "ada", decimal.Decimal("1.25"))]
    types = """
        SELECT attname, format_type(atttypid, atttypmod)
        FROM pg_attribute WHERE attrelid = 'payments'::regclass AND attnum > 0 ORDER BY attnum
    """
    assert rows(connection, types) == [("key", "integer"), ("who", "text"), ("amount", "numeric(8,2)")]
    formats_of = "SELECT key_format, value_format FROM mz_sources WHERE name = 'payments'"
    assert rows(connection, formats_of) == [("avro", "avro")]
    for bad, error in (("{", "22023"), ('["null"]', "0A000"), ('{"type": "enum", "name": "e"}', "22023")):
        with pytest.raises(psycopg.Error, match="Avro") as refused:
            connection.execute(f"CREATE SOURCE bad {_from(broker, 'payments')} FORMAT {avro.format(bad)}".encode())
        assert refused.value.sqlstate == error


def test_fields_of_protobuf_are_columns_by_an_inline_schema_or_a_registrys(
    broker: KafkaBroker, connection: Connection
) -> None:
    of = FieldDescriptorProto
    paid = DescriptorProto(name="Paid")
    paid.field.add(name="who", number=1, type=of.TYPE_STRING, label=of.LABEL_OPTIONAL)
    paid.field.add(name="cents", number=2, type=of.TYPE_UINT64, label=of.LABEL_REPEATED)
    file = FileDescriptorProto(name="p.proto", package="p", syntax="proto3", message_type=[paid])
    schema = FileDescriptorSet(file=[file]).SerializeToString().hex()
    record = b"\x0a\x03ada\x12\x02\x05\x06"
    broker.create("proto", 1)
    broker.create("framed", 1)
    broker.produce("proto", [(0, None, record), (0, None, b""), (0, None, b"\xff")])
    broker.produce("framed", [(0, None, b"\0\0\0\0\x09\0" + record)])
    inline = f"PROTOBUF MESSAGE 'p.Paid' USING SCHEMA '{schema}' (CONFLUENT WIRE FORMAT = false)"
    skip = "WITH (DECODING ERRORS = SKIP)"
    connection.execute(f"CREATE SOURCE proto {_from(broker, 'proto')} FORMAT {inline} {skip}".encode())
    with running_registry() as registry:
        registry.register(9, "syntax = 'proto3'; …", "framed-value", schemaType="PROTOBUF")
        registry.serialized[9] = base64.b64encode(file.SerializeToString()).decode()
        connect_to = f"CREATE CONNECTION protos TO CONFLUENT SCHEMA REGISTRY (URL '{registry.url}')"
        connection.execute(connect_to.encode())
        using = "PROTOBUF USING CONFLUENT SCHEMA REGISTRY CONNECTION protos"
        connection.execute(f"CREATE SOURCE framed {_from(broker, 'framed')} FORMAT {using}".encode())
    bound(connection, "proto", {0: 3})
    bound(connection, "framed", {0: 1})
    assert rows(connection, "SELECT who, cents::text FROM proto ORDER BY 1") == [("", "{}"), ("ada", "{5,6}")]
    assert rows(connection, "SELECT who, cents::text FROM framed") == [("ada", "{5,6}")]
    with pytest.raises(psycopg.Error, match=r'has no message "p\.Sent"') as refused:
        wrong = inline.replace("Paid", "Sent")
        connection.execute(f"CREATE SOURCE bad {_from(broker, 'proto')} FORMAT {wrong}".encode())
    assert refused.value.diag.message_hint == "There are p.Paid."


def test_a_binding_covers_no_more_records_than_it_may(broker: KafkaBroker, connection: Connection) -> None:
    broker.create("few", 1)
    broker.produce("few", [(0, None, b"x")] * 7)
    few = f"CREATE SOURCE few {_from(broker, 'few')} FORMAT TEXT"
    for option in ("RECORDS = 0", "RECORDS = 1000001", "BYTES = 1000000000", "BYTES = 'many'"):
        with pytest.raises(psycopg.errors.InvalidParameterValue, match="MAX BINDING"):
            connection.execute(f"{few} WITH (MAX BINDING {option})".encode())
    connection.execute(f"{few} WITH (MAX BINDING RECORDS = 3, MAX BINDING BYTES = 1000)".encode())
    bound(connection, "few", {0: 7})
    figures = """
        SELECT t.bindings FROM mz_internal.mz_source_statistics t
        JOIN mz_sources s ON s.id = t.id WHERE s.name = 'few'
    """
    until(connection, figures, lambda found: bool(found) and found[0][0] >= 3)


def test_what_a_strict_read_has_seen_of_a_source_it_sees_again(broker: KafkaBroker, connection: Connection) -> None:
    broker.create("seen", 1)
    connection.execute(f"CREATE SOURCE seen {_from(broker, 'seen')} FORMAT TEXT".encode())
    connection.execute(b"CREATE TABLE marks (n int)")
    known = 0
    for step in range(6):
        broker.produce("seen", [(0, None, str(step).encode())])
        connection.execute(f"INSERT INTO marks VALUES ({step})".encode())
        ((count, marks),) = rows(connection, "SELECT (SELECT count(*) FROM seen), (SELECT count(*) FROM marks)")
        assert marks == step + 1
        assert count >= known
        known = count


def test_a_source_is_in_the_catalog(broker: KafkaBroker, connection: Connection) -> None:
    broker.create("listed", 1)
    sql = f"{_from(broker, 'listed')} KEY FORMAT BYTES VALUE FORMAT TEXT INCLUDE KEY AS k ENVELOPE NONE"
    connection.execute(b"CREATE TABLE listed_progress (n int)")
    connection.execute(f"CREATE SOURCE IF NOT EXISTS listed {sql}".encode())
    connection.execute(f"CREATE SOURCE IF NOT EXISTS listed {sql}".encode())
    progress = """
        SELECT p.name FROM mz_source_progresses p JOIN mz_sources s ON s.id = p.source_id WHERE s.name = 'listed'
    """
    assert rows(connection, progress) == [("listed_progress1",)]
    kinds = "SELECT name, type FROM mz_objects WHERE name LIKE 'listed%' ORDER BY 1"
    assert rows(connection, kinds) == [
        ("listed", "source"),
        ("listed_progress", "table"),
        ("listed_progress1", "source_progress"),
    ]
    created = f"CREATE SOURCE public.listed {sql};"
    assert rows(connection, "SHOW CREATE SOURCE listed") == [(f"{_DATABASE}.public.listed", created)]
    assert [name for name, *_ in rows(connection, "SHOW SOURCES LIKE 'listed'")] == ["listed"]
    statuses = "SELECT status FROM mz_internal.mz_source_statuses WHERE name = 'listed'"
    until(connection, statuses, lambda found: found == [("running",)])
    columns = "SELECT attname FROM pg_attribute WHERE attrelid = 'listed'::regclass AND attnum > 0 ORDER BY attnum"
    assert rows(connection, columns) == [("k",), ("text",)]
    for statement in (
        "INSERT INTO listed VALUES ('a', 'b')",
        "UPDATE listed SET text = 'x'",
        "DELETE FROM listed",
        "TRUNCATE listed",
        "COPY listed FROM STDIN",
        "INSERT INTO listed_progress1 VALUES (1, 2, 3)",
    ):
        with pytest.raises(psycopg.errors.WrongObjectType, match="listed"):
            connection.execute(statement.encode())
    connection.execute(b"ALTER SOURCE listed RENAME TO renamed")
    connection.execute(b"COMMENT ON SOURCE renamed IS 'orders'")
    assert rows(connection, "SELECT obj_description('renamed'::regclass)") == [("orders",)]
    retained = "SELECT create_sql FROM mz_sources WHERE name = 'renamed'"
    assert rows(connection, retained) == [(created.replace("listed", "renamed", 1),)]
    connection.execute(b"ALTER SOURCE renamed SET (RETAIN HISTORY = FOR '2 h')")
    connection.execute(b"ALTER SOURCE renamed RESET (RETAIN HISTORY)")
    connection.execute(b"ALTER SOURCE renamed RENAME TO listed")
    for statement in ("ALTER SOURCE listed_progress RENAME TO x", "COMMENT ON SOURCE listed_progress IS 'x'"):
        with pytest.raises(psycopg.errors.WrongObjectType):
            connection.execute(statement.encode())
    connection.execute(b"CREATE VIEW over AS SELECT k FROM listed")
    with pytest.raises(psycopg.errors.DependentObjectsStillExist):
        connection.execute(b"DROP SOURCE listed")
    with pytest.raises(psycopg.errors.WrongObjectType):
        connection.execute(b"DROP TABLE listed")
    connection.execute(b"DROP SOURCE listed CASCADE")
    assert rows(connection, kinds) == [("listed_progress", "table")]


def test_a_source_whose_topic_is_missing_says_so_and_goes_on_when_it_comes(
    broker: KafkaBroker, connection: Connection
) -> None:
    connection.execute(f"CREATE SOURCE missing {_from(broker, 'missing')} FORMAT TEXT".encode())
    statuses = "SELECT status, error FROM mz_internal.mz_source_statuses WHERE name = 'missing'"
    until(connection, statuses, lambda found: found == [("stalled", 'there is no topic "missing"')])
    broker.create("missing", 1)
    broker.produce("missing", [(0, None, b"here")])
    bound(connection, "missing", {0: 1})
    until(connection, statuses, lambda found: found == [("running", None)])
    history = """
        SELECT h.status, h.error, h.details->>'hint' FROM mz_internal.mz_source_status_history h
        JOIN mz_sources s ON s.id = h.source_id WHERE s.name = 'missing' ORDER BY occurred_at
    """
    told = rows(connection, history)
    hint = "Create the topic. If it was deleted, drop the source and create it again: its records are gone."
    assert ("stalled", 'there is no topic "missing"', hint) in told and told[-1] == ("running", None, None)
    assert rows(connection, "SELECT text FROM missing") == [("here",)]


def test_a_topic_that_was_deleted_and_created_again_stops_its_source_alone(
    broker: KafkaBroker, connection: Connection
) -> None:
    broker.create("replaced", 1)
    broker.produce("replaced", [(0, None, b"1")])
    options = "TOPIC METADATA REFRESH INTERVAL '1s', GROUP ID PREFIX 'mine-'"
    connection.execute(f"CREATE CONNECTION brokers TO KAFKA (BROKER '{broker.address}')".encode())
    connection.execute(f"CREATE SOURCE replaced FROM KAFKA CONNECTION brokers ({options}) FORMAT TEXT".encode())
    bound(connection, "replaced", {0: 1})
    known = """
        SELECT k.topic, k.group_id = 'mine-headwater-' || s.id, length(k.topic_id), c.brokers
        FROM mz_kafka_sources k JOIN mz_sources s ON s.id = k.id JOIN mz_kafka_connections c ON c.id = s.connection_id
        WHERE s.name = 'replaced'
    """
    assert rows(connection, known) == [("replaced", True, 22, [broker.address])]
    broker.delete("replaced")
    broker.create("replaced", 1)
    broker.produce("replaced", [(0, None, b"1"), (0, None, b"2")])
    statuses = "SELECT status, error FROM mz_internal.mz_source_statuses WHERE name = 'replaced'"
    wanted = [("stalled", 'topic "replaced" is not the one that the source has read')]
    until(connection, statuses, lambda found: found == wanted)
    connection.execute(b"DROP SOURCE replaced")
    for clause, words in {
        "START TIMESTAMP 5, START OFFSET (1)": "exclude each other",
        "START TIMESTAMP 'soon'": "START TIMESTAMP",
        "TOPIC METADATA REFRESH INTERVAL '2 hours'": "TOPIC METADATA REFRESH INTERVAL",
    }.items():
        with pytest.raises(psycopg.errors.Error, match=words):
            connection.execute(f"CREATE SOURCE wrong FROM KAFKA CONNECTION brokers ({clause}) FORMAT TEXT".encode())


def test_sources_views_and_tables_of_one_transaction_come_to_be_together(
    broker: KafkaBroker, connection: Connection
) -> None:
    broker.create("together", 1)
    broker.produce("together", [(0, None, b"1")])
    with connection.transaction():
        connection.execute(f"CREATE SOURCE together {_from(broker, 'together')} FORMAT TEXT".encode())
        connection.execute(b"CREATE MATERIALIZED VIEW together_count AS SELECT count(*) AS c FROM together")
    until(connection, "SELECT c FROM together_count", lambda found: found == [(1,)])
    with pytest.raises(psycopg.errors.UndefinedTable), connection.transaction():
        connection.execute(f"CREATE SOURCE undone {_from(broker, 'together')} FORMAT TEXT".encode())
        connection.execute(b"SELECT * FROM nowhere")
    assert rows(connection, "SELECT count(*) FROM mz_sources WHERE name = 'undone'") == [(0,)]


def test_what_a_transaction_has_read_of_a_source_must_not_have_changed_when_it_writes(
    broker: KafkaBroker, headwater_server: ServerProcess, connection: Connection
) -> None:
    broker.create("read", 1)
    broker.produce("read", [(0, None, b"1")])
    connection.execute(f"CREATE SOURCE read {_from(broker, 'read')} FORMAT TEXT".encode())
    connection.execute(b"CREATE TABLE counted (n int)")
    bound(connection, "read", {0: 1})
    for reads in ("SELECT count(*) FROM read", "SELECT * FROM read_progress"):
        with connect(headwater_server) as other, other.transaction():
            other.execute(reads.encode())
            other.execute(b"INSERT INTO counted VALUES (1)")
        ((before,),) = rows(connection, "SELECT count(*)::int FROM read")
        with connect(headwater_server) as other:
            with pytest.raises(psycopg.errors.SerializationFailure), other.transaction():
                other.execute(reads.encode())
                other.execute(b"INSERT INTO counted VALUES (2)")
                broker.produce("read", [(0, None, b"2")])
                bound(connection, "read", {0: before + 1})
    for _ in range(3):
        broker.produce("read", [(0, None, b"3")])
        connection.execute(b"INSERT INTO counted SELECT 3 FROM read")
    assert rows(connection, "SELECT n FROM counted WHERE n < 3") == [(1,), (1,)]


def test_a_source_follows_its_connection_where_it_is_altered_to(broker: KafkaBroker, connection: Connection) -> None:
    broker.create("moved", 1)
    broker.produce("moved", [(0, None, b"1")])
    connection.execute(f"CREATE CONNECTION kafka TO KAFKA (BROKER '{broker.address}')".encode())
    connection.execute(b"CREATE SOURCE moved FROM KAFKA CONNECTION kafka (TOPIC 'moved') FORMAT TEXT")
    bound(connection, "moved", {0: 1})
    with pytest.raises(psycopg.errors.DependentObjectsStillExist, match="kafka"):
        connection.execute(b"DROP CONNECTION kafka")
    statuses = "SELECT status, error FROM mz_internal.mz_source_statuses WHERE name = 'moved'"
    with start_broker() as other:
        connection.execute(f"ALTER CONNECTION kafka SET (BROKER '{other.address}')".encode())
        until(connection, statuses, lambda found: found == [("stalled", 'there is no topic "moved"')])
        other.create("moved", 1)
        other.produce("moved", [(0, None, b"1"), (0, None, b"2")])
        bound(connection, "moved", {0: 2})
    connection.execute(f"ALTER CONNECTION kafka SET (BROKER '{broker.address}')".encode())
    until(connection, statuses, lambda found: "ends at offset 1, but was read up to 2" in str(found))
    broker.produce("moved", [(0, None, b"x"), (0, None, b"3")])
    bound(connection, "moved", {0: 3})
    assert rows(connection, "SELECT text FROM moved ORDER BY 1") == [("1",), ("2",), ("3",)]
    registry = (
        "CREATE CONNECTION registry TO CONFLUENT SCHEMA REGISTRY (URL 'http://127.0.0.1:1') WITH (VALIDATE = false)"
    )
    connection.execute(registry.encode())
    with pytest.raises(psycopg.errors.WrongObjectType, match="not one to KAFKA"):
        connection.execute(b"CREATE SOURCE wrong FROM KAFKA CONNECTION registry (TOPIC 'moved') FORMAT TEXT")
    connection.execute(b"DROP CONNECTION kafka CASCADE")
    assert rows(connection, "SELECT count(*) FROM mz_sources WHERE name = 'moved'") == [(0,)]


def test_the_history_of_bindings_can_be_subscribed_to(broker: KafkaBroker, connection: Connection) -> None:
    broker.create("history", 1)
    connection.execute(f"CREATE SOURCE history {_from(broker, 'history')} FORMAT TEXT".encode())
    for count in (1, 2):
        broker.produce("history", [(0, None, b"x")])
        bound(connection, "history", {0: count})
    for subscribe in (
        "SUBSCRIBE history_progress AS OF EARLIEST UNTIL LATEST",
        'TAIL (SELECT partition, "offset" FROM history_progress) AS OF EARLIEST UNTIL LATEST',
    ):
        with connection.cursor() as cursor, cursor.copy(f"COPY ({subscribe}) TO STDOUT".encode()) as copy:
            updates = [tuple(map(int, row)) for row in copy.rows()]
        assert sorted(update[1:] for update in updates) == [(-1, 0, 1), (1, 0, 1), (1, 0, 2)]
        assert [time for time, *_ in updates] == sorted(time for time, *_ in updates)
    for statement in (
        "CREATE INDEX ON history_progress (partition)",
        "CREATE MATERIALIZED VIEW times AS SELECT * FROM history_progress",
        "CREATE DEFAULT INDEX ON history_progress",
    ):
        with pytest.raises(psycopg.errors.Error, match=r"mz_now|history_progress"):
            connection.execute(statement.encode())


def test_csv_has_a_column_a_field(broker: KafkaBroker, connection: Connection) -> None:
    broker.create("csv", 1)
    broker.produce("csv", [(0, None, b"1;a"), (0, None, b'2;"b;c"')])
    csv = "FORMAT CSV WITH 2 COLUMNS DELIMITED BY ';'"
    connection.execute(f"CREATE SOURCE csv (id, name) {_from(broker, 'csv')} {csv}".encode())
    bound(connection, "csv", {0: 2})
    assert rows(connection, "SELECT id::int + 1, name FROM csv ORDER BY 1") == [(2, "a"), (3, "b;c")]
    for wrong, error in (
        ("FORMAT CSV WITH 0 COLUMNS", psycopg.errors.Error),
        ("FORMAT CSV WITH 1601 COLUMNS", psycopg.errors.TooManyColumns),
        ("FORMAT CSV WITH 2 COLUMNS DELIMITED BY 'ab'", psycopg.errors.InvalidParameterValue),
        ("FORMAT CSV WITH HEADER", psycopg.errors.FeatureNotSupported),
    ):
        with pytest.raises(error):
            connection.execute(f"CREATE SOURCE wrong {_from(broker, 'csv')} {wrong}".encode())


def test_a_key_has_the_row_that_its_last_record_tells(broker: KafkaBroker, connection: Connection) -> None:
    broker.create("upsert", 2)
    broker.produce("upsert", [(0, b"a", b"1"), (1, b"b", b"2"), (0, b"a", b"3"), (1, b"c", b"{"), (0, None, b"7")])
    clauses = "KEY FORMAT TEXT VALUE FORMAT JSON INCLUDE KEY AS k"
    inline = "ENVELOPE UPSERT (VALUE DECODING ERRORS = (INLINE AS e))"
    connection.execute(f"CREATE SOURCE upsert {_from(broker, 'upsert')} {clauses}, OFFSET ENVELOPE UPSERT".encode())
    connection.execute(f"CREATE SOURCE inlined {_from(broker, 'upsert')} {clauses} {inline}".encode())
    connection.execute(b"CREATE MATERIALIZED VIEW upserted AS SELECT count(*) AS c FROM upsert")
    bound(connection, "upsert", {0: 3, 1: 2})
    bound(connection, "inlined", {0: 3, 1: 2})
    for relation in ("upsert", "inlined"):
        with pytest.raises(psycopg.errors.Error, match=r"key is NULL|can't be decoded"):
            rows(connection, f"SELECT * FROM {relation}")
    broker.produce("upsert", [(0, None, None)])
    bound(connection, "inlined", {0: 4, 1: 2})
    assert rows(connection, "SELECT k, data, (e).description LIKE '%offset 1 can%' FROM inlined ORDER BY k") == [
        ("a", 3, None),
        ("b", 2, None),
        ("c", None, True),
    ]
    broker.produce("upsert", [(1, b"c", b"9"), (0, b"a", None)])
    bound(connection, "upsert", {0: 5, 1: 3})
    assert rows(connection, 'SELECT k, data, "offset" FROM upsert ORDER BY k') == [("b", 2, 0), ("c", 9, 2)]
    until(connection, "SELECT c FROM upserted", lambda found: found == [(2,)])
    for wrong, error in (
        ("FORMAT JSON ENVELOPE UPSERT", psycopg.errors.SyntaxError),
        (f"{clauses} ENVELOPE UPSERT WITH (KEY DECODING ERRORS = INLINE)", psycopg.errors.FeatureNotSupported),
        (f"{clauses} {inline} WITH (VALUE DECODING ERRORS = SKIP)", psycopg.errors.SyntaxError),
        (f"{clauses} WITH (DECODING ERRORS = (SKIP AS e))", psycopg.errors.InvalidParameterValue),
        ("FORMAT JSON WITH (KEY DECODING ERRORS = SKIP)", psycopg.errors.SyntaxError),
    ):
        with pytest.raises(error):
            connection.execute(f"CREATE SOURCE wrong {_from(broker, 'upsert')} {wrong}".encode())


def test_changes_of_debezium_are_the_rows_after_them(broker: KafkaBroker, connection: Connection) -> None:
    broker.create("changes", 1)
    changes = [(1, 10), (2, 20), (1, 11), (2, None)]
    records = [(0, json.dumps({"id": id_}), json.dumps({"after": n and {"id": id_, "n": n}})) for id_, n in changes]
    broker.produce("changes", [(at, key.encode(), value.encode()) for at, key, value in records])
    connection.execute(f"CREATE SOURCE changes {_from(broker, 'changes')} FORMAT JSON ENVELOPE DEBEZIUM".encode())
    bound(connection, "changes", {0: 4})
    assert rows(connection, "SELECT * FROM changes") == [({"id": 1}, {"id": 1, "n": 11})]
    listed = "SELECT envelope_type, key_format, value_format FROM mz_sources WHERE name = 'changes'"
    assert rows(connection, listed) == [("debezium", "json", "json")]
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="ENVELOPE DEBEZIUM of this FORMAT"):
        connection.execute(f"CREATE SOURCE wrong {_from(broker, 'changes')} FORMAT TEXT ENVELOPE DEBEZIUM".encode())


def test_changes_of_debezium_in_avro_are_rows_with_columns(broker: KafkaBroker, connection: Connection) -> None:
    of_row = [{"name": "id", "type": "int"}, {"name": "n", "type": ["null", "long"], "default": None}]
    row = {"type": "record", "name": "Value", "fields": of_row}
    of_change = [{"name": "before", "type": ["null", row]}, {"name": "after", "type": ["null", "Value"]}]
    change = {"type": "record", "name": "Envelope", "fields": [*of_change, {"name": "op", "type": "string"}]}
    key = {"type": "record", "name": "Key", "fields": [{"name": "id", "type": "int"}]}

    def written(schema: Any, datum: Any) -> bytes:
        out = io.BytesIO()
        fastavro.schemaless_writer(out, fastavro.parse_schema(json.loads(json.dumps(schema))), datum)
        return out.getvalue()

    def changed(id_: int, after: dict[str, Any] | None) -> tuple[int, bytes, bytes]:
        told = {"before": None, "after": after, "op": "u" if after else "d"}
        return 0, written(key, {"id": id_}), written(change, told)

    broker.create("avrochanges", 1)
    rows_of = [changed(1, {"id": 1, "n": 10}), changed(2, {"id": 2, "n": 20}), changed(1, {"id": 1, "n": None})]
    broker.produce("avrochanges", [*rows_of, changed(2, None), (0, written(key, {"id": 9}), None)])
    avro = "AVRO USING SCHEMA '{}' (CONFLUENT WIRE FORMAT = false)"
    formats = f"KEY FORMAT {avro.format(json.dumps(key))} VALUE FORMAT {avro.format(json.dumps(change))}"
    made = f"CREATE SOURCE avrochanges {_from(broker, 'avrochanges')} {formats} ENVELOPE DEBEZIUM"
    connection.execute(made.encode())
    bound(connection, "avrochanges", {0: 5})
    assert rows(connection, "SELECT (key).id, id, n FROM avrochanges") == [(1, 1, None)]
    no_change = f"KEY FORMAT {avro.format(json.dumps(key))} VALUE FORMAT {avro.format(json.dumps(row))}"
    with pytest.raises(psycopg.errors.InvalidParameterValue, match='no record in a field "after"'):
        connection.execute(f"CREATE SOURCE bad {_from(broker, 'avrochanges')} {no_change} ENVELOPE DEBEZIUM".encode())
    alone = f"FORMAT {avro.format(json.dumps(change))} ENVELOPE DEBEZIUM"
    with pytest.raises(psycopg.errors.SyntaxError, match="needs a format of the key"):
        connection.execute(f"CREATE SOURCE bad {_from(broker, 'avrochanges')} {alone}".encode())
