"""Writes an answer as pieces of a file, in the tasks that compute it.

    c0 c1 … [err]  ->  file rows [err]       a row for each piece; failures stay as they are

A task writes one piece, under a name of its own, and the job's answer names the piece once whole. Nothing names the
pieces of attempts that failed, were killed, or lost against another attempt of the same task.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Protocol

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import LongType, StringType, StructField, StructType

from compute.protocol.dataflow import LineForm, PieceForm, PiecesAsked
from compute.spark.in_arrow import map_in_arrow
from connectors.sinks.plain_columns import document_lines
from connectors.sinks.plain_parquet import PlainParquet
from model.physical.columns import column_name, rows_from_arrow
from model.text.context import TextContext
from model.text.copied_rows import LineEncoder
from model.text.copy_options import CopyHeader
from model.time.clock import SystemRandomness
from model.types.relation_desc import RelationDesc

_ANSWER = [StructField("file", StringType()), StructField("rows", LongType())]


def is_seen(asked: PiecesAsked) -> bool:
    """Returns whether the directory, whose name is unique, exists on this machine and is writable."""
    return os.access(asked.directory, os.W_OK | os.X_OK)


def in_pieces(frame: DataFrame, asked: PiecesAsked, *, fallible: bool) -> DataFrame:
    """Returns a frame that writes its rows where it runs; `err` is the last column of a fallible frame."""
    writer = PieceWriter(asked, fallible)

    def written(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return writer(batches)

    answer = StructType([*_ANSWER, frame.schema[-1]] if fallible else _ANSWER)
    return map_in_arrow(frame, written, answer)


class PieceWriter:
    """Writes the rows of one task, and yields its answer."""

    def __init__(self, asked: PiecesAsked, fallible: bool) -> None:
        self._asked = asked
        self._fallible = fallible

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        name = SystemRandomness().token()
        rows = 0
        failures: pa.Array | None = None
        with contextlib.ExitStack() as opened:
            piece: _Piece | None = None
            for batch in batches:
                if self._fallible:
                    failures = batch.column(batch.num_columns - 1).drop_null()
                    if len(failures):
                        nothing = pa.nulls(len(failures))
                        yield self._answer(nothing, nothing, failures)
                        continue
                if batch.num_rows:
                    if piece is None:
                        piece = _begun(Path(self._asked.directory) / name, self._asked)
                        opened.callback(piece.close)
                    piece.add(self._table(batch))
                    rows += batch.num_rows
            if piece is None:
                return
            piece.end()
        yield self._answer(pa.array([name]), pa.array([rows]), failures)

    def _table(self, batch: pa.RecordBatch) -> pa.Table:
        arity = self._asked.desc.arity
        return pa.table(batch.columns[:arity], names=[column_name(at) for at in range(arity)])

    def _answer(self, files: pa.Array, rows: pa.Array, failures: pa.Array | None) -> pa.RecordBatch:
        columns = {"file": files.cast(pa.string()), "rows": rows.cast(pa.int64())}
        if failures is not None:
            columns["err"] = failures if len(failures) else pa.nulls(len(files), failures.type)
        return pa.RecordBatch.from_pydict(columns)


class _Piece(Protocol):
    def add(self, rows: pa.Table) -> None: ...

    def end(self) -> None:
        """Completes the piece."""
        ...

    def close(self) -> None:
        """Closes the piece, which is whole if ended before."""
        ...


def _begun(path: Path, asked: PiecesAsked) -> _Piece:
    # The directory may be gone, when nobody waits for the answer any more: then this fails.
    file = path.open("xb")
    match asked.form:
        case PieceForm.PARQUET:
            return _ParquetPiece(file, asked.desc)
        case PieceForm.JSON:
            return _Lines(file, lambda rows: document_lines(rows, asked.desc))
        case LineForm() as form:
            context = TextContext(
                time_zone=form.time_zone,
                date_style=form.date_style,
                interval_style=form.interval_style,
                extra_float_digits=form.extra_float_digits,
                bytea_output=form.bytea_output,
            )
            encoder = LineEncoder(asked.desc, form.options, context)
            if form.headed and form.options.header is not CopyHeader.ABSENT:
                file.write(encoder.header())
            return _Lines(file, lambda rows: b"".join(encoder.lines(rows_from_arrow(rows, asked.desc))))


class _Lines:
    def __init__(self, file: IO[bytes], encode: Callable[[pa.Table], bytes]) -> None:
        self._file = file
        self._encode = encode

    def add(self, rows: pa.Table) -> None:
        self._file.write(self._encode(rows))

    def end(self) -> None:
        """Writes nothing: the format has nothing behind the last row."""

    def close(self) -> None:
        self._file.close()


class _ParquetPiece:
    def __init__(self, file: IO[bytes], desc: RelationDesc) -> None:
        self._file = file
        self._parquet = PlainParquet(file, desc)

    def add(self, rows: pa.Table) -> None:
        self._parquet.add(rows)

    def end(self) -> None:
        self._parquet.end()

    def close(self) -> None:
        self._parquet.close()
        self._file.close()
