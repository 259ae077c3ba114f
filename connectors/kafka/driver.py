"""A topic of Kafka: each transaction is one of Kafka's, with how far the sink is in it.

    init_transactions        ends what a session before has open, whose commits fail from now on
    committed offset         how far the topic is: the frontier, as an offset of a consumer group of the sink's own
    begin, produce …, send_offsets_to_transaction, commit_transaction

Readers that want each message once read committed ones only (`isolation.level=read_committed`). Nothing is loaded:
messages go one way.
"""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, assert_never

import pyarrow as pa
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import OFFSET_INVALID, NewTopic

from connectors.kafka.destination import DestinationTopic
from connectors.kafka.identity import TopicIdentity
from connectors.kafka.message_encoding import Message, MessageEncoding
from connectors.kafka.probe import SILENT
from connectors.sinks.description import SinkDescription
from connectors.sinks.fences import fenced_off
from connectors.sinks.messages import (
    Acknowledge,
    Acknowledged,
    DriverResponse,
    Flushed,
    FlushLoads,
    Load,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import Timestamp

_TIMEOUT_S = 30.0
_COMMIT_S = 120.0
_ABORT_S = 5.0
_TRANSACTION_MS = 600_000
"""A broker ends what takes longer; it allows 900,000 where nobody told it otherwise."""
_PRODUCING = {
    "transaction.timeout.ms": _TRANSACTION_MS,
    "linger.ms": 5,
    "queue.buffering.max.messages": 100_000,
    "queue.buffering.max.kbytes": 65_536,
    "message.max.bytes": 64 << 20,
    "partitioner": "murmur2_random",
    "compression.type": "lz4",
}
"""The partitioner is the one of Java's clients: a key is where those look for it."""
_TOPIC_ID = "topic_id"
_FENCED = frozenset(
    (
        KafkaError._FENCED,
        KafkaError.PRODUCER_FENCED,
        KafkaError.INVALID_PRODUCER_EPOCH,
        KafkaError.INVALID_PRODUCER_ID_MAPPING,
    )
)
_POLL_EVERY = 1_000
_FULL_WAIT_S = 0.05
_HEARD = 20
"""What brokers said last; while they are away they say it again and again."""


class KafkaDriver:
    """A session with a topic."""

    def __init__(self, place: DestinationTopic) -> None:
        self._place = place
        self._sink: SinkDescription | None = None
        self._encoding: MessageEncoding | None = None
        self._producer: Producer | None = None
        self._group: Consumer | None = None
        self._begun = False
        self._ended = False
        self._heard: collections.deque[KafkaError] = collections.deque(maxlen=_HEARD)
        self._topic_id: str | None = None
        self._partitions = 1

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        try:
            yield from self._answer(request)
        except (KafkaException, BufferError, ValueError) as error:
            raise self._failed(error) from error

    def abort(self) -> None:
        """Ends the driver's waiting for room in the queue. Requests to brokers end by themselves."""
        self._ended = True

    def close(self) -> None:
        producer, self._producer = self._producer, None
        group, self._group = self._group, None
        if producer is not None:
            with contextlib.suppress(KafkaException):
                producer.purge()
                if self._begun:
                    producer.abort_transaction(_ABORT_S)
        if group is not None:
            group.close()

    def _answer(self, request: Request) -> Iterator[DriverResponse]:
        match request:
            case Open():
                yield self._open(request)
            case Acknowledge():
                yield Acknowledged()
            case Load():
                raise AssertionError("nothing is loaded from a topic")
            case FlushLoads():
                yield Flushed()
            case Store(documents):
                self._store(documents)
            case StartCommit(frontier):
                self._commit(frontier)
                yield StartedCommit({_TOPIC_ID: self._topic_id})
            case _:
                assert_never(request)

    # Opening

    def _open(self, request: Open) -> Opened:
        place, name = self._place, request.sink.name
        registered = tuple(value for value in request.secrets if value.startswith(("key ", "value ")))
        of_registries = {value: request.secrets[value] for value in registered}
        of_brokers = {value: secret for value, secret in request.secrets.items() if value not in of_registries}
        settings: dict[str, Any] = {**dict(place.settings), **of_brokers, "error_cb": self._heard.append}
        made = self._made_topic(settings)
        self._topic_id = TopicIdentity({**dict(place.settings), **of_brokers}, place.topic).now(_TIMEOUT_S)
        self._sink, self._encoding = request.sink, MessageEncoding(request.sink, place, of_registries)
        producing = {**settings, **_PRODUCING, **dict(place.producing)}
        producing["transactional.id"] = f"{place.transactional_prefix}headwater-{name}"
        self._producer = Producer(producing, logger=SILENT)
        # First: a transaction that is open has told the group what may never be so.
        self._producer.init_transactions(_TIMEOUT_S)
        if place.partition_by is not None:
            # Those that come later have no messages until the next session.
            known = self._producer.list_topics(place.topic, _TIMEOUT_S).topics[place.topic]
            self._partitions = max(1, len(known.partitions))
        frontier = self._told(settings, name)
        remembered = request.state.get(_TOPIC_ID)
        another = made or (None not in (remembered, self._topic_id) and remembered != self._topic_id)
        if request.anew or another:
            return Opened(Timestamp(0))
        if frontier is None and request.frontier > 0:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                f'Kafka does not know any more how far topic "{place.topic}" is',
                detail="The offset of the sink's consumer group has expired, or was deleted.",
                hint="ALTER SINK ... BACKFILL writes all anew.",
            )
        # The log is told after the topic, so what the log knows is there, even where a broker has kept no offset of a
        # transaction without messages.
        return Opened(Timestamp(max(frontier or 0, request.frontier)))

    def _made_topic(self, settings: dict[str, Any]) -> bool:
        """Creates the topic where it does not exist, and tells whether it was created."""
        admin, place = AdminClient(settings, logger=SILENT), self._place
        if place.topic in admin.list_topics(timeout=_TIMEOUT_S).topics:
            return False
        wanted = NewTopic(place.topic, place.partitions or -1, place.replicas or -1)
        (created,) = admin.create_topics([wanted], operation_timeout=_TIMEOUT_S).values()
        try:
            created.result(_TIMEOUT_S)
        except KafkaException as failure:
            if failure.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                raise
            return False
        return True

    def _told(self, settings: dict[str, Any], name: str) -> int | None:
        """Returns the frontier that the last transaction has committed as an offset of the sink's consumer group;
        None where there is none."""
        grouped = {"group.id": f"{self._place.group_prefix}headwater-{name}", "enable.auto.commit": False}
        self._group = Consumer({**settings, **grouped, "isolation.level": "read_committed"}, logger=SILENT)
        (at,) = self._group.committed([TopicPartition(self._place.topic, 0)], timeout=_TIMEOUT_S)
        if at.error is not None:
            raise KafkaException(at.error)
        return None if at.offset == OFFSET_INVALID else int(at.offset)

    # Transactions

    def _begin(self) -> Producer:
        assert self._producer is not None, "it is open"
        if not self._begun:
            self._producer.begin_transaction()
            self._begun = True
        return self._producer

    def _store(self, documents: pa.Table) -> None:
        assert self._encoding is not None, "it is open"
        producer, topic = self._begin(), self._place.topic
        for number, message in enumerate(self._encoding.messages(documents)):
            self._produce(producer, topic, message)
            if number % _POLL_EVERY == 0:
                producer.poll(0)

    def _produce(self, producer: Producer, topic: str, message: Message) -> None:
        told: dict[str, Any] = {"key": message.key, "value": message.value}
        if message.headers:
            told["headers"] = list(message.headers)
        if message.number is not None:
            told["partition"] = message.number % self._partitions
        while True:
            try:
                producer.produce(topic, **told)
                return
            except BufferError:
                # The queue is full: what is in it fails by itself where brokers stay away.
                producer.poll(_FULL_WAIT_S)
                if self._ended:
                    raise

    def _commit(self, frontier: Timestamp) -> None:
        producer = self._begin()
        assert self._group is not None, "it is open"
        told = TopicPartition(self._place.topic, 0, int(frontier))
        producer.send_offsets_to_transaction([told], self._group.consumer_group_metadata(), _TIMEOUT_S)
        producer.commit_transaction(_COMMIT_S)
        self._begun = False

    def _failed(self, error: Exception) -> SqlError:
        told = error.args[0] if error.args else error
        heard: Sequence[KafkaError] = [each for each in self._heard if each.code() != KafkaError._ALL_BROKERS_DOWN]
        self._heard.clear()
        if isinstance(told, KafkaError) and told.code() in _FENCED:
            # What it had open was undone by whoever has taken over.
            self._begun = False
            return fenced_off()
        said = told.str() if isinstance(told, KafkaError) else str(told)
        detail = heard[-1].str() if heard else None
        return SqlError(Sqlstate.CONNECTION_FAILURE, f'Kafka topic "{self._place.topic}": {said}', detail=detail)
