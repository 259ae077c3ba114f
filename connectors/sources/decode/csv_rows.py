"""CSV: each record is one line of as many fields as are said; every field is text.

What RFC 4180 says, and PostgreSQL's COPY where that says nothing: a quote begins and ends what is quoted wherever it
stands (`a"b,c"d` is the one field `ab,cd`), two within quotes are one, and blanks belong to their field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from connectors.sources.decode.formats import decode_text
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.records import CsvFields

_LINE_ENDS = frozenset("\r\n")


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
    fields = split_fields(text.removesuffix("\n").removesuffix("\r"), form.delimiter)
    if len(fields) != form.count:
        message = f"it has {len(fields)} fields, and the source {form.count} columns"
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message)
    return fields


def split_fields(text: str, delimiter: str) -> list[str]:
    """The fields of a record. SqlError 22P04 when it is not one line, or ends within quotes."""
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
    """What lies between quotes and outside of them, in turn; a quote that is quoted lies within."""
    parts = text.split('"')
    if not len(parts) % 2:
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, "malformed CSV: it ends within quotes")
    for at, part in enumerate(parts):
        if at % 2 or part or at in (0, len(parts) - 1):
            yield part, bool(at % 2)
        else:
            yield '"', True


def _require_one_line(text: str) -> None:
    if not _LINE_ENDS.isdisjoint(text):
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, "malformed CSV: a line end that is not quoted")


def joined_fields(fields: Sequence[str], delimiter: str) -> str:
    """A record of these fields."""
    return delimiter.join(map(_quoted, fields))


def _quoted(field: str) -> str:
    return '"' + field.replace('"', '""') + '"'
