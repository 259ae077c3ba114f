"""COPY … TO a file or an object: in the formats of the wire, as Parquet, or as lines of JSON."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from compute.protocol.dataflow import LineForm, PieceForm, PiecesAsked
from model.copy_options import CopyFormat
from model.datum import Row
from model.errors import SqlError
from model.physical import rows_to_arrow
from model.relation_desc import RelationDesc
from model.sqlstate import Sqlstate
from planner.plans.copying import CopyOptions
from planner.plans.queries import CopyToPlan
from server.coordinator.execution import Execution
from server.coordinator.pieces import Pieces
from server.coordinator.sequence.copying.copy_options import named_context, wire_options
from server.coordinator.sequence.copying.from_file import require_plain
from server.coordinator.sequence.copying.place_of import place_of
from server.coordinator.sequence.copying.places import CopyPlace, MadeFile, failed
from server.pgwire.backend import Command, CopyOut
from server.pgwire.copy.rows_out import CopyEncoder
from server.session.object_names import names_objects
from storage.sinks.plain_columns import document_lines
from storage.sinks.plain_parquet import PlainParquet

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PARQUET, _JSON = "parquet", "json"
_FILE_FORMATS = (_PARQUET, _JSON)
_PIECE_FORMS = {_PARQUET: PieceForm.PARQUET, _JSON: PieceForm.JSON}
_CHUNK_BYTES = 4 << 20


class _Writer(Protocol):
    """Of one file, in one format."""

    def begin(self) -> None: ...

    def add(self, rows: Sequence[Row]) -> None: ...

    def end(self) -> None: ...

    def abandon(self) -> None:
        """Nothing more is written."""
        ...


class Begun(Protocol):
    """Begins a COPY to a client, whose rows may be in `pieces` instead."""

    def __call__(self, plan: CopyToPlan, pieces: Pieces | None = None) -> Awaitable[CopyOut]: ...


async def copied_to_file(plan: CopyToPlan, path: str, begun: Begun, execution: Execution) -> Command:
    """The rows are there, durably."""
    format_ = plan.options.format
    if format_ in _FILE_FORMATS:
        require_plain(plan.options)
        plan = replace(plan, options=CopyOptions())
    desc = plan.query.desc
    if format_ == _PARQUET and len(set(desc.names)) != len(desc.names):
        raise SqlError(Sqlstate.DUPLICATE_COLUMN, "two columns of a Parquet file can't have the same name")
    place = await place_of(path, plan.connection, "to", execution)
    what = f'could not write to {place.noun} "{place.shown}"'
    file = await asyncio.to_thread(place.make)
    try:
        async with _pieces(desc, place, _form(plan, format_, execution), what, execution) as pieces:
            copy_out = await begun(plan, pieces)
            await _written(lambda: _writer(file, format_, copy_out, execution), copy_out.batches, what, pieces)
            if pieces is not None and pieces.paths:
                await _done(what, partial(_join, pieces, file, _encoder(copy_out, execution).begin()))
        await _done(what, file.finish)
    except BaseException:
        await asyncio.shield(asyncio.to_thread(file.abandon))
        raise
    return Command(f"COPY {pieces.rows}" if pieces is not None and pieces.paths else copy_out.tag())


def _form(plan: CopyToPlan, format_: str | None, execution: Execution) -> PieceForm | LineForm | None:
    """What tasks may write in the place of many rows, where they know how."""
    desc = plan.query.desc
    if not desc.arity:
        return None
    if format_ in _PIECE_FORMS:
        return _PIECE_FORMS[format_]
    options = wire_options(plan.options, desc, reading=False)
    if options.format is CopyFormat.BINARY or names_objects(desc):
        return None
    context = execution.asker.text_context
    return LineForm(
        options,
        time_zone=context.time_zone,
        date_style=context.date_style,
        interval_style=context.interval_style,
        extra_float_digits=context.extra_float_digits,
        bytea_output=context.bytea_output,
    )


@contextlib.asynccontextmanager
async def _pieces(
    desc: RelationDesc, place: CopyPlace, form: PieceForm | LineForm | None, what: str, execution: Execution
) -> AsyncIterator[Pieces | None]:
    """A directory for them, which is gone afterwards."""
    if form is None:
        yield None
        return
    unfinished = execution.environment.unfinished
    try:
        directory = await asyncio.to_thread(unfinished.begin, place.scratch(), "pieces")
    except OSError as error:
        raise failed(what, error) from None
    try:
        await _done(what, partial(directory.mkdir, 0o700))
        yield Pieces(PiecesAsked(str(directory), desc, form))
    finally:
        await asyncio.shield(asyncio.to_thread(unfinished.end, directory))


def _encoder(copy_out: CopyOut, execution: Execution) -> CopyEncoder:
    return CopyEncoder(copy_out.desc, copy_out.options, named_context(execution, copy_out.desc))


def _join(pieces: Pieces, file: MadeFile, head: Sequence[bytes]) -> None:
    if pieces.asked.form is PieceForm.PARQUET:
        _join_parquet(pieces, file)
        return
    if isinstance(pieces.asked.form, LineForm):
        file.write(b"".join(head))
    for path in pieces.paths:
        with path.open("rb") as piece:
            while data := piece.read(_CHUNK_BYTES):
                file.write(data)


def _join_parquet(pieces: Pieces, file: MadeFile) -> None:
    """Group by group: one of them is in memory at a time."""
    writer = _ParquetWriter(file, pieces.asked.desc)
    try:
        for path in pieces.paths:
            with pq.ParquetFile(path) as piece:
                for group in range(piece.num_row_groups):
                    writer.add_group(piece.read_row_group(group))
        writer.end()
    except BaseException:
        writer.abandon()
        raise


async def _written(
    make: Callable[[], _Writer], batches: AsyncIterator[Sequence[Row]], what: str, pieces: Pieces | None
) -> None:
    """All rows, unless they are in pieces."""
    writer: _Writer | None = None
    try:
        async for batch in batches:
            if writer is None:
                writer = make()
                await _done(what, writer.begin)
            await _done(what, partial(writer.add, batch))
        if writer is None and (pieces is None or not pieces.paths):
            writer = make()
            await _done(what, writer.begin)
        if writer is not None:
            await _done(what, writer.end)
    except BaseException:
        if writer is not None:
            writer.abandon()
        raise


async def _done(what: str, work: Callable[[], None]) -> None:
    try:
        await asyncio.to_thread(work)
    except OSError as error:
        raise failed(what, error) from None


def _writer(file: MadeFile, format_: str | None, copy_out: CopyOut, execution: Execution) -> _Writer:
    match format_:
        case "parquet":
            return _ParquetWriter(file, copy_out.desc)
        case "json":
            return _JsonWriter(file, copy_out.desc)
        case _:
            return _WireWriter(file, _encoder(copy_out, execution))


class _WireWriter:
    def __init__(self, file: MadeFile, encoder: CopyEncoder) -> None:
        self._file = file
        self._encoder = encoder

    def begin(self) -> None:
        self._write(self._encoder.begin())

    def add(self, rows: Sequence[Row]) -> None:
        self._write(self._encoder.encode(rows))

    def end(self) -> None:
        self._write(self._encoder.end())

    def abandon(self) -> None:
        """It holds nothing."""

    def _write(self, pieces: Sequence[bytes]) -> None:
        for piece in pieces:
            self._file.write(piece)


class _JsonWriter:
    def __init__(self, file: MadeFile, desc: RelationDesc) -> None:
        self._file = file
        self._desc = desc

    def begin(self) -> None:
        """Nothing stands before the first row."""

    def add(self, rows: Sequence[Row]) -> None:
        self._file.write(document_lines(rows_to_arrow(rows, self._desc), self._desc))

    def end(self) -> None:
        """Nothing stands behind the last row."""

    def abandon(self) -> None:
        """It holds nothing."""


class _Written(io.RawIOBase):
    """A file as Arrow writes to one."""

    def __init__(self, file: MadeFile) -> None:
        self.left = False
        self._file = file
        self._at = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data: ReadableBuffer) -> int:
        written = bytes(data)
        self._at += len(written)
        if not self.left:
            self._file.write(written)
        return len(written)


class _ParquetWriter:
    def __init__(self, file: MadeFile, desc: RelationDesc) -> None:
        self._desc = desc
        self._written = _Written(file)
        self._parquet = PlainParquet(self._written, desc)

    def begin(self) -> None:
        """Its writer has begun."""

    def add(self, rows: Sequence[Row]) -> None:
        self._parquet.add(rows_to_arrow(rows, self._desc))

    def add_group(self, rows: pa.Table) -> None:
        """Rows as a piece has them."""
        self._parquet.add_group(rows)

    def end(self) -> None:
        self._parquet.end()
        self._parquet.close()

    def abandon(self) -> None:
        # A writer ends its file when it is forgotten, whether or not there is one.
        self._written.left = True
        self._parquet.close()
