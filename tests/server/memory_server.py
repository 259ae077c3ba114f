"""A server on a socket without Spark, disk or a process of its own: for clients that block, and for what is quick."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import psycopg
import pyarrow as pa
import uvloop

from catalog.nouns.clusters import ClusterReplica
from compute.controller.clusters import ComputeClusters
from compute.controller.controller import ControllerOptions
from compute.protocol.command import CreateInstance, Peek
from model.time.clock import SystemClock, SystemRandomness
from server.admission.places import AdmittedPlaces
from server.environment.environment import ComputeClient, Environment
from server.ledgers.server_access import ServerAccess
from server.pgwire.server import ServerOptions, WireServer, bind, bind_in
from server.secrets.keyring import Keyring, new_key
from server.session.backend import SessionBackend
from server.start.bootstrap import close_environment, open_environment
from storage.persist.location import Blob, Consensus
from tests.compute.in_process import Evaluate, InProcessHost, interpreted_dataflows
from tests.simulation.incarnation import evaluator
from tests.storage.memory import MemoryBlob, MemoryConsensus
from timeline.durable_oracle import TIMELINE_KEY
from timeline.fence import Fence

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MemoryServer:
    """A running server. Its environment belongs to the loop of its thread: look at it through `run`."""

    environment: Environment
    port: int
    loop: asyncio.AbstractEventLoop
    backend: SessionBackend
    places: AdmittedPlaces

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work` on the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    def dsn(self) -> str:
        return f"host=127.0.0.1 port={self.port} user=headwater dbname=headwater"

    def connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        """In autocommit mode; the caller closes it."""
        return psycopg.connect(self.dsn(), autocommit=True)


async def _open(
    consensus: Consensus,
    blob: Blob,
    keyring: Keyring,
    access: ServerAccess,
    wire: ServerOptions,
    sockets_in: Path | None,
    on_peek: Callable[[Peek], None],
) -> tuple[Environment, SessionBackend, WireServer]:
    clock, randomness = SystemClock(), SystemRandomness()
    evaluate = _telling(evaluator(consensus, blob, clock), on_peek)
    places = InProcessPlaces(lambda: InProcessHost(evaluate, interpreted_dataflows(consensus, blob, clock, randomness)))

    def make_compute(fence: Fence) -> ComputeClient:
        preconditions = tuple(fence.precondition.items())
        options = ControllerOptions("memory:", "memory:", f"{fence.epoch:020d}", TIMELINE_KEY, preconditions)
        return ComputeClusters(options, {"r1": places.host_named("r1")}, clock, randomness)

    environment = await open_environment(
        consensus,
        blob,
        clock,
        randomness,
        make_compute,
        retain_history_ms=600_000,
        keep_alive_ms=100,
        keyring=keyring,
        access=access,
        replica_places=places,
    )
    backend = SessionBackend(environment)
    server = WireServer(backend, wire)
    sockets = bind("127.0.0.1", 0)
    if sockets_in is not None:
        sockets.append(bind_in(sockets_in, sockets[0].getsockname()[1])[0])
    await server.start(sockets)
    return environment, backend, server


class InProcessPlaces:
    """Places of replicas in this process; `hosts` are those of all replicas, by their names, `cleared` the names of
    those whose places were cleared."""

    def __init__(self, make: Callable[[], InProcessHost]) -> None:
        self._make = make
        self.hosts: dict[str, InProcessHost] = {}
        self.cleared: list[str] = []

    def host_named(self, name: str) -> InProcessHost:
        self.hosts[name] = self._make()
        return self.hosts[name]

    def host(self, replica: ClusterReplica) -> InProcessHost:
        return self.host_named(replica.name)

    async def clear(self, replica: ClusterReplica) -> None:
        self.cleared.append(replica.name)

    async def sweep(self, kept: Sequence[ClusterReplica]) -> None:
        """Finds nothing: what was in an earlier process is gone with it."""


def _telling(evaluate: Evaluate, on_peek: Callable[[Peek], None]) -> Evaluate:
    async def tell_and_evaluate(instance: CreateInstance, peek: Peek) -> Iterable[pa.RecordBatch]:
        on_peek(peek)
        return await evaluate(instance, peek)

    return tell_and_evaluate


async def _close(environment: Environment, server: WireServer) -> None:
    await server.shut_down(1)
    await close_environment(environment)


@contextmanager
def memory_server(
    consensus: Consensus | None = None,
    blob: Blob | None = None,
    keyring: Keyring | None = None,
    access: ServerAccess | None = None,
    wire: ServerOptions | None = None,
    sockets_in: Path | None = None,
    on_peek: Callable[[Peek], None] = lambda _: None,
) -> Iterator[MemoryServer]:
    """Empty unless the locations hold something, on a free port of the loopback; shut down at the end. With
    `sockets_in` it listens on a Unix socket in that directory, too. `on_peek` is called, in the server's thread, with
    each peek that Spark would be asked."""
    places = consensus or MemoryConsensus(), blob or MemoryBlob()
    kept = (
        *places,
        keyring or Keyring((new_key(SystemRandomness()),)),
        access or ServerAccess(),
        wire or ServerOptions(),
        sockets_in,
        on_peek,
    )
    loop = uvloop.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        environment, backend, server = asyncio.run_coroutine_threadsafe(_open(*kept), loop).result(30)
        try:
            yield MemoryServer(environment, server.port, loop, backend, server.places)
        finally:
            asyncio.run_coroutine_threadsafe(_close(environment, server), loop).result(30)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()
