"""The reader of Kafka topics on a real broker: every record once and in order, ends, gaps, new topics, lost ones."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicCollection, TopicPartition

from connectors.gauge import Partition, UpstreamFrontier
from connectors.kafka.identity import TopicIdentity
from connectors.kafka.source.reader import KafkaReader
from connectors.kafka.topic import KafkaTopic
from connectors.upstream import FetchedRange
from model.errors.sql_error import SqlError
from model.time.clock import SystemClock
from tests.kafka_broker import KafkaBroker, start_broker

_PATIENCE_S = 30.0


class Reading:
    """What a reader gives until it has come as far as is wanted."""

    def __init__(
        self,
        broker: KafkaBroker,
        topic: str,
        start: tuple[tuple[int, int], ...] = (),
        start_ms: int | None = None,
        topic_id: str | None = None,
        refresh_ms: int | None = None,
    ) -> None:
        self._arrived = threading.Event()
        self.topic_id = topic_id
        settings = (("bootstrap.servers", broker.address), ("group.id", "headwater"))
        identity = None if topic_id is None else ("", topic_id)
        place = KafkaTopic(settings, topic, start, start_ms=start_ms, refresh_ms=refresh_ms, identity=identity)
        self.reader = KafkaReader(place, dict(place.settings), SystemClock(), self._arrived.set)
        self.values: dict[int, list[bytes]] = {}
        self.frontier: dict[Partition, int] = {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        self.values, self.frontier = {}, dict(frontier)
        self.reader.begin(frontier)

    def until(self, done: Callable[[], bool], records_max: int = 1_000) -> None:
        deadline = time.monotonic() + _PATIENCE_S
        while not done():
            assert time.monotonic() < deadline, f"read up to {self.frontier}: {self.reader.status()}"
            fetched = self.reader.take(records_max, 1 << 20)
            if fetched is None:
                self._arrived.wait(0.2)
                self._arrived.clear()
            else:
                self._take(fetched)

    def up_to(self, frontier: UpstreamFrontier, records_max: int = 1_000) -> None:
        self.until(lambda: self.frontier == frontier, records_max)

    def _take(self, fetched: FetchedRange) -> None:
        rows = fetched.records.to_pydict()
        for partition, offset, value in zip(rows["partition"], rows["offset"], rows["value"], strict=True):
            assert self.frontier.get(partition, 0) <= offset < fetched.frontier[partition]
            self.values.setdefault(partition, []).append(value)
        for partition, bound in fetched.frontier.items():
            assert bound > self.frontier.get(partition, 0), "a range that names a partition moves it"
        self.frontier.update(fetched.frontier)


def _numbers(count: int, partitions: int) -> list[tuple[int, bytes | None, bytes | None]]:
    return [(number % partitions, None, str(number).encode()) for number in range(count)]


def test_every_record_comes_once_and_in_order_in_ranges_of_any_size(broker: KafkaBroker) -> None:
    broker.create("ordered", 3)
    broker.produce("ordered", _numbers(1_000, 3))
    for records_max in (1, 7, 10_000):
        reading = Reading(broker, "ordered")
        reading.begin(reading.reader.beginning())
        reading.up_to({0: 334, 1: 333, 2: 333}, records_max)
        assert reading.values == {p: [str(n).encode() for n in range(p, 1_000, 3)] for p in range(3)}
        reading.reader.close()


def test_it_reads_on_from_a_frontier_and_from_another_when_told(broker: KafkaBroker) -> None:
    broker.create("resumed", 2)
    broker.produce("resumed", _numbers(20, 2))
    reading = Reading(broker, "resumed")
    reading.begin({0: 8})
    reading.up_to({0: 10, 1: 10})
    assert reading.values[0] == [b"16", b"18"]
    reading.begin({0: 9, 1: 9})
    reading.up_to({0: 10, 1: 10})
    assert reading.values == {0: [b"18"], 1: [b"19"]}
    broker.produce("resumed", [(1, None, b"late")])
    reading.up_to({0: 10, 1: 11})
    assert reading.values[1] == [b"19", b"late"]
    reading.reader.close()


def test_start_offsets_are_where_it_begins(broker: KafkaBroker) -> None:
    broker.create("started", 2)
    broker.produce("started", _numbers(10, 2))
    reading = Reading(broker, "started", ((0, 3),))
    assert reading.reader.beginning() == {0: 3, 1: 0}
    reading.reader.close()


def test_what_is_durable_is_told_to_the_group(broker: KafkaBroker) -> None:
    broker.create("told", 2)
    broker.produce("told", _numbers(10, 2))
    reading = Reading(broker, "told")
    reading.begin({})
    reading.up_to({0: 5, 1: 5})
    reading.reader.acknowledge({0: 5, 1: 3})
    reading.reader.close()
    asked = [TopicPartition("told", 0), TopicPartition("told", 1)]
    watching = Consumer({**broker.settings, "group.id": "headwater"})
    assert [each.offset for each in watching.committed(asked, timeout=_PATIENCE_S)] == [5, 3]
    watching.close()


def test_another_topic_of_the_name_is_an_error_however_long_it_is(broker: KafkaBroker) -> None:
    broker.create("another", 1)
    broker.produce("another", _numbers(3, 1))
    identity = TopicIdentity({"bootstrap.servers": broker.address}, "another")
    reading = Reading(broker, "another", topic_id=identity.now(_PATIENCE_S))
    reading.begin({})
    reading.up_to({0: 3})
    reading.reader.close()
    broker.delete("another")
    broker.create("another", 1)
    broker.produce("another", _numbers(9, 1))
    again = Reading(broker, "another", topic_id=reading.topic_id)
    again.begin({0: 3})
    with pytest.raises(SqlError, match='topic "another" is not the one that the source has read'):
        again.until(lambda: False)
    again.reader.close()
    assert TopicIdentity({"bootstrap.servers": broker.address}, "never").now(_PATIENCE_S) is None


class _Unhurried(Future[Any]):
    """An answer that is waited for as long as it takes."""

    def result(self, timeout: float | None = None) -> Any:
        return super().result()


class _SlowBrokers:
    """They say at once what a topic's id is, and when asked again, only when they are told to."""

    def __init__(self, *_arguments: object, **_settings: object) -> None:
        self.asked: list[_Unhurried] = []
        self.again = threading.Event()

    def describe_topics(self, topics: TopicCollection, **_timeouts: float) -> dict[str, Future[Any]]:
        self.asked.append(_Unhurried())
        if len(self.asked) == 1:
            self.asked[0].set_result(SimpleNamespace(topic_id="first"))
        else:
            self.again.set()
        return {"slow": self.asked[-1]}


