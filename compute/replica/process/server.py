"""The replica's loop: sockets in front, the state machine in the middle, peeks and dataflows behind.

One task reads each connection; every command becomes an event, every instruction is carried out at once. A peek is
a task of its own, as is a dataflow; what they have to say become events again. Writes to a connection are buffered by
its transport, bounded by the windows of its peeks and subscribes.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import structlog
from pyspark.errors import PySparkException

from compute.protocol.codec import MalformedMessage
from compute.protocol.command import SIBLINGS, Command, CreateInstance, Peek, PeekIndex
from compute.protocol.framing import Frame, FrameReader, batches_to_payload, encode_frame
from compute.protocol.response import PeekCancelled, PeekCompleted, PeekOutcome
from compute.protocol.siblings import StatesPlace, decode_siblings
from compute.protocol.vocabulary import CODEC, VERSION
from compute.replica.peeks.index_peeks import fill_from_index
from compute.replica.peeks.peek import PeekAnswer, Peeks, stream, timed_out
from compute.replica.running.failures import failure_of
from compute.replica.running.supervision import PlanningTooLong
from compute.replica.running.worker import SparkWorker
from compute.replica.tasks.dataflows import Dataflows
from compute.replica.tasks.events import (
    AllowRows,
    CallsStuck,
    Configure,
    DataflowInstruction,
    Disconnected,
    Ending,
    Event,
    Exit,
    HangUp,
    Instruction,
    OpenInstance,
    PeekEnded,
    PeekKey,
    Received,
    RowsProduced,
    Send,
    StartPeek,
    StopPeek,
    WorkerReady,
)
from compute.replica.tasks.state import ReplicaState
from compute.spark.spool import Spool
from model.errors.sql_error import SqlError

log = structlog.get_logger()

_READ_BYTES = 1 << 18
_FAREWELL_S = 5.0


class Instance(Protocol):
    """Opened locations, with the work on them. `directory` takes large answers."""

    directory: Path
    dataflows: Dataflows

    def fence(self, instance: CreateInstance) -> None:
        """Writes have the fence of a newer environment from now on."""
        ...

    def know_siblings(self, siblings: Mapping[str, StatesPlace]) -> None:
        """Notes where all replicas of the cluster keep states."""
        ...

    def worker_ready(self, worker: SparkWorker) -> Peeks:
        """Returns the peeks, once Spark is up."""
        ...


class ReplicaServer:
    """Serves until `ended` is set. `open_instance` opens an instance's locations, and receives a function for its
    events."""

    def __init__(
        self, secret: str, open_instance: Callable[[CreateInstance, Callable[[Event], None]], Instance]
    ) -> None:
        self.ended = asyncio.Event()
        self.exit_reason = ""
        self._state = ReplicaState(secret=secret, version=VERSION)
        self._open_instance = open_instance
        self._worker: SparkWorker | None = None
        self._instance: Instance | None = None
        self._peeks: Peeks | None = None
        self._connections: dict[int, asyncio.StreamWriter] = {}
        self._accepted = 0
        self._running: dict[PeekKey, asyncio.Task[None]] = {}
        self._windows: dict[PeekKey, asyncio.Semaphore] = {}
        self._left: set[asyncio.Future[None]] = set()
        self._parameters: dict[str, str] = {}

    @property
    def connected(self) -> bool:
        """Returns whether an environment is connected."""
        return self._state.current is not None

    @property
    def busy(self) -> bool:
        """Returns whether a peek is under way."""
        return bool(self._running)

    def worker_ready(self, worker: SparkWorker) -> None:
        """Starts everything that waited for Spark."""
        self._worker = worker
        worker.supervision.stuck = lambda calls: self._on(CallsStuck(calls))
        worker.supervision.ends = self._jvm_ends
        self._configure(self._parameters)
        if self._instance is not None:
            self._peeks = self._instance.worker_ready(worker)
        self._on(WorkerReady())

    async def serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Reads one connection to its end."""
        self._accepted += 1
        connection = self._accepted
        self._connections[connection] = writer
        frames = FrameReader(CODEC)
        try:
            while data := await reader.read(_READ_BYTES):
                for frame in frames.feed(data):
                    if not isinstance(frame.message, Command):
                        raise MalformedMessage(f"{type(frame.message).__name__} is not a command")
                    self._on(Received(connection, frame.message))
                await writer.drain()
        except (ConnectionError, MalformedMessage) as error:
            log.warning("connection dropped", connection=connection, error=str(error))
        finally:
            self._connections.pop(connection, None)
            writer.close()
            self._on(Disconnected(connection))

    def give_up(self, reason: str) -> None:
        """Ends, since another process owns the states: the next process of this replica reads what stands there."""
        self.exit_reason = reason
        self.ended.set()

    def hang_up(self) -> None:
        """Closes all connections: nothing is reported from now on."""
        for writer in self._connections.values():
            writer.close()
        self._connections.clear()

    async def stop(self) -> None:
        """Stops all peeks and dataflows; the dataflows' state is kept."""
        if self._worker is not None:
            self._worker.supervision.close()
        tasks: list[asyncio.Future[None]] = [*self._running.values(), *self._left]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._instance is not None:
            await self._instance.dataflows.stop()

    def _jvm_ends(self, reason: str) -> None:
        self.exit_reason = reason
        self._on(Ending(reason))

    def _on(self, event: Event) -> None:
        for instruction in self._state.handle(event):
            self._carry_out(instruction)

    def _carry_out(self, instruction: Instruction) -> None:
        match instruction:
            case Send(connection, response, payload):
                writer = self._connections.get(connection)
                if writer is not None:
                    writer.write(encode_frame(CODEC, Frame(response, payload)))
            case HangUp(connection):
                writer = self._connections.pop(connection, None)
                if writer is not None:
                    _say_farewell(writer)
            case OpenInstance(instance):
                self._open(instance)
            case Configure(parameters):
                self._configure(dict(parameters))
            case StartPeek(key, peek):
                self._windows[key] = asyncio.Semaphore(peek.window)
                self._running[key] = asyncio.create_task(self._peek(key, peek))
            case StopPeek(key):
                task = self._running.get(key)
                if task is not None:
                    task.cancel()
            case AllowRows(key, chunks):
                for _ in range(chunks if key in self._windows else 0):
                    self._windows[key].release()
            case Exit(reason):
                self.exit_reason = reason
                self.ended.set()
            case _:
                self._carry_out_of_dataflows(instruction)

    def _carry_out_of_dataflows(self, instruction: DataflowInstruction) -> None:
        assert self._instance is not None, "a dataflow came before its instance"
        self._instance.dataflows.carry_out(instruction)

    def _open(self, instance: CreateInstance) -> None:
        if self._instance is not None:
            self._instance.fence(instance)
            return
        self._instance = self._open_instance(instance, self._on)
        self._instance.dataflows.start()
        if self._worker is not None:
            self._peeks = self._instance.worker_ready(self._worker)

    def _configure(self, parameters: dict[str, str]) -> None:
        siblings = parameters.pop(SIBLINGS, None)
        if siblings is not None and self._instance is not None:
            self._instance.know_siblings(decode_siblings(siblings))
        self._parameters |= parameters
        if self._worker is not None:
            for name, value in parameters.items():
                self._worker.configure(name, value)

    async def _peek(self, key: PeekKey, peek: Peek | PeekIndex) -> None:
        # The end is told even of a task that was cancelled before its first step.
        outcome: PeekOutcome = PeekCancelled()
        try:
            outcome = await self._outcome(key, peek)
        except asyncio.CancelledError:
            outcome = PeekCancelled()
        finally:
            self._running.pop(key, None)
            self._windows.pop(key, None)
            self._on(PeekEnded(key, outcome))

    async def _outcome(self, key: PeekKey, peek: Peek | PeekIndex) -> PeekOutcome:
        assert self._instance is not None, "a peek came before its instance"
        answer = PeekAnswer(Spool(self._instance.directory, peek.bytes_max))
        filling: asyncio.Future[None] | None = None

        def emit(chunk: pa.RecordBatch) -> None:
            self._on(RowsProduced(key, chunk.num_rows, batches_to_payload(chunk.schema, [chunk])))

        limit = asyncio.timeout(None if peek.timeout_ms is None else peek.timeout_ms / 1e3)
        try:
            async with limit:
                if isinstance(peek, PeekIndex):
                    await fill_from_index(peek, self._instance.dataflows, answer.spool)
                else:
                    assert self._peeks is not None, "a peek came before Spark"
                    given_up: asyncio.Future[PlanningTooLong] = asyncio.get_running_loop().create_future()
                    fill = self._peeks.fill(f"{key.connection}-{key.uuid}", peek, answer, given_up)
                    filling = asyncio.create_task(fill)
                    await _filled(filling, given_up)
                rows = await stream(answer, self._windows[key], emit)
            return PeekCompleted(rows, answer.spark_ms, answer.operators)
        except Exception as error:  # noqa: BLE001 (whatever it was, the client is told)
            # A store's own time limit is another error than the statement's.
            if isinstance(error, TimeoutError) and limit.expired():
                return failure_of(timed_out(), {})
            known = isinstance(error, SqlError | PySparkException)
            if not known and self._worker is not None and await self._worker.lost(error):
                # The process ends in a moment; the environment then asks another replica.
                await asyncio.Event().wait()
            failure = failure_of(error, answer.parts)
            if failure.sqlstate.startswith(("XX", "58")):
                log.error("peek failed", peek=key.uuid, error=failure.message, detail=failure.detail)
            return failure
        finally:
            self._let_go(filling, answer.spool)

    def _let_go(self, filling: asyncio.Future[None] | None, spool: Spool) -> None:
        """Closes the answer, at once or when nothing fills it any more; the client does not wait."""
        if filling is None or filling.done():
            spool.close()
            return

        def left(done: asyncio.Future[None]) -> None:
            self._left.discard(done)
            spool.close()
            if not done.cancelled():
                done.exception()  # nobody asks for the answer any more

        self._left.add(filling)
        filling.add_done_callback(left)
        filling.cancel()


