"""What the driver of Kafka has to do, on a broker: messages of committed transactions are what was to be written."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import fastavro
import pytest
from confluent_kafka import Producer

from connectors.kafka.destination import DestinationTopic, MessageFormat
from connectors.kafka.driver import KafkaDriver
from connectors.kafka.message_encoding import MessageEncoding
from connectors.sinks.documents import keyed_documents
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import SinkEnvelope
from model.text.dispatch import format_datum, parse_datum
from model.time.timestamp import Timestamp
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT4, NUMERIC, TEXT, ScalarType, TypeName
from model.updates.update import Update, updates_to_arrow
from tests.connectors.sinks.sessions import DriverSession, RecoveryLog, sink_into
from tests.connectors.sinks.test_types import VALUES
from tests.connectors.sinks.topics import TopicDestination, topic_destination
from tests.kafka_broker import KafkaBroker, run_broker
from tests.schema_registry import SchemaRegistry, running_registry

A, B, C = (1, "a"), (2, "b"), (3, "c")
A2 = (1, 'it\'s, "quoted"\n\\ and long')

broker = pytest.fixture(scope="module")(run_broker)


@pytest.fixture(autouse=True)
def _ended_sessions_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectors.kafka.driver._ABORT_S", 0.2)


@pytest.fixture
def destination(request: pytest.FixtureRequest, broker: KafkaBroker) -> Iterator[TopicDestination]:
    with closing(topic_destination(broker, getattr(request, "param", SinkEnvelope.DEBEZIUM))) as found:
        yield found


every = pytest.mark.parametrize("destination", SinkEnvelope, indirect=True)


def opened(destination: TopicDestination, log: RecoveryLog, *, anew: bool = False) -> DriverSession:
    """A session that has acknowledged what there was."""
    keyed = destination.place.envelope is not SinkEnvelope.CHANGES
    sink = sink_into(destination.place, keyed=keyed, name=f"s-{destination.place.topic}")
    session = DriverSession(destination.driver(), sink, log, anew=anew)
    session.acknowledge()
    return session


@every
def test_documents_come_change_and_go(destination: TopicDestination) -> None:
    session = opened(destination, RecoveryLog())
    session.transact([(A, 1), (B, 1), (C, 1)], 10)
    assert destination.read() == Counter([A, B, C])
    session.transact([(A, -1), (A2, 1), (B, -1)], 20)
    assert destination.read() == Counter([A2, C])
    session.transact([(B, 1), (A2, -1)], 30)
    assert destination.read() == Counter([B, C])


def test_messages_are_what_readers_of_their_envelope_expect(broker: KafkaBroker) -> None:
    for envelope, wanted in (
        (SinkEnvelope.UPSERT, [(b'{"k":1}', b'{"k":1,"v":"a"}'), (b'{"k":1}', None)]),
        (
            SinkEnvelope.DEBEZIUM,
            [
                (b'{"k":1}', b'{"before":null,"after":{"k":1,"v":"a"}}'),
                (b'{"k":1}', b'{"before":{"k":1,"v":"a"},"after":null}'),
            ],
        ),
    ):
        with closing(topic_destination(broker, envelope)) as destination:
            session = opened(destination, RecoveryLog())
            session.transact([(A, 1)], 10)
            session.transact([(A, -1)], 20)
            assert destination.messages() == wanted


def test_a_transaction_without_documents_says_how_far_the_topic_is(destination: TopicDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.transact([], 20)
    session.driver.close()
    assert opened(destination, log).position == 20


def test_a_session_that_dies_while_it_stores_leaves_nothing(destination: TopicDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.store([(B, 1)], 19)
    again = opened(destination, log)
    assert again.position == 10
    again.transact([(B, 1), (C, 1)], 20)
    assert destination.read() == Counter([A, B, C])


def test_a_session_that_dies_before_the_log_has_its_commit_is_not_repeated(destination: TopicDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.store([(B, 1)], 19)
    session.start_commit(20)
    again = opened(destination, log)
    assert again.position == 20
    again.transact([(C, 1)], 30)
    assert destination.read() == Counter([A, B, C])


def test_a_session_that_was_taken_over_commits_nothing(destination: TopicDestination) -> None:
    log = RecoveryLog()
    zombie = opened(destination, log)
    zombie.transact([(A, 1)], 10)
    live = opened(destination, RecoveryLog(log.frontier, dict(log.state)))
    live.transact([(B, 1)], 20)
    with pytest.raises(SqlError, match="taken over"):
        zombie.store([(C, 1)], 29)
        zombie.start_commit(30)
    assert destination.read() == Counter([A, B])
    live.transact([(C, 1)], 30)
    assert destination.read() == Counter([A, B, C])


def test_a_topic_that_was_made_anew_is_written_anew(destination: TopicDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1), (B, 1)], 10)
    session.driver.close()
    destination.broker.delete(destination.place.topic)
    again = opened(destination, log)
    assert again.position == 0
    again.transact([(B, 1), (C, 1)], 20)
    assert destination.read() == Counter([B, C])
    again.driver.close()
    destination.broker.delete(destination.place.topic)
    destination.broker.create(destination.place.topic, 2)
    assert opened(destination, log).position == 0


def test_a_topic_is_made_as_it_is_told(broker: KafkaBroker) -> None:
    with closing(topic_destination(broker, SinkEnvelope.CHANGES, partitions=5)) as destination:
        opened(destination, RecoveryLog())
        topic = destination.place.topic
        assert len(Producer(broker.settings).list_topics(topic).topics[topic].partitions) == 5


def test_a_lost_offset_stops_the_sink_which_would_double_or_lose_a_transaction(destination: TopicDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.driver.close()
    destination.place = replace(destination.place, group_prefix="another-")
    with pytest.raises(SqlError, match="does not know any more how far") as error:
        opened(destination, log)
    assert error.value.hint is not None and "BACKFILL" in error.value.hint
    again = opened(destination, log, anew=True)
    assert again.position == 0


def test_rows_without_a_key_come_as_often_as_they_are_there(broker: KafkaBroker) -> None:
    with closing(topic_destination(broker, SinkEnvelope.DEBEZIUM)) as destination:
        sink = sink_into(destination.place, keyed=False, name="copies")
        session = DriverSession(destination.driver(), sink, RecoveryLog())
        session.acknowledge()
        session.transact([(A, 3), (B, 2)], 10)
        session.transact([(A, -2)], 20)
        assert destination.read() == Counter({A: 1, B: 2})
        assert all(key is None for key, _ in destination.messages())


def test_a_broker_that_is_away_is_said(broker: KafkaBroker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectors.kafka.driver._TIMEOUT_S", 2.0)
    with closing(topic_destination(broker, SinkEnvelope.CHANGES)) as destination:
        destination.place = replace(destination.place, settings=(("bootstrap.servers", "127.0.0.1:9"),))
        with pytest.raises(SqlError) as error:
            opened(destination, RecoveryLog())
        assert error.value.sqlstate is Sqlstate.CONNECTION_FAILURE


# Formats


@pytest.fixture(scope="module")
def registry() -> Iterator[SchemaRegistry]:
    with running_registry() as found:
        yield found


def _avro(registry: SchemaRegistry) -> Callable[[bytes], Any]:
    def decode(data: bytes) -> Any:
        assert data[:1] == b"\0"
        schema = json.loads(registry.schemas[int.from_bytes(data[1:5], "big")]["schema"])
        return fastavro.schemaless_reader(io.BytesIO(data[5:]), schema, None)

    return decode


@pytest.mark.parametrize("envelope", SinkEnvelope)
def test_avro_is_written_by_schemas_that_a_registry_has(
    envelope: SinkEnvelope, broker: KafkaBroker, registry: SchemaRegistry
) -> None:
    avro = MessageFormat("AVRO", (("URL", registry.url),))
    with closing(topic_destination(broker, envelope, key_format=avro, value_format=avro)) as destination:
        destination.decode = _avro(registry)
        session = opened(destination, RecoveryLog())
        session.transact([(A, 1), ((2, None), 1)], 10)
        session.transact([(A, -1), (A2, 1), (C, 1)], 20)
        assert destination.read() == Counter([A2, (2, None), C])
        if envelope is not SinkEnvelope.CHANGES:
            assert {json.dumps(destination.decode(key)) for key, _ in destination.messages() if key is not None} == {
                '{"k": 1}',
                '{"k": 2}',
                '{"k": 3}',
            }
        opened(destination, session.log)
        assert f"{destination.place.topic}-value" in registry.subjects


def test_what_a_registry_does_not_take_stops_the_sink(broker: KafkaBroker, registry: SchemaRegistry) -> None:
    avro = MessageFormat("AVRO", (("URL", registry.url),))
    with closing(topic_destination(broker, SinkEnvelope.CHANGES, value_format=avro)) as destination:
        registry.answer = 409, b'{"error_code": 409, "message": "Schema being registered is incompatible"}'
        try:
            with pytest.raises(SqlError, match="was not registered"):
                opened(destination, RecoveryLog())
        finally:
            registry.answer = None


def test_a_key_of_one_column_may_be_its_text(broker: KafkaBroker) -> None:
    text = MessageFormat("TEXT")
    with closing(topic_destination(broker, SinkEnvelope.UPSERT, key_format=text)) as destination:
        opened(destination, RecoveryLog()).transact([(A, 1)], 10)
        assert destination.messages() == [(b"1", b'{"k":1,"v":"a"}')]


@pytest.mark.in_part(6)
@pytest.mark.parametrize("type_", VALUES, ids=str)
def test_avro_holds_what_it_was_given(type_: ScalarType, registry: SchemaRegistry) -> None:
    datums = [*(parse_datum(text, type_) for text in VALUES[type_]), None]
    avro = MessageFormat("AVRO", (("URL", registry.url),))
    place = DestinationTopic((), (), (), "types", SinkEnvelope.UPSERT, avro, avro)
    desc = RelationDesc((ColumnDesc("k", INT4), ColumnDesc("odd name!", type_), ColumnDesc("odd_name_", TEXT)))
    sink = sink_into(place, desc=desc)
    updates = [Update((k, datum, "x"), Timestamp(0), 1) for k, datum in enumerate(datums)]
    documents = keyed_documents(updates_to_arrow(updates, desc).drop_columns(["time"]), sink)
    decode = _avro(registry)
    read = {}
    for message in MessageEncoding(sink, place, {}).messages(documents):
        assert message.key is not None and message.value is not None
        read[decode(message.key)["k"]] = decode(message.value)
    assert all(told["odd_name__2"] == "x" for told in read.values())
    wanted = [None if datum is None else format_datum(datum, type_) for datum in datums]
    assert [_text(read[k]["odd_name_"], type_) for k in range(len(datums))] == wanted


def _text(value: object, type_: ScalarType) -> str | None:
    """As PostgreSQL writes it, of what Avro's readers give."""
    if value is None:
        return None
    if type_.name is TypeName.TIMESTAMP:
        value = value.replace(tzinfo=None)  # type: ignore[attr-defined]
    written = isinstance(value, str) or type_.name is TypeName.NUMERIC or type_.name.value.startswith("uint")
    text = format_datum(parse_datum(str(value), type_) if written else value, type_)  # type: ignore[arg-type]
    # A schema of one scale holds more zeros than were written.
    return text.rstrip("0").rstrip(".") if type_ == NUMERIC and "." in text else text


