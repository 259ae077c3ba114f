"""A Parquet file, read as a whole: what it has to be, and the rows that it adds."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from model.errors import SqlError
from model.physical import DIFF_COLUMN
from model.relation_desc import RelationDesc
from model.sqlstate import Sqlstate
from storage.sources.files.notes import FileNote
from storage.sources.files.parquet_columns import parquet_rows
from storage.sources.files.space import FileSpace, FoundFile

WHOLE_BYTES_MAX = 1 << 30
UNREADABLE = (pa.ArrowException, ValueError, OverflowError)
"""What reading it and `parquet_changes` raise where it is not what it should be: `unreadable` tells that."""
_END = b"PAR1"
_OF_SOURCE = "Parquet of this source"


def opened_parquet(space: FileSpace, file: FoundFile, opened: BinaryIO) -> pq.ParquetFile | None:
    """None as long as the file, which may still be written to, has no end. SqlError for what is no Parquet, or too
    much."""
    if read_at(opened, max(0, file.size - len(_END)), len(_END)) != _END:
        if space.atomic:
            raise unreadable(space, file, _OF_SOURCE, ValueError("it has no end"))
        return None
    try:
        parquet = pq.ParquetFile(opened)
    except UNREADABLE as error:
        raise not_parquet(space, file, error) from None
    groups = range(parquet.metadata.num_row_groups)
    require_fitting(space, file, sum(parquet.metadata.row_group(at).total_byte_size for at in groups))
    return parquet


def parquet_changes(table: pa.Table, desc: RelationDesc) -> pa.Table:
    """Rows of a file as changes of a table; raises what `parquet_rows` does."""
    rows = parquet_rows(table, desc)
    return rows.append_column(DIFF_COLUMN, pa.repeat(pa.scalar(1, pa.int64()), rows.num_rows))


def note_of_whole(space: FileSpace, file: FoundFile, opened: BinaryIO) -> FileNote:
    """What is noted of a file once it was read."""
    length = 0 if space.atomic else file.size
    return FileNote(file.version, length, space.hash_of(opened, length).digest())


def require_fitting(space: FileSpace, file: FoundFile, nbytes: int) -> None:
    """SqlError for more than is held in memory."""
    if nbytes > WHOLE_BYTES_MAX:
        message = f'{space.noun} "{file.path}" holds more than {WHOLE_BYTES_MAX} bytes'
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message, hint="Split it, or write it as lines.")


def not_parquet(space: FileSpace, file: FoundFile, error: Exception) -> SqlError:
    return unreadable(space, file, _OF_SOURCE, error)


def unreadable(space: FileSpace, file: FoundFile, what: str, error: Exception) -> SqlError:
    message = f'{space.noun} "{file.path}" can\'t be read as {what}'
    return SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, detail=str(error))


def read_at(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    return file.read(length)
