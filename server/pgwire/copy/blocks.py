"""Reads many plain lines of COPY's text and csv at once: Arrow splits them into columns, and reads the values of most
types.

The result must be what PostgreSQL reads. So a block with a character that has, or may have, another meaning
(backslashes, other line ends, hexadecimal integers, very small floats, times that only Arrow accepts, and quotes
anywhere but around whole fields) is read line by line instead, and so is one that Arrow refuses: the first error is
then found where PostgreSQL finds it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv

from model.errors.sql_error import SqlError
from model.physical.columns import arrow_type, column_name, column_to_arrow, decimal_bounds
from model.physical.shown_numerics import decimals_in
from model.text.copy_options import CheckedCopyOptions, CopyFormat
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import NUMERIC, ScalarType, TypeName, precision_and_scale
from server.pgwire.copy.copied_columns import Converter
from server.pgwire.large_values import LARGE_BYTES

Batch = Sequence[Row] | pa.Table
"""Rows of the copied columns, or a table of them as c0, c1, …, behind which stand the decimals of numerics without a
modifier, where the reader knows them (`with_decimals_columns`)."""

BYTES_MIN = 1024
"""Less is read line by line: calling Arrow costs more."""
_INTEGERS = frozenset((TypeName.INT2, TypeName.INT4, TypeName.INT8))
_FLOATS = frozenset((TypeName.FLOAT4, TypeName.FLOAT8))
_STRINGS = frozenset((TypeName.TEXT, TypeName.VARCHAR))
_TIMES = frozenset((TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ))
_NATIVE = _INTEGERS | _FLOATS | _STRINGS | _TIMES | {TypeName.BOOL, TypeName.DATE, TypeName.NUMERIC}
_NULL = "\\N"
_TRUE = ["t", "true", "T", "TRUE", "True", "1", "y", "yes", "on"]
_FALSE = ["f", "false", "F", "FALSE", "False", "0", "n", "no", "off"]
_FIRST_DAY = {
    TypeName.DATE: datetime.date(1, 1, 1),
    TypeName.TIMESTAMP: datetime.datetime(1, 1, 1),
    TypeName.TIMESTAMPTZ: datetime.datetime(1, 1, 1, tzinfo=datetime.UTC),
}
_BOUNDED = frozenset((*_FIRST_DAY, TypeName.NUMERIC))
_SMALL_FLOAT = re.compile(rb"[0-9.][eE]-")
_ODD_NUMBER = r"[^0-9.+-]"
"""What numbers have that Arrow's decimals and lengths don't tell: exponents, blanks, NaN, underscores."""
_ZONE_HOURS = 16
_NEWLINE = ord("\n")
_MANY_ZEROS = b"0" * 40


def block_reader(desc: RelationDesc, options: CheckedCopyOptions, converters: list[Converter]) -> BlockReader | None:
    """Returns a reader of blocks; None for options with which lines must be read one by one. `converters` are for
    columns that Arrow can't read."""
    plain = options.format is not CopyFormat.CSV or not (options.force_null or options.force_not_null)
    if not plain or not desc.columns or any(type_.domain is not None for type_ in desc.types):
        return None
    return BlockReader(desc, options, converters)


