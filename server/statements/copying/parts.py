"""COPY TO a name that ends in a slash: a directory of parts, in the form in which they were computed, never joined.

    COPY t TO '/srv/out/t/' (FORMAT parquet)   ->   /srv/out/t/part-00000.parquet, /srv/out/t/part-00001.parquet, …

Parts are in the order of the query. The directory gets its name once whole; it must have been empty before. Everything
blocks, and is for threads.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_TAKEN = (errno.EEXIST, errno.ENOTEMPTY)


class MadeParts(Protocol):
    """The parts of one statement. SqlError, or OSError."""

    def require_free(self) -> None:
        """Raises 58P02 if something is there."""
        ...

    def publish(self, staged: Path, parts: Sequence[Path], suffix: str, stopped: threading.Event) -> None:
        """Makes files of the directory `staged`, which may be moved, the durable parts, or leaves nothing, as when
        `stopped` in time."""
        ...


class StagedFile:
    """A part that the server itself writes, invisible to others."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None

    def write(self, data: bytes) -> int:
        return self._opened().write(data)

    def finish(self) -> None:
        self._opened().close()

    def abandon(self) -> None:
        with contextlib.suppress(OSError):
            self._opened().close()

    def _opened(self) -> IO[bytes]:
        if self._file is None:
            self._file = self.path.open("xb")
        return self._file


class DirectoryOfParts:
    """A directory of the server's."""

    def __init__(self, path: str) -> None:
        self._shown = path
        self._place = Path(os.path.realpath(path))

    def require_free(self) -> None:
        try:
            if os.listdir(self._place):
                raise taken("directory", self._shown)
        except FileNotFoundError:
            return

    def publish(self, staged: Path, parts: Sequence[Path], suffix: str, stopped: threading.Event) -> None:
        whole = staged / "whole"
        whole.mkdir()
        for at, part in enumerate(parts):
            refuse_stopped(stopped)
            _synchronize(part)
            part.rename(whole / part_name(at, suffix))
        _synchronize(whole)
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(self._place, whole)
        try:
            # In the place of an empty directory, too.
            whole.rename(self._place)
        except OSError as error:
            if error.errno in _TAKEN:
                raise taken("directory", self._shown) from None
            raise
        _synchronize(self._place.parent)


def part_name(at: int, suffix: str) -> str:
    """Returns the part's name, in Spark's form."""
    return f"part-{at:05}.{suffix}"


def taken(noun: str, shown: str) -> SqlError:
    """Returns the error for a place that is not empty: parts of two statements side by side would be rows of
    neither."""
    hint = "COPY TO a name that ends in a slash makes a directory of parts, in which there must be nothing before."
    return SqlError(Sqlstate.DUPLICATE_FILE, f'{noun} "{shown}" is not empty', hint=hint)


def refuse_stopped(stopped: threading.Event) -> None:
    """Raises SqlError 57014 after the statement has stopped waiting for the parts."""
    if stopped.is_set():
        raise SqlError(Sqlstate.QUERY_CANCELED, "canceling statement due to user request")


def _synchronize(path: Path) -> None:
    """Forces the file to disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
