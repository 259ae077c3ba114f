"""COPY FROM in CSV format. A quote anywhere in a field opens or closes quoting, as PostgreSQL has it; inside quotes
delimiters and ends of lines are data, and only fields without quotes can be NULL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from model.datum import Row
from server.pgwire.copy.columns import ColumnReader, Field
from server.pgwire.copy.line_decoder import LineDecoder
from server.pgwire.copy.lines import LINE_BYTES_MAX, EndingFinder, too_long
from server.pgwire.copy.options import CheckedCopyOptions
from server.pgwire.copy.records import STRAY_ENDING, bad_file

_END = "\\."


class CsvDecoder(LineDecoder):
    def __init__(self, reader: ColumnReader, options: CheckedCopyOptions) -> None:
        super().__init__(reader, options, EndingFinder(options.quote, options.escape))
        delimiter, quote = re.escape(options.delimiter), re.escape(options.quote)
        escape = re.escape(options.escape)
        self._simple = options.quote == options.escape
        self._field = re.compile(f"({quote}(?:[^{quote}]|{quote}{quote})*{quote}|[^{delimiter}{quote}]*){delimiter}")
        self._sign = re.compile(f"{escape}[{escape}{quote}]|{quote}")
        self._forced = bool(options.force_null or options.force_not_null)

    def finish(self) -> list[Row]:
        """The rows that were left; 22P04 when a quoted field never ended."""
        rows = [] if self._ended else self._read(self._cutter.finish(), whole=False)
        if self._open and not self._ended and not self._batch.skipping_header:
            text = "".join(self._open)
            raise self._batch.refused(bad_file("unterminated CSV quoted field"), self._line_of(text), text)
        self._batch.finish()
        return rows

    def _read(self, lines: Iterable[str], *, whole: bool) -> list[Row]:
        """`whole` lines had an end of their own."""
        quote, delimiter, null = self._options.quote, self._options.delimiter, self._options.null
        for line in lines:
            if self._ended:
                break
            if self._open or quote in line or "\r" in line or "\n" in line or line == _END or self._forced:
                self._read_carefully(line, whole)
                continue
            self._line += 1
            fields: Sequence[Field] = line.split(delimiter)
            if null in fields:
                fields = [None if field == null else field for field in fields]
            self._batch.add(fields, self._line, line)
        return self._batch.rows()

    def _read_carefully(self, line: str, whole: bool) -> None:
        if STRAY_ENDING.search(line) is not None:
            self._check_endings(line)
        inside = self._inside_at_end(line, bool(self._open))
        if self._open or inside:
            part = line + (self._cutter.ending or "") if inside and whole else line
            self._open.append(part)
            self._open_length += len(part)
            if self._open_length > LINE_BYTES_MAX:
                raise too_long("record")
        if inside:
            return
        record = "".join(self._open) if self._open else line
        self._open.clear()
        self._open_length = 0
        if record == _END:
            self._ended = True
            return
        self._line = self._line_of(record)
        fields = [self._judge(text, quoted, index) for index, (text, quoted) in enumerate(self._fields(record))]
        self._batch.add(fields, self._line, record)

    def _line_of(self, record: str) -> int:
        """The number of a record's last line, as PostgreSQL counts: by newlines when it has seen one end a record."""
        counted = "\n" if self._line > 0 and self._cutter.ending == "\n" else "\r"
        return self._line + 1 + record.count(counted)

    def _inside_at_end(self, line: str, inside: bool) -> bool:
        """Whether the line ends in quotes."""
        if self._simple:
            return inside != (line.count(self._options.quote) % 2 == 1)
        position = 0
        while (match := self._sign.search(line, position)) is not None:
            position = match.end()
            if len(match[0]) == 1:
                inside = not inside
            elif not inside:
                # Outside quotes the escape character is data, and what follows it stands for itself.
                position = match.start() + 1
        return inside

    def _judge(self, text: str, quoted: bool, index: int) -> Field:
        options = self._options
        if text != options.null:
            return text
        is_null = (not quoted and index not in options.force_not_null) or (quoted and index in options.force_null)
        return None if is_null else text

    def _check_endings(self, line: str) -> None:
        """Refuses an end of a line, of another kind than the data's, outside quotes."""
        quote, escape = self._options.quote, self._options.escape
        inside, place = bool(self._open), 0
        while place < len(line):
            character = line[place]
            if inside and character == escape and line[place + 1 : place + 2] in (escape, quote):
                place += 1
            elif character == quote:
                inside = not inside
            elif character in "\r\n" and not inside:
                name = "newline" if character == "\n" else "carriage return"
                error = bad_file(f"unquoted {name} found in data", f"Use quoted CSV field to represent {name}.")
                raise self._batch.refused(error, self._line_of("".join(self._open) + line[:place]), None)
            place += 1

    def _fields(self, record: str) -> list[tuple[str, bool]]:
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
                text.append(character)
            position += 1
        fields.append(("".join(text), quoted))
        return fields