# Defects that are put in on purpose, and the test that has to see them.


def _frontier_told_beside_the_transaction(patch: pytest.MonkeyPatch) -> None:
    def commit(self: KafkaDriver, frontier: int) -> None:
        producer = self._begin()
        producer.commit_transaction(10)
        self._begun = False

    patch.setattr(KafkaDriver, "_commit", commit)


def _sessions_that_share_nothing(patch: pytest.MonkeyPatch) -> None:
    whole, number = KafkaDriver._open, iter(range(100))

    def open_(self: KafkaDriver, request: object) -> object:
        self._place = replace(self._place, transactional_prefix=f"{next(number)}-")
        return whole(self, request)  # type: ignore[arg-type]

    patch.setattr(KafkaDriver, "_open", open_)


def _every_other_document_dropped(patch: pytest.MonkeyPatch) -> None:
    whole = KafkaDriver._store
    patch.setattr(KafkaDriver, "_store", lambda self, documents: whole(self, documents.slice(1)))


_SEEN_BY: list[tuple[Callable[[pytest.MonkeyPatch], None], Callable[[TopicDestination], None]]] = [
    (
        _frontier_told_beside_the_transaction,
        test_a_session_that_dies_before_the_log_has_its_commit_is_not_repeated,
    ),
    (_sessions_that_share_nothing, test_a_session_that_was_taken_over_commits_nothing),
    (_every_other_document_dropped, test_documents_come_change_and_go),
]


@pytest.mark.parametrize(("defect", "test"), _SEEN_BY)
def test_a_planted_defect_is_seen(
    defect: Callable[[pytest.MonkeyPatch], None],
    test: Callable[[TopicDestination], None],
    broker: KafkaBroker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(topic_destination(broker, SinkEnvelope.DEBEZIUM)) as destination:
        defect(monkeypatch)
        with pytest.raises((AssertionError, pytest.fail.Exception, SqlError)):
            test(destination)