class BlockReader:
    def __init__(self, desc: RelationDesc, options: CheckedCopyOptions, converters: list[Converter]) -> None:
        self._types = desc.types
        self._columns = BlockColumns(desc.types, converters)
        self._refused = _refused_signs(desc.types, options)
        self._escaped_null = options.format is CopyFormat.TEXT and options.null == _NULL
        self._parse = _parse_options(options.delimiter, False)
        self._quotes: _Quotes | None = None
        if options.format is CopyFormat.CSV and options.quote == options.escape:
            self._quotes = _Quotes(options)
        self._convert = csv.ConvertOptions(
            column_types={
                column_name(i): arrow_type(type_) if is_native(type_) and type_ != NUMERIC else pa.string()
                for i, type_ in enumerate(desc.types)
            },
            null_values=[options.null],
            true_values=_TRUE,
            false_values=_FALSE,
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )

    def read(self, block: bytes) -> pa.Table | None:
        """Reads complete lines (the last may lack its newline) to columns c0, c1, …; returns None when they must be
        read one by one. A row may span several lines."""
        # Lines that are as long cost Arrow more than they cost one by one.
        if not BYTES_MIN <= len(block) < LARGE_BYTES or not self._is_plain(block):
            return None
        parse = self._parse
        if self._quotes is not None and self._quotes.sign in block:
            if not self._quotes.are_around_fields(block):
                return None
            parse = self._quotes.parse
        names = [column_name(i) for i in range(len(self._types))]
        read = csv.ReadOptions(use_threads=False, block_size=len(block) + 1, column_names=names)
        try:
            table = csv.read_csv(pa.BufferReader(block), read, parse, self._convert)
            texts = [table.column(i) for i, type_ in enumerate(self._types) if type_ == NUMERIC]
            columns = [self._finished(table.column(i), i) for i in range(len(names))] + list(map(decimals_in, texts))
        except (pa.ArrowInvalid, ArithmeticError, SqlError, ValueError):
            return None
        return None if None in columns else pa.table(columns, [column_name(i) for i in range(len(columns))])

    def _is_plain(self, block: bytes) -> bool:
        if any(sign in block for sign in self._refused):
            return False
        if self._escaped_null and block.count(b"\\") != block.count(_NULL.encode()):
            return False
        if self._columns.may_mislead(block):
            return False
        # Arrow takes an empty line for one of NULLs.
        return not block.startswith(b"\n") and not block.endswith(b"\n")

    def _finished(self, column: pa.ChunkedArray, index: int) -> pa.ChunkedArray | pa.Array | None:
        if pa.types.is_string(column.type) and self._escaped_null and pc.any(pc.match_substring(column, "\\")).as_py():
            # NULL's sign within a field stands for an N.
            return None
        return self._columns.finished(column, index)


class BlockColumns:
    """Converts Arrow's columns of a block to columns of a collection."""

    def __init__(self, types: Sequence[ScalarType], converters: Sequence[Converter]) -> None:
        self._types = types
        self._converters = converters
        self.has_times = any(type_.name in _TIMES for type_ in types)
        self._has_floats = any(type_.name in _FLOATS for type_ in types)

    def may_mislead(self, block: bytes) -> bool:
        """Tells whether a block may contain a value that Arrow reads otherwise than PostgreSQL, or that only Arrow
        accepts."""
        if self._has_floats:
            if _MANY_ZEROS in block:
                return True
            if (b"e-" in block or b"E-" in block) and _SMALL_FLOAT.search(block) is not None:
                return True
        return self.has_times and _has_odd_time(block)

    def finished(self, column: pa.ChunkedArray, index: int) -> pa.ChunkedArray | pa.Array | None:
        """Converts a column that Arrow has read to the type of the table's column; returns None when PostgreSQL might
        refuse one of the values. ArrowInvalid, ArithmeticError, SqlError, ValueError."""
        type_ = self._types[index]
        if type_ == NUMERIC:
            if pc.any(pc.match_substring_regex(column, _ODD_NUMBER)).as_py():
                return None
            column = column.cast(arrow_type(type_))
        if not is_native(type_):
            return _converted(column, type_, self._converters[index])
        return column if _in_range(column, type_) else None


def _has_odd_time(block: bytes) -> bool:
    """Tells whether a block may contain a time that only Arrow accepts: 2026-01-01 10, without minutes, or one with
    a zone of 16 hours or more, 10:00:00+16."""
    data = np.frombuffer(block + b"\n\n\n", np.uint8)
    digits = (data >= ord("0")) & (data <= ord("9"))
    hours = np.flatnonzero((data == ord(" ")) | (data == ord("T")))
    hours = hours[data[hours - 3] == ord("-")]
    bare = digits[hours - 1] & digits[hours + 1] & digits[hours + 2] & (data[hours + 3] != ord(":"))
    if np.any(bare):
        return True
    zones = np.flatnonzero((data == ord("+")) | (data == ord("-")))
    zones = zones[digits[zones - 1] & digits[zones + 1] & digits[zones + 2]]
    zones = zones[(data[zones + 1] - ord("0")) * 10 + data[zones + 2] - ord("0") >= _ZONE_HOURS]
    behind_time = data[zones - 3] == ord(":")
    for length in range(1, 7):
        behind_time |= data[zones - 1 - length] == ord(".")
    return bool(np.any(behind_time))


