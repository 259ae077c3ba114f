"""Collects records until a batch is complete, or one of them is wrong.

PostgreSQL reads a row at a time, so an error in a later line is raised only when all earlier lines are right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.copy_options import CheckedCopyOptions, CopyHeader
from model.types.datum import Row
from server.pgwire.copy.copied_columns import ColumnReader, Field


def bad_file(message: str, hint: str | None = None) -> SqlError:
    """Returns SqlError 22P04 for data that is no COPY data."""
    return SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, hint=hint)


STRAY_ENDING = re.compile("[\r\n]")
"""What must not be left in a line once its own end is cut off and what is data taken out."""


class RecordBatch:
    """Collects the rows of COPY FROM. `add` takes a record's fields; `rows` empties the batch. Both raise the first
    error in the data's order."""

    def __init__(self, reader: ColumnReader, options: CheckedCopyOptions) -> None:
        self._reader = reader
        self._options = options
        self._records: list[Sequence[Field]] = []
        self._lines: list[int] = []
        self.header_due = options.header is not CopyHeader.ABSENT

    def add(self, fields: Sequence[Field], line: int, text: str) -> None:
        """Adds a record, with its line and text for errors."""
        if self.header_due:
            self._take_header(fields, line, text)
            return
        arity = len(self._reader.names)
        if len(fields) != arity and not (arity == 0 and text == ""):
            self._refuse_count(fields, line, text)
        self._records.append(fields)
        self._lines.append(line)

    @property
    def skipping_header(self) -> bool:
        """Tells whether the next record is a header to be skipped."""
        return self.header_due and self._options.header is CopyHeader.PRESENT

    def rows(self) -> list[Row]:
        rows = self._reader.rows(self._records, self._lines)
        self._records, self._lines = [], []
        return rows

    def refused(self, error: SqlError, line: int, text: str | None) -> SqlError:
        """Returns `error` of a line, once the records before it are known to be right; None when the line can't be
        shown."""
        self.rows()
        if text is None:
            error.context = f"COPY {self._reader.relation}, line {line}"
            return error
        return self._reader.line_error(error, line, text)

    def finish(self) -> None:
        """Ends the data; raises when a header that must match is missing."""
        if self.header_due and self._options.header is CopyHeader.MATCH:
            self._take_header([""], 1, "")

    def _refuse_count(self, fields: Sequence[Field], line: int, text: str) -> None:
        names = self._reader.names
        if len(fields) > len(names):
            raise self.refused(bad_file("extra data after last expected column"), line, text)
        # The fields that are there are judged before the one that is missing.
        self.rows()
        self._reader.check_fields(fields, line)
        raise self.refused(bad_file(f'missing data for column "{names[len(fields)]}"'), line, text)

    def _take_header(self, fields: Sequence[Field], line: int, text: str) -> None:
        self.header_due = False
        if self._options.header is not CopyHeader.MATCH:
            return
        names = self._reader.names
        if len(fields) != len(names):
            message = f"wrong number of fields in header line: got {len(fields)}, expected {len(names)}"
            raise self.refused(bad_file(message), line, text)
        for number, (field, name) in enumerate(zip(fields, names, strict=True), 1):
            if field != name:
                got = f'null value ("{self._options.null}")' if field is None else f'"{field}"'
                message = f'column name mismatch in header line field {number}: got {got}, expected "{name}"'
                raise self.refused(bad_file(message), line, text)
