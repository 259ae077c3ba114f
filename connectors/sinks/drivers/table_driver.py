"""What drivers of tables have in common: rows and checkpoints commit together, and an acknowledgement is no news."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import assert_never

import pyarrow as pa

from connectors.sinks.description import SinkDescription
from connectors.sinks.drivers.fences import SplitCheckpoint
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
    """A session with a database, of which `failures` are the errors. `own`: how far its split is, and its fence.
    `replaces`: the next transaction takes the place of all that the table has. `partial`: the table may have parts of
    one that never ended."""

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
        """What the session is about."""
        assert self._sink is not None, "it is open"
        return self._sink

    @abstractmethod
    def open(self, request: Open) -> None:
        """Connects, makes what is missing, and takes over from other sessions: `own` is known then."""

    @abstractmethod
    def load(self, keys: pa.Table) -> pa.Table:
        """The documents of these keys that there are."""

    @abstractmethod
    def store(self, documents: pa.Table) -> None:
        """Writes documents in the transaction that is under way, or begins one."""

    @abstractmethod
    def commit(self, frontier: Timestamp) -> DriverState | None:
        """Commits the documents and how far they are, where the fence is still the session's own. What
        changes in what the driver remembers."""

    @abstractmethod
    def failed(self, error: Exception) -> SqlError:
        """The destination's error, with what it is about."""