def test_an_answer_that_takes_long_holds_up_no_records_and_is_heard_when_it_comes(
    broker: KafkaBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    brokers = _SlowBrokers()
    monkeypatch.setattr("connectors.kafka.identity.AdminClient", lambda *_, **__: brokers)
    broker.create("slow", 1)
    broker.produce("slow", _numbers(3, 1))
    reading = Reading(broker, "slow", topic_id="first", refresh_ms=100)
    try:
        reading.begin({})
        reading.up_to({0: 3})
        assert brokers.again.wait(_PATIENCE_S)
        broker.produce("slow", _numbers(2, 1))
        reading.up_to({0: 5})
        assert len(brokers.asked) == 2, "nobody is asked again before the answer has come"
        broker.produce("slow", _numbers(2, 1))
        reading.until(lambda: reading.reader.status().known == {0: 7}, records_max=0)
    finally:
        brokers.asked[-1].set_result(SimpleNamespace(topic_id="second"))
    with pytest.raises(SqlError, match='topic "slow" is not the one that the source has read'):
        reading.until(lambda: False, records_max=0)
    with pytest.raises(SqlError):
        # What was read ahead may be the other topic's.
        reading.reader.take(10, 1 << 20)
    reading.reader.close()


def test_markers_of_transactions_take_offsets_and_are_passed(broker: KafkaBroker) -> None:
    broker.create("transactions", 1)
    producer = Producer({**broker.settings, "transactional.id": "t"})
    producer.init_transactions()
    for value in (b"a", b"b"):
        producer.begin_transaction()
        producer.produce("transactions", value=value, partition=0)
        producer.commit_transaction()
    reading = Reading(broker, "transactions")
    reading.begin({})
    reading.up_to({0: 4})
    assert reading.values == {0: [b"a", b"b"]}
    reading.reader.close()


def test_a_topic_that_is_not_there_is_an_error_until_it_is(broker: KafkaBroker) -> None:
    reading = Reading(broker, "absent")
    with pytest.raises(SqlError, match='there is no topic "absent"'):
        reading.reader.beginning()
    reading.begin({})
    with pytest.raises(SqlError, match='there is no topic "absent"'):
        reading.until(lambda: False)
    broker.create("absent", 1)
    broker.produce("absent", [(0, None, b"here")])
    reading.begin({})
    reading.up_to({0: 1})
    reading.reader.close()


def test_a_broker_that_is_not_there_is_known_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings = (("bootstrap.servers", f"127.0.0.1:{closed.getsockname()[1]}"), ("group.id", "headwater"))
    reader = KafkaReader(KafkaTopic(settings, "t"), dict(settings), SystemClock(), lambda: None)
    asked: list[float] = []
    whole = reader._partitions.now

    def counted(timeout_s: float) -> list[int]:
        asked.append(timeout_s)
        return whole(timeout_s)

    monkeypatch.setattr(reader._partitions, "now", counted)
    with pytest.raises(SqlError, match="can't be read"):
        reader.beginning()
    assert sum(asked) < 10, "not as long as one that is slow may take"
    reader.close()


class _Lingering:
    """A consumer that does not end before it is let."""

    def __init__(self, consumer: Any) -> None:
        self.let = threading.Event()
        self._consumer = consumer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._consumer, name)

    def close(self) -> None:
        self.let.wait(_PATIENCE_S)
        self._consumer.close()


