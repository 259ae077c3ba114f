"""HEADER MATCH: the first line names the columns, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from model.errors import SqlError
from model.sqlstate import Sqlstate
from server.pgwire.copy.columns import ColumnReader, Field
from server.pgwire.copy.options import CopyOptions


def check_header(reader: ColumnReader, fields: Sequence[Field], options: CopyOptions, line: int, text: str) -> None:
    """SqlError 22P04 for another number of fields, a null, another name."""
    if len(fields) != len(reader.names):
        message = f"wrong number of fields in header line: got {len(fields)}, expected {len(reader.names)}"
        raise reader.line_error(SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message), line, text)
    for number, (field, name) in enumerate(zip(fields, reader.names, strict=True), 1):
        if field is None or field == options.null:
            message = (
                f"column name mismatch in header line field {number}: "
                f'got null value ("{options.null}"), expected "{name}"'
            )
        elif field != name:
            message = f'column name mismatch in header line field {number}: got "{field}", expected "{name}"'
        else:
            continue
        raise reader.line_error(SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message), line, text)
