"""Reads a Kafka topic ahead with a consumer of librdkafka, step by step: `KafkaReader` without its thread.

How far a partition is read follows from its records and from ends of fetches, never from a broker's answer about its
latest offset. Gaps (markers of transactions, aborted and compacted records) are passed when the next record, or the end
of the partition, shows them. The reader joins no group, and a group's offset never decides where reading begins:
offsets are committed only for tools that watch how far groups are behind, after the records below them are durable. No
records are given out before the brokers have confirmed that the topic is still the same, where they can tell.

After a failure nothing is read until `begin` is called: further records may be another topic's, or lie beyond missing
ones.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections import deque
from collections.abc import Mapping
from typing import Any

from confluent_kafka import KafkaError, KafkaException, TopicPartition

from connectors.gauge import Partition, UpstreamFrontier
from connectors.kafka.source.consumer import AskedLater, TopicConsumer
from connectors.kafka.source.partition_list import absent_topic, is_absent
from connectors.kafka.source.records import RECORDS_SCHEMA, message_bytes, records_of
from connectors.kafka.topic import KafkaTopic
from connectors.upstream import Arrived, FetchedRange, PartitionReach, UpstreamStatus
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Clock

BUFFER_BYTES = 16 * 1024 * 1024
_BATCH_RECORDS = 10_000
_POLL_S = 0.1
_ACKNOWLEDGED_S = 5.0
_ANSWER_S = 10.0
_ATTEMPT_S = 1.0
_ASKING_AGAIN_S = 2.0
"""How often leaders are asked whether they answer again, where something was wrong and no record has come since."""
_ATTEMPTS = re.compile(r"\s*\(after \d+ms in state .*\)$")
"""What librdkafka says of its attempts at the end of an error: another number each time."""
_LOST = (KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE)


class TopicReading:
    """Reads a topic. `consumer` is used by nobody else; `partitions` and `identity` ask for the topic's partitions
    and its id. `step` calls `arrived` when there is something to take, or the status has changed."""

    def __init__(
        self,
        place: KafkaTopic,
        consumer: TopicConsumer,
        partitions: AskedLater[list[int]],
        identity: AskedLater[str | None] | None,
        clock: Clock,
        arrived: Arrived,
    ) -> None:
        self._place = place
        self._consumer = consumer
        self._partitions = partitions
        self._identity = identity
        self._identified = identity is None
        """Whether what is read now is known to be of the topic."""
        self._clock = clock
        self._arrived = arrived
        self._changed = threading.Condition()
        self._buffer: deque[Any] = deque()
        self._buffered = 0
        self._bound: dict[int, int] = {}
        self._durable: dict[int, int] = {}
        self._told: dict[int, int] = {}
        self._known: dict[Partition, int] = {}
        """Up to where brokers have said that partitions go: when they were asked for the beginning, and with what they
        have given since."""
        self._held = False
        self._wanted: dict[int, int] | None = None
        self._assigned: dict[int, int] | None = None
        """Where reading began; None before it has."""
        self._looking_ns = self._telling_ns = self._asking_again_ns = 0
        """When the topic is looked at next, brokers are told what is durable, and asked whether they are back."""
        self._trouble: str | None = None
        self._all_down = False
        self._failure: SqlError | None = None

    def beginning(self) -> UpstreamFrontier:
        """Returns where the source begins: its start offsets, or the first offset that each partition still has. May
        take long.

        Raises SqlError when the broker does not answer, or has no such topic.
        """
        try:
            partitions = self._first_partitions()
            ends = {
                each: self._consumer.get_watermark_offsets(self._at(each), timeout=_ANSWER_S) for each in partitions
            }
            start = dict(self._place.start) if self._place.start_ms is None else self._since(self._place.start_ms, ends)
        except KafkaException as error:
            raise _unreachable(self._place.topic, error) from error
        with self._changed:
            # Else a topic may be half read before all partitions have given something, and it is known how far they go.
            self._known = {partition: max(high, self._known.get(partition, 0)) for partition, (_, high) in ends.items()}
        return {partition: max(start.get(partition, 0), low) for partition, (low, _) in ends.items()}

    def _first_partitions(self) -> list[int]:
        """Asks for the partitions; raises as soon as it is known that no broker answers."""
        for left in range(round(_ANSWER_S / _ATTEMPT_S) - 1, -1, -1):
            try:
                partitions = self._partitions.now(_ATTEMPT_S)
                self._all_down = False
                return partitions
            except KafkaException:
                # Nothing is assigned yet: only what brokers have to say comes of this.
                self._consumer.poll(0)
                if self._all_down or not left:
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _since(self, start_ms: int, ends: Mapping[int, tuple[int, int]]) -> dict[int, int]:
        """Returns the offset of the first record that is as late, by partition; the partition's end where none is."""
        asked = [self._at(partition, start_ms) for partition in ends]
        found = {each.partition: each for each in self._consumer.offsets_for_times(asked, timeout=_ANSWER_S)}
        for each in found.values():
            if each.error is not None:
                raise KafkaException(each.error)
        return {each: found[each].offset if found[each].offset >= 0 else high for each, (_, high) in ends.items()}

    def begin(self, frontier: UpstreamFrontier) -> None:
        with self._changed:
            self._wanted = {int(partition): bound for partition, bound in frontier.items()}
            self._bound = dict(self._wanted)
            self._buffer.clear()
            self._buffered = 0
            self._failure = None
            self._held = False
            self._changed.notify()

    def ahead(self) -> Mapping[Partition, PartitionReach]:
        with self._changed:
            if not self._identified or self._failure is not None or self._trouble is not None:
                return {}
            known = self._assigned is not None and self._known.keys() >= self._assigned.keys()
            return {partition: PartitionReach(end) for partition, end in self._known.items()} if known else {}

    def hold(self) -> None:
        with self._changed:
            self._held = True
            self._buffer.clear()
            self._buffered = 0
            self._changed.notify()

    @property
    def holds(self) -> bool:
        with self._changed:
            return self._held and self._failure is None

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        return self._taken(records_max, bytes_max, None)

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """Returns records before `upto`; later ones stay for a later call."""
        return self._taken(records_max, bytes_max, upto)

    def _taken(self, records_max: int, bytes_max: int, upto: UpstreamFrontier | None) -> FetchedRange | None:
        messages: list[Any] = []
        frontier: dict[Partition, int] = {}
        beyond: deque[Any] = deque()
        with self._changed:
            size = 0
            while self._identified and self._buffer and len(messages) < records_max and size < bytes_max:
                message = self._buffer.popleft()
                partition, end = message.partition(), _end(message)
                if upto is not None and end > upto.get(partition, 0):
                    beyond.append(message)
                    end = upto.get(partition, 0)
                else:
                    taken = message_bytes(message)
                    self._buffered -= taken
                    if message.error() is None:
                        messages.append(message)
                        size += taken
                if end > self._bound.get(partition, 0):
                    frontier[partition] = self._bound[partition] = end
            self._buffer.extendleft(reversed(beyond))
            if self._failure is not None and not frontier:
                raise self._failure
            self._changed.notify()
        if not frontier:
            return None
        return FetchedRange(records_of(messages) if messages else RECORDS_SCHEMA.empty_table(), frontier)

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        """Remembers a durable frontier, to be committed soon, for tools that watch how far consumer groups are
        behind."""
        with self._changed:
            self._durable = {int(partition): bound for partition, bound in frontier.items()}

    def status(self) -> UpstreamStatus:
        with self._changed:
            return UpstreamStatus(dict(self._known), self._trouble)

    # Steps

    def step(self) -> bool:
        """Handles what brokers have sent; returns False when there is no work until `begin` or `take` is called."""
        with self._changed:
            if not self.has_work:
                return False
            wanted, self._wanted = self._wanted, None
            held = self._held
            if wanted is not None:
                self._failure = None
                self._identified = self._identity is None
        if held and wanted is None:
            self._consumer.unassign()
        now_ns = self._clock.elapsed_ns()
        if wanted is not None:
            self._assigned = self._begin_at(wanted)
            self._looking_ns = now_ns + self._place.refreshed_ms * 1_000_000
        assert self._assigned is not None, "it is idle before it has begun"
        if now_ns >= self._looking_ns:
            self._looking_ns = now_ns + self._place.refreshed_ms * 1_000_000
            self._ask()
        self._assigned = self._heard_partitions(self._assigned)
        if now_ns >= self._telling_ns:
            self._telling_ns = now_ns + int(_ACKNOWLEDGED_S * 1e9)
            self.tell_durable()
        if self._identity is not None:
            self._is_another(self._identity.heard())
            if not self._identified:
                self._identity.ask(_ANSWER_S)
        if self._failure is None:
            self._poll()
        if self._trouble is not None and now_ns >= self._asking_again_ns:
            self._asking_again_ns = now_ns + int(_ASKING_AGAIN_S * 1e9)
            self._see_whether_answered(self._assigned)
        return True

    @property
    def has_work(self) -> bool:
        if self._wanted is not None:
            return True
        return self._assigned is not None and self._failure is None and self._buffered <= BUFFER_BYTES

    def _ask(self) -> None:
        """Asks for the topic's partitions and its id."""
        self._partitions.ask(_ANSWER_S)
        if self._identity is not None:
            self._identity.ask(_ANSWER_S)

    def tell_durable(self) -> None:
        """Commits the durable offsets without waiting for an answer: nothing here depends on the brokers' copy."""
        with self._changed:
            durable, self._durable = self._durable, {}
        if durable and durable != self._told:
            self._told = durable
            with contextlib.suppress(KafkaException):
                offsets = [self._at(partition, bound) for partition, bound in sorted(durable.items())]
                self._consumer.commit(offsets=offsets, asynchronous=True)

    def _begin_at(self, wanted: dict[int, int]) -> dict[int, int]:
        """Reads on from a frontier, with new partitions, unless no broker tells which there are. Records are given
        out only after the topic's id is confirmed."""
        try:
            partitions = self._partitions.now(_ANSWER_S)
        except SqlError as error:
            self._fail(error)
            return wanted
        except KafkaException as error:
            self._troubled(_reason(error))
            self._assign(wanted)
            return wanted
        if self._identity is not None:
            if self._is_another(self._identity.now(_ANSWER_S)):
                return wanted
            if not self._identified:
                self._troubled("brokers do not say whether the topic is the one that the source has read")
        return self._read_all(partitions, wanted, anew=True)

    def _heard_partitions(self, assigned: dict[int, int]) -> dict[int, int]:
        """Handles an answer about partitions: reads new ones, and detects a partition that has lost bound records."""
        try:
            partitions = self._partitions.heard()
        except SqlError as error:
            self._fail(error)
        except KafkaException as error:
            self._troubled(_reason(error))
        else:
            if partitions is not None:
                return self._read_all(partitions, assigned, anew=False)
        return assigned

    def _read_all(self, partitions: list[int], assigned: dict[int, int], *, anew: bool) -> dict[int, int]:
        """Assigns partitions to read, and returns them with their offsets."""
        found = {partition: assigned.get(partition, 0) for partition in partitions}
        if anew or found.keys() != assigned.keys():
            with self._changed:
                self._held = False
                reached = {partition: self._reached(partition, bound) for partition, bound in found.items()}
            self._assign(reached)
        for partition in sorted(assigned.keys() - found.keys()):
            if (bound := self._bound.get(partition, 0)) > 0:
                self._fail(_truncated(self._place.topic, partition, bound, 0))
        for partition in partitions:
            _, high = self._consumer.get_watermark_offsets(self._at(partition), cached=True)
            bound = self._bound.get(partition, 0)
            if 0 <= high < bound:
                self._fail(_truncated(self._place.topic, partition, bound, high))
        return found

    def _is_another(self, topic_id: str | None) -> bool:
        """Tells whether the topic is another one than before; None is no answer, and means nothing. Records read
        ahead from another topic are dropped."""
        another = topic_id not in (None, self._place.topic_id)
        if topic_id == self._place.topic_id and not self._identified:
            with self._changed:
                self._identified, self._trouble = True, None
            self._arrived()
        if another:
            self._consumer.unassign()
            with self._changed:
                self._buffer.clear()
                self._buffered = 0
            self._fail(_another(self._place.topic))
        return another

    def _reached(self, partition: int, bound: int) -> int:
        """Returns up to where the partition has been read ahead."""
        ahead = [_end(message) for message in self._buffer if message.partition() == partition]
        return max(bound, self._bound.get(partition, 0), *ahead, 0)

    def _assign(self, frontier: Mapping[int, int]) -> None:
        self._consumer.assign([self._at(partition, bound) for partition, bound in sorted(frontier.items())])

    def _poll(self) -> None:
        first: Any = self._consumer.poll(_POLL_S)
        if first is None:
            return
        kept: list[Any] = []
        for message in (first, *self._consumer.consume(_BATCH_RECORDS, 0)):
            if self._worth_keeping(message):
                kept.append(message)
            elif self._failure is not None:
                break  # what comes behind it may be another topic's
        with self._changed:
            if self._wanted is not None or self._held:
                return  # it reads on from elsewhere
            self._buffer.extend(kept)
            self._buffered += sum(map(message_bytes, kept))
            # The last of each partition is its furthest; what brokers have said is below 0 before they have.
            furthest = {each.partition(): _end(each) for each in kept}
            for partition in self._assigned or ():
                _, high = self._consumer.get_watermark_offsets(self._at(partition), cached=True)
                end = max(high, furthest.get(partition, -1), self._known.get(partition, -1))
                if end >= 0:
                    self._known[partition] = end
            self._trouble = None if kept and self._identified else self._trouble
        self._arrived()

    def _see_whether_answered(self, assigned: Mapping[int, int]) -> None:
        """Ends what was wrong where the leaders of all partitions answer: of an idle topic nothing else would tell."""
        try:
            for partition in sorted(assigned):
                self._consumer.get_watermark_offsets(self._at(partition), timeout=_ATTEMPT_S)
        except KafkaException:
            return
        with self._changed:
            self._trouble = None if self._identified else self._trouble
        self._arrived()

    def _worth_keeping(self, message: Any) -> bool:
        """Returns whether a message is a record, or tells of a partition's end; any other is no part of the topic."""
        error = message.error()
        if error is None or error.code() == KafkaError._PARTITION_EOF:
            return True
        if error.code() in _LOST:
            self._fail(_lost(self._place.topic, message.partition(), message.offset()))
        elif is_absent(error):
            self._fail(absent_topic(self._place.topic))
        else:
            self._troubled(error.str())
        return False

    def _at(self, partition: int, offset: int = 0) -> TopicPartition:
        return TopicPartition(self._place.topic, partition, offset)

    def on_error(self, error: KafkaError) -> None:
        self._all_down = self._all_down or error.code() == KafkaError._ALL_BROKERS_DOWN
        self._troubled(error.str())

    def _troubled(self, reason: str) -> None:
        with self._changed:
            self._trouble = _ATTEMPTS.sub("", reason)
        self._arrived()

    def _fail(self, failure: SqlError) -> None:
        with self._changed:
            self._failure = failure
        self._arrived()


def _end(message: Any) -> int:
    """Returns up to where a partition has been read with this message: a record, or word of the partition's end."""
    return int(message.offset()) + (message.error() is None)


def _reason(error: KafkaException) -> str:
    return str(error.args[0].str()) if error.args else str(error)


def _unreachable(topic: str, error: KafkaException) -> SqlError:
    message = f'topic "{topic}" can\'t be read: {_reason(error)}'
    return SqlError(Sqlstate.CONNECTION_EXCEPTION, message, hint="See whether the connection's brokers answer.")


def _another(topic: str) -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'topic "{topic}" is not the one that the source has read',
        detail="It was deleted, and another one was created with its name.",
        hint="Drop the source and create it again.",
    )


def _lost(topic: str, partition: int, offset: int) -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'topic "{topic}" no longer has offset {offset} of partition {partition}',
        detail="Records were deleted before they could be read, or the topic is another one of the same name.",
        hint="Drop the source and create it again; give the topic a longer retention.",
    )


def _truncated(topic: str, partition: int, bound: int, high: int) -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'partition {partition} of topic "{topic}" ends at offset {high}, but was read up to {bound}',
        detail="The topic was truncated, or it is another one of the same name.",
        hint="Drop the source and create it again.",
    )
