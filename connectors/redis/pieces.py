"""Cuts documents into pieces, which scripts in the server take apart; and holds the scripts.

A piece is a sequence of columns: of each its name, the lengths of its values (-1: NULL), and the values, one behind the
other. For documents with a key, the first column holds the names of the server's keys, and has no name itself:

    k int, v text    key (k)    ─▶    t:1 {k: 1, v: a}        each a hash
    k int, v text    no key     ─▶    t: {k: 1, v: a, mz_timestamp: …, mz_diff: 1}, …    a stream

A NULL is a field that is absent. Values are texts as PostgreSQL writes them; bytea is its bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from connectors.sinks.description import SinkDescription
from connectors.sinks.plain_columns import CHANGE_COLUMNS, text_column, written_text
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name
from model.text.dispatch import parser
from model.types.scalar_type import ScalarType, TypeName

_ROWS, _BYTES = 1_000, 4 << 20
"""Of a piece, unless a row alone is longer: the server does nothing else meanwhile."""
BEHIND_NAME = ":"
HASHES, STREAM, EMPTIED = "hashes", "stream", "emptied"
"""What a piece is for: hashes that are written anew, or go where they have no fields; a stream that grows; one that
loses all that it has."""

APPLY = """#!lua
local checkpoints, row = KEYS[1], ARGV[1]
if redis.call('HGET', checkpoints, row) ~= ARGV[2] then return 0 end
local kind, target, rows = ARGV[4], ARGV[5], tonumber(ARGV[6])
local function apply()
  if kind == 'emptied' then redis.call('XTRIM', target, 'MAXLEN', 0) end
  local columns, ends = (#ARGV - 6) / 3, {}
  for i = 1, columns do ends[i] = 0 end
  for at = 0, rows - 1 do
    local key, fields = target, {}
    for i = 1, columns do
      local length = struct.unpack('<i4', ARGV[4 + 3 * i + 1], 4 * at + 1)
      if length >= 0 then
        local value = string.sub(ARGV[4 + 3 * i + 2], ends[i] + 1, ends[i] + length)
        ends[i] = ends[i] + length
        if kind == 'hashes' and i == 1 then key = value
        else fields[#fields + 1] = ARGV[4 + 3 * i]; fields[#fields + 1] = value end
      end
    end
    if kind == 'stream' then redis.call('XADD', key, '*', unpack(fields))
    else
      redis.call('UNLINK', key)
      if #fields > 0 then redis.call('HSET', key, unpack(fields)) end
    end
  end
end
local done, problem = pcall(apply)
if done then return 1 end
redis.call('HSET', checkpoints, row, ARGV[3])
return redis.error_reply(type(problem) == 'table' and problem.err or tostring(problem))
"""
"""One piece, where the sink's row among the checkpoints is still what the session has written. A server undoes nothing:
where a part of a transaction fails, the row becomes another in the same moment, which says that nothing is known."""

MOVE = """#!lua
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
"""
"""The end of a transaction: the sink's row becomes another."""


def field_names(sink: SinkDescription) -> tuple[str, ...]:
    """Returns the names of a document's fields."""
    return sink.documents.names if sink.key is not None else (*sink.documents.names, *CHANGE_COLUMNS)


def hash_keys(target: str, sink: SinkDescription, columns: Sequence[pa.ChunkedArray]) -> pa.Array:
    """Returns the server's keys of the documents with these key columns, as bytes. Separators within a column are
    escaped, so that different keys never collide."""
    types = [sink.documents.types[place] for place in sink.key or ()]
    parts = [_binary(text_column(column, type_)) for column, type_ in zip(columns, types, strict=True)]
    if len(parts) > 1:
        escaped = ((b"\\", b"\\\\"), (BEHIND_NAME.encode(), b"\\" + BEHIND_NAME.encode()))
        parts = [_replaced(part, escaped) for part in parts]
    behind = pc.binary_join_element_wise(*parts, _bytes(BEHIND_NAME))
    return pc.binary_join_element_wise(_bytes(f"{target}{BEHIND_NAME}"), behind, _bytes(""))


def document_fields(documents: pa.Table, sink: SinkDescription) -> list[pa.Array]:
    """Returns the values of `field_names`, as bytes."""
    desc = sink.documents
    fields = [_field(documents, at, type_) for at, type_ in enumerate(desc.types)]
    if sink.key is None:
        fields += [_binary(documents.column(name).cast(pa.string())) for name in (TIME_COLUMN, DIFF_COLUMN)]
    return fields


def field_reader(type_: ScalarType) -> Callable[[bytes], Any]:
    """Returns the function that reads a field's value."""
    if type_.name is TypeName.BYTEA:
        return bytes
    parse = parser(type_)
    return lambda value: parse(value.decode())


def pieces(names: Sequence[str], columns: Sequence[pa.Array]) -> Iterator[tuple[str | bytes | int, ...]]:
    """Yields the arguments of `APPLY` behind purpose and target: the number of rows, then their columns."""
    total = len(columns[0])
    taken = [_taken_apart(column) for column in columns]
    sizes = np.array([np.diff(offsets) for _, offsets, _ in taken]).sum(axis=0)
    start = 0
    while start < total:
        within = np.cumsum(sizes[start : start + _ROWS])
        end = start + max(1, int(np.searchsorted(within, _BYTES, side="right")))
        told: list[str | bytes | int] = [end - start]
        for name, (lengths, offsets, data) in zip(names, taken, strict=True):
            told += [name, lengths[start:end].tobytes(), bytes(data[offsets[start] : offsets[end]])]
        yield tuple(told)
        start = end


def _bytes(text: str) -> pa.Scalar:
    return pa.scalar(text.encode(), pa.large_binary())


def _field(documents: pa.Table, at: int, type_: ScalarType) -> pa.Array:
    is_bytes = type_.name is TypeName.BYTEA
    return _binary(documents.column(column_name(at)) if is_bytes else written_text(documents, at, type_))


def _binary(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return whole.cast(pa.large_binary())


def _replaced(column: pa.Array, texts: Sequence[tuple[bytes, bytes]]) -> pa.Array:
    for text, by in texts:
        column = pc.replace_substring(column, text, by)
    return column


def _taken_apart(column: pa.Array) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], memoryview]:
    """Returns the lengths of a column's values, the offset of each, and their bytes."""
    full = pc.fill_null(column, b"")
    _, offsets, data = full.buffers()
    known = np.frombuffer(offsets, np.int64)[full.offset : full.offset + len(full) + 1]
    lengths = np.where(column.is_valid(), np.diff(known), -1).astype("<i4")
    return lengths, known, memoryview(data) if data is not None else memoryview(b"")
