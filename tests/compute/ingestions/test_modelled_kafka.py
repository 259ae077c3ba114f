"""The law of reclocking, of a source of Kafka's over all that Apache Kafka does to a topic: transactions that are open,
aborted, or committed late; partitions that are added; records that are deleted; leaders and brokers that go away; a
topic that is deleted and made again. The source's reader is the one that reads from brokers, over a model of these.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest
from confluent_kafka import KafkaError

from compute.protocol.response import DataflowPhase
from compute.replica.ingestions.ranges.ahead import RangeBounds
from connectors.gauge import Partition, UpstreamFrontier
from connectors.kafka.source import reader, topic_reading
from connectors.kafka.source.partition_reader import PartitionReader
from connectors.kafka.source.topic_reading import TopicReading
from connectors.kafka.topic import KafkaTopic
from connectors.upstream import Arrived, UpstreamPlace
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.backing_off import BackOff
from model.time.clock import Clock
from storage.persist.runner import InlineRunner
from storage.persist.write import Stage
from tests.compute.dataflows.world import Replica, World
from tests.compute.dataflows.worlds import run
from tests.compute.direct_ranges import DirectRanges
from tests.compute.ingestions.world import bound_now, check_acknowledged, check_reclocked, create_source
from tests.connectors.sources.kafka.modelled_consumer import ModelledConsumer, ModelledReader, modelled_identity
from tests.connectors.sources.kafka.modelled_topic import NAME, ModelledTopic, Transaction
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import SeededRandomness

pytestmark = pytest.mark.slow

_SEEDS_MAX = 60
_SEEDS_OF_RARE_BUGS = (1, 48, 18, 23, 19)
"""Tried first: few others see some of the bugs that are put in."""
_STEPS = 80
_REFRESH_MS = 200
_NOTICED_S = 3.0
_FAULTS = Faults(done=40, not_done=40, read_failure=30, latency_ms_max=20)
_TOLD = (
    "is not the one that the source has read",
    "no longer has offset",
    "was read up to",
    "there is no topic",
)


class _Replicas:
    """Of which there are two at most; all of them read the topic."""

    def __init__(
        self,
        world: World,
        topic: ModelledTopic,
        chance: random.Random,
        consensus: UnreliableConsensus,
        bounds: RangeBounds,
    ) -> None:
        self._world = world
        self._topic = topic
        self._chance = chance
        self._consensus = consensus
        self._bounds = bounds
        self.staged = 0
        self._alive: list[tuple[Replica, list[ModelledReader]]] = []

    def __iter__(self) -> Iterator[Replica]:
        return (replica for replica, _ in self._alive)

    def __len__(self) -> int:
        return len(self._alive)

    def start(self) -> Replica:
        readers: list[ModelledReader] = []

        def open_upstream(
            place: UpstreamPlace, _secrets: Mapping[GlobalId, str], clock: Clock, arrived: Arrived
        ) -> ModelledReader:
            assert isinstance(place, KafkaTopic)
            readers.append(ModelledReader(self._topic, place, clock, arrived, self._chance))
            return readers[-1]

        def open_range(
            place: UpstreamPlace,
            partitions: Mapping[Partition, str | None],
            _secrets: Mapping[GlobalId, str],
            clock: Clock,
        ) -> PartitionReader:
            assert isinstance(place, KafkaTopic)
            (partition,) = partitions
            self.staged += 1

            def open_consumer(on_error: Callable[[KafkaError], None]) -> ModelledConsumer:
                return ModelledConsumer(self._topic, reader.SETTINGS, self._chance, on_error)

            identity = modelled_identity(self._topic, self._chance)
            return PartitionReader(place, int(partition), open_consumer, identity, clock)

        world = self._world
        tasks = DirectRanges(Stage(world.blob, world.clock, world.randomness, InlineRunner()), world.clock, open_range)
        ranging = (tasks, self._bounds)
        replica = Replica(world, consensus=self._consensus, open_upstream=open_upstream, ranging=ranging)
        self._alive.append((replica, readers))
        return replica

    def kill(self) -> None:
        """kill -9 of one."""
        replica, readers = self._alive.pop(self._chance.randrange(len(self._alive)))
        replica.dataflows.kill()
        for each in readers:
            each.end()


class _Upstream:
    """Producers and administrators, who do what chance has them do."""

    def __init__(self, topic: ModelledTopic, chance: random.Random, clock: Clock) -> None:
        self._topic = topic
        self._chance = chance
        self._clock = clock
        self._open: list[Transaction] = []
        self._number = 0

    async def act(self) -> None:
        topic, chance = self._topic, self._chance
        topic.now_ms = self._clock.now_ms()
        logs = list(topic.partitions)
        if not logs:
            return
        match chance.randrange(20):
            case 0 if len(logs) < 5:
                topic.add_partition()
            case 1:
                topic.partitions[chance.choice(logs)].led ^= True
            case 2:
                topic.away, topic.slow = chance.choice([(False, False), (True, False), (False, True)])
            case 3 if chance.random() < 0.3:
                partition = chance.choice(logs)
                topic.delete_records(partition, chance.randint(0, topic.partitions[partition].end))
            case 4 if chance.random() < 0.15:
                await self._recreate()
            case 5 | 6 | 7 if self._open:
                transaction = self._open.pop(chance.randrange(len(self._open)))
                topic.finish(transaction, committed=chance.random() < 0.5)
            case 8 | 9:
                self._open.append(Transaction())
            case _:
                for _ in range(chance.randrange(5)):
                    self._append(chance.choice(logs))

    def _append(self, partition: int) -> None:
        transaction = self._chance.choice([None, *self._open])
        self._topic.append(partition, str(self._number), transaction)
        self._number += 1

    async def _recreate(self) -> None:
        """There is none for long enough that everyone who reads it has looked. What comes after that may be longer."""
        self._topic.away = self._topic.slow = False
        self._open.clear()
        self._topic.delete()
        await self._clock.sleep(_NOTICED_S)
        self._topic.create(self._chance.randint(1, 3))
        for _ in range(self._chance.randrange(40)):
            self._append(self._chance.choice(list(self._topic.partitions)))
        self._topic.slow = self._chance.random() < 0.5

    def settle(self) -> None:
        """Everything can be read that is still there; and something comes that has not been."""
        topic = self._topic
        topic.away = topic.slow = False
        for log in topic.partitions.values():
            log.led = True
        for transaction in self._open:
            topic.finish(transaction, committed=self._chance.random() < 0.5)
        self._open.clear()
        if topic.partitions:
            topic.add_partition()
            self._append(len(topic.partitions) - 1)


def _what_came_after_it_began(topic: ModelledTopic, bound: Sequence[UpstreamFrontier]) -> Counter[tuple[object, ...]]:
    """Where the source begins, the first binding says, after the time before all of them."""
    return topic.rows_below(bound[-1]) - topic.rows_below(bound[1])


_RANGES = RangeBounds(begin_at=3, least=1, bindings=2, at_once=3, again=BackOff(0.2, 0.2))


def reclocked(seed: int, bounds: RangeBounds = _RANGES) -> int:
    """AssertionError where the law does not hold; how many ranges tasks have read."""

    async def work(world: World) -> int:
        chance = random.Random(seed)
        topic = ModelledTopic(chance.randint(1, 3))
        upstream = _Upstream(topic, chance, world.clock)
        for _ in range(chance.randrange(20)):
            await upstream.act()
        start_ms = world.clock.now_ms() if chance.random() < 0.3 else None
        place = KafkaTopic((), NAME, start_ms=start_ms, refresh_ms=_REFRESH_MS, identity=("", topic.first_id()))
        description = await create_source(world, place=place)
        unreliable = UnreliableConsensus(world.consensus, world.clock, SeededRandomness(seed), _FAULTS)
        replicas = _Replicas(world, topic, chance, unreliable, bounds)
        for _ in range(_STEPS):
            match chance.randrange(10):
                case 0 if len(replicas) < 2:
                    replicas.start().start(description)
                case 1 if replicas and chance.random() < 0.4:
                    replicas.kill()
                case 2 if replicas and chance.random() < 0.3:
                    preconditions = await world.raise_fence()
                    for replica in replicas:
                        await world.clock.sleep(chance.random() / 10)
                        replica.fencing.replace(preconditions)
                case 3:
                    await world.clock.sleep(chance.random())
                case 4:
                    await world.commit({}, after_ms=chance.randint(1, 500))
                case _:
                    await upstream.act()
            await check_acknowledged(world, topic)
        unreliable.faults = Faults()
        if not replicas:
            replicas.start().start(description)
        await world.clock.sleep(chance.random())
        upstream.settle()
        await _stopped_or_bound(world, topic, list(replicas))
        await check_reclocked(world, topic, _what_came_after_it_began)
        for replica in replicas:
            await replica.dataflows.stop()
        return replicas.staged

    return run(work)


async def _stopped_or_bound(world: World, topic: ModelledTopic, replicas: Sequence[Replica]) -> None:
    """Returns once all is bound, or all replicas have said for some time why it can't be."""
    waited, told = 0.0, 0
    while True:
        found = await bound_now(world)
        bound = found or {}
        if (
            found is not None
            and not topic.is_another
            and all(bound.get(each, 0) == end for each, end in topic.stable_end.items())
        ):
            return
        last = [status for replica in replicas if (status := replica.last_status()) is not None]
        clear = [each for each in last if each.hint and any(words in each.message for words in _TOLD)]
        if len(clear) == len(replicas) and topic.has_forgotten(bound):
            assert {each.phase for each in clear} == {DataflowPhase.FAILING}
            told += 1
            if told > 20:
                return
        assert waited < 60, f"bound up to {bound} of {topic.stable_end}: {last}"
        await world.clock.sleep(0.2)
        waited += 0.2


