"""Writes files of changes, each visible only when complete: the recovery log decides which files exist, and the store
follows it.

A transaction's files are staged, invisible to readers, and noted in the driver's state in the log. Once the log has the
state, the files get their final names; this may be repeated, so a session that opens takes a file that is no longer
staged for one that has its name. A staged file that the log does not name is left over from a session that ended; the
next session to open removes it. A collection that is written anew goes to the directory v2. A place belongs to one
sink.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_never

import pyarrow as pa

from connectors.files.store import FileStore, staged_and_gone
from connectors.files.writer import FileWriter
from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import (
    Acknowledge,
    Acknowledged,
    DriverResponse,
    Flushed,
    FlushLoads,
    Load,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from model.external.sinks import FileFormat
from model.time.timestamp import Timestamp

_FILE_BYTES = 64 << 20
"""A file is closed when it has grown so large."""


class FilesDriver:
    """A session with one store of files."""

    def __init__(self, store: FileStore, format_: FileFormat) -> None:
        self.store = store
        self._format = format_
        self._sink: SinkDescription | None = None
        self._version = 1
        self._position = Timestamp(0)
        self._staged: list[Any] = []
        self._written: list[Path] = []
        self._writer: FileWriter | None = None
        self._files = 0
        self._recovers = True

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        try:
            yield from self._answer(request)
        except self.store.failures as error:
            raise self.store.failed(error) from error

    def abort(self) -> None:
        """Does nothing: every operation of a store ends by itself."""

    def close(self) -> None:
        if self._writer is not None:
            self._writer.abandon()
            self._writer = None
        self.store.close()

    def _answer(self, request: Request) -> Iterator[DriverResponse]:
        match request:
            case Open():
                yield self._open(request)
            case Acknowledge():
                yield Acknowledged({"staged": None} if self._apply() else None)
            case Load():
                raise AssertionError("changes are never loaded")
            case FlushLoads():
                yield Flushed()
            case Store(documents):
                self._store(documents)
            case StartCommit(frontier):
                yield self._commit(frontier)
            case _:
                assert_never(request)

    def _open(self, request: Open) -> Opened:
        self._sink, self._position = request.sink, request.frontier
        self._version = int(request.state.get("version", 1)) + request.anew
        self._staged = [] if request.anew else list(request.state.get("staged", ()))
        self.store.open(request.sink.name, self._version, self._staged, request.secrets)
        return Opened(None)

    def _store(self, documents: pa.Table) -> None:
        assert self._sink is not None, "it is open"
        if self._writer is None:
            self._writer = FileWriter(self.store.begin(self._files), self._format)
            self._files += 1
        self._writer.write(documents, self._sink)
        if self._writer.bytes >= _FILE_BYTES:
            self._finish_file()

    def _finish_file(self) -> None:
        if self._writer is not None:
            self._writer.finish()
            self._written.append(self._writer.path)
            self._writer = None

    def _commit(self, frontier: Timestamp) -> StartedCommit:
        self._finish_file()
        span = f"{self._position:017}-{frontier:017}"
        named = [(path, f"{span}-{at:04}.{self._format.value}") for at, path in enumerate(self._written)]
        self._staged, self._written, self._position = self.store.stage(named), [], frontier
        return StartedCommit({"staged": self._staged or None, "version": self._version})

    def _apply(self) -> bool:
        """Gives the files named by the log their final names, and tells whether there were any."""
        staged, self._staged = self._staged, []
        for each in staged:
            if not self.store.apply(each) and not self._recovers:
                raise staged_and_gone()
        if staged:
            self.store.applied()
        self._recovers = False
        self._files = 0
        return bool(staged)
