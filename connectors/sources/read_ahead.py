"""Reads an upstream ahead in a thread of its own, into a bounded buffer: the shell of a reader.

The ingestion's thread tells where to begin, takes what was read, and closes; the reader's thread follows upstream from
the place to begin at, until it is told another place, fails, or is to end:

    class ChannelReader(ReadAhead[Message]):
        def _follow(self, frontier):
            while True:
                self._wait_for_room()
                self._put(next_message(...))
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from typing import Generic, Protocol, TypeVar

from connectors.gauge import Partition, UpstreamFrontier
from connectors.upstream import Arrived, UpstreamStatus
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

BUFFER_BYTES = 64 * 1024 * 1024


class Left(Exception):
    """Raised in the reader's thread to leave upstream: the reader is to begin at another place, or to end."""


class Sized(Protocol):
    """A piece of what was read."""

    @property
    def size(self) -> int:
        """Returns the number of bytes, about."""


Piece = TypeVar("Piece", bound=Sized)


class ReadAhead(ABC, Generic[Piece]):
    """A reader whose thread begins with `_start`. `arrived` is called in the thread, whenever there is something to
    take or to say. Fields are read and written under `_changed`."""

    def __init__(self, name: str, arrived: Arrived) -> None:
        self._arrived = arrived
        self._changed = threading.Condition()
        self._wanted: dict[Partition, int] | None = None
        self._pieces: deque[Piece] = deque()
        self._buffered = 0
        self._known: dict[Partition, int] = {}
        self._trouble: str | None = None
        self._failure: SqlError | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    # The ingestion's side

    def begin(self, frontier: UpstreamFrontier) -> None:
        """Reads on from a frontier; drops what was read ahead."""
        with self._changed:
            self._wanted = dict(frontier)
            self._known = dict(frontier)
            self._failure = None
            self._drop()
            self._changed.notify_all()

    def status(self) -> UpstreamStatus:
        """Returns the frontier of what there is to read, and the trouble, if any."""
        with self._changed:
            return UpstreamStatus(dict(self._known), self._trouble)

    def close(self) -> None:
        """Ends the thread, and waits for its end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def _drop(self) -> None:
        """Drops what was read ahead. Under `_changed`."""
        self._pieces.clear()
        self._buffered = 0

    # The thread's side

    @abstractmethod
    def _follow(self, frontier: dict[Partition, int]) -> None:
        """Reads on from a frontier; never returns. Raises Left when that is asked for, SqlError when reading can't go
        on."""

    def _start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        while (frontier := self._next_place()) is not None:
            try:
                self._follow(frontier)
            except Left:
                continue
            except SqlError as failure:
                self._fail(failure)
            except Exception as defect:  # noqa: BLE001  (whoever takes from the reader is told)
                self._fail(SqlError(Sqlstate.INTERNAL_ERROR, f"{type(defect).__name__}: {defect}"))

    def _next_place(self) -> dict[Partition, int] | None:
        """Waits for a place to begin at; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._wanted is not None)
            frontier, self._wanted = self._wanted, None
            return None if self._closed else frontier

    def _fail(self, failure: SqlError) -> None:
        with self._changed:
            if self._wanted is None:
                self._failure = failure
        self._arrived()

    @property
    def _leaves(self) -> bool:
        """Tells whether upstream is to be left. Under `_changed`."""
        return self._closed or self._wanted is not None

    def _require_stay(self) -> None:
        """Raises Left when upstream is to be left. Under `_changed`, or as a hint."""
        if self._leaves:
            raise Left

    def _put(self, *pieces: Piece) -> None:
        """Gives pieces to whoever takes."""
        with self._changed:
            self._require_stay()
            self._pieces += pieces
            self._buffered += sum(piece.size for piece in pieces)
        self._arrived()

    def _wait_for_room(self, size: int = 0) -> None:
        """Waits until as many bytes more have room; anything has in an empty buffer."""
        with self._changed:
            self._require_stay()
            while self._pieces and self._buffered + size > BUFFER_BYTES:
                self._changed.wait()
                self._require_stay()

    def _pause(self, seconds: float | None) -> None:
        """Waits, or until upstream is to be left."""
        with self._changed:
            self._changed.wait_for(lambda: self._leaves, seconds)
            self._require_stay()

    def _say(self, trouble: str | None) -> None:
        """Says why no records come, or that they come again."""
        with self._changed:
            told, self._trouble = self._trouble, trouble
        if told != trouble:
            self._arrived()
