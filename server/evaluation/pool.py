"""Evaluates in worker processes, forked on demand, and ended together with a cancelled statement.

A statement has a worker of its own until its rows are read or it ends. So no statement waits for another's evaluation;
the system divides the processor among them, with the event loop first.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
from collections.abc import AsyncGenerator

from catalog.facts.shown import log_unshown
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.process.children import bare_environment, python_module
from model.time.clock import Clock
from model.types.datum import Datum, Row
from planner.ir.scalar import SessionName
from server.evaluation.messages import (
    HEADER_BYTES,
    Ask,
    Begin,
    Done,
    Failed,
    Halt,
    Message,
    Onward,
    RowBatch,
    Told,
    framed,
    packed_state,
    packed_work,
    unframed,
)
from server.evaluation.nursery import ORDER_BYTES
from server.evaluation.remote import told
from server.evaluation.work import AskedFacts, Work

_WORKERS_MAX = 64
_WORKERS_OF_A_SESSION_MAX = 16
_WORKERS_FOR_CATALOGS = 8
"""Of all: what reads system relations finds them when all others are taken."""
_IDLE_MAX = 2
_STARTS_MAX = 3
_PAUSE_S = 0.1


class WorkerPool:
    """An Evaluations."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._nursery: _Nursery | None = None
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._states = _PackedStates()
        self._packing = asyncio.Lock()
        self._numbers = 0

    async def rows(self, work: Work, facts: AskedFacts) -> AsyncGenerator[list[Row]]:
        worker, message = await self._begun(work)
        reusable = False
        try:
            while True:
                match message:
                    case RowBatch(rows):
                        # Closed here, the worker stands still and can be told so.
                        reusable = True
                        yield rows
                        reusable = False
                        worker.send(Onward())
                    case Ask(what="sleep", arguments=(seconds,)):
                        await self._clock.sleep(seconds)
                        worker.send(Told())
                    case Ask() as ask:
                        worker.send(await told(ask, facts))
                    case Failed(error, spent):
                        worker.finished = reusable = not spent
                        raise error
                    case Done(unshown):
                        worker.finished = reusable = True
                        for each in unshown:
                            log_unshown(each)
                        return
                    case other:
                        raise AssertionError(f"a worker says {type(other).__name__}")
                message = await worker.receive()
        finally:
            self._give_back(worker, reusable)

    async def _begun(self, work: Work) -> tuple[_Worker, Message]:
        """Returns a worker that has begun the work, with its first message. An idle worker that has died is replaced
        by another."""
        session = work.session.get(SessionName.BACKEND_PID)
        self._require_room(session, catalogs=work.snapshot is not None)
        while True:
            idle = bool(self._idle)
            worker = self._idle.pop() if idle else await self._new()
            worker.finished = False
            worker.session = session
            self._busy.add(worker)
            try:
                async with self._packing:
                    begin = await asyncio.to_thread(self._states.begin, work, worker.version)
                worker.version = begin.version
                worker.send(begin)
                return worker, await worker.receive()
            except BaseException as error:
                self._give_back(worker, False)
                if not idle or not isinstance(error, WorkerEnded):
                    raise

    async def close(self) -> None:
        for worker in (*self._idle, *self._busy):
            worker.close()
        self._idle.clear()
        if self._nursery is not None:
            nursery, self._nursery = self._nursery, None
            await asyncio.to_thread(nursery.close)

    def begin(self) -> None:
        """Starts the nursery's imports before the first worker is needed."""
        self._started_nursery()

    def _require_room(self, session: Datum, *, catalogs: bool) -> None:
        """Raises SqlError 53300 when a session, or all sessions together, have as many workers as allowed."""
        hint = "Try again, or close cursors that are not read."
        own = sum(1 for worker in self._busy if worker.session == session)
        if session is not None and own >= _WORKERS_OF_A_SESSION_MAX:
            message = f"more than {_WORKERS_OF_A_SESSION_MAX} statements of a session are being evaluated at once"
            raise SqlError(Sqlstate.TOO_MANY_CONNECTIONS, message, hint=hint)
        if len(self._busy) >= _WORKERS_MAX - (0 if catalogs else _WORKERS_FOR_CATALOGS):
            message = "too many statements are being evaluated at once"
            raise SqlError(Sqlstate.TOO_MANY_CONNECTIONS, message, hint=hint)

    async def _new(self) -> _Worker:
        for _ in range(_STARTS_MAX):
            with contextlib.suppress(WorkerEnded):
                return await self._greeted(await self._forked())
            # The nursery had ended, or was about to; another will have been begun.
            await self._clock.sleep(_PAUSE_S)
        raise WorkerEnded

    async def _greeted(self, worker: _Worker) -> _Worker:
        """Waits until the worker has started, and returns it."""
        self._busy.add(worker)
        try:
            await worker.receive()
        except BaseException:
            self._give_back(worker, False)
            raise
        return worker

    async def _forked(self) -> _Worker:
        ours, theirs = socket.socketpair()
        self._numbers += 1
        number = self._numbers
        try:
            self._started_nursery().fork(number, theirs)
        except ConnectionError:
            ours.close()
            raise WorkerEnded from None
        except OSError as error:
            ours.close()
            raise SqlError(
                Sqlstate.INSUFFICIENT_RESOURCES, f"cannot start a process: {os.strerror(error.errno or 0)}"
            ) from error
        finally:
            theirs.close()
        reader, writer = await asyncio.open_connection(sock=ours)
        return _Worker(number, reader, writer)

    def _started_nursery(self) -> _Nursery:
        if self._nursery is not None and self._nursery.ended:
            self._nursery.close()
            self._nursery = None
        if self._nursery is None:
            self._nursery = _Nursery()
        return self._nursery

    def _give_back(self, worker: _Worker, reusable: bool) -> None:
        self._busy.discard(worker)
        if reusable and len(self._idle) < _IDLE_MAX and self._nursery is not None:
            if not worker.finished:
                worker.send(Halt())
            self._idle.append(worker)
            return
        worker.close()
        if not worker.finished and self._nursery is not None:
            self._nursery.end(worker.number)