class _Quotes:
    """The quotes of a format in which a quote within quotes is doubled."""

    def __init__(self, options: CheckedCopyOptions) -> None:
        self.sign = options.quote.encode()
        self.parse = _parse_options(options.delimiter, options.quote)
        self._delimiter = options.delimiter.encode()[0]

    def are_around_fields(self, block: bytes) -> bool:
        """Tells whether each opening quote stands at the begin of a field, and each closing one at the end. A
        doubled quote counts as a closing and an opening one."""
        data = np.frombuffer(block, np.uint8)
        marks = np.flatnonzero(data == self.sign[0])
        if len(marks) % 2:
            return False
        opening, closing = marks[0::2], marks[1::2]
        begins, ends = self._is_border(data, opening[1:] - 1), self._is_border(data, closing[:-1] + 1)
        doubled = opening[1:] == closing[:-1] + 1
        first = opening[0] == 0 or bool(self._is_border(data, opening[:1] - 1)[0])
        last = closing[-1] == len(data) - 1 or bool(self._is_border(data, closing[-1:] + 1)[0])
        return first and last and bool(np.all(doubled | (begins & ends)))

    def _is_border(self, data: np.ndarray[Any, Any], places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        signs = data[places]
        borders: np.ndarray[Any, Any] = (signs == self._delimiter) | (signs == _NEWLINE)
        return borders


def _parse_options(delimiter: str, quote: str | Literal[False]) -> csv.ParseOptions:
    return csv.ParseOptions(
        delimiter=delimiter,
        quote_char=quote,
        double_quote=quote is not False,
        escape_char=False,
        newlines_in_values=quote is not False,
        ignore_empty_lines=False,
    )


def _in_range(column: pa.ChunkedArray, type_: ScalarType) -> bool:
    """Tells whether PostgreSQL accepts all values that Arrow has accepted."""
    if type_.name in _FLOATS:
        return bool(pc.all(pc.is_finite(column), min_count=0).as_py())
    if type_.name not in _BOUNDED:
        return True
    least, greatest = pc.min_max(column).as_py().values()
    if least is None:
        return True
    if type_.name is not TypeName.NUMERIC:
        return bool(least >= _FIRST_DAY[type_.name])
    precision, scale = decimal_bounds(type_)
    # Arrow does not see that a number with an exponent is too large.
    return bool(max(-least, greatest).adjusted() < precision - scale)


def _refused_signs(types: tuple[ScalarType, ...], options: CheckedCopyOptions) -> list[bytes]:
    """Returns the byte sequences that a block must not contain to be read at once."""
    signs = [b"\0", b"\r", b"\n\n"]
    if options.format is CopyFormat.CSV:
        signs.append(b"\\.")
        if options.quote != options.escape:
            signs.append(options.quote.encode())
    elif options.null != _NULL:
        signs.append(b"\\")
    if any(type_.name in _INTEGERS for type_ in types):
        signs += [b"0x", b"0X"]
    return signs


def is_native(type_: ScalarType) -> bool:
    """Tells whether Arrow reads a type's values."""
    if type_.name is TypeName.NUMERIC and precision_and_scale(type_) not in (None, decimal_bounds(type_)):
        return False
    return type_.name in _NATIVE and (type_.name not in _STRINGS | _TIMES or type_.modifier < 0)


def _converted(column: pa.ChunkedArray, type_: ScalarType, convert: Callable[[list[str]], list[Datum]]) -> pa.Array:
    texts: list[str | None] = column.to_pylist()
    values = iter(convert([text for text in texts if text is not None]))
    return column_to_arrow([None if text is None else next(values) for text in texts], type_)
