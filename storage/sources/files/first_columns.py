"""What columns files have, as the first of them says."""

from __future__ import annotations

import csv
import glob
import io
import os

import pyarrow as pa
import pyarrow.parquet as pq

from model.errors import SqlError
from model.files import FilePattern, Framing
from model.relation_desc import ColumnDesc
from model.scalar_type import TEXT
from model.sqlstate import Sqlstate
from storage.sources.files.framing import cut_records
from storage.sources.files.parquet_columns import parquet_desc

_HEADER_BYTES_MAX = 1 << 20


def first_columns(files: FilePattern, delimiter: str | None) -> tuple[ColumnDesc, ...]:
    """Of the first file by name: those of CSV's header, where there is a `delimiter`, else Parquet's. SqlError when
    there is none, or it can't be read. It blocks."""
    paths = sorted(path for path in glob.iglob(files.pattern, recursive=True) if os.path.isfile(path))
    if not paths:
        hint = "Name the columns: CSV WITH HEADER (a, b)." if delimiter else "Its columns are those of the first file."
        raise SqlError(Sqlstate.UNDEFINED_FILE, f'no file matches "{files.pattern}"', hint=hint)
    path = paths[0]
    try:
        if delimiter is None:
            return parquet_desc(pq.read_schema(path)).columns
        return tuple(ColumnDesc(name, TEXT) for name in _header(path, files.compression_of(path), delimiter))
    except (OSError, pa.ArrowException, ValueError, csv.Error) as error:
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, f'file "{path}" can\'t be read', detail=str(error)) from None


def _header(path: str, compression: str | None, delimiter: str) -> list[str]:
    with open(path, "rb") as file:
        data = (
            pa.CompressedInputStream(file, compression).read(_HEADER_BYTES_MAX)
            if compression
            else (file.read(_HEADER_BYTES_MAX))
        )
    first = next(cut_records(data, Framing.CSV, whole=True), None)
    if first is None:
        raise ValueError("it is empty")
    (names,) = csv.reader(io.StringIO(first.value.decode("utf-8-sig"), newline=""), delimiter=delimiter, strict=True)
    return names
