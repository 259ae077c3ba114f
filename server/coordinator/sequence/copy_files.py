"""COPY from and to files of the server's: what goes over the wire otherwise is read from a file, or written to one.

Files are read, written and understood in threads, so that no disk holds the server. A file that is written takes its
name when it is whole: nobody reads half of it, and a statement that fails leaves what was there.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from model.datum import Row
from model.errors import SqlError
from model.sqlstate import Sqlstate
from server.coordinator.execution import Execution
from server.pgwire.backend import Command, CopyIn, CopyOut
from server.pgwire.copy.blocks import Batch
from server.pgwire.copy.rows_in import CopyDecoder, copy_decoder
from server.pgwire.copy.rows_out import CopyEncoder

_READ_BYTES = 1 << 16
"""As much as of what a client sends is taken at once."""
_FOR_CLIENTS = "Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone."
_FOR_READERS = (
    "COPY FROM instructs the server to read a file. You may want a client-side facility such as psql's \\copy."
)
_FAILURES = {
    errno.ENOENT: Sqlstate.UNDEFINED_FILE,
    errno.ENOTDIR: Sqlstate.UNDEFINED_FILE,
    errno.EACCES: Sqlstate.INSUFFICIENT_PRIVILEGE,
    errno.EPERM: Sqlstate.INSUFFICIENT_PRIVILEGE,
    errno.EROFS: Sqlstate.INSUFFICIENT_PRIVILEGE,
    errno.EISDIR: Sqlstate.WRONG_OBJECT_TYPE,
    errno.ENOSPC: Sqlstate.DISK_FULL,
}


async def copied_from_file(copy_in: CopyIn, path: str, execution: Execution) -> Command:
    """The file's rows are in the transaction. What fails leaves none."""
    receiver = copy_in.receiver
    try:
        require_file_allowed("from", execution)
        context = execution.asker.text_context
        decoder = copy_decoder(copy_in.relation, copy_in.desc, copy_in.options, context)
        file = await asyncio.to_thread(opened_file, path)
        with contextlib.closing(file):
            while (rows := await asyncio.to_thread(_next_rows, file, decoder, path)) is not None:
                if len(rows):
                    await receiver.feed(rows)
        if rows := decoder.finish():
            await receiver.feed(rows)
    except BaseException as error:
        cause = error if isinstance(error, SqlError) else SqlError(Sqlstate.QUERY_CANCELED, "COPY from a file ended")
        await receiver.fail(cause)
        raise
    return Command(await receiver.finish())


def opened_file(path: str) -> BinaryIO:
    """To be read. It blocks."""
    try:
        _require_regular(path)
        return open(path, "rb")
    except OSError as error:
        hint = _FOR_READERS if error.errno in (errno.ENOENT, errno.EACCES) else None
        raise _failed(f'could not open file "{path}" for reading', error, hint) from None


def _next_rows(file: BinaryIO, decoder: CopyDecoder, path: str) -> Batch | None:
    """Those that the next bytes complete; None at the file's end."""
    try:
        data = file.read(_READ_BYTES)
    except OSError as error:
        raise _failed(f'could not read from file "{path}"', error) from None
    return decoder.feed(data) if data else None


async def copied_to_file(copy_out: CopyOut, path: str, execution: Execution) -> Command:
    """The rows are in the file, which is on the disk."""
    require_file_allowed("to", execution)
    if not os.path.isabs(path):
        raise SqlError(Sqlstate.INVALID_NAME, "relative path not allowed for COPY to file")
    encoder = CopyEncoder(copy_out.desc, copy_out.options, execution.asker.text_context)
    file = await asyncio.to_thread(_FileInMaking, path, execution.asker.pid)
    try:
        await asyncio.to_thread(file.write, encoder.begin())
        async for batch in copy_out.batches:
            await asyncio.to_thread(file.write_rows, encoder, batch)
        await asyncio.to_thread(file.write, encoder.end())
        await asyncio.to_thread(file.finish)
    except BaseException:
        file.abandon()
        raise
    return Command(copy_out.tag())


class _FileInMaking:
    """A file that nobody sees under its name before it is whole. `pid` is that of the only session that makes it."""

    def __init__(self, path: str, pid: int) -> None:
        self._path = path
        self._place = Path(os.path.realpath(path))
        self._partial = self._place.parent / f".headwater-{pid}.partial"
        try:
            if os.path.isdir(path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            with contextlib.suppress(FileNotFoundError):
                _require_regular(path)
            self._file = self._partial.open("wb")
        except OSError as error:
            raise _failed(f'could not open file "{path}" for writing', error) from None

    def write(self, pieces: Sequence[bytes]) -> None:
        try:
            self._file.writelines(pieces)
        except OSError as error:
            raise self._unwritten(error) from None

    def write_rows(self, encoder: CopyEncoder, rows: Sequence[Row]) -> None:
        self.write(encoder.encode(rows))

    def finish(self) -> None:
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._partial.replace(self._place)
            directory = os.open(self._place.parent, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)
        except OSError as error:
            raise self._unwritten(error) from None

    def abandon(self) -> None:
        with contextlib.suppress(OSError):
            self._partial.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._file.close()

    def _unwritten(self, error: OSError) -> SqlError:
        return _failed(f'could not write to file "{self._path}"', error)


def _require_regular(path: str) -> None:
    """42809 for what is no file: a pipe may never give anything, and a device is not to be replaced."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        what = "is a directory" if stat.S_ISDIR(mode) else "is not a regular file"
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{path}" {what}')


def require_file_allowed(direction: str, execution: Execution) -> None:
    """42501 for who may not touch the server's files."""
    session, state = execution.ddl_session, execution.catalog
    if not state.roles[session.role(state)].superuser:
        message = f"permission denied to COPY {direction} a file"
        detail = f"Only superusers may COPY {direction} a file."
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail=detail, hint=_FOR_CLIENTS)


def _failed(what: str, error: OSError, hint: str | None = None) -> SqlError:
    state = _FAILURES.get(error.errno or 0, Sqlstate.IO_ERROR)
    return SqlError(state, f"{what}: {error.strerror or error}", hint=hint)
