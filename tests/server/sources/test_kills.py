"""kill -9 of server and replica while records arrive: each is there once, and every time keeps what it held.

A record's value is its own place: partition and number. After each kill everything that was produced arrives; at each
time that was sampled, the source, the view over it and its progress still say what they said, and agree.

A stream of Kinesis and a channel of PubNub are read beside the topic, and killed with it.

`--kill-rounds N` runs N rounds instead of CI's one, in which both are killed; `--kill-records N` produces up to N
records in each.
"""

from __future__ import annotations

import json
import os
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.kafka_broker import KafkaBroker
from tests.kinesis_streams import put_texts, running_kinesis
from tests.polling import polls
from tests.pubnub_server import PubnubServer, running_pubnub
from tests.server_process import ServerProcess, start_server

_PARTITIONS = 8
_PATIENCE_S = 240.0
_RETAINED = "WITH (RETAIN HISTORY = FOR '2 h')"
_SAMPLED = """
    SELECT (SELECT sum("offset") FROM n_progress), (SELECT count(*) FROM n), (SELECT c FROM v),
        (SELECT count(*) FROM k), (SELECT count(*) FROM p)
"""
_CONTENTS = 'SELECT count(*), count(DISTINCT (partition, "offset")), count(DISTINCT text) FROM n'


class Others:
    """What is written beside the topic: a stream `k` and a channel `p`, whose records are numbers from 0 on."""

    def __init__(self, kinesis: Any, pubnub: PubnubServer) -> None:
        self.written = 0
        self._kinesis = kinesis
        self._pubnub = pubnub
        kinesis.create_stream(StreamName="k", ShardCount=3)

    def create(self, connection: psycopg.Connection[Any], endpoint: str) -> None:
        connection.execute(b"CREATE SECRET key AS 's'")
        options = f"ENDPOINT '{endpoint}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET key"
        connection.execute(f"CREATE CONNECTION aws TO AWS ({options})".encode())
        stream = "KINESIS CONNECTION aws (STREAM 'k')"
        channel = f"PUBNUB SUBSCRIBE KEY 'sub-c-1' CHANNEL 'p' ORIGIN '{self._pubnub.origin}'"
        for name, place in (("k", stream), ("p", channel)):
            connection.execute(f"CREATE SOURCE {name} FROM {place} FORMAT TEXT {_RETAINED}".encode())
        for _ in polls(_PATIENCE_S):
            if _one(connection, "SELECT count(*) FROM p_progress") != (0,):
                return
        raise AssertionError("nobody listens")

    def write(self) -> None:
        numbers = range(self.written, self.written + 20)
        put_texts(self._kinesis, "k", *map(str, numbers))
        for number in numbers:
            self._pubnub.publish("p", number)
        self.written = numbers.stop

    def arrived(self, connection: psycopg.Connection[Any]) -> None:
        """All of it, once."""
        for name in ("k", "p"):
            _await_count(connection, f"SELECT count(*) FROM {name}", self.written)
            sql = f"SELECT count(*), count(DISTINCT text), max(text::int) + 1 FROM {name}"
            assert _one(connection, sql) == (self.written,) * 3, f"records of {name} are lost or doubled"