@pytest.mark.in_part(6)
@pytest.mark.parametrize("seed", range(40))
def test_a_source_is_its_remap_collection_applied_to_what_was_committed(seed: int) -> None:
    assert not reclocked(seed, RangeBounds()), "so little is ahead that no task reads it"


def test_a_source_that_tasks_read_by_ranges_is_that_too(whole: bool) -> None:
    seeds = 24 if whole else 8
    assert sum(map(reclocked, range(seeds))) > 2 * seeds, "tasks have hardly read"


@pytest.mark.parametrize("knows", [True, False])
def test_a_task_reads_nothing_of_another_topic_of_the_name(knows: bool) -> None:
    """What the whole topic's reader has not noticed yet, since it looks now and then."""

    async def work(world: World) -> None:
        chance = random.Random(0)
        topic = ModelledTopic(1)
        place = KafkaTopic((), NAME, identity=("", topic.first_id()))
        topic.delete()
        topic.create(1)
        for number in range(20):
            topic.append(0, str(number), None)
        topic.slow = not knows
        reading = PartitionReader(
            place,
            0,
            lambda on_error: ModelledConsumer(topic, reader.SETTINGS, chance, on_error),
            modelled_identity(topic, chance),
            world.clock,
        )
        reading.begin({0: 5})
        if knows:
            with pytest.raises(SqlError, match="is not the one that the source has read"):
                reading.take_until(100, 1 << 20, {0: 20})
        else:
            assert [reading.take_until(100, 1 << 20, {0: 20}) for _ in range(50)] == [None] * 50

    run(work)