def test_who_closes_a_reader_does_not_wait_for_brokers_that_are_gone(
    broker: KafkaBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.create("left", 1)
    reader = Reading(broker, "left").reader
    lingering = _Lingering(reader._consumer)
    monkeypatch.setattr(reader, "_consumer", lingering)
    began = time.monotonic()
    reader.close()
    waited_s = time.monotonic() - began
    lingering.let.set()
    reader._thread.join(_PATIENCE_S)
    assert waited_s < _PATIENCE_S / 3
    assert not reader._thread.is_alive(), "it ends by itself"


def test_records_come_while_a_broker_takes_its_time_to_tell_what_there_is(broker: KafkaBroker) -> None:
    broker.create("unhurried", 1)
    broker.produce("unhurried", _numbers(1, 1))
    reading = Reading(broker, "unhurried", refresh_ms=1)
    reading.begin({})
    reading.up_to({0: 1})
    asked, told = threading.Event(), threading.Event()
    consumer = reading.reader._partition_list._consumer

    def slowly(topic: str, timeout: float) -> object:
        asked.set()
        told.wait(_PATIENCE_S)
        return consumer.list_topics(topic, timeout=timeout)

    reading.reader._partition_list._consumer = SimpleNamespace(list_topics=slowly)
    assert asked.wait(_PATIENCE_S)
    broker.produce("unhurried", _numbers(100, 1))
    reading.up_to({0: 101})
    assert not told.is_set(), "it is still waiting for its answer"
    told.set()
    reading.reader.close()


def test_what_was_asked_before_reading_began_anew_is_not_believed(broker: KafkaBroker) -> None:
    """It may lack partitions that there are by now, which would not be read until the next answer."""
    broker.create("believed", 1)
    reading = Reading(broker, "believed")
    partitions = reading.reader._partition_list
    partitions.ask(_PATIENCE_S)
    deadline = time.monotonic() + _PATIENCE_S
    while partitions._asked is not None and not partitions._asked.done():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert partitions.now(_PATIENCE_S) == [0]
    assert partitions.heard() is None
    reading.reader.close()


def test_a_topic_that_was_recreated_shorter_is_an_error_that_says_so(broker: KafkaBroker) -> None:
    broker.create("shorter", 1)
    broker.produce("shorter", _numbers(5, 1))
    reading = Reading(broker, "shorter")
    reading.begin({0: 50})
    with pytest.raises(SqlError, match="ends at offset 5, but was read up to 50") as told:
        reading.until(lambda: False)
    assert told.value.hint == "Drop the source and create it again."
    reading.reader.close()


def test_a_broker_that_is_gone_is_trouble_and_one_that_has_forgotten_all_is_told() -> None:
    with start_broker() as broker:
        broker.create("gone", 1)
        broker.produce("gone", _numbers(3, 1))
        reading = Reading(broker, "gone")
        reading.begin({})
        reading.up_to({0: 3})
    reading.until(lambda: reading.reader.status().trouble is not None)
    with start_broker(int(broker.address.rpartition(":")[2])) as another:
        another.create("gone", 1)
        another.produce("gone", _numbers(1, 1))
        with pytest.raises(SqlError, match="ends at offset 1, but was read up to 3"):
            reading.until(lambda: False)
    reading.reader.close()
