"""Decodes CSV: each record is one line with a given number of fields; every field is text.

The rules are those of RFC 4180, and of PostgreSQL's COPY where RFC 4180 says nothing: a quote may begin or end a quoted
part anywhere (`a"b,c"d` is the one field `ab,cd`), two quotes within quotes are one, and blanks belong to their field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from connectors.sources.decode.formats import decode_text
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.records import CsvFields


def decode_csv(form: CsvFields, values: Sequence[bytes | None]) -> tuple[list[list[str | None]], dict[int, SqlError]]:
    """Returns the columns, NULL where a record is NULL or can't be decoded; and why it can't, by position."""
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
    """Splits a text into fields; raises SqlError 22P04 when it is not one line with the right number of them."""
    fields = split_fields(text.removesuffix("\n").removesuffix("\r"), form.delimiter)
    if len(fields) != form.count:
        message = f"it has {len(fields)} fields, and the source {form.count} columns"
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message)
    return fields


def split_fields(text: str, delimiter: str) -> list[str]:
    """Splits a text into fields; raises SqlError 22P04 when it is not one line, or ends within quotes."""
    quoted = '"' in text
    if not quoted:
        _require_one_line(text)
        return text.split(delimiter)
    fields = [""]
    for part, within in _parts(text):
        if within:
            fields[-1] += part
            continue
        _require_one_line(part)
        first, *others = part.split(delimiter)
        fields[-1] += first
        fields += others
    return fields


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yields the parts outside of quotes and within quotes in turn, with a flag for those within; a doubled quote
    belongs to the part within."""
    parts = text.split('"')
    if not len(parts) % 2:
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, "malformed CSV: it ends within quotes")
    for at, part in enumerate(parts):
        if at % 2 or part or at in (0, len(parts) - 1):
            yield part, bool(at % 2)
        else:
            yield '"', True


def _require_one_line(text: str) -> None:
    if "\n" in text:
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, "malformed CSV: a line end that is not quoted")
    if "\r" in text:
        message = "malformed CSV: a carriage return without a line feed, and not quoted"
        hint = "Lines end in line feeds, or in carriage returns and line feeds."
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, hint=hint)


def joined_fields(fields: Sequence[str], delimiter: str) -> str:
    """Writes fields as a record of CSV."""
    return delimiter.join(map(_quoted, fields))


def _quoted(field: str) -> str:
    return '"' + field.replace('"', '""') + '"'