class WorkerEnded(SqlError):
    """53200: nobody but the system ends a worker that computes, for want of memory."""

    def __init__(self) -> None:
        super().__init__(Sqlstate.OUT_OF_MEMORY, "the process that evaluated the statement has ended")


class _Worker:
    """The environment's end of a worker.

    `session`: the pid of the session whose statement it evaluates
    `version`: the version of its catalog
    `finished`: it waits for a Begin
    """

    def __init__(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.number = number
        self.session: Datum = None
        self.version = 0
        self.finished = False
        self._reader = reader
        self._writer = writer

    def send(self, message: Message) -> None:
        self._writer.write(framed(message))

    async def receive(self) -> Message:
        """Returns the next message; raises WorkerEnded when the worker has ended."""
        try:
            header = await self._reader.readexactly(HEADER_BYTES)
            return unframed(await self._reader.readexactly(int.from_bytes(header)))
        except (asyncio.IncompleteReadError, OSError):
            raise WorkerEnded from None

    def close(self) -> None:
        self._writer.close()


class _Nursery:
    """The process of server.evaluation.nursery."""

    def __init__(self) -> None:
        self._orders, theirs = socket.socketpair()
        try:
            self._process = subprocess.Popen(
                python_module("server.evaluation.nursery"),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env={**bare_environment(), "OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True,  # an interrupt at the terminal is for the environment
            )
        finally:
            theirs.close()

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def fork(self, number: int, connection: socket.socket) -> None:
        """Orders a worker; raises OSError when the nursery has ended."""
        socket.send_fds(self._orders, [number.to_bytes(ORDER_BYTES)], [connection.fileno()])

    def end(self, number: int) -> None:
        with contextlib.suppress(OSError):
            self._orders.sendall(number.to_bytes(ORDER_BYTES))

    def close(self) -> None:
        """Ends the nursery, which ends its workers."""
        self._orders.close()
        self._process.wait()


class _PackedStates:
    """Packs catalogs for workers; the last one stays packed."""

    def __init__(self) -> None:
        self._version = 0
        self._last: tuple[CatalogState, int, bytes] | None = None

    def begin(self, work: Work, known: int) -> Begin:
        """Returns the Begin for a worker that has the catalog's version `known`."""
        version, packed = self._packed(work.viewer.state)
        return Begin(packed_work(work), version, None if known == version else packed)

    def _packed(self, state: CatalogState) -> tuple[int, bytes]:
        last = self._last
        if last is None or last[0] is not state:
            self._version += 1
            last = (state, self._version, packed_state(state))
            self._last = last
        return last[1], last[2]