def what_is_not_committed_is_read(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reader, "SETTINGS", {**reader.SETTINGS, "isolation.level": "read_uncommitted"})


def what_is_gone_is_passed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reader, "SETTINGS", {**reader.SETTINGS, "auto.offset.reset": "earliest"})


def gaps_at_ends_are_never_passed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reader, "SETTINGS", {**reader.SETTINGS, "enable.partition.eof": False})


def ends_take_an_offset(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(topic_reading, "_end", lambda message: message.offset() + 1)


def new_partitions_have_all_read_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TopicReading, "_reached", lambda _reading, _partition, bound: bound)


def new_partitions_are_not_looked_for(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TopicReading, "_ask", lambda _reading: None)


def what_the_topic_is_does_not_matter(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TopicReading, "_is_another", lambda reading, _id: setattr(reading, "_identified", True))


def what_is_read_is_given_whatever_the_topic_is(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TopicReading, "_identified", property(lambda _: True, lambda _reading, _known: None), raising=False)


def what_has_failed_is_read_on(patch: pytest.MonkeyPatch) -> None:
    step = TopicReading.step

    def without_rest(reading: TopicReading) -> bool:
        stepped = step(reading)
        if reading._failure is not None:
            reading._poll()
        return stepped

    patch.setattr(TopicReading, "step", without_rest)


@pytest.mark.parametrize(
    "bug",
    [
        what_is_not_committed_is_read,
        what_is_gone_is_passed,
        gaps_at_ends_are_never_passed,
        ends_take_an_offset,
        new_partitions_have_all_read_again,
        new_partitions_are_not_looked_for,
        what_the_topic_is_does_not_matter,
        what_is_read_is_given_whatever_the_topic_is,
        what_has_failed_is_read_on,
    ],
)
def test_bugs_put_in_on_purpose_are_found(
    bug: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in (*_SEEDS_OF_RARE_BUGS, *range(_SEEDS_MAX)):
            reclocked(seed, RangeBounds())