def _produce(
    broker: KafkaBroker, produced: list[int], others: Others, stop: threading.Event, seed: int, records_max: int
) -> None:
    """Until it is told to stop; `produced` counts the records of each partition that the broker has."""
    source = random.Random(seed)
    most = sum(produced) + records_max
    batch_max = max(400, records_max // 50)
    while not stop.is_set() and sum(produced) < most:
        batch = []
        for _ in range(source.randint(1, batch_max)):
            partition = source.randrange(_PARTITIONS)
            batch.append((partition, None, f"{partition} {produced[partition]}".encode()))
            produced[partition] += 1
        broker.produce("n", batch)
        others.write()
        stop.wait(source.random() / 20)


def _kill(server: ServerProcess, data_dir: Path, which: str) -> None:
    description = data_dir / "replica.json"
    if which != "server" and description.exists():
        os.kill(int(json.loads(description.read_text())["pid"]), signal.SIGKILL)
    if which != "replica":
        server.kill()


def _one(connection: psycopg.Connection[Any], sql: str) -> tuple[Any, ...]:
    row = connection.execute(sql.encode()).fetchone()
    assert row is not None
    return tuple(row)


def _sample(connection: psycopg.Connection[Any], samples: dict[int, tuple[Any, ...]]) -> None:
    with connection.transaction():
        seen = _one(connection, _SAMPLED)
        (now,) = _one(connection, "SELECT mz_now()::text::int8")
    assert seen[0] is None or seen[0] == seen[1] == seen[2], f"progress, source and view differ at {now}: {seen}"
    samples[now] = seen


def _as_of(time_: int) -> str:
    return f"{_SAMPLED} AS OF {time_}"


def _await_count(connection: psycopg.Connection[Any], sql: str, count: int) -> None:
    found = 0
    for _ in polls(_PATIENCE_S):
        (found,) = _one(connection, sql)
        if found >= count:
            return
    raise AssertionError(f"{found} of {count} have arrived: {sql}")


@pytest.fixture
def streams() -> Iterator[tuple[str, Any]]:
    with running_kinesis() as streams:
        yield streams


@pytest.fixture
def pubnub() -> Iterator[PubnubServer]:
    # All that is published while nobody listens is kept: what is lost is lost by us.
    with running_pubnub(PubnubServer(queue=1_000_000)) as server:
        yield server


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.time_by("--kill-rounds", 180)
def test_every_record_is_there_once_whatever_is_killed(
    request: pytest.FixtureRequest,
    broker: KafkaBroker,
    streams: tuple[str, Any],
    pubnub: PubnubServer,
    tmp_path: Path,
) -> None:
    rounds = int(request.config.getoption("--kill-rounds"))
    records_max = int(request.config.getoption("--kill-records"))
    seed = int(os.environ.get("HEADWATER_KILL_SEED", "1"))
    print(f"HEADWATER_KILL_SEED={seed}")
    source = random.Random(seed)
    broker.create("n", _PARTITIONS)
    others = Others(streams[1], pubnub)
    produced = [0] * _PARTITIONS
    samples: dict[int, tuple[Any, ...]] = {}
    server = start_server(tmp_path)
    try:
        with server.connect() as connection:
            clauses = f"FORMAT TEXT INCLUDE PARTITION, OFFSET {_RETAINED}"
            connection.execute(f"CREATE SOURCE n FROM KAFKA BROKER '{broker.address}' {clauses}".encode())
            view = f"CREATE MATERIALIZED VIEW v {_RETAINED.replace(' = ', ' ')} AS SELECT count(*) AS c FROM n"
            connection.execute(view.encode())
            others.create(connection, streams[0])
        for number in range(rounds):
            stop = threading.Event()
            producer = threading.Thread(
                target=_produce, args=(broker, produced, others, stop, source.randrange(2**32), records_max)
            )
            producer.start()
            with server.connect() as connection:
                # Each sample is asked for again after all kills.
                for _ in polls(source.uniform(0.5, 4.0)):
                    _sample(connection, samples)
            which = source.choice(["both", "server", "replica"]) if number else "both"
            _kill(server, tmp_path, which)
            if which != "replica":
                server = start_server(tmp_path)
            stop.set()
            producer.join(120)
            assert not producer.is_alive(), "the producer hangs"
            count = sum(produced)
            with server.connect() as connection:
                _await_count(connection, 'SELECT coalesce(sum("offset"), 0)::int8 FROM n_progress', count)
                others.arrived(connection)
                _sample(connection, samples)
                assert _one(connection, _CONTENTS) == (count, count, count), "records are lost or doubled"
                for time_, seen in samples.items():
                    assert _one(connection, _as_of(time_)) == seen, f"what was there at {time_} has changed"
            print(f"round {number + 1}: killed {which}; {count} records, {len(samples)} times held", flush=True)
    finally:
        server.stop()
