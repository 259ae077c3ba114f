"""A worker process: evaluates one query after the other, for one statement at a time.

The worker's memory may grow by a limit beyond its size at the start; beyond the limit the statement fails with 53200
and the process ends. The pool kills a worker whose evaluation takes too long. A worker ends with the environment.
"""

from __future__ import annotations

import os
import resource
import socket
import traceback
from collections.abc import Iterator
from typing import Any

from catalog.facts.shown import noting
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.functions.system.waiting import Waits, waiting_by
from server.evaluation.messages import (
    HEADER_BYTES,
    Ask,
    Begin,
    Done,
    Failed,
    Halt,
    Message,
    Onward,
    Ready,
    RowBatch,
    Told,
    framed,
    unframed,
    unpacked_state,
    unpacked_work,
)
from server.evaluation.remote import RemoteFacts
from server.evaluation.work import batches_of, work_rows

MEMORY_BYTES = 1 << 30
"""How much an evaluation may take."""
_NICENESS = 5


class _Gone(Exception):
    """The environment has closed the socket."""


class _Halted(Exception):
    """Nobody wants the rest of the rows."""


def serve(connection: socket.socket) -> None:
    """Evaluates requests until the other end closes."""
    os.nice(_NICENESS)
    _limit_memory()
    worker = _Worker(connection)
    try:
        worker.greet()
        while worker.serve_one():
            pass
    except _Gone:
        return


class _Worker:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._state: CatalogState | None = None

    def greet(self) -> None:
        """Reports that the worker has started."""
        self._send(Ready())

    def serve_one(self) -> bool:
        """Handles one request; tells whether the worker can handle another."""
        begin = self._receive()
        assert isinstance(begin, Begin), "an evaluation begins with Begin"
        try:
            self._evaluate(begin)
        except _Halted:
            return True
        except SqlError as error:
            self._send(Failed(error))
        except MemoryError:
            self._send(Failed(_out_of_memory(), spent=True))
            return False
        except RecursionError:
            self._send(Failed(SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded")))
        except _Gone:
            raise
        except Exception as error:  # noqa: BLE001 - a defect is told to the client whose statement shows it
            traceback.print_exc()
            self._send(Failed(SqlError(Sqlstate.INTERNAL_ERROR, f"{type(error).__name__}: {error}")))
        return True

    def _evaluate(self, begin: Begin) -> None:
        if begin.state is not None:
            self._state = unpacked_state(begin.state)
        assert self._state is not None, "the first evaluation brings its catalog"
        work = unpacked_work(begin.work, self._state)
        waits = Waits(
            lambda seconds: self._ask("sleep", seconds),
            lambda lock: self._ask("wait_for_lock", lock),
            lambda function, arguments: self._ask("call_large_object", function, arguments),
        )
        with noting() as unshown, waiting_by(waits):
            for batch in batches_of(work_rows(work, RemoteFacts(self._ask))):
                self._send(RowBatch(batch))
                match self._receive():
                    case Onward():
                        pass
                    case Halt():
                        raise _Halted
                    case other:
                        raise AssertionError(f"{type(other).__name__} after a batch")
        self._send(Done(tuple(unshown)))

    def _ask(self, what: str, *arguments: Any) -> Any:
        self._send(Ask(what, arguments))
        answer = self._receive()
        assert isinstance(answer, Told), "what is asked is told"
        if answer.error is not None:
            raise answer.error
        return answer.value

    def _send(self, message: Message) -> None:
        try:
            self._connection.sendall(framed(message))
        except OSError:
            raise _Gone from None

    def _receive(self) -> Message:
        length = int.from_bytes(b"".join(self._pieces(HEADER_BYTES)))
        return unframed(b"".join(self._pieces(length)))

    def _pieces(self, count: int) -> Iterator[bytes]:
        while count:
            try:
                piece = self._connection.recv(min(count, 1 << 20))
            except OSError:
                piece = b""
            if not piece:
                raise _Gone
            count -= len(piece)
            yield piece


def _out_of_memory() -> SqlError:
    return SqlError(
        Sqlstate.OUT_OF_MEMORY,
        "out of memory",
        detail=f"The statement needs more than {MEMORY_BYTES >> 20} MB for rows that come from no table.",
    )


def _limit_memory() -> None:
    with open("/proc/self/statm", encoding="ascii") as statm:
        now = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY_BYTES, now + MEMORY_BYTES))
