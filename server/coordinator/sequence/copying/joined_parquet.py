"""Parquet files of one schema as one file: their row groups as they are, one behind the other, and a footer of all.

    PAR1 | groups of the first | groups of the second | … | footer | its length | PAR1

A footer is a struct of Thrift's compact protocol, which tells where in the file each group's columns begin. It is
read as a tree of (field, type, value), in which these places are moved by as much as the groups are, and written again.
(source: Apache Parquet's parquet.thrift, and Thrift's specification of the compact protocol)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

_MAGIC = b"PAR1"
_TAIL_BYTES = 8
_CHUNK_BYTES = 4 << 20
_BOOLEANS = (1, 2)
"""True and false: a field has no value beside its type."""
_INTEGERS = (4, 5, 6)
_WIDTHS = {3: 1, 7: 8}
"""A byte, a double."""
_BINARY, _STRUCT = 8, 12
_LISTS = (9, 10)
_LONG_LIST = 15
_MORE, _SEVEN = 0x80, 0x7F

# Of FileMetaData, RowGroup, ColumnChunk and ColumnMetaData: the fields that are needed here.
_NUM_ROWS, _ROW_GROUPS = 3, 4
_COLUMNS, _GROUP_OFFSET, _ORDINAL = 1, 5, 7
_CHUNK_OFFSET, _META_DATA, _OFFSET_INDEX, _COLUMN_INDEX = 2, 3, 4, 6
_DATA_PAGE, _INDEX_PAGE, _DICTIONARY_PAGE, _BLOOM_FILTER = 9, 10, 11, 14


@dataclass(slots=True)
class _Field:
    type: int
    value: Any


_Struct = dict[int, _Field]


@dataclass(slots=True)
class _List:
    type: int
    items: list[Any]


def join_parquet(paths: Sequence[Path], write: Callable[[bytes], object]) -> None:
    """Writes the files, of which there is at least one, as one. OSError."""
    at = len(_MAGIC)
    write(_MAGIC)
    whole: _Struct | None = None
    for path in paths:
        with path.open("rb") as file:
            footer, end = _footer(file)
            for data in _bytes(file, len(_MAGIC), end):
                write(data)
        _move(footer, at - len(_MAGIC))
        at += end - len(_MAGIC)
        if whole is None:
            whole = footer
        else:
            whole[_NUM_ROWS].value += footer[_NUM_ROWS].value
            whole[_ROW_GROUPS].value.items += footer[_ROW_GROUPS].value.items
    assert whole is not None
    for group in whole[_ROW_GROUPS].value.items:
        # Its number in its own file.
        group.pop(_ORDINAL, None)
    written = bytearray()
    _write_struct(written, whole)
    write(bytes(written) + len(written).to_bytes(4, "little") + _MAGIC)


def _footer(file: BinaryIO) -> tuple[_Struct, int]:
    """With where it begins."""
    end = file.seek(-_TAIL_BYTES, os.SEEK_END)
    tail = file.read(_TAIL_BYTES)
    assert tail[4:] == _MAGIC, "a piece that is no Parquet file"
    begin = end - int.from_bytes(tail[:4], "little")
    file.seek(begin)
    return _Reader(file.read(end - begin)).struct(), begin


def _bytes(file: BinaryIO, begin: int, end: int) -> Iterator[bytes]:
    file.seek(begin)
    while begin < end:
        data = file.read(min(_CHUNK_BYTES, end - begin))
        assert data, "a piece has become shorter"
        begin += len(data)
        yield data


def _move(footer: _Struct, by: int) -> None:
    """Its groups lie so much further on."""
    for group in footer[_ROW_GROUPS].value.items:
        _move_fields(group, (_GROUP_OFFSET,), by)
        for chunk in group[_COLUMNS].value.items:
            _move_fields(chunk, (_CHUNK_OFFSET, _OFFSET_INDEX, _COLUMN_INDEX), by)
            _move_fields(chunk[_META_DATA].value, (_DATA_PAGE, _INDEX_PAGE, _DICTIONARY_PAGE, _BLOOM_FILTER), by)


def _move_fields(struct: _Struct, fields: Sequence[int], by: int) -> None:
    for field in fields:
        # Writers that do not say where something is say 0.
        if field in struct and struct[field].value > 0:
            struct[field].value += by


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def struct(self) -> _Struct:
        fields: _Struct = {}
        last = 0
        while head := self._byte():
            type_, delta = head & 0x0F, head >> 4
            last = last + delta if delta else _unzigzag(self._varint())
            fields[last] = _Field(type_, self._value(type_))
        return fields

    def _value(self, type_: int) -> Any:
        if type_ in _BOOLEANS:
            return None
        if type_ in _INTEGERS:
            return _unzigzag(self._varint())
        if type_ == _STRUCT:
            return self.struct()
        if type_ == _BINARY:
            return self._take(self._varint())
        if type_ in _LISTS:
            return self._list()
        return self._take(_WIDTHS[type_])

    def _list(self) -> _List:
        head = self._byte()
        size = head >> 4
        if size == _LONG_LIST:
            size = self._varint()
        return _List(head & 0x0F, [self._item(head & 0x0F) for _ in range(size)])

    def _item(self, type_: int) -> Any:
        return self._take(1) if type_ in _BOOLEANS else self._value(type_)

    def _byte(self) -> int:
        return self._take(1)[0]

    def _take(self, size: int) -> bytes:
        begin, self._at = self._at, self._at + size
        return self._data[begin : self._at]

    def _varint(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self._byte()
            value |= (byte & _SEVEN) << shift
            if not byte & _MORE:
                return value
            shift += 7


def _unzigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def _write_struct(out: bytearray, struct: _Struct) -> None:
    last = 0
    for id_, field in sorted(struct.items()):
        delta = id_ - last
        if 0 < delta < _LONG_LIST:
            out.append(delta << 4 | field.type)
        else:
            out.append(field.type)
            _write_varint(out, id_ << 1)
        last = id_
        _write_value(out, field.type, field.value)
    out.append(0)


def _write_value(out: bytearray, type_: int, value: Any) -> None:
    if type_ in _INTEGERS:
        _write_varint(out, (value << 1) ^ (value >> 63))
    elif isinstance(value, dict):
        _write_struct(out, value)
    elif isinstance(value, _List):
        size = len(value.items)
        out.append(min(size, _LONG_LIST) << 4 | value.type)
        if size >= _LONG_LIST:
            _write_varint(out, size)
        for item in value.items:
            _write_value(out, value.type, item)
    elif value is not None:
        if type_ == _BINARY:
            _write_varint(out, len(value))
        out += value


def _write_varint(out: bytearray, value: int) -> None:
    while value > _SEVEN:
        out.append(value & _SEVEN | _MORE)
        value >>= 7
    out.append(value)
