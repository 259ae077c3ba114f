"""The places that COPY reads and writes: a file of the server, or objects of a bucket.

A written file gets its name once whole: nobody reads half of it, and a failing statement leaves the former file.
Everything blocks, and is for threads.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.ledgers.unfinished_paths import UnfinishedPaths
from server.statements.copying.parts import DirectoryOfParts, MadeParts

_FOR_READERS = (
    "COPY FROM instructs the server to read a file. You may want a client-side facility such as psql's \\copy."
)
# As programs that write directories of parts leave beside them: `_SUCCESS`.
_HIDDEN = "._"
_FAILURES = {
    errno.ENOENT: Sqlstate.UNDEFINED_FILE,
    errno.ENOTDIR: Sqlstate.UNDEFINED_FILE,
    errno.EACCES: Sqlstate.INSUFFICIENT_PRIVILEGE,
    errno.EPERM: Sqlstate.INSUFFICIENT_PRIVILEGE,
    errno.EROFS: Sqlstate.INSUFFICIENT_PRIVILEGE,
    errno.EISDIR: Sqlstate.WRONG_OBJECT_TYPE,
    errno.ENOSPC: Sqlstate.DISK_FULL,
}


class MadeFile(Protocol):
    """A file that is invisible under its name until finished."""

    def write(self, data: bytes) -> int:
        """Writes all of the bytes, and returns their number. Raises OSError."""
        ...

    def finish(self) -> None:
        """Makes the file durable under its name. Raises OSError."""
        ...

    def abandon(self) -> None:
        """Gives the file up. Idempotent."""
        ...


class CopyPlace(Protocol):
    """The place of one statement. `noun` and `shown` are a user's words for it."""

    noun: str
    shown: str

    def names(self) -> Sequence[str]:
        """Returns the names to read, in order: at least one. Raises SqlError."""
        ...

    def open(self, name: str) -> BinaryIO:
        """Opens a file for random access. Raises SqlError; reading raises OSError."""
        ...

    def stream(self, name: str) -> BinaryIO:
        """Opens a file for reading from its beginning to its end, a little at a time."""
        ...

    def make(self) -> MadeFile:
        """Makes the file to write to. Raises SqlError when the file can't be made."""
        ...

    def parts(self) -> MadeParts | None:
        """Returns the parts to make, for a name that ends in a slash."""
        ...

    def scratch(self) -> Path:
        """Returns a directory with room for the files to make."""
        ...


class ServerFile:
    """A file of the server's."""

    noun = "file"

    def __init__(self, path: str, unfinished: UnfinishedPaths) -> None:
        self.shown = path
        self._unfinished = unfinished

    def names(self) -> Sequence[str]:
        if not self._is_directory():
            return (self.shown,)
        try:
            with os.scandir(self.shown) as found:
                names = sorted(each.path for each in found if each.name[0] not in _HIDDEN and each.is_file())
        except OSError as error:
            raise failed(f'could not open directory "{self.shown}"', error) from None
        if not names:
            raise SqlError(Sqlstate.UNDEFINED_FILE, f'no file is in directory "{self.shown}"')
        return names

    def _is_directory(self) -> bool:
        return self.shown.endswith("/") and bool(self.shown.strip("/"))

    def open(self, name: str) -> BinaryIO:
        try:
            require_regular(name)
            return open(name, "rb")
        except OSError as error:
            hint = _FOR_READERS if error.errno in (errno.ENOENT, errno.EACCES) else None
            raise failed(f'could not open file "{name}" for reading', error, hint) from None

    def stream(self, name: str) -> BinaryIO:
        return self.open(name)

    def make(self, failure: str | None = None) -> PartialServerFile:
        """Makes the file; `failure` begins the error's message in place of COPY's."""
        self._require_absolute()
        try:
            return PartialServerFile(self.shown, self._unfinished)
        except OSError as error:
            raise failed(failure or f'could not open file "{self.shown}" for writing', error) from None

    def _require_absolute(self) -> None:
        if not os.path.isabs(self.shown):
            raise SqlError(Sqlstate.INVALID_NAME, "relative path not allowed for COPY to file")

    def parts(self) -> MadeParts | None:
        if not self._is_directory():
            return None
        self._require_absolute()
        return DirectoryOfParts(self.shown)

    def scratch(self) -> Path:
        return Path(os.path.realpath(self.shown)).parent


class PartialServerFile:
    """A file beside the place it takes."""

    def __init__(self, path: str, unfinished: UnfinishedPaths) -> None:
        self._place = Path(os.path.realpath(path))
        self._unfinished = unfinished
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with contextlib.suppress(FileNotFoundError):
            require_regular(path)
        self._partial = unfinished.begin(self._place.parent, "partial")
        try:
            self._file = self._partial.open("xb")
        except OSError:
            unfinished.end(self._partial)
            raise

    def write(self, data: bytes) -> int:
        return self._file.write(data)

    def put(self, place: int, data: bytes) -> None:
        """Writes bytes at a place; what nobody has written before the place are zeros. Raises OSError."""
        self._file.seek(place)
        self._file.write(data)

    def resize(self, size: int) -> None:
        """Makes the file end at a size. Raises OSError."""
        self._file.truncate(size)

    def finish(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._partial.replace(self._place)
        self._unfinished.end(self._partial)
        directory = os.open(self._place.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)

    def abandon(self) -> None:
        self._unfinished.end(self._partial)
        with contextlib.suppress(OSError):
            self._file.close()


def require_regular(path: str) -> None:
    """Raises SqlError 42809 for a path that is no regular file: a pipe may never give anything, and a device must not
    be replaced."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        what = "is a directory" if stat.S_ISDIR(mode) else "is not a regular file"
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{path}" {what}')


def failed(what: str, error: OSError, hint: str | None = None) -> SqlError:
    """Returns the error for a failed operation."""
    state = _FAILURES.get(error.errno or 0, Sqlstate.IO_ERROR)
    return SqlError(state, f"{what}: {error.strerror or error}", hint=hint)
