"""Files of changes in a directory, each there once and complete: the recovery log says what is, and files follow.

    <path>/v1/00001795444186543-00001795444188065-0000.parquet     changes from one time to another
    <path>/v1/.staged/<session>-…                                  of a transaction that the log has not yet

A transaction's files are written and synced under hidden names, and named in what the log remembers; once the log has
that, they get their own names, again and again if need be: a session that opens takes what has gone from under its
hidden name for done. What nobody named is garbage of a session that ended, and goes when the next one opens. A
collection that is written anew goes to v2. A directory is one sink's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_never

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from model.errors import SqlError
from model.sinks import DirectoryOfFiles, FileFormat
from model.sqlstate import Sqlstate
from model.timestamp import Timestamp
from storage.sinks.description import SinkDescription
from storage.sinks.messages import (
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
from storage.sinks.plain_columns import json_lines, named_columns, text_columns

_HIDDEN, _OWNER = ".staged", ".headwater"
_FILE_BYTES = 64 << 20
"""A file is closed when it has grown so large."""


class FilesDriver:
    """A session with one directory. `token` tells its hidden files from those of other sessions."""

    def __init__(self, place: DirectoryOfFiles, token: str) -> None:
        self._place = place
        self._token = token
        self._sink: SinkDescription | None = None
        self._version = 1
        self._position = Timestamp(0)
        self._staged: list[str] = []
        self._writer: _FileWriter | None = None
        self._files = 0
        self._recovers = True

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        try:
            yield from self._answer(request)
        except OSError as error:
            message = f'files in "{self._place.path}": {error.strerror or error}'
            raise SqlError(Sqlstate.IO_ERROR, message) from error

    def abort(self) -> None:
        """What the file system is about can't be interrupted."""

    def close(self) -> None:
        if self._writer is not None:
            self._writer.abandon()
            self._writer = None

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
        self._hidden.mkdir(parents=True, exist_ok=True)
        self._claim(request.sink.name)
        wanted = set(self._staged)
        for file in self._hidden.iterdir():
            if file.name not in wanted:
                file.unlink(missing_ok=True)
        return Opened(None)

    def _claim(self, name: str) -> None:
        """55000 when the directory is another sink's."""
        mark = Path(self._place.path) / _OWNER
        try:
            with mark.open("x") as file:
                file.write(name)
        except FileExistsError:
            owner = mark.read_text()
            if owner != name:
                message = f'directory "{self._place.path}" has files of another sink'
                hint = "Choose another directory, or remove what is in it."
                raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint=hint) from None

    @property
    def _directory(self) -> Path:
        return Path(self._place.path) / f"v{self._version}"

    @property
    def _hidden(self) -> Path:
        return self._directory / _HIDDEN

    def _store(self, documents: pa.Table) -> None:
        assert self._sink is not None, "it is open"
        if self._writer is None:
            self._writer = _FileWriter(self._hidden / f"{self._token}-{self._files:04}", self._place.format)
            self._files += 1
        self._writer.write(documents, self._sink)
        if self._writer.bytes >= _FILE_BYTES:
            self._finish_file()

    def _finish_file(self) -> None:
        if self._writer is not None:
            self._writer.finish()
            self._staged.append(self._writer.path.name)
            self._writer = None

    def _commit(self, frontier: Timestamp) -> StartedCommit:
        self._finish_file()
        named = []
        for number, hidden in enumerate(self._staged):
            own = f"{self._position:017}-{frontier:017}-{number:04}.{self._place.format.value}"
            renamed = f"{self._token}-{own}"
            (self._hidden / hidden).rename(self._hidden / renamed)
            named.append(renamed)
        _sync(self._hidden)
        self._staged, self._position = named, frontier
        patch: dict[str, Any] = {"staged": named or None, "version": self._version}
        return StartedCommit(patch)

    def _apply(self) -> bool:
        """Gives what the log has its own names; whether there was any."""
        staged, self._staged = self._staged, []
        for hidden in staged:
            file, own = self._hidden / hidden, self._directory / _own_name(hidden)
            if file.exists():
                file.rename(own)
            elif not self._recovers:
                message = f'file "{own}" was staged, and is not there any more'
                raise SqlError(Sqlstate.IO_ERROR, message)
        if staged:
            _sync(self._directory)
        self._recovers = False
        self._files = 0
        return bool(staged)


class _FileWriter:
    """One file, whole and synced when it is finished."""

    def __init__(self, path: Path, format_: FileFormat) -> None:
        self.path = path
        self.bytes = 0
        self._format = format_
        self._file = path.open("wb")
        self._parquet: pq.ParquetWriter | None = None

    def write(self, documents: pa.Table, sink: SinkDescription) -> None:
        self.bytes += documents.nbytes
        match self._format:
            case FileFormat.PARQUET:
                table = named_columns(documents, sink)
                if self._parquet is None:
                    self._parquet = pq.ParquetWriter(self._file, table.schema)
                self._parquet.write_table(table)
            case FileFormat.CSV:
                header = self._file.tell() == 0
                options = pyarrow.csv.WriteOptions(include_header=header)
                pyarrow.csv.write_csv(text_columns(documents, sink), self._file, options)
            case FileFormat.JSON:
                self._file.write(json_lines(documents, sink))
            case _:
                assert_never(self._format)

    def finish(self) -> None:
        self._end()
        os.fsync(self._file.fileno())
        self._file.close()

    def _end(self) -> None:
        if self._parquet is not None:
            self._parquet.close()
        self._file.flush()

    def abandon(self) -> None:
        self._end()
        self._file.close()
        self.path.unlink(missing_ok=True)


def _own_name(hidden: str) -> str:
    """`<session>-<from>-<to>-<number>.<format>` without the session."""
    return hidden.partition("-")[2]


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
