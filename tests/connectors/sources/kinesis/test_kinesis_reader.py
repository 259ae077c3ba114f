"""The reader of Kinesis streams: each record once and in the order of its shard, children after their parents, whatever
is throttled or interrupted; what is trimmed is an error."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping

import pytest

from connectors.gauge import Partition, UpstreamFrontier
from connectors.kinesis import reader as reader_module
from connectors.kinesis.reader import KinesisReader
from connectors.kinesis.shards import seen
from connectors.kinesis.stream import KinesisStream
from connectors.upstream import OFFSET, PARTITION, VALUE, FetchedRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.backing_off import BackOff
from model.time.clock import SystemClock
from tests.connectors.sources.kinesis.fake import FakeStream

_PATIENCE_S = 30.0


class Reading:
    """One life of a reader."""

    def __init__(self, stream: FakeStream, patch: pytest.MonkeyPatch) -> None:
        def client(_service: str, _settings: Mapping[str, str], **_options: int) -> FakeStream:
            return stream

        patch.setattr(reader_module, "aws_client", client)
        self.arrived = threading.Event()
        self.reader = KinesisReader(KinesisStream(GlobalId.user(1), "s"), {}, SystemClock(), self.arrived.set)

    def until(self, done: Callable[[], bool], taken: Callable[[FetchedRange], None], records_max: int = 7) -> None:
        deadline = time.monotonic() + _PATIENCE_S
        while not done():
            assert time.monotonic() < deadline, self.reader.status()
            self.arrived.clear()
            fetched = self.reader.take(records_max, 1 << 20)
            if fetched is None:
                self.arrived.wait(0.02)
            else:
                taken(fetched)


class Source:
    """What is bound: a frontier, and the records below it, in the order in which they were."""

    def __init__(self, frontier: UpstreamFrontier) -> None:
        self.frontier: dict[Partition, int] = dict(frontier)
        self.values: list[bytes] = []
        self.places: list[tuple[int, int]] = []

    def bind(self, fetched: FetchedRange) -> None:
        for shard, bound in fetched.frontier.items():
            assert bound > self.frontier.get(shard, 0), "bindings go forwards"
        self.frontier |= fetched.frontier
        columns = (fetched.records.column(name).to_pylist() for name in (PARTITION, OFFSET, VALUE))
        for shard, sequence, value in zip(*columns, strict=True):
            assert int(sequence) < self.frontier[shard]
            self.places.append((shard, int(sequence)))
            self.values.append(value)


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polls that follow each other, and shards that are looked for at once."""
    monkeypatch.setattr(reader_module, "_POLL_NS", 1_000_000)
    monkeypatch.setattr(reader_module, "_LISTED_NS", 5_000_000)
    monkeypatch.setattr(reader_module, "_LISTED_SOON_NS", 1_000_000)
    monkeypatch.setattr(reader_module, "_BACK_OFF", BackOff(0.001, 0.005))


