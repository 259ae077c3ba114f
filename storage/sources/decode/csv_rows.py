"""CSV: each record is one line of as many fields as are said (RFC 4180); every field is text."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from model.errors import SqlError
from model.records import CsvFields
from model.sqlstate import Sqlstate
from storage.sources.decode.formats import decode_text

_FIELD_LENGTH_MAX = 1 << 30
csv.field_size_limit(_FIELD_LENGTH_MAX)


def decode_csv(form: CsvFields, values: Sequence[bytes | None]) -> tuple[list[list[str | None]], dict[int, SqlError]]:
    """The columns, NULL where a record is NULL or can't be decoded; and why it can't, by position."""
    columns: list[list[str | None]] = [[] for _ in range(form.count)]
    errors: dict[int, SqlError] = {}
    for at, value in enumerate(values):
        fields: Sequence[str | None] = (None,) * form.count
        try:
            if value is not None:
                fields = _fields(form, decode_text(value))
        except SqlError as error:
            errors[at] = error
        for column, field in zip(columns, fields, strict=True):
            column.append(field)
    return columns, errors


def _fields(form: CsvFields, text: str) -> Sequence[str]:
    """SqlError 22P04 when it is not one line of so many fields."""
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=form.delimiter, strict=True))
    except csv.Error as error:
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, f"malformed CSV: {error}") from None
    if len(lines) != 1:
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, f"it has {len(lines)} lines of CSV, not one")
    if len(lines[0]) != form.count:
        message = f"it has {len(lines[0])} fields, and the source {form.count} columns"
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message)
    return lines[0]
