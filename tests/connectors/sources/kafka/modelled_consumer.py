"""librdkafka's consumer over a modelled topic: what it says to whom it reads for, in an order that chance decides.

It fetches ahead into a queue of its own, as the consumer does: what is there was there when it was fetched. Of
partitions that brokers have not, or not at that offset, it says so once, and fetches them no more.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from confluent_kafka import OFFSET_END, KafkaError, KafkaException, TopicPartition

from connectors.kafka.source import reader
from connectors.kafka.source.consumer import AskedLater
from connectors.kafka.source.partition_list import PartitionList
from connectors.kafka.source.topic_reading import TopicReading
from connectors.kafka.topic import KafkaTopic
from connectors.upstream import Arrived
from model.time.clock import Clock
from tests.connectors.sources.kafka.modelled_topic import NAME, ModelledTopic, PartitionLog

_UNKNOWN_OFFSET = -1001
_AHEAD = 8
_PERIOD_S = 0.05
T = TypeVar("T")


class ModelledMessage:
    """As confluent_kafka's Message is."""

    def __init__(self, partition: int, offset: int, error: KafkaError | None, text: str | None, ms: int) -> None:
        self._place = partition, offset
        self._error = error
        self._value = None if text is None else text.encode()
        self._ms = ms

    def partition(self) -> int:
        return self._place[0]

    def offset(self) -> int:
        return self._place[1]

    def error(self) -> KafkaError | None:
        return self._error

    def key(self) -> bytes | None:
        return None

    def value(self) -> bytes | None:
        return self._value

    def timestamp(self) -> tuple[int, int]:
        return 1, self._ms

    def headers(self) -> list[tuple[str, bytes | None]] | None:
        return None

    def __len__(self) -> int:
        return len(self._value or b"")


class ModelledConsumer:
    """`settings` are librdkafka's. `on_error` is told when no broker answers."""

    def __init__(
        self,
        topic: ModelledTopic,
        settings: Mapping[str, object],
        chance: random.Random,
        on_error: Callable[[KafkaError], None],
    ) -> None:
        self._topic = topic
        self._is_committed_only = settings["isolation.level"] == "read_committed"
        self._reset = settings["auto.offset.reset"]
        self._tells_ends = settings["enable.partition.eof"]
        self._chance = chance
        self._on_error = on_error
        self._fetched: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._highs: dict[int, int] = {}
        self._queue: deque[ModelledMessage] = deque()

    def assign(self, partitions: list[TopicPartition]) -> None:
        self._fetched = {each.partition: each.offset for each in partitions}
        self._ends.clear()
        self._queue.clear()

    def unassign(self) -> None:
        self.assign([])

    def poll(self, timeout: float) -> ModelledMessage | None:
        assert timeout >= 0
        if self._topic.away:
            self._on_error(KafkaError(KafkaError._ALL_BROKERS_DOWN))
        elif len(self._queue) < _AHEAD and self._chance.random() < 0.7:
            self._fetch()
        return self._queue.popleft() if self._queue and self._chance.random() < 0.8 else None

    def consume(self, num_messages: int, timeout: float) -> list[ModelledMessage]:
        assert timeout == 0
        count = self._chance.randint(0, min(num_messages, len(self._queue)))
        return [self._queue.popleft() for _ in range(count)]

    def _fetch(self) -> None:
        for partition, at in self._chance.sample(sorted(self._fetched.items()), len(self._fetched)):
            log = self._topic.partitions.get(partition)
            if log is None:
                self._refuse(partition, at, KafkaError.UNKNOWN_TOPIC_OR_PART)
            elif log.led and not log.first <= at <= log.end:
                if self._reset == "error":
                    self._refuse(partition, at, KafkaError._AUTO_OFFSET_RESET)
                else:
                    self._fetched[partition] = log.first
            elif log.led:
                self._fetch_from(partition, log, at)

    def _fetch_from(self, partition: int, log: PartitionLog, at: int) -> None:
        end = log.stable if self._is_committed_only else log.end
        upto = self._chance.randint(at, max(at, end))
        for offset in range(at, upto):
            entry = log.entries[offset]
            if log.shows(offset) or (entry.text is not None and not self._is_committed_only):
                self._queue.append(ModelledMessage(partition, offset, None, entry.text, entry.ms))
        self._fetched[partition] = upto
        self._highs[partition] = log.end
        if upto == end and self._ends.get(partition) != upto and self._tells_ends:
            self._ends[partition] = upto
            self._say(partition, upto, KafkaError._PARTITION_EOF)

    def _refuse(self, partition: int, at: int, code: int) -> None:
        del self._fetched[partition]
        self._say(partition, at, code)

    def _say(self, partition: int, offset: int, code: int) -> None:
        self._queue.append(ModelledMessage(partition, offset, KafkaError(code), None, 0))

    def list_topics(self, topic: str, timeout: float) -> Any:
        self._ask(topic, timeout)
        unknown = KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART) if self._topic.id is None else None
        return SimpleNamespace(
            topics={topic: SimpleNamespace(error=unknown, partitions=dict.fromkeys(self._topic.partitions))}
        )

    def get_watermark_offsets(
        self, partition: TopicPartition, timeout: float = 0, cached: bool = False
    ) -> tuple[int, int]:
        if cached:
            return _UNKNOWN_OFFSET, self._highs.get(partition.partition, _UNKNOWN_OFFSET)
        self._ask(partition.topic, timeout)
        log = self._topic.partitions.get(partition.partition)
        if log is None:
            raise KafkaException(KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART))
        if not log.led:
            raise KafkaException(KafkaError(KafkaError.LEADER_NOT_AVAILABLE))
        return log.first, log.stable

    def offsets_for_times(self, partitions: list[TopicPartition], timeout: float) -> list[TopicPartition]:
        return [TopicPartition(NAME, each.partition, self._first_since(each, timeout)) for each in partitions]

    def _first_since(self, asked: TopicPartition, timeout: float) -> int:
        self._ask(asked.topic, timeout)
        log = self._topic.partitions[asked.partition]
        late = (offset for offset in range(log.first, log.stable) if log.entries[offset].ms >= asked.offset)
        return next(late, OFFSET_END)

    def commit(self, *, offsets: list[TopicPartition], asynchronous: bool) -> None:
        assert asynchronous
        known = self._topic.acknowledged
        self._topic.acknowledged = known | {each.partition: each.offset for each in offsets}

    def close(self) -> None:
        self.unassign()

    def _ask(self, topic: str, timeout: float) -> None:
        assert topic == NAME
        assert timeout > 0
        if self._topic.away or self._topic.slow:
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT))


