"""The initial copy: tables as they are in the snapshot of a new slot, read by COPY and kept in files until all are
there."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator

import pyarrow as pa
import pyarrow.csv as pa_csv
from psycopg import sql

from model.publications import PublishedTable
from storage.sources.postgres.columns import changed_columns
from storage.sources.postgres.probe import Upstream
from storage.sources.spilled import SpilledTables

_BLOCK_BYTES = 4 << 20
_BLOCK_BYTES_MOST = 1 << 30
_BROADER = 16
_STRADDLING = "straddling"


class _Lines(io.RawIOBase):
    """What COPY sends, as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._left = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        parts, length = [self._left], len(self._left)
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
    """From here on the connection sees what the slot's snapshot holds."""
    upstream.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    upstream.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(sql.Literal(snapshot)))


def copy_tables(
    upstream: Upstream, tables: Iterable[PublishedTable], spilled: SpilledTables, copied: Callable[[int], None]
) -> None:
    """All rows of the tables, as changes; `copied` is told of rows as they come, and may raise to end it."""
    for table in tables:
        block_bytes = _BLOCK_BYTES
        while not _copied_whole(upstream, table, spilled, copied, block_bytes):
            # A value is larger than a block.
            spilled.forget(table.full_name)
            block_bytes *= _BROADER


def _copied_whole(
    upstream: Upstream,
    table: PublishedTable,
    spilled: SpilledTables,
    copied: Callable[[int], None],
    block_bytes: int,
) -> bool:
    """False when the blocks are too small for it."""
    names = [f"f{at}" for at in range(len(table.columns))]
    with upstream.cursor() as cursor, cursor.copy(_statement(table)) as copy:
        lines = _Lines(bytes(piece) for piece in copy)
        try:
            for batch in _batches(lines, names, block_bytes):
                copied(batch.num_rows)
                spilled.add(table.full_name, changed_columns(table, batch.columns, 1))
        except pa.ArrowInvalid as error:
            if _STRADDLING not in str(error) or block_bytes >= _BLOCK_BYTES_MOST:
                raise
            for _ in copy:
                pass  # the connection is in the midst of COPY until its end
            return False
    return True


def _batches(lines: _Lines, names: list[str], block_bytes: int) -> Iterator[pa.RecordBatch]:
    """Texts. NULL is nothing between commas, and the empty text is quoted."""
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


def _statement(table: PublishedTable) -> sql.Composed:
    columns = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
    # Tables that inherit are published by themselves; partitions are not, where their whole is.
    only = sql.SQL("" if table.partitioned else "ONLY ")
    where = sql.SQL("") if table.row_filter is None else sql.SQL(" WHERE ") + sql.SQL(table.row_filter)
    return sql.SQL("COPY (SELECT {} FROM {}{}{}) TO STDOUT (FORMAT csv)").format(
        columns, only, sql.Identifier(table.schema, table.name), where
    )
