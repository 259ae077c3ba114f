"""Makes the initial copy: reads tables in the snapshot of a slot by COPY into files, over several connections.

Large tables are cut into ranges of pages, since every connection sees the same snapshot. A complete table is kept at
once, and not copied again after a failure.
"""

from __future__ import annotations

import io
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pyarrow as pa
import pyarrow.csv as pa_csv
from psycopg import pq, sql

from connectors.postgres.probe import Upstream
from connectors.postgres.source.copies import Copies
from connectors.postgres.source.postgres_columns import changed_columns
from connectors.postgres.source.results import await_input, await_result, require_status
from connectors.unreachable import Unreachable
from model.external.publications import PublishedTable

CONNECTIONS = min(4, os.cpu_count() or 1)
"""So many read at once, where there is so much. Each takes some 50 MiB."""
PIECE_PAGES = 4_096
"""32 MiB of a table are one piece; of very large ones a piece is larger."""
_PIECES_MAX = 256
_BLOCK_BYTES = 4 << 20
_BLOCK_BYTES_MOST = 1 << 30
_BROADER = 16
_STRADDLING = "straddling"
Connecting = Callable[[], AbstractContextManager[Upstream]]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A range of pages of a table of upstream; `pages` is None for the whole table, and the last range has no end.
    `there` is the table under upstream's current names."""

    table: PublishedTable
    there: PublishedTable
    pages: tuple[int, int | None] | None = None


@dataclass(slots=True)
class _Unfinished:
    """A table with so many pieces left to read."""

    pieces: int
    files: list[Path] = field(default_factory=list)


class _Lines(io.RawIOBase):
    """The output of COPY, as a file."""

    def __init__(self, pieces: Iterator[memoryview | bytes]) -> None:
        self._pieces = pieces
        self._left = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        parts: list[memoryview | bytes] = [self._left]
        length = len(self._left)
        while length < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            parts.append(piece)
            length += len(piece)
        whole = b"".join(parts)
        self._left = whole[size:]
        return whole[:size]


def begin_snapshot(upstream: Upstream, snapshot: str) -> None:
    """Begins the snapshot: from here on the connection sees what the slot's snapshot holds."""
    upstream.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    upstream.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(sql.Literal(snapshot)))


def lock_tables(upstream: Upstream, tables: Iterable[PublishedTable]) -> None:
    """Locks tables so that nobody alters or empties them before the transaction ends."""
    for table in tables:
        name = sql.Identifier(table.schema, table.name)
        upstream.execute(sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(name))


def is_same_to_copy(before: PublishedTable, now: PublishedTable) -> bool:
    """Tells whether the same statement still reads the same rows of a table."""
    return (before, before.storage) == (now, now.storage)


class CopiedTables:
    """Copies tables in a snapshot, which is at `point` of the WAL, and keeps each complete one. `copied` is called
    with numbers of rows, from any thread, and may raise to stop the copy."""

    def __init__(
        self, connecting: Connecting, snapshot: str, copies: Copies, point: int, copied: Callable[[int], None]
    ) -> None:
        self._connecting = connecting
        self._snapshot = snapshot
        self._copies = copies
        self._point = point
        self._copied = copied
        self._lock = threading.Lock()
        self._pieces: deque[_Piece] = deque()
        self._unfinished: dict[str, _Unfinished] = {}
        self._failed = threading.Event()

    def copy(self, upstream: Upstream, tables: Iterable[tuple[PublishedTable, PublishedTable]]) -> None:
        """Copies tables, each given with upstream's current names. `upstream` is a connection in the snapshot; more
        connections are opened when there is more than one piece."""
        sizes = _pages(upstream)
        for table, there in tables:
            pieces = _pieces(table, there, sizes.get(table.oid, 0))
            self._pieces += pieces
            self._unfinished[table.full_name] = _Unfinished(len(pieces))
        others = min(CONNECTIONS, len(self._pieces)) - 1
        with ThreadPoolExecutor(max(others, 1), thread_name_prefix="copy") as pool:
            working = [pool.submit(self._connected) for _ in range(others)]
            self._work(upstream)
            for other in working:
                other.result()

    def _connected(self) -> None:
        """Copies pieces over one more connection; does nothing where upstream allows no more."""
        with ExitStack() as stack:
            try:
                upstream = stack.enter_context(self._connecting())
            except Unreachable:
                return
            begin_snapshot(upstream, self._snapshot)
            self._work(upstream)

    def _work(self, upstream: Upstream) -> None:
        """Reads pieces until none is left, or another thread has failed."""
        try:
            while not self._failed.is_set():
                with self._lock:
                    piece = self._pieces.popleft() if self._pieces else None
                    path = self._copies.new_file()
                if piece is None:
                    return
                self._finish(piece, path if _copied_to(path, upstream, piece, self._note) else None)
        except BaseException:
            self._failed.set()
            raise

    def _note(self, rows: int) -> None:
        self._copied(rows)
        if self._failed.is_set():
            raise psycopg.OperationalError("another connection has failed")

    def _finish(self, piece: _Piece, path: Path | None) -> None:
        with self._lock:
            unfinished = self._unfinished[piece.table.full_name]
            unfinished.pieces -= 1
            if path is not None:
                unfinished.files.append(path)
            if not unfinished.pieces:
                self._copies.keep(piece.table, self._point, unfinished.files)


