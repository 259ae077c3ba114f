"""The reader of PubNub channels, on a server that speaks the protocol: each message once and in order, whatever is
interrupted; messages of one timetoken together; what may be missing is said."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from connectors.gauge import Partition, UpstreamFrontier
from connectors.pubnub.channel import PubnubChannel
from connectors.pubnub.protocol import PubnubCursor, heard, subscribe_path
from connectors.pubnub.pubnub_reader import KEPT_S, PubnubReader
from connectors.unreachable import Unreachable
from connectors.upstream import VALUE, FetchedRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Clock, SystemClock
from tests.pubnub_server import QUEUE, PubnubServer, running_pubnub

_PATIENCE_S = 30.0


@pytest.fixture
def pubnub() -> Iterator[PubnubServer]:
    with running_pubnub() as server:
        yield server


class Reading:
    """One life of a reader; `bound` is what outlives it."""

    def __init__(self, pubnub: PubnubServer, key: str = "sub-c-1", clock: Clock | None = None) -> None:
        self.arrived = threading.Event()
        place = PubnubChannel(pubnub.origin, key, "c", "headwater-u1")
        self.reader = PubnubReader(place, clock or SystemClock(), self.arrived.set)

    def until(self, done: Callable[[], bool], taken: Callable[[FetchedRange], None], records_max: int = 1_000) -> None:
        deadline = time.monotonic() + _PATIENCE_S
        while not done():
            assert time.monotonic() < deadline, self.reader.status()
            self.arrived.clear()
            fetched = self.reader.take(records_max, 1 << 20)
            if fetched is None:
                self.arrived.wait(0.05)
            else:
                taken(fetched)


class Source:
    """What is bound: a frontier, and the messages below it."""

    def __init__(self, frontier: UpstreamFrontier) -> None:
        self.frontier: dict[Partition, int] = dict(frontier)
        self.values: list[object] = []

    def bind(self, fetched: FetchedRange) -> None:
        moved = {region: bound for region, bound in fetched.frontier.items() if bound > self.frontier.get(region, 0)}
        assert moved == fetched.frontier, "bindings go forwards"
        self.frontier |= fetched.frontier
        self.values += [json.loads(value) for value in fetched.records.column(VALUE).to_pylist()]


@pytest.mark.parametrize("seed", [0, 7, 8])
def test_each_message_is_there_once_whatever_is_interrupted(pubnub: PubnubServer, seed: int) -> None:
    chance = random.Random(seed)
    pubnub.shift = {4: 0, 5: chance.randint(-500_000, 500_000), 6: chance.randint(-500_000, 500_000)}
    reading = Reading(pubnub)
    source = Source(reading.reader.beginning())
    reading.reader.begin(source.frontier)
    published: list[object] = []
    for number in range(120):
        match chance.randrange(9):
            case 0:
                reading.reader.close()
                reading = Reading(pubnub)
                reading.reader.begin(source.frontier)
            case 1:
                pubnub.go(chance.random() < 0.5)
            case 2:
                pubnub.move(chance.choice([4, 5, 6]))
            case 3:
                taken = reading.reader.take(chance.randint(1, 3), 1 << 20)
                if taken is not None and chance.random() < 0.8:
                    source.bind(taken)
                else:
                    # It could not be written: others may have bound it.
                    reading.reader.begin(source.frontier)
            case 4 | 5:
                reading.arrived.wait(0.02)
                reading.arrived.clear()
            case _:
                payloads = [[number, at] for at in range(chance.randint(1, 3))]
                if len(published) - len(source.values) + len(payloads) < QUEUE:
                    pubnub.publish("c", *payloads)
                    published += payloads
    pubnub.go(False)
    # Where the last region's clock is behind, its next message comes once it is not.
    pubnub.move(4)
    time.sleep(0.06)
    pubnub.publish("c", "last")
    published.append("last")
    reading.until(lambda: len(source.values) >= len(published), source.bind)
    assert source.values == published
    reading.reader.close()


def test_messages_of_one_timetoken_are_not_taken_apart(pubnub: PubnubServer) -> None:
    reading = Reading(pubnub)
    source = Source(reading.reader.beginning())
    timetoken = pubnub.publish("c", *range(7))
    reading.reader.begin(source.frontier)
    reading.until(lambda: bool(source.values), source.bind, records_max=2)
    assert source.values == list(range(7)) and source.frontier == {4: timetoken + 1}
    reading.reader.close()


def test_the_frontier_moves_while_nothing_is_published(pubnub: PubnubServer) -> None:
    reading = Reading(pubnub)
    source = Source(reading.reader.beginning())
    before = source.frontier[4]
    reading.reader.begin(source.frontier)
    reading.until(lambda: source.frontier[4] > before, source.bind)
    assert source.values == []
    reading.reader.close()


def test_what_is_no_plain_message_is_no_record(pubnub: PubnubServer) -> None:
    reading = Reading(pubnub)
    source = Source(reading.reader.beginning())
    pubnub.publish("c", "a signal", kind=1)
    pubnub.publish("c", "a message", kind=0)
    reading.reader.begin(source.frontier)
    reading.until(lambda: bool(source.values), source.bind)
    assert source.values == ["a message"]
    reading.reader.close()


class LaterClock(SystemClock):
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.later_ns = 0

    def elapsed_ns(self) -> int:
        return super().elapsed_ns() + self.later_ns


def test_an_absence_that_is_longer_than_messages_are_kept_is_told_for_a_while(pubnub: PubnubServer) -> None:
    clock = LaterClock()
    reading = Reading(pubnub, clock=clock)
    ago = pubnub.now() - (KEPT_S + 1) * 10_000_000
    source = Source({4: ago})
    reading.reader.begin(source.frontier)
    pubnub.publish("c", 1)
    reading.until(lambda: bool(source.values), source.bind)
    trouble = reading.reader.status().trouble
    assert trouble is not None and 'messages of channel "c" may be missing: nobody has listened' in trouble
    clock.later_ns = 61_000_000_000
    assert reading.reader.status().trouble is None
    reading.reader.close()


def test_a_full_queue_where_listening_begins_again_is_told(pubnub: PubnubServer) -> None:
    reading = Reading(pubnub)
    source = Source(reading.reader.beginning())
    for number in range(QUEUE + 5):
        pubnub.publish("c", number)
    reading.reader.begin(source.frontier)
    reading.until(lambda: bool(source.values), source.bind)
    assert source.values == list(range(5, QUEUE + 5)), "the first ones are gone"
    assert "100 messages were waiting" in (reading.reader.status().trouble or "")
    reading.reader.close()


def test_upstream_that_is_away_is_a_trouble_and_a_wrong_key_a_failure(pubnub: PubnubServer) -> None:
    pubnub.go(True)
    reading = Reading(pubnub)
    with pytest.raises(SqlError) as failure:
        reading.reader.beginning()
    assert failure.value.sqlstate is Sqlstate.CONNECTION_EXCEPTION and "503" in failure.value.message
    reading.reader.begin({4: pubnub.now()})
    source = Source({})
    reading.until(lambda: "503" in (reading.reader.status().trouble or ""), source.bind)
    pubnub.go(False)
    reading.until(lambda: reading.reader.status().trouble is None, source.bind)
    reading.reader.close()
    reading = Reading(pubnub, key="wrong")
    with pytest.raises(SqlError) as failure:
        reading.reader.beginning()
    assert failure.value.sqlstate is Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION
    assert "Invalid Subscribe Key" in failure.value.message and "HTTP 400" in failure.value.message
    reading.reader.begin({4: pubnub.now()})
    with pytest.raises(SqlError, match="Invalid Subscribe Key"):
        reading.until(lambda: False, source.bind)
    reading.reader.close()


def test_a_reader_that_waits_for_messages_ends_at_once(pubnub: PubnubServer) -> None:
    """The server would answer after two seconds only: were it waited for, this would be 40 seconds."""
    for _ in range(20):
        reading = Reading(pubnub)
        reading.reader.begin({4: pubnub.now()})
        reading.until(lambda: True, lambda _taken: None)
        reading.reader.close()


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"t": {"t": "x", "r": 1}, "m": []}', b'{"t": 1, "m": []}'])
def test_what_is_no_answer_of_pubnubs_is_refused(body: bytes) -> None:
    with pytest.raises(Unreachable):
        heard(body)


def test_names_cannot_lead_elsewhere() -> None:
    path = subscribe_path("k/../x", "a?b&c", "u 1", PubnubCursor(5, 2))
    assert path == "/v2/subscribe/k%2F..%2Fx/a%3Fb%26c/0?tt=5&tr=2&uuid=u+1"


def test_a_payload_is_kept_as_it_was_sent() -> None:
    raw = (
        b'{"t": {"t": "17", "r": 1}, "m": [{"p": {"t": "16", "r": 1}, "d": {"n": 1.10, "big": 12345678901234567890}}]}'
    )
    (message,) = heard(raw).messages
    assert bytes(message.d) == b'{"n": 1.10, "big": 12345678901234567890}'
    assert heard(raw).cursor == PubnubCursor(17, 1)
