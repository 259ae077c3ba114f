"""Reads many plain lines of JSON at once: Arrow finds the objects' values and reads most types.

The result must equal reading line by line. A block is therefore left to line-by-line reading if a value is of another
kind than its column's (a number as text, text that is a number), an object shares its line, or anything may mean
something else to Arrow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.json as pj

from model.errors.sql_error import SqlError
from model.physical.columns import arrow_type, column_name
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import NUMERIC, ScalarType, TypeName
from server.pgwire.copy.blocks import BlockColumns, is_native
from server.pgwire.copy.copied_columns import Converter
from server.pgwire.large_values import LARGE_BYTES

DOCUMENTS = (TypeName.JSON, TypeName.JSONB)
"""Columns that take any value, as it is written."""
_BYTES_MIN = 1024
# Arrow's own reader of these takes times with and without a zone for one another.
_READ_AS_TEXT = (TypeName.DATE, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ)
_NO_NUMBER = re.compile(rb"(NaN|Inf|Infinity)\s*[,}\]]")
_ESCAPED_ZERO, _ESCAPED = b"\\u0000", b"\\u"


def json_blocks(desc: RelationDesc, converters: Sequence[Converter]) -> JsonBlocks | None:
    """Returns a reader for the columns; None if no such data may be read in blocks. `converters` are for columns
    that Arrow can't read."""
    if not desc.columns or any(_read_by_lines(type_) for type_ in desc.types):
        return None
    return JsonBlocks(desc, converters)


def _read_by_lines(type_: ScalarType) -> bool:
    """Tells whether Arrow's values would lack something: what a domain demands, the text of a document, the decimals
    that a numeric shows."""
    return type_.domain is not None or type_.name in DOCUMENTS or type_ == NUMERIC


class JsonBlocks:
    def __init__(self, desc: RelationDesc, converters: Sequence[Converter]) -> None:
        self._desc = desc
        self._columns = BlockColumns(desc.types, converters)
        fields = [(column.name, _read_type(column.type)) for column in desc.columns]
        self._parse = pj.ParseOptions(
            explicit_schema=pa.schema(fields), newlines_in_values=False, unexpected_field_behavior="ignore"
        )

    def read(self, block: bytes) -> pa.Table | None:
        """Returns the rows of whole lines, each but the last ending in a newline, as columns c0, c1, …; None if they
        must be read line by line."""
        if not _BYTES_MIN <= len(block) < LARGE_BYTES or not self._is_plain(block):
            return None
        read = pj.ReadOptions(use_threads=False, block_size=len(block) + 1)
        try:
            table = pj.read_json(pa.BufferReader(block), read, self._parse)
            if table.num_rows != block.count(b"\n") + 1:
                return None
            columns = [self._finished(table.column(at), at) for at in range(self._desc.arity)]
        except (pa.ArrowException, ArithmeticError, SqlError, ValueError):
            return None
        return None if None in columns else pa.table(columns, [column_name(at) for at in range(self._desc.arity)])

    def _is_plain(self, block: bytes) -> bool:
        # With as many objects as lines, each line is then one: none ends where another begins, but for between lines.
        if not (block.startswith(b"{") and block.endswith(b"}")) or block.count(b"}\n{") != block.count(b"\n"):
            return False
        if _ESCAPED_ZERO in block or (self._columns.has_times and _ESCAPED in block):
            return False
        if (b"NaN" in block or b"Inf" in block) and _NO_NUMBER.search(block) is not None:
            return False
        return _is_utf8(block) and not self._columns.may_mislead(block)

    def _finished(self, column: pa.ChunkedArray, at: int) -> pa.ChunkedArray | pa.Array | None:
        type_ = self._desc.types[at]
        if type_.name in _READ_AS_TEXT and is_native(type_):
            column = column.cast(arrow_type(type_))
        return self._columns.finished(column, at)


def _is_utf8(block: bytes) -> bool:
    """Tells whether bytes are UTF-8, at which Arrow does not look."""
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


def _read_type(type_: ScalarType) -> pa.DataType:
    return arrow_type(type_) if is_native(type_) and type_.name not in _READ_AS_TEXT else pa.string()
