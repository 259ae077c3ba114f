"""Reads files in a thread of its own, looking for new ones again and again.

A file is a partition, and the frontier is the number of its bytes read; records are never cut. Files of lines may grow.
Compressed files and Parquet are read completely, once.

A last line without an end is read once nobody writes to the file: at once in a bucket, where objects are complete, else
when the file has not changed for a while. If the file grows after that, the new bytes must begin with the line end.
Bytes once read must not change: a file that is shorter than before, or differs there, is an error that names the file.
Notes in the frontier say which bytes were read, so that a reader can test this after a restart too.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import BinaryIO

import pyarrow as pa

from connectors.files.source.framing import cut_length, cut_records, is_open
from connectors.files.source.headers import FileHeader, header_of
from connectors.files.source.notes import FileNote, note_moves, split_frontier
from connectors.files.source.space import ChangedMeanwhile, FileSpace, FoundFile, PartHash, trouble_of
from connectors.files.source.whole_parquet import (
    UNREADABLE,
    WHOLE_BYTES_MAX,
    not_parquet,
    note_of_whole,
    opened_parquet,
    read_at,
    require_fitting,
    unreadable,
    whole_changes,
)
from connectors.gauge import Partition, UpstreamFrontier
from connectors.sources.read_ahead import ReadAhead
from connectors.upstream import OFFSET, PARTITION, VALUE, Arrived, FetchedRange, PartitionReach
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.files import ROWS, FilePattern
from model.time.clock import Clock
from model.types.relation_desc import RelationDesc

RECORD_BYTES_MAX = 64 << 20
_CHUNK_BYTES = 8 << 20
_STILL_NS = 2_000_000_000
_TROUBLED_S = 1.0
"""Whoever does not answer is not asked again at once."""
_FILES_MAX = 200_000
_LINE_ENDS = (b"\n", b"\r\n")
RECORDS_SCHEMA = pa.schema([(PARTITION, pa.string()), (OFFSET, pa.int64()), (VALUE, pa.binary())])


@dataclass(slots=True)
class _Piece:
    """A part of a file that was read.

    `records`: in order, each with its offset; or `changes`, for Parquet
    `bound`: the file is read up to here once all records are taken
    `whole`: the bound moves only with the last record
    `note`: to be noted, in place of the note `before`
    """

    path: str
    records: list[tuple[int, bytes]]
    bound: int
    size: int
    note: FileNote
    whole: bool = False
    changes: pa.Table | None = None
    before: FileNote | None = None


@dataclass(slots=True)
class _Seen:
    """A file as it was at the last look.

    `since_ns`: the time since which the file has not changed
    `left_alone`: bytes that were read have changed, and the file is not read any more
    `hashed`: the hash of the bytes read, while it is needed
    """

    file: FoundFile
    since_ns: int
    left_alone: bool = False
    hashed: PartHash | None = None

    def is_of(self, file: FoundFile) -> bool:
        """Tells whether the file has not been written since."""
        return (self.file.size, self.file.version) == (file.size, file.version)


class FilesReader(ReadAhead[_Piece]):
    """Reads files of a source in a thread of its own.

    `parquet`: the columns to read from Parquet files, by name
    `until_ms`: for a source that reads files once only: files that came after this time are not read
    `arrived`: called in the reader's thread when there is something to take, or the status has changed
    """

    def __init__(
        self,
        files: FilePattern,
        parquet: RelationDesc | None,
        until_ms: int | None,
        space: FileSpace,
        clock: Clock,
        arrived: Arrived,
    ) -> None:
        super().__init__("files", arrived)
        self._files = files
        self._parquet = parquet
        self._until_ms = until_ms
        self._space = space
        self._clock = clock
        self._seen: dict[str, _Seen] = {}
        self._notes: dict[str, FileNote] = {}
        self._ahead: dict[str, FoundFile] = {}
        """Parquet files of which nothing was taken, as they were found last."""
        self._held = False
        self._others_read = False
        """While it held, so that files may have been read that it knows nothing of."""
        self._start()

    # The ingestion's side

    def beginning(self) -> UpstreamFrontier:
        """Returns the frontier at which nothing of any file has been read."""
        return {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        with self._changed:
            super().begin(frontier)
            self._known.clear()
            self._known.update(split_frontier(frontier)[0])
            self._others_read, self._held = self._others_read or self._held, False
            self._ahead = {}

    def ahead(self) -> Mapping[Partition, PartitionReach]:
        with self._changed:
            if self._failure is not None:
                return {}
            return {path: PartitionReach(file.size, file.version) for path, file in self._ahead.items()}

    def hold(self) -> None:
        with self._changed:
            self._held = True
            self._drop()
            self._changed.notify_all()

    @property
    def holds(self) -> bool:
        with self._changed:
            return self._held and self._failure is None

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
                frontier |= note_moves(piece.path, piece.before, piece.note)
                size += piece.size
                self._ahead.pop(piece.path, None)
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
        self._space.settled(frontier)

    def close(self) -> None:
        super().close()
        self._space.close()

    # The thread's side

    @property
    def _leaves(self) -> bool:
        return self._held or super()._leaves

    def _follow(self, frontier: dict[Partition, int]) -> None:
        """Looks for new bytes again and again; a source that reads its files once looks only until all bytes are
        read."""
        bounds, self._notes = split_frontier(frontier)
        with self._changed:
            if self._others_read:
                self._seen.clear()
                self._others_read = False
        while True:
            waits = self._look(bounds)
            pause_s = None if self._files.once and not waits else self._files.interval_ms / 1000
            if pause_s is not None and self._trouble is not None:
                pause_s = max(pause_s, _TROUBLED_S)
            self._pause(pause_s)

    def _look(self, bounds: dict[str, int]) -> bool:
        """Reads new bytes of all files into the queue. Returns whether a file has bytes left to read later."""
        try:
            found = self._space.look()
        except OSError as error:
            self._say(str(error))
            return True
        if len(found.files) > _FILES_MAX:
            message = f'"{self._files.pattern}" is more than {_FILES_MAX} {self._space.noun}s'
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
        new = self._unread(found.files, bounds)
        self._space.expect(file for file in new if file.size > bounds.get(file.path, 0))
        self._tell_ahead(new, bounds)
        trouble, waits = found.trouble, False
        for file in new:
            try:
                waits |= self._look_at(file, bounds)
                self._space.accept(file)
            except FileNotFoundError:
                self._forget(file.path)
                self._space.leave(file.path)
            except ChangedMeanwhile:
                self._forget(file.path)
                waits = True
            except OSError as error:
                trouble, waits = trouble_of(file.path, error), True
        if found.all:
            # What is gone is gone; what was read of it stays.
            for path in self._seen.keys() - {file.path for file in found.files}:
                self._forget(path)
        self._say(trouble)
        return waits

    def _forget(self, path: str) -> None:
        """Forgets a file that is gone or replaced."""
        self._seen.pop(path, None)
        with self._changed:
            self._ahead.pop(path, None)

    def _tell_ahead(self, new: Iterable[FoundFile], bounds: dict[str, int]) -> None:
        """Announces new Parquet files, which other tasks may read if they are many."""
        if self._parquet is None:
            return
        with self._changed:
            ahead = {file.path: file for file in new if file.size and not bounds.get(file.path)}
            self._ahead |= ahead
            self._known |= {path: file.size for path, file in ahead.items()}
        if ahead:
            self._arrived()

    def _unread(self, files: Iterable[FoundFile], bounds: dict[str, int]) -> list[FoundFile]:
        """Returns the files that may have bytes to read."""
        unread = []
        for file in files:
            if self._until_ms is not None and file.came_ms > self._until_ms:
                continue
            seen = self._seen.get(file.path)
            if seen is None or not seen.is_of(file):
                unread.append(file)
            elif seen.left_alone:
                self._space.leave(file.path)
            elif file.size > bounds.get(file.path, 0):
                unread.append(file)
        return unread

    def _look_at(self, file: FoundFile, bounds: dict[str, int]) -> bool:
        """Reads new bytes of one file into the queue. Returns whether the file has bytes left to read later."""
        bound, now = bounds.get(file.path, 0), self._clock.elapsed_ns()
        seen = self._seen.get(file.path)
        if seen is None or not seen.is_of(file):
            seen = _Seen(file, now)
            if bound:
                self._compare(seen, bound)
            self._seen[file.path] = seen
        if seen.left_alone or file.size <= bound:
            seen.hashed = None
            return False
        with self._changed:
            self._known[file.path] = file.size
        still = self._space.atomic or now - seen.since_ns >= _STILL_NS
        if not self._files.whole:
            return self._read_lines(file, bounds, still=still)
        if self._parquet is not None:
            return self._read_parquet(file, bounds, self._parquet)
        return not still or self._read_compressed(file, bounds)

    def _compare(self, seen: _Seen, bound: int) -> None:
        """Tests whether the file still has the bytes that were read; marks it as left alone if not, or raises
        SqlError where changes stop the source."""
        seen.left_alone = not self._is_as_it_was(seen, bound)
        if seen.left_alone and not self._files.changes_ignored:
            file, noun = seen.file, self._space.noun
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                f'{noun} "{file.path}" has changed since {bound} bytes of it were read',
                hint=f"{noun.capitalize()}s may only grow. "
                "WITH (CHANGED OBJECTS = IGNORE) leaves those that change otherwise alone.",
            )

    def _is_as_it_was(self, seen: _Seen, bound: int) -> bool:
        file, note = seen.file, self._notes.get(seen.file.path)
        if note is not None and self._space.atomic and (self._files.whole or note.version == file.version):
            return note.version == file.version
        if file.size != bound if self._files.whole else file.size < bound:
            return False
        if note is None:
            return True
        with self._space.open(file) as opened:
            hashed = self._space.hash_of(opened, note.length)
        if note.length == bound:
            seen.hashed = hashed
        return hashed.digest() == note.digest

    # Lines

    def _read_lines(self, file: FoundFile, bounds: dict[str, int], *, still: bool) -> bool:
        """Reads the lines behind the bound, piece by piece, up to the size that the look has found. Tells whether a
        line without an end is left."""
        bound, framing = bounds.get(file.path, 0), self._files.framing
        with self._space.open(file) as opened:
            seen = self._seen[file.path]
            hashed, seen.hashed = seen.hashed or self._space.hash_of(opened, bound), None
            if bound and read_at(opened, bound - 1, 1) != b"\n":
                end = self._line_end_behind(file, read_at(opened, bound, 2))
                if end is None:
                    return True
                hashed.update(end)
                bound += len(end)
            header = self._header(file, opened, whole=still)
            opened.seek(bound)
            kept = b""
            while chunk := opened.read(min(_CHUNK_BYTES, file.size - bound - len(kept))):
                data = kept + chunk
                length = cut_length(data, framing)
                if not length and len(data) > RECORD_BYTES_MAX:
                    what = f'a record of {self._space.noun} "{file.path}" at {bound}'
                    message = f"{what} has more than {RECORD_BYTES_MAX} bytes"
                    raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
                if length:
                    self._put_lines(file, data[:length], bound, bounds, hashed, header, whole=False)
                    bound += length
                kept = data[length:]
            if kept and still:
                if is_open(kept, framing):
                    raise OSError(f'{self._space.noun} "{file.path}" ends within quotes: the rest of it is awaited')
                self._put_lines(file, kept, bound, bounds, hashed, header, whole=True)
        return bool(kept) and not still

    def _put_lines(
        self,
        file: FoundFile,
        data: bytes,
        bound: int,
        bounds: dict[str, int],
        hashed: PartHash,
        header: FileHeader | None,
        *,
        whole: bool,
    ) -> None:
        hashed.update(data)
        note = FileNote(file.version, bound + len(data), hashed.digest())
        records = self._records(data, bound, header, whole=whole)
        self._read(_Piece(file.path, records, note.length, len(data), note), bounds)

    def _header(self, file: FoundFile, opened: BinaryIO, *, whole: bool) -> FileHeader | None:
        if not self._files.header:
            return None
        return header_of(self._files, opened, f'{self._space.noun} "{file.path}"', whole=whole)

    def _records(self, data: bytes, bound: int, header: FileHeader | None, *, whole: bool) -> list[tuple[int, bytes]]:
        """Returns the records with their offsets, without the header line, and with the fields arranged by the
        header."""
        cut = cut_records(data, self._files.framing, whole=whole)
        if header is None:
            return [(bound + record.begin, record.value) for record in cut]
        return [
            (bound + record.begin, header.arranged(record)) for record in cut if bound + record.begin > header.begin
        ]

    def _line_end_behind(self, file: FoundFile, following: bytes) -> bytes | None:
        """Returns the line end that follows a line that was read before it had one; None while only a part of it is
        there."""
        for end in _LINE_ENDS:
            if following.startswith(end):
                return end
        if following == b"\r" and not self._space.atomic:
            return None
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'the last line of {self._space.noun} "{file.path}" was read, and goes on',
            hint="Lines are read once they end, or nobody has written to their file for two seconds.",
        )

    # Files that are read whole

    def _read_compressed(self, file: FoundFile, bounds: dict[str, int]) -> bool:
        """Reads a compressed file completely. Returns False: nothing is left."""
        kind = self._files.compression_of(file.path)
        with self._space.open(file) as opened:
            data, note = opened.read(file.size), note_of_whole(self._space, file, opened)
        if kind is not None:
            try:
                with pa.CompressedInputStream(pa.BufferReader(data), kind) as stream:
                    data = stream.read(WHOLE_BYTES_MAX + 1)
            except (pa.ArrowInvalid, OSError) as error:
                raise unreadable(self._space, file, f"compressed by {kind}", error) from None
        require_fitting(self._space, file, len(data))
        records = self._records(data, 0, self._header(file, io.BytesIO(data), whole=True), whole=True)
        self._read(_Piece(file.path, records, file.size, len(data), note, whole=True), bounds)
        return False

    def _read_parquet(self, file: FoundFile, bounds: dict[str, int], desc: RelationDesc) -> bool:
        """Reads a Parquet file completely. Returns True while its end is missing."""
        with self._space.open(file) as opened:
            parquet = opened_parquet(self._space, file, opened)
            if parquet is None:
                return True
            note = note_of_whole(self._space, file, opened)
            try:
                changes = whole_changes(self._space, file, parquet, desc)
            except UNREADABLE as error:
                raise not_parquet(self._space, file, error) from None
        self._read(_Piece(file.path, [], file.size, changes.nbytes, note, whole=True, changes=changes), bounds)
        return False

    def _read(self, piece: _Piece, bounds: dict[str, int]) -> None:
        """Waits for room, puts a piece that was read into the queue of the consumer, and advances the file's bound and
        note."""
        piece.before = self._notes.get(piece.path)
        self._wait_for_room(piece.size)
        self._put(piece)
        bounds[piece.path] = piece.bound
        self._notes[piece.path] = piece.note