@pytest.mark.parametrize("seed", range(6))
def test_each_record_is_there_once_in_its_shard_s_order_children_after_parents(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    stream = FakeStream(random.Random(seed), shards=3)
    reading = Reading(stream, monkeypatch)
    source = Source(reading.reader.beginning())
    stream.troubled = 10
    reading.reader.begin(source.frontier)
    written: list[tuple[int, int]] = []
    parents: dict[int, tuple[int, ...]] = {}
    for _ in range(150):
        match chance.randrange(10):
            case 0:
                reading.reader.close()
                reading = Reading(stream, monkeypatch)
                reading.reader.begin(source.frontier)
            case 1 if len(stream.open) < 6:
                stream.split(chance.choice(stream.open).number)
            case 2 if len(stream.open) > 1:
                stream.merge(*(shard.number for shard in chance.sample(stream.open, 2)))
            case 3:
                taken = reading.reader.take(chance.randint(1, 5), 1 << 20)
                if taken is not None and chance.random() < 0.8:
                    source.bind(taken)
                else:
                    reading.reader.begin(source.frontier)
            case 4:
                reading.arrived.wait(0.02)
                reading.arrived.clear()
            case 5:
                stream.away = chance.random() < 0.3
            case _:
                shard = chance.choice(stream.open).number
                written.append((shard, stream.put(shard, b"%d" % len(written))))
        parents |= {shard.number: shard.parents for shard in stream.shards.values()}
    stream.away = False
    stream.troubled = 0
    reading.until(lambda: len(source.values) >= len(written), source.bind)
    reading.until(lambda: {shard.number for shard in stream.open} <= source.frontier.keys(), source.bind)
    reading.reader.close()
    assert sorted(source.places) == sorted(written)
    assert sorted(source.values) == sorted(b"%d" % number for number in range(len(written)))
    for shard in parents:
        mine = [sequence for number, sequence in source.places if number == shard]
        assert mine == sorted(mine), "a shard's records come in order"
    seen: dict[int, int] = {shard: at for at, (shard, _) in enumerate(source.places)}
    first: dict[int, int] = {shard: at for at, (shard, _) in reversed(list(enumerate(source.places)))}
    for shard, at in first.items():
        for parent in parents[shard]:
            assert seen.get(parent, -1) < at, "a parent's last record comes before its children's first"
    for shard, each in stream.shards.items():
        if each.ending is not None:
            assert source.frontier[shard] == each.ending + 1, "a shard that has ended stays in the remap"


def _bound(stream: FakeStream, patch: pytest.MonkeyPatch, records: int) -> Source:
    """A source that has read so many records of the first shard."""
    reading = Reading(stream, patch)
    source = Source(reading.reader.beginning())
    reading.reader.begin(source.frontier)
    for _ in range(records):
        stream.put(0, b"x")
    reading.until(lambda: len(source.values) == records, source.bind)
    reading.reader.close()
    return source


def _failure(stream: FakeStream, patch: pytest.MonkeyPatch, frontier: UpstreamFrontier) -> SqlError:
    reading = Reading(stream, patch)
    reading.reader.begin(frontier)
    with pytest.raises(SqlError) as failure:
        reading.until(lambda: False, lambda _taken: None)
    reading.reader.close()
    return failure.value


def _seen_hours_ago(hours: int) -> int:
    return SystemClock().now_ms() - hours * 3_600_000


def test_a_shard_that_was_seen_to_have_nothing_more_lately_may_have_lost_what_was_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = FakeStream(random.Random(1))
    source = _bound(stream, monkeypatch, 3)
    stream.trim(source.places[-1][1])
    stream.put(0, b"behind")
    reading = Reading(stream, monkeypatch)
    source.frontier[seen(0)] = _seen_hours_ago(23)
    reading.reader.begin(source.frontier)
    reading.until(lambda: len(source.values) == 4, source.bind)
    reading.reader.close()


def test_when_a_shard_was_seen_to_have_nothing_more_is_bound_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = FakeStream(random.Random(1))
    reading = Reading(stream, monkeypatch)
    source = Source(reading.reader.beginning())
    reading.reader.begin(source.frontier)
    reading.until(lambda: seen(0) in source.frontier, source.bind)
    first = source.frontier[seen(0)]
    stream.put(0, b"x")
    reading.until(lambda: len(source.values) == 1, source.bind)
    assert source.frontier[seen(0)] == first >= _seen_hours_ago(1)
    reading.reader.close()


def test_records_that_are_trimmed_before_they_are_read_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = FakeStream(random.Random(1))
    source = _bound(stream, monkeypatch, 3)
    source.frontier[seen(0)] = _seen_hours_ago(24)
    stream.trim(stream.put(0, b"lost"))
    stream.put(0, b"kept")
    failure = _failure(stream, monkeypatch, source.frontier)
    assert failure.sqlstate is Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE
    last = source.places[-1][1]
    assert failure.message == (
        f'shard 0 of stream "s" no longer has the record at sequence number {last}, the last one read'
    )


def test_a_shard_that_is_gone_before_it_was_read_to_its_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = FakeStream(random.Random(1))
    source = _bound(stream, monkeypatch, 3)
    stream.put(0, b"lost")
    stream.split(0)
    stream.trim(stream.put(1, b"lost, too"))
    assert "shard 0" in _failure(stream, monkeypatch, source.frontier).message


def test_a_shard_that_was_read_to_its_end_may_go(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = FakeStream(random.Random(1))
    source = _bound(stream, monkeypatch, 3)
    stream.split(0)
    reading = Reading(stream, monkeypatch)
    reading.reader.begin(source.frontier)
    reading.until(lambda: {1, 2} <= source.frontier.keys(), source.bind)
    reading.reader.close()
    stream.trim(stream.shards[1].start)
    assert 0 not in stream.shards
    stream.put(2, b"behind")
    reading = Reading(stream, monkeypatch)
    reading.reader.begin(source.frontier)
    reading.until(lambda: len(source.values) == 4, source.bind)
    reading.reader.close()


def test_another_stream_of_the_name_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    source = _bound(FakeStream(random.Random(1)), monkeypatch, 3)
    later = FakeStream(random.Random(1))
    later.shards[0].start = source.frontier[0] + 1_000
    # Its numbers are behind: what was bound is not of it.
    source.frontier[seen(0)] = 0
    source.frontier[0] = later.shards[0].start + 1
    later.put(0, b"other")
    assert "no longer has the record" in _failure(later, monkeypatch, source.frontier).message


def test_a_stream_that_is_not_there_is_an_error_and_what_is_refused_a_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = FakeStream(random.Random(1))
    stream.refused = "ResourceNotFoundException"
    reading = Reading(stream, monkeypatch)
    with pytest.raises(SqlError, match='there is no stream "s"'):
        reading.reader.beginning()
    stream.refused = "AccessDeniedException"
    with pytest.raises(SqlError, match="AccessDenied") as failure:
        reading.reader.beginning()
    assert failure.value.sqlstate is Sqlstate.CONNECTION_EXCEPTION
    reading.reader.begin({})
    reading.until(lambda: "AccessDenied" in (reading.reader.status().trouble or ""), lambda _taken: None)
    stream.refused = None
    reading.until(lambda: reading.reader.status().trouble is None, lambda _taken: None)
    reading.reader.close()


def test_throttling_that_lasts_is_told_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = FakeStream(random.Random(1))
    reading = Reading(stream, monkeypatch)
    source = Source(reading.reader.beginning())
    reading.reader.begin(source.frontier)
    stream.put(0, b"before")
    reading.until(lambda: len(source.values) == 1, source.bind)
    stream.refused = "ProvisionedThroughputExceededException"
    reading.until(lambda: "throttled" in (reading.reader.status().trouble or ""), source.bind)
    stream.refused = None
    stream.put(0, b"behind")
    reading.until(lambda: len(source.values) == 2, source.bind)
    assert reading.reader.status().trouble is None
    reading.reader.close()
