"""Updates as bytes: Arrow IPC payloads and Parquet files, without the columns whose value is constant.

Encoding takes tables of the row's columns c0, c1, … with or without `time` (none: the commit's time) and `diff`
(none: 1). Decoding gives `updates_schema(desc)` back. Bytes are checked against their checksum before anything
reads them: corrupt data is never skipped and never read as something else.
"""

from __future__ import annotations

import functools
import io
import zlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_schema, column_name
from model.physical.conforming import conformed
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import holds_floats, with_one_nan
from storage.persist.state import InlineBatch, Part, Piece

ROW_GROUP_ROWS = 128 * 1024
_FEW_ROWS = 16
"""Of so many Python finds the least and the greatest sooner than it has asked Arrow to."""

_row_schema = functools.lru_cache(maxsize=4096)(arrow_schema)


@functools.lru_cache(maxsize=4096)
def _has_floats(desc: RelationDesc) -> bool:
    """Returns whether any column holds floats."""
    return any(holds_floats(field.type) for field in _row_schema(desc))


def encode_inline(table: pa.Table, desc: RelationDesc) -> InlineBatch:
    """Encodes `table`, which has at least one row, as a payload."""
    stripped, facts = _strip(table, desc)
    sink = pa.BufferOutputStream()
    with pa.RecordBatchStreamWriter(sink, stripped.schema) as writer:
        writer.write_table(stripped.combine_chunks())
    payload = sink.getvalue().to_pybytes()
    return InlineBatch(payload=payload, bytes=len(payload), checksum=zlib.crc32(payload), **facts)


def encode_part(table: pa.Table, desc: RelationDesc, key: str) -> tuple[Part, bytes]:
    """Encodes `table` as a file to be stored under `key`; returns the part and the file's bytes."""
    stripped, facts = _strip(table, desc)
    sink = io.BytesIO()
    pq.write_table(stripped, sink, compression="zstd", row_group_size=ROW_GROUP_ROWS, write_page_checksum=True)
    data = sink.getvalue()
    return Part(key=key, bytes=len(data), checksum=zlib.crc32(data), **facts), data


def decode_piece(piece: Piece, data: bytes, desc: RelationDesc, shard: str, name: str) -> pa.Table:
    """Returns all updates of a piece, as `updates_schema(desc)`; raises SqlError (data_corrupted) naming shard and
    piece."""
    check_bytes(piece, data, shard, name)
    try:
        if isinstance(piece, InlineBatch):
            table = pa.ipc.open_stream(data).read_all()
        else:
            # One thread: a part is read in the background, where memory matters more than time.
            table = pq.read_table(io.BytesIO(data), use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise corrupted(shard, name, str(error)) from error
    return restore_columns(piece, table, desc, shard, name)


def check_bytes(piece: Piece, data: bytes, shard: str, name: str) -> None:
    """Raises SqlError (data_corrupted) when the length or the checksum of `data` is wrong."""
    if len(data) != piece.bytes:
        raise corrupted(shard, name, f"it has {len(data)} bytes instead of {piece.bytes}")
    if zlib.crc32(data) != piece.checksum:
        raise corrupted(shard, name, "its checksum does not match")


def restore_columns(piece: Piece, table: pa.Table, desc: RelationDesc, shard: str, name: str) -> pa.Table:
    """Returns the stored columns, then `time` and `diff`, whether stored as columns or as constants."""
    if table.num_rows != piece.rows:
        raise corrupted(shard, name, f"it has {table.num_rows} rows instead of {piece.rows}")
    facts = [*([TIME_COLUMN] * piece.time_column), *([DIFF_COLUMN] * piece.diff_column)]
    arity = table.num_columns - len(facts)
    expected = [*map(column_name, range(arity)), *facts]
    if table.column_names != expected:
        raise corrupted(shard, name, f"it has columns {table.column_names} instead of {expected}")
    if arity != desc.arity:
        table = conformed(table, desc)
    if not piece.time_column:
        assert piece.time is not None, "an appended piece has a time"
        table = table.add_column(desc.arity, TIME_COLUMN, _constant(piece.time, piece.rows))
    if piece.diff is not None:
        table = table.append_column(DIFF_COLUMN, _constant(piece.diff, piece.rows))
    return table


def corrupted(shard: str, name: str, detail: str) -> SqlError:
    return SqlError(Sqlstate.DATA_CORRUPTED, f"{name} of shard {shard} is corrupt", detail=detail)


def _constant(value: int, rows: int) -> pa.Array:
    return pa.array(np.full(rows, value, np.int64))


def _strip(table: pa.Table, desc: RelationDesc) -> tuple[pa.Table, dict[str, Any]]:
    """Returns the columns to store, and the fields of the Piece for all others."""
    schema = _row_schema(desc)
    names = table.column_names
    if desc.arity == 0 and DIFF_COLUMN not in names:
        # Parquet has no rows without columns, so the number of empty rows is kept as a diff.
        table = pa.table({DIFF_COLUMN: pa.array([table.num_rows], pa.int64())})
    rows = table.select(schema.names)
    if rows.schema != schema:
        rows = rows.cast(schema)
    if _has_floats(desc):
        rows = with_one_nan(rows)
    facts: dict[str, Any] = {"rows": table.num_rows, "time": None, "time_min": None, "time_max": None}
    columns = []
    if TIME_COLUMN in names:
        facts["time_min"], facts["time_max"] = _bounds(table.column(TIME_COLUMN))
        if facts["time_min"] == facts["time_max"]:
            facts["time"] = facts["time_min"]
        else:
            columns.append((TIME_COLUMN, table.column(TIME_COLUMN)))
    facts["diff"], facts["retracts"] = 1, False
    if DIFF_COLUMN in table.column_names:
        least, greatest = _bounds(table.column(DIFF_COLUMN))
        facts["diff"], facts["retracts"] = least, least < 0
        if least != greatest or desc.arity == 0:
            facts["diff"] = None
            columns.append((DIFF_COLUMN, table.column(DIFF_COLUMN)))
    for name, column in columns:
        rows = rows.append_column(pa.field(name, pa.int64()), column)
    facts["memory"] = rows.nbytes + 8 * (2 - len(columns)) * rows.num_rows
    return rows, facts


def _bounds(column: pa.ChunkedArray) -> tuple[int, int]:
    if 0 < len(column) <= _FEW_ROWS:
        values = column.to_pylist()
        return min(values), max(values)
    bounds = pc.min_max(column).as_py()
    assert bounds["min"] is not None, "a piece without rows"
    return bounds["min"], bounds["max"]
