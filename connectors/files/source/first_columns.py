"""Finds the columns of files, from the first file."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from connectors.files.source.framing import cut_records
from connectors.files.source.headers import HEADER_BYTES_MAX, names_of
from connectors.files.source.parquet_columns import parquet_desc
from connectors.files.source.space import FileSpace
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.files import FilePattern, Framing
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import TEXT


def first_columns(files: FilePattern, delimiter: str | None, space: FileSpace) -> tuple[ColumnDesc, ...]:
    """Returns the columns of the first file by name: the header's where there is a `delimiter` (CSV), else
    Parquet's. Raises SqlError when there is no file, or it can't be read. Blocks, and closes the space."""
    noun = space.noun
    try:
        first = next(iter(space.look().files), None)
        if first is None:
            hint = (
                "Name the columns: CSV WITH HEADER (a, b)."
                if delimiter
                else f"Its columns are those of the first {noun}."
            )
            raise SqlError(Sqlstate.UNDEFINED_FILE, f'no {noun} matches "{files.pattern}"', hint=hint)
        with space.open(first) as file:
            return _columns(file, files.compression_of(first.path), delimiter)
    except OSError as error:
        message = f"{noun}s can't be read"
        raise SqlError(Sqlstate.IO_ERROR, message, detail=str(error)) from None
    except (pa.ArrowException, ValueError, SqlError) as error:
        if isinstance(error, SqlError) and error.sqlstate is Sqlstate.UNDEFINED_FILE:
            raise
        message = f"the first {noun} can't be read"
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, detail=str(error)) from None
    finally:
        space.close()


def _columns(file: BinaryIO, compression: str | None, delimiter: str | None) -> tuple[ColumnDesc, ...]:
    if delimiter is None:
        return parquet_desc(pq.read_schema(file)).columns
    return tuple(ColumnDesc(name, TEXT) for name in _header(file, compression, delimiter))


def _header(file: BinaryIO, compression: str | None, delimiter: str) -> list[str]:
    stream = pa.CompressedInputStream(file, compression) if compression else file
    data = stream.read(HEADER_BYTES_MAX)
    first = next(cut_records(data, Framing.CSV, whole=True), None)
    if first is None:
        raise ValueError("it is empty")
    return names_of(first.value, delimiter)
