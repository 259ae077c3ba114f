"""Reads a Parquet file completely: checks the contents, and returns the added rows."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa

from connectors.files.source.bounded_parquet import BoundedParquet
from connectors.files.source.notes import FileNote
from connectors.files.source.parquet_columns import parquet_rows
from connectors.files.source.space import FileSpace, FoundFile
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN
from model.types.relation_desc import RelationDesc

WHOLE_BYTES_MAX = 1 << 30
DECODED_BYTES_MAX = 256 << 20
"""What rows of Parquet may take in memory: the file may be a thousand times smaller."""
UNREADABLE = (pa.ArrowException, ValueError, OverflowError)
"""What reading it and `parquet_changes` raise where it is not what it should be: `unreadable` tells that."""
_END = b"PAR1"
_OF_SOURCE = "Parquet of this source"


def opened_parquet(space: FileSpace, file: FoundFile, opened: BinaryIO) -> BoundedParquet | None:
    """Opens a Parquet file that is written to the end; returns None while the file, which may still be written to, has
    no end. Raises SqlError for a file that is not Parquet, or is too large."""
    if read_at(opened, max(0, file.size - len(_END)), len(_END)) != _END:
        if space.atomic:
            raise unreadable(space, file, _OF_SOURCE, ValueError("it has no end"))
        return None
    try:
        parquet = BoundedParquet(opened)
    except UNREADABLE as error:
        raise not_parquet(space, file, error) from None
    groups = range(parquet.metadata.num_row_groups)
    require_fitting(space, file, sum(parquet.metadata.row_group(at).total_byte_size for at in groups))
    return parquet


def whole_changes(space: FileSpace, file: FoundFile, parquet: BoundedParquet, desc: RelationDesc) -> pa.Table:
    """Returns all rows as changes; raises SqlError for more than is held in memory. Raises what `parquet_rows` does."""
    parts: list[pa.Table] = []
    decoded = 0
    for batch in parquet.batches():
        parts.append(parquet_changes(pa.Table.from_batches([batch]), desc))
        decoded += parts[-1].nbytes
        require_fitting(space, file, decoded, DECODED_BYTES_MAX)
    return pa.concat_tables(parts) if parts else parquet_changes(parquet.schema.empty_table(), desc)


def parquet_changes(table: pa.Table, desc: RelationDesc) -> pa.Table:
    """Reads rows of a file as changes of a table; raises what `parquet_rows` does."""
    rows = parquet_rows(table, desc)
    return rows.append_column(DIFF_COLUMN, pa.repeat(pa.scalar(1, pa.int64()), rows.num_rows))


def note_of_whole(space: FileSpace, file: FoundFile, opened: BinaryIO) -> FileNote:
    """Returns the note on a file that was read completely."""
    length = 0 if space.atomic else file.size
    return FileNote(file.version, length, space.hash_of(opened, length).digest())


def require_fitting(space: FileSpace, file: FoundFile, nbytes: int, most: int | None = None) -> None:
    """Raises SqlError for more bytes than are held in memory: WHOLE_BYTES_MAX, or `most`."""
    most = WHOLE_BYTES_MAX if most is None else most
    if nbytes > most:
        message = f'{space.noun} "{file.path}" holds more than {most} bytes'
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message, hint="Split it, or write it as lines.")


def not_parquet(space: FileSpace, file: FoundFile, error: Exception) -> SqlError:
    return unreadable(space, file, _OF_SOURCE, error)


def unreadable(space: FileSpace, file: FoundFile, what: str, error: Exception) -> SqlError:
    message = f'{space.noun} "{file.path}" can\'t be read as {what}'
    return SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, detail=str(error))


def read_at(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    return file.read(length)