def _pages(upstream: Upstream) -> Mapping[int, int]:
    """Returns the approximate numbers of pages of ordinary tables, by oid."""
    pages = "pg_relation_size(oid) / current_setting('block_size')::int8"
    return dict(upstream.execute(f"SELECT oid::int8, {pages} FROM pg_class WHERE relkind = 'r'").fetchall())


def _pieces(table: PublishedTable, there: PublishedTable, pages: int) -> Sequence[_Piece]:
    step = max(PIECE_PAGES, -(-pages // _PIECES_MAX))
    if table.partitioned or pages <= step:
        return [_Piece(table, there)]
    starts = range(0, pages, step)
    return [_Piece(table, there, (start, start + step if start != starts[-1] else None)) for start in starts]


def _copied_to(path: Path, upstream: Upstream, piece: _Piece, copied: Callable[[int], None]) -> bool:
    """Copies a piece to a file on disk, and tells whether it has rows."""
    block_bytes = _BLOCK_BYTES
    while (rows := _copied_whole(path, upstream, piece, copied, block_bytes)) is None:
        # A value is larger than a block.
        block_bytes *= _BROADER
    return rows > 0


def _copied_whole(
    path: Path, upstream: Upstream, piece: _Piece, copied: Callable[[int], None], block_bytes: int
) -> int | None:
    """Copies a piece with blocks of a size; returns the number of rows, or None when a row needs larger blocks."""
    names = [f"f{at}" for at in range(len(piece.table.columns))]
    sent = _sent(upstream, _statement(piece))
    writer: pa.ipc.RecordBatchFileWriter | None = None
    rows = 0
    with path.open("wb") as file:
        try:
            for batch in _batches(_Lines(sent), names, block_bytes):
                copied(batch.num_rows)
                rows += batch.num_rows
                changes = changed_columns(piece.table, batch.columns, 1)
                writer = writer or pa.ipc.new_file(file, changes.schema)
                writer.write_table(changes)
        except pa.ArrowInvalid as error:
            if _STRADDLING not in str(error) or block_bytes >= _BLOCK_BYTES_MOST:
                raise
            for _ in sent:
                pass  # the connection is in the midst of COPY until its end
            return None
        if writer is not None:
            writer.close()
        file.flush()
        os.fsync(file.fileno())
    if not rows:
        path.unlink()
    return rows


def _sent(upstream: Upstream, statement: sql.Composed) -> Iterator[memoryview | bytes]:
    """Yields the output of COPY, row by row, without blocking in libpq, which would hold up all other threads."""
    pg = upstream.pgconn
    pg.send_query(statement.as_bytes(upstream))
    require_status(await_result(pg), pq.ExecStatus.COPY_OUT)
    while True:
        length, data = pg.get_copy_data(1)
        if length > 0:
            yield data
        elif length == 0:
            await_input(pg)
        else:
            break
    require_status(await_result(pg), pq.ExecStatus.COMMAND_OK)
    while await_result(pg) is not None:
        pass


def _batches(lines: _Lines, names: list[str], block_bytes: int) -> Iterator[pa.RecordBatch]:
    """Yields batches of texts. NULL is nothing between commas, and the empty text is quoted."""
    first = lines.read(1)
    if not first:
        return
    rest = _Lines(_chained(first, lines, block_bytes))
    yield from pa_csv.open_csv(
        pa.PythonFile(rest, mode="r"),
        pa_csv.ReadOptions(use_threads=False, column_names=names, block_size=block_bytes),
        pa_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        pa_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _chained(first: bytes, lines: _Lines, block_bytes: int) -> Iterator[bytes]:
    yield first
    while piece := lines.read(block_bytes):
        yield piece


def _statement(piece: _Piece) -> sql.Composed:
    table = piece.there
    columns = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
    # Tables that inherit are published by themselves; partitions are not, where their whole is.
    only = sql.SQL("" if table.partitioned else "ONLY ")
    conditions = [] if table.row_filter is None else [sql.SQL("({})").format(sql.SQL(table.row_filter))]
    if piece.pages is not None:
        start, end = piece.pages
        conditions.append(sql.SQL("ctid >= {}::tid").format(sql.Literal(f"({start},0)")))
        if end is not None:
            conditions.append(sql.SQL("ctid < {}::tid").format(sql.Literal(f"({end},0)")))
    where = sql.SQL(" WHERE ") + sql.SQL(" AND ").join(conditions) if conditions else sql.SQL("")
    return sql.SQL("COPY (SELECT {} FROM {}{}{}) TO STDOUT (FORMAT csv)").format(
        columns, only, sql.Identifier(table.schema, table.name), where
    )