class _Asked(Generic[T]):
    """What was asked is answered as things were then, and heard sooner or later."""

    def __init__(self, answer: Callable[[], T], chance: random.Random) -> None:
        self._answer = answer
        self._chance = chance
        self._told: Callable[[], T] | None = None

    def now(self, timeout_s: float) -> T:
        assert timeout_s > 0
        self._told = None
        return self._answer()

    def ask(self, timeout_s: float) -> None:
        assert timeout_s > 0
        if self._told is None:
            self._told = self._settled()

    def heard(self) -> T | None:
        if self._told is None or self._chance.random() < 0.5:
            return None
        told, self._told = self._told, None
        return told()

    def _settled(self) -> Callable[[], T]:
        try:
            answer = self._answer()
        except Exception as error:  # noqa: BLE001  (it is raised where the answer is heard)
            failure = error

            def fail() -> T:
                raise failure

            return fail
        return lambda: answer


def modelled_identity(topic: ModelledTopic, chance: random.Random) -> AskedLater[str | None]:
    """As brokers tell it."""
    return _Asked(lambda: None if topic.away or topic.slow else topic.id, chance)


class ModelledReader(TopicReading):
    """Takes its steps on the running loop."""

    def __init__(
        self, topic: ModelledTopic, place: KafkaTopic, clock: Clock, arrived: Arrived, chance: random.Random
    ) -> None:
        consumer = ModelledConsumer(topic, reader.SETTINGS, chance, self.on_error)
        listed = PartitionList(consumer, NAME)
        partitions = _Asked(lambda: listed.now(1.0), chance)
        identity = None if place.topic_id is None else modelled_identity(topic, chance)
        super().__init__(place, consumer, partitions, identity, clock, arrived)
        self._stepping = asyncio.get_running_loop().create_task(self._run(clock, chance))

    async def _run(self, clock: Clock, chance: random.Random) -> None:
        while True:
            self.step()
            await clock.sleep(chance.random() * _PERIOD_S)

    def close(self) -> None:
        self.end()
        self.tell_durable()

    def end(self) -> None:
        """As its process does that is killed."""
        self._stepping.cancel()