async def _filled(filling: asyncio.Future[None], given_up: asyncio.Future[PlanningTooLong]) -> None:
    """Waits until the answer is there. Raises SqlError, or PySpark's exceptions; PlanningTooLong at once when the work
    is given up, however long it goes on."""
    either: set[asyncio.Future[Any]] = {filling, given_up}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if given_up.done() and not filling.done():
        raise given_up.result()
    filling.result()


def _say_farewell(writer: asyncio.StreamWriter) -> None:
    """Ends only our half of a connection: closing it with commands unread would reset it, and lose the last message.

    The peer closes its half after reading the reason; a peer that does not is cut off.
    """
    if writer.is_closing():
        return
    if writer.can_write_eof():
        # TLS has no half of a connection to end.
        writer.write_eof()
    asyncio.get_running_loop().call_later(_FAREWELL_S, writer.close)


async def listen(server: ReplicaServer, address: str, tls: ssl.SSLContext | None = None) -> tuple[asyncio.Server, str]:
    """Listens on `unix:/path` or `host:port` (port 0: any), there by TLS if there is a context, and returns the
    resulting address."""
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]] = server.serve_connection
    if address.startswith("unix:"):
        path = Path(address.removeprefix("unix:"))
        path.unlink(missing_ok=True)
        return await asyncio.start_unix_server(serve, path), address
    host, _, port = address.rpartition(":")
    listener = await asyncio.start_server(serve, host.strip("[]") or "127.0.0.1", int(port), ssl=tls)
    host, port = listener.sockets[0].getsockname()[:2]
    return listener, f"{host}:{port}"
