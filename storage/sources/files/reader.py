"""Files of the server's, looked through by a thread of its own, again and again.

A file is a partition, and the frontier is how many of its bytes are read; records are never cut. Files that are lines
may grow. Compressed files and Parquet are read whole, once.

A line without an end is read once nobody has written to its file for a while; if the file goes on behind it, that has
to begin with the line end. What was read before must not change: a file that is shorter than what was read of it, or
whose last bytes that were read are others, is an error that names it. What a former session has read of a file is known
by its length alone.
"""

from __future__ import annotations

import contextlib
import glob
import os
import stat
import threading
from collections import deque
from dataclasses import dataclass
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from model.clock import Clock
from model.errors import SqlError
from model.files import ROWS
from model.physical import DIFF_COLUMN
from model.relation_desc import RelationDesc
from model.sqlstate import Sqlstate
from storage.sources.description import FilesOfServer
from storage.sources.files.framing import cut_length, cut_records
from storage.sources.files.parquet_columns import parquet_rows
from storage.sources.gauge import Partition, UpstreamFrontier
from storage.sources.upstream import OFFSET, PARTITION, VALUE, Arrived, FetchedRange, UpstreamStatus

BUFFER_BYTES = 64 << 20
RECORD_BYTES_MAX = 64 << 20
_CHUNK_BYTES = 8 << 20
_KEPT_TAIL = 4096
_STILL_NS = 2_000_000_000
_FILES_MAX = 100_000
_PARQUET_END = b"PAR1"
_LINE_ENDS = (b"\n", b"\r\n")
RECORDS_SCHEMA = pa.schema([(PARTITION, pa.string()), (OFFSET, pa.int64()), (VALUE, pa.binary())])


class _Left(Exception):
    """It is to go on from elsewhere, or to end."""


@dataclass(slots=True)
class _Piece:
    """Records of a file in order, each with where it begins, or changes of it; with all of them it is read up to
    `bound`, and not before if it is `whole`."""

    path: str
    records: list[tuple[int, bytes]]
    bound: int
    size: int
    whole: bool = False
    changes: pa.Table | None = None


@dataclass(slots=True)
class _Seen:
    """A file as it was looked at last, `since` when it is so, and the last bytes that were read of it.
    `left_alone`: it has changed in what was read of it."""

    size: int
    changed_ns: int
    since_ns: int
    tail: bytes = b""
    left_alone: bool = False


