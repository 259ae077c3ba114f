"""Reads the headers of CSV files, and finds the places of a source's fields in each file, whatever the order there.
Pure but for reading the beginning of a file."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from connectors.files.source.framing import FramedRecord, cut_records, is_open
from connectors.sources.decode.csv_rows import joined_fields, split_fields
from connectors.sources.decode.formats import decode_text
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.files import FilePattern

HEADER_BYTES_MAX = 1 << 20


@dataclass(frozen=True, slots=True)
class FileHeader:
    """The header of a file.

    `begin`: its offset
    `count`: its number of fields
    `places`: the places of the source's fields, None where the header has exactly these, in order
    `delimiter`: between fields
    """

    begin: int
    count: int
    places: tuple[int, ...] | None
    delimiter: str

    def arranged(self, record: FramedRecord) -> bytes:
        """Returns a record with only the source's fields, in the source's order. A record with another number of
        fields than the header keeps a wrong number, and one that can't be split stays unchanged: decoding reports
        both."""
        if self.places is None:
            return record.value
        try:
            fields = split_fields(decode_text(record.value), self.delimiter)
        except SqlError:
            return record.value
        if len(fields) == self.count:
            fields = [fields[at] for at in self.places]
        elif len(fields) == len(self.places):
            fields.append("")
        return joined_fields(fields, self.delimiter).encode()


def names_of(value: bytes, delimiter: str) -> list[str]:
    """Returns the names in a header; raises SqlError where it can't be split."""
    return split_fields(decode_text(value.removeprefix(codecs.BOM_UTF8)), delimiter)


def header_of(files: FilePattern, file: BinaryIO, what: str, *, whole: bool) -> FileHeader | None:
    """Reads the file's header and finds the fields of `files` in it. Returns None while the file has no header, or
    an unfinished one that may still be `whole` later. Raises SqlError 22P04 where the header can't be read, or does
    not have each field exactly once. `what` names the file in the error."""
    file.seek(0)
    data = file.read(HEADER_BYTES_MAX)
    all_of_it = len(data) < HEADER_BYTES_MAX
    ended = whole and all_of_it and not is_open(data, files.framing)
    first = next(cut_records(data, files.framing, whole=ended), None)
    if first is None:
        if all_of_it:
            return None
        message = f"the header of {what} has more than {HEADER_BYTES_MAX} bytes"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    try:
        names = names_of(first.value, files.delimiter)
    except SqlError as error:
        message = f"the header of {what} can't be read"
        raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, detail=error.message) from None
    return FileHeader(first.begin, len(names), _places(names, files.fields or names, what), files.delimiter)


def _places(names: Sequence[str], wanted: Sequence[str], what: str) -> tuple[int, ...] | None:
    if list(wanted) == list(names):
        return None
    for name in wanted:
        if (times := names.count(name)) != 1:
            how = "has no field" if not times else "has several fields"
            raise SqlError(
                Sqlstate.BAD_COPY_FILE_FORMAT,
                f'the header of {what} {how} "{name}"',
                detail=f"It has {', '.join(names)}.",
                hint="Fields are taken by their names, which are told as they are written in the header.",
            )
    return tuple(map(names.index, wanted))
