"""COPY FROM in CSV format. A quote anywhere in a field opens or closes quoting, as PostgreSQL has it; inside quotes
delimiters and ends of lines are data, and only fields without quotes can be NULL."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model.datum import Row
from model.errors import SqlError
from model.sqlstate import Sqlstate
from server.pgwire.copy.columns import ColumnReader, Field
from server.pgwire.copy.header import check_header
from server.pgwire.copy.lines import LINE_BYTES_MAX, LineCutter
from server.pgwire.copy.options import CopyHeader, CopyOptions
from server.pgwire.copy.text_in import with_line

_END = "\\."


def _bad(message: str, hint: str | None = None) -> SqlError:
    return SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, hint=hint)


class CsvDecoder:
    def __init__(self, reader: ColumnReader, options: CopyOptions) -> None:
        self._reader = reader
        self._options = options
        self._cutter = LineCutter()
        self._line = 0
        self._open: list[str] = []
        self._open_length = 0
        self._ended = False
        self._header_due = options.header is not CopyHeader.ABSENT
        delimiter, quote = re.escape(options.delimiter), re.escape(options.quote)
        self._simple = options.quote == options.escape
        self._field = re.compile(f"({quote}(?:[^{quote}]|{quote}{quote})*{quote}|[^{delimiter}{quote}]*){delimiter}")
        self._sign = re.compile(f"{re.escape(options.escape)}[{re.escape(options.escape)}{quote}]|{quote}")
        self._forced = bool(options.force_null or options.force_not_null)

    def feed(self, data: bytes) -> list[Row]:
        """The rows that became whole. SqlError with the line's context."""
        return [] if self._ended else self._read(self._cutter.feed(data))

    def finish(self) -> list[Row]:
        """The rows that were left; 22P04 when a quoted field never ended."""
        if self._ended:
            return []
        rows = self._read(self._cutter.finish())
        if self._open and not self._ended:
            text = (self._cutter.ending or "\n").join(self._open)
            raise self._reader.line_error(_bad("unterminated CSV quoted field"), self._line, text)
        return rows

    def _read(self, lines: Sequence[str]) -> list[Row]:
        records: list[Sequence[Field]] = []
        numbers: list[int] = []
        quote = self._options.quote
        for line in lines:
            self._line += 1
            if self._open:
                self._hold(line)
                if not self._closes(line):
                    continue
                record = (self._cutter.ending or "\n").join(self._open)
                self._open.clear()
                self._open_length = 0
            elif quote in line and self._leaves_open(line):
                self._hold(line)
                continue
            else:
                record = line
            if record == _END:
                self._ended = True
                break
            fields = self._fields(record, records, numbers)
            if fields is not None:
                records.append(fields)
                numbers.append(self._line)
        return self._reader.rows(records, numbers)

    def _hold(self, line: str) -> None:
        self._open.append(line)
        self._open_length += len(line)
        if self._open_length > LINE_BYTES_MAX:
            message = f"a record of COPY data is longer than {LINE_BYTES_MAX} bytes"
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)

    def _leaves_open(self, line: str) -> bool:
        """Whether a line that begins outside quotes ends inside."""
        if self._simple:
            return line.count(self._options.quote) % 2 == 1
        return self._inside_at_end(line, False)

    def _closes(self, line: str) -> bool:
        """Whether a line that begins inside quotes ends outside."""
        if self._simple:
            return line.count(self._options.quote) % 2 == 1
        return not self._inside_at_end(line, True)

    def _inside_at_end(self, line: str, inside: bool) -> bool:
        position = 0
        while (match := self._sign.search(line, position)) is not None:
            if len(match[0]) == 1:
                inside = not inside
            elif not inside:
                # Outside quotes the escape character is data, and what follows it stands for itself.
                if match[0][0] == self._options.quote:
                    inside = True
                position = match.start() + 1
                continue
            position = match.end()
        return inside

    def _fields(
        self, record: str, records: Sequence[Sequence[Field]], numbers: Sequence[int]
    ) -> Sequence[Field] | None:
        """The record's fields; None for the header."""
        options = self._options
        fields: Sequence[Field]
        if options.quote not in record:
            self._check_endings(record)
            fields = record.split(options.delimiter)
            if self._forced:
                fields = [self._judge(text, False, i) for i, text in enumerate(record.split(options.delimiter))]
            elif options.null in fields:
                fields = [None if field == options.null else field for field in fields]
        else:
            fields = [self._judge(text, quoted, i) for i, (text, quoted) in enumerate(self._quoted_fields(record))]
        if self._header_due:
            self._header_due = False
            if options.header is CopyHeader.MATCH:
                check_header(self._reader, fields, options, self._line, record)
            return None
        if len(fields) != len(self._reader.names) and not (record == "" and not self._reader.names):
            # Rows before this one are judged first.
            self._reader.rows(records, numbers)
            raise self._wrong_count(len(fields), record)
        return fields

    def _judge(self, text: str, quoted: bool, index: int) -> Field:
        options = self._options
        if text != options.null:
            return text
        is_null = (not quoted and index not in options.force_not_null) or (quoted and index in options.force_null)
        return None if is_null else text

    def _wrong_count(self, count: int, record: str) -> SqlError:
        names = self._reader.names
        if count < len(names):
            error = _bad(f'missing data for column "{names[count]}"')
        else:
            error = _bad("extra data after last expected column")
        return self._reader.line_error(error, self._line, record)

    def _check_endings(self, text: str) -> None:
        for name, character in (("carriage return", "\r"), ("newline", "\n")):
            if character in text:
                error = _bad(f"unquoted {name} found in data", f"Use quoted CSV field to represent {name}.")
                raise with_line(error, self._reader.relation, self._line)

    def _quoted_fields(self, record: str) -> list[tuple[str, bool]]:
        """(text, whether quotes were in it). Quotes around whole fields are read by one expression."""
        quote, delimiter = self._options.quote, self._options.delimiter
        if self._simple:
            found = self._field.findall(record + delimiter)
            if sum(map(len, found)) + len(found) == len(record) + 1:
                double = quote + quote
                fields = []
                for raw in found:
                    if raw[:1] == quote:
                        fields.append((raw[1:-1].replace(double, quote), True))
                    else:
                        self._check_endings(raw)
                        fields.append((raw, False))
                return fields
        return self._fields_by_character(record)

    def _fields_by_character(self, record: str) -> list[tuple[str, bool]]:
        quote, escape, delimiter = self._options.quote, self._options.escape, self._options.delimiter
        fields: list[tuple[str, bool]] = []
        text: list[str] = []
        quoted = inside = False
        position = 0
        while position < len(record):
            character = record[position]
            following = record[position + 1 : position + 2]
            if inside and character == escape and following and following in (escape, quote):
                text.append(following)
                position += 1
            elif character == quote:
                inside = not inside
                quoted = True
            elif character == delimiter and not inside:
                fields.append(("".join(text), quoted))
                text, quoted = [], False
            else:
                if not inside:
                    self._check_endings(character)
                text.append(character)
            position += 1
        fields.append(("".join(text), quoted))
        return fields