class FilesReader:
    """`arrived` is called in the reader's thread, whenever there is something to take or to say."""

    def __init__(self, place: FilesOfServer, clock: Clock, arrived: Arrived) -> None:
        self._place = place
        self._files = place.files
        self._clock = clock
        self._arrived = arrived
        self._changed = threading.Condition()
        self._wanted: UpstreamFrontier | None = None
        self._pieces: deque[_Piece] = deque()
        self._buffered = 0
        self._known: dict[Partition, int] = {}
        self._seen: dict[str, _Seen] = {}
        self._trouble: str | None = None
        self._failure: SqlError | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="files", daemon=True)
        self._thread.start()

    # The ingestion's side

    def beginning(self) -> UpstreamFrontier:
        """Nothing is read of any file."""
        return {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        with self._changed:
            self._wanted = dict(frontier)
            self._known = dict(frontier)
            self._pieces.clear()
            self._buffered = 0
            self._failure = None
            self._changed.notify_all()

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        records: list[tuple[str, int, bytes]] = []
        changes: list[pa.Table] = []
        frontier: dict[Partition, int] = {}
        with self._changed:
            size = 0
            while self._pieces and len(records) < records_max and size < bytes_max and not changes:
                piece = self._pieces[0]
                if piece.whole and frontier:
                    break
                taken = piece.records if piece.whole else piece.records[: records_max - len(records)]
                records += [(piece.path, at, value) for at, value in taken]
                if len(taken) < len(piece.records):
                    piece.records = piece.records[len(taken) :]
                    frontier[piece.path] = piece.records[0][0]
                    break
                if piece.changes is not None:
                    changes.append(piece.changes)
                frontier[piece.path] = piece.bound
                size += piece.size
                self._pieces.popleft()
                self._buffered -= piece.size
            if self._failure is not None and not frontier:
                raise self._failure
            self._changed.notify_all()
        if not frontier:
            return None
        columns = [pa.array([record[at] for record in records], field.type) for at, field in enumerate(RECORDS_SCHEMA)]
        table = pa.table(columns, schema=RECORDS_SCHEMA)
        tables = {ROWS: pa.concat_tables(changes)} if changes else {}
        return FetchedRange(table, frontier, tables)

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        """Files stay."""

    def status(self) -> UpstreamStatus:
        with self._changed:
            return UpstreamStatus(dict(self._known), self._trouble)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    # The thread's side

    def _run(self) -> None:
        while True:
            with self._changed:
                while self._wanted is None and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                assert self._wanted is not None
                bounds, self._wanted = {str(path): bound for path, bound in self._wanted.items()}, None
            try:
                self._follow(bounds)
            except _Left:
                continue
            except SqlError as failure:
                self._fail(failure)
            except Exception as defect:  # noqa: BLE001  (whoever takes from the reader is told)
                self._fail(SqlError(Sqlstate.INTERNAL_ERROR, f"{type(defect).__name__}: {defect}"))

    def _fail(self, failure: SqlError) -> None:
        with self._changed:
            if self._wanted is None:
                self._failure = failure
        self._arrived()

    def _follow(self, bounds: dict[str, int]) -> None:
        """Looks for what has come, for ever; once, where that is all that is wanted."""
        while True:
            waits = self._look(bounds)
            with self._changed:
                self._require_wanted()
                self._changed.wait(None if self._files.once and not waits else self._files.interval_ms / 1000)
                self._require_wanted()

    def _look(self, bounds: dict[str, int]) -> bool:
        """Reads what files have beyond what was read of them. Whether any has something that is read later."""
        paths = sorted(glob.iglob(self._files.pattern, recursive=True))
        if len(paths) > _FILES_MAX:
            message = f'"{self._files.pattern}" is more than {_FILES_MAX} files'
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
        trouble, waits = None, False
        for path in paths:
            try:
                waits |= self._look_at(path, bounds)
            except FileNotFoundError:
                continue
            except OSError as error:
                trouble, waits = f'file "{path}": {error.strerror or error}', True
        for path in self._seen.keys() - set(paths):
            # What is gone is gone; what was read of it stays.
            del self._seen[path]
        with self._changed:
            changed, self._trouble = self._trouble != trouble, trouble
        if changed:
            self._arrived()
        return waits

    def _look_at(self, path: str, bounds: dict[str, int]) -> bool:
        """Whether there is something that is read later."""
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or self._came_late(found):
            return False
        bound, now = bounds.get(path, 0), self._clock.elapsed_ns()
        seen = self._seen.get(path)
        if seen is None or (seen.size, seen.changed_ns) != (found.st_size, found.st_mtime_ns):
            tail = b"" if seen is None else seen.tail
            left_alone = bool(bound) and not self._is_as_it_was(path, bound, found.st_size, tail)
            seen = _Seen(found.st_size, found.st_mtime_ns, now, tail, left_alone)
            self._seen[path] = seen
        if seen.left_alone or found.st_size <= bound:
            return False
        with self._changed:
            self._known[path] = found.st_size
        still = now - seen.since_ns >= _STILL_NS
        if not self._files.whole:
            return self._read_lines(path, found.st_size, bounds, still=still)
        if self._place.parquet is not None:
            return self._read_parquet(path, found.st_size, bounds, self._place.parquet)
        return not still or self._read_compressed(path, found.st_size, bounds)

    def _came_late(self, found: os.stat_result) -> bool:
        until_ms = self._place.until_ms
        return until_ms is not None and found.st_ctime_ns // 1_000_000 > until_ms

    def _is_as_it_was(self, path: str, bound: int, size: int, tail: bytes) -> bool:
        """Whether the file has what was read of it; SqlError where that is to stop the source."""
        if self._files.whole:
            same = size == bound
        else:
            same = size >= bound and _bytes_at(path, bound - len(tail), len(tail)) == tail
        if not same and not self._files.changes_ignored:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                f'file "{path}" has changed since {bound} bytes of it were read',
                hint="Files may only grow. WITH (CHANGED OBJECTS = IGNORE) leaves those that change otherwise alone.",
            )
        return same

    # Lines

    def _read_lines(self, path: str, size: int, bounds: dict[str, int], *, still: bool) -> bool:
        """What there is of them from the bound on, piece by piece, and not what comes meanwhile: the file is looked at
        again before that. Whether a line without an end is left."""
        bound, framing = bounds.get(path, 0), self._files.framing
        with open(path, "rb") as file:
            if bound and _read_at(file, bound - 1, 1) != b"\n":
                passed = _past_line_end(path, _read_at(file, bound, 2))
                if passed is None:
                    return True
                bound += passed
            file.seek(bound)
            kept = b""
            while chunk := file.read(min(_CHUNK_BYTES, size - bound - len(kept))):
                data = kept + chunk
                length = cut_length(data, framing)
                if not length and len(data) > RECORD_BYTES_MAX:
                    message = f'a record of file "{path}" at {bound} has more than {RECORD_BYTES_MAX} bytes'
                    raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
                if length:
                    self._put_lines(path, data[:length], bound, bounds, whole=False)
                    bound += length
                kept = data[length:]
            if kept and still:
                self._put_lines(path, kept, bound, bounds, whole=True)
        return bool(kept) and not still

    def _put_lines(self, path: str, data: bytes, bound: int, bounds: dict[str, int], *, whole: bool) -> None:
        self._put(_Piece(path, self._records(data, bound, whole=whole), bound + len(data), len(data)), bounds)
        seen = self._seen[path]
        seen.tail = (seen.tail + data)[-_KEPT_TAIL:]

    def _records(self, data: bytes, bound: int, *, whole: bool) -> list[tuple[int, bytes]]:
        """Each with where it begins; without the header of a file."""
        cut = cut_records(data, self._files.framing, whole=whole)
        records = [(bound + record.begin, record.value) for record in cut]
        return records[1:] if self._files.header and not bound else records

    # Files that are read whole

    def _read_compressed(self, path: str, size: int, bounds: dict[str, int]) -> bool:
        """A file that nobody has written to for a while. False: nothing is left."""
        kind = self._files.compression_of(path)
        try:
            with open(path, "rb") as raw:
                with contextlib.nullcontext(raw) if kind is None else pa.CompressedInputStream(raw, kind) as stream:
                    data = stream.read()
        except (pa.ArrowInvalid, OSError) as error:
            raise _unreadable(path, f"compressed by {kind}", error) from None
        self._put(_Piece(path, self._records(data, 0, whole=True), size, len(data), whole=True), bounds)
        return False

    def _read_parquet(self, path: str, size: int, bounds: dict[str, int], desc: RelationDesc) -> bool:
        """A file that has its end. Whether it hasn't."""
        if _bytes_at(path, size - len(_PARQUET_END), len(_PARQUET_END)) != _PARQUET_END:
            return True
        try:
            rows = parquet_rows(pq.read_table(path), desc)
        except (pa.ArrowException, ValueError, OverflowError) as error:
            raise _unreadable(path, "Parquet of this source", error) from None
        changes = rows.append_column(DIFF_COLUMN, pa.repeat(pa.scalar(1, pa.int64()), rows.num_rows))
        self._put(_Piece(path, [], size, rows.nbytes, whole=True, changes=changes), bounds)
        return False

    def _put(self, piece: _Piece, bounds: dict[str, int]) -> None:
        """Waits for room first."""
        with self._changed:
            while self._pieces and self._buffered + piece.size > BUFFER_BYTES:
                self._require_wanted()
                self._changed.wait()
            self._require_wanted()
            self._pieces.append(piece)
            self._buffered += piece.size
        bounds[piece.path] = piece.bound
        self._arrived()

    def _require_wanted(self) -> None:
        if self._closed or self._wanted is not None:
            raise _Left


def _past_line_end(path: str, following: bytes) -> int | None:
    """How long the end is of a line that was read before it had one; None while only a part of it is there."""
    for end in _LINE_ENDS:
        if following.startswith(end):
            return len(end)
    if following == b"\r":
        return None
    raise SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'the last line of file "{path}" was read, and goes on',
        hint="Lines are read once they end, or nobody has written to their file for two seconds.",
    )


def _unreadable(path: str, what: str, error: Exception) -> SqlError:
    return SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, f'file "{path}" can\'t be read as {what}', detail=str(error))


def _read_at(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    return file.read(length)


def _bytes_at(path: str, offset: int, length: int) -> bytes:
    with open(path, "rb") as file:
        return _read_at(file, max(0, offset), length)
