"""The base of drivers of tables: rows and checkpoints commit together, so `Acknowledge` has nothing left to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import assert_never

import pyarrow as pa

from connectors.sinks.description import SinkDescription
from connectors.sinks.fences import SplitCheckpoint
from connectors.sinks.messages import (
    ALL_KEYS,
    Acknowledge,
    Acknowledged,
    DriverResponse,
    DriverState,
    Flushed,
    FlushLoads,
    Load,
    Loaded,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from model.errors.sql_error import SqlError
from model.time.timestamp import Timestamp


class TableDriver(ABC):
    """A session with a database.

    `failures`: the exceptions of the database's library
    `own`: the frontier and fence of the session's split
    `replaces`: the next transaction replaces all rows of the table
    `partial`: the table may hold parts of a transaction that never ended
    """

    failures: type[Exception] | tuple[type[Exception], ...]

    def __init__(self) -> None:
        self.own = SplitCheckpoint(ALL_KEYS, 0, Timestamp(0))
        self.replaces = False
        self.partial = False
        self._sink: SinkDescription | None = None

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        try:
            yield from self._answer(request)
        except self.failures as error:
            raise self.failed(error) from error

    def _answer(self, request: Request) -> Iterator[DriverResponse]:
        match request:
            case Open():
                self._sink = request.sink
                self.open(request)
                self.replaces = self.own.frontier == 0
                yield Opened(self.own.frontier, self.partial)
            case Acknowledge():
                yield Acknowledged()
            case Load(keys):
                yield Loaded(self.load(keys))
            case FlushLoads():
                yield Flushed()
            case Store(documents):
                self.store(documents)
            case StartCommit(frontier):
                patch = self.commit(frontier)
                self.replaces = False
                yield StartedCommit(patch)
            case _:
                assert_never(request)

    @property
    def written(self) -> SinkDescription:
        """The sink that the session writes."""
        assert self._sink is not None, "it is open"
        return self._sink

    @abstractmethod
    def open(self, request: Open) -> None:
        """Connects, creates what is missing, takes over from other sessions, and sets `own`."""

    @abstractmethod
    def load(self, keys: pa.Table) -> pa.Table:
        """Returns the documents with these keys that exist."""

    @abstractmethod
    def store(self, documents: pa.Table) -> None:
        """Writes documents in the open transaction, or begins one."""

    @abstractmethod
    def commit(self, frontier: Timestamp) -> DriverState | None:
        """Commits the documents and the frontier, where the fence is still the session's own; returns the change of
        the driver's state."""

    @abstractmethod
    def failed(self, error: Exception) -> SqlError:
        """Turns the library's exception into an error that names the destination."""
