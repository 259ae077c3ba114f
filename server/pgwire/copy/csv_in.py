"""COPY FROM in CSV format. A quote anywhere in a field opens or closes quoting, as PostgreSQL has it; inside quotes
delimiters and ends of lines are data, and only fields without quotes can be NULL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from model.text.copy_options import CheckedCopyOptions
from model.types.datum import Row
from server.pgwire.copy.copied_columns import ColumnReader, Field
from server.pgwire.copy.line_decoder import LineDecoder
from server.pgwire.copy.lines import EndingFinder, quoted
from server.pgwire.copy.records import STRAY_ENDING, bad_file

_END = "\\."
_PIECE = 1 << 16


class CsvDecoder(LineDecoder):
    def __init__(self, reader: ColumnReader, options: CheckedCopyOptions) -> None:
        super().__init__(reader, options, EndingFinder(options.quote, options.escape))
        delimiter, quote = re.escape(options.delimiter), re.escape(options.quote)
        escape = re.escape(options.escape)
        self._simple = options.quote == options.escape
        self._field = re.compile(f"({quote}(?:[^{quote}]|{quote}{quote})*{quote}|[^{delimiter}{quote}]*){delimiter}")
        self._outside = re.compile(f"[^{quote}]*+")
        doubled = f"(?:[^{quote}]++|{quote}{quote})*+"
        self._within = re.compile(doubled if self._simple else quoted(options.quote, options.escape))
        self._escaped = re.compile(f"{escape}([{escape}{quote}])")
        self._forced = bool(options.force_null or options.force_not_null)

    def finish(self) -> list[Row]:
        """Returns the rows that were left; raises 22P04 when a quoted field never ended."""
        rows = [] if self._ended else self._read(self._cutter.finish(), whole=False)
        if self._open_length and not self._ended and not self._batch.skipping_header:
            text = self._taken()
            raise self._batch.refused(bad_file("unterminated CSV quoted field"), self._line_of(text), text)
        self._batch.finish()
        return rows

    def _read(self, lines: Iterable[str], *, whole: bool) -> list[Row]:
        """Reads lines; `whole` tells whether each had a line end."""
        quote, delimiter, null = self._options.quote, self._options.delimiter, self._options.null
        for line in lines:
            if self._ended:
                break
            if self._open_length or quote in line or "\r" in line or "\n" in line or line == _END or self._forced:
                self._read_carefully(line, whole)
                continue
            self._line += 1
            fields: Sequence[Field] = line.split(delimiter)
            if null in fields:
                fields = [None if field == null else field for field in fields]
            self._batch.add(fields, self._line, line)
        return self._batch.rows()

    def _read_carefully(self, line: str, whole: bool) -> None:
        if "\n" in line or "\r" in line:
            self._check_endings(line)
        if self._inside_at_end(line, self._open_length > 0):
            self._hold(line + (self._cutter.ending or "") if whole else line)
            return
        record = self._taken() + line
        if record == _END:
            self._ended = True
            return
        self._line = self._line_of(record)
        fields = [self._judge(text, quoted, index) for index, (text, quoted) in enumerate(self._fields(record))]
        self._batch.add(fields, self._line, record)

    def _line_of(self, record: str) -> int:
        """Returns the number of a record's last line as PostgreSQL counts: by newlines, once a record has ended with
        one."""
        counted = "\n" if self._line > 0 and self._cutter.ending == "\n" else "\r"
        return self._line + 1 + record.count(counted)

    def _inside_at_end(self, line: str, inside: bool) -> bool:
        """Tells whether the line ends within quotes."""
        if self._simple:
            return inside != (line.count(self._options.quote) % 2 == 1)
        for _, _, within in self._spans(line, inside):
            inside = within
        return inside

    def _spans(self, text: str, inside: bool) -> Iterator[tuple[int, int, bool]]:
        """Yields the parts of a text as (begin, end, whether within quotes), with an empty part behind each quote
        that opens or closes. Parts are short, so that handling one never takes long."""
        position = 0
        while position < len(text):
            match = (self._within if inside else self._outside).match(text, position, position + _PIECE)
            assert match is not None, "it may match nothing"
            end = match.end()
            if end == position and text[position] == self._options.quote:
                inside = not inside
                position += 1
                yield position, position, inside
                continue
            # A last escape character has nothing to stand before.
            end = max(end, position + 1)
            yield position, end, inside
            position = end

    def _judge(self, text: str, quoted: bool, index: int) -> Field:
        options = self._options
        if text != options.null:
            return text
        is_null = (not quoted and index not in options.force_not_null) or (quoted and index in options.force_null)
        return None if is_null else text

    def _check_endings(self, line: str) -> None:
        """Refuses an end of a line, of another kind than the data's, outside quotes."""
        for start, end, inside in self._spans(line, self._open_length > 0):
            stray = None if inside else STRAY_ENDING.search(line, start, end)
            if stray is not None:
                name = "newline" if stray[0] == "\n" else "carriage return"
                error = bad_file(f"unquoted {name} found in data", f"Use quoted CSV field to represent {name}.")
                before = self._taken() + line[: stray.start()]
                raise self._batch.refused(error, self._line_of(before), None)

    def _fields(self, record: str) -> list[tuple[str, bool]]:
        """Returns the fields as (text, whether it was quoted). Quotes around whole fields are read by one
        expression."""
        quote, delimiter = self._options.quote, self._options.delimiter
        if self._simple and len(record) < _PIECE:
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
        return self._fields_by_spans(record)

    def _fields_by_spans(self, record: str) -> list[tuple[str, bool]]:
        fields: list[tuple[str, bool]] = []
        parts: list[str] = []
        quoted = False
        for start, end, inside in self._spans(record, inside=False):
            piece = record[start:end]
            if start == end:
                quoted = True
            elif inside:
                parts.append(self._escaped.sub(r"\1", piece))
            else:
                first, *others = piece.split(self._options.delimiter)
                parts.append(first)
                for other in others:
                    fields.append(("".join(parts), quoted))
                    parts, quoted = [other], False
        fields.append(("".join(parts), quoted))
        return fields
