"""Writes one file of changes, in a format that other programs read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import assert_never

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from connectors.sinks.description import SinkDescription
from connectors.sinks.plain_columns import json_lines, named_columns, text_columns
from model.external.sinks import FileFormat


class FileWriter:
    """A file being written; complete and synced when it is finished."""

    def __init__(self, path: Path, format_: FileFormat) -> None:
        self.path = path
        self.bytes = 0
        self._format = format_
        self._file = path.open("wb")
        self._parquet: pq.ParquetWriter | None = None

    def write(self, documents: pa.Table, sink: SinkDescription) -> None:
        self.bytes += documents.nbytes
        match self._format:
            case FileFormat.PARQUET:
                table = named_columns(documents, sink)
                if self._parquet is None:
                    self._parquet = pq.ParquetWriter(self._file, table.schema)
                self._parquet.write_table(table)
            case FileFormat.CSV:
                header = self._file.tell() == 0
                options = pyarrow.csv.WriteOptions(include_header=header)
                pyarrow.csv.write_csv(text_columns(documents, sink), self._file, options)
            case FileFormat.JSON:
                self._file.write(json_lines(documents, sink))
            case _:
                assert_never(self._format)

    def finish(self) -> None:
        self._end()
        os.fsync(self._file.fileno())
        self._file.close()

    def _end(self) -> None:
        if self._parquet is not None:
            self._parquet.close()
        self._file.flush()

    def abandon(self) -> None:
        self._end()
        self._file.close()
        self.path.unlink(missing_ok=True)
