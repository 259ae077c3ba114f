"""COPY … TO a file or an object: in the formats of the wire, as Parquet, or as lines of JSON."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

import pyarrow.parquet as pq

from compute.protocol.dataflow import LineForm, PieceForm, PiecesAsked
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.copy_options import CopyFormat
from model.types.datum import Row
from planner.plans.copying import CopyOptions
from planner.plans.queries import CopyToPlan
from server.ledgers.pieces import Pieces
from server.pgwire.backend import Command, CopyOut
from server.pgwire.copy.rows_out import CopyEncoder
from server.settings.object_names import names_objects
from server.statements.copying.copy_options import named_context, require_utf8, wire_options
from server.statements.copying.file_writers import JsonWriter, ParquetWriter, RowsWriter, WireWriter
from server.statements.copying.from_file import require_plain
from server.statements.copying.parts import MadeParts, StagedFile
from server.statements.copying.place_of import place_of
from server.statements.copying.places import CopyPlace, MadeFile, failed
from server.transactions.execution import Execution

_PARQUET, _JSON = "parquet", "json"
_FILE_FORMATS = (_PARQUET, _JSON)
_PIECE_FORMS = {_PARQUET: PieceForm.PARQUET, _JSON: PieceForm.JSON}
_SUFFIXES = {None: "txt", "text": "txt", "csv": "csv", "binary": "bin", _PARQUET: "parquet", _JSON: "json"}
_CHUNK_BYTES = 4 << 20


class Begun(Protocol):
    """Begins a COPY to a client, whose rows may be in `pieces` instead."""

    def __call__(self, plan: CopyToPlan, pieces: Pieces | None = None) -> Awaitable[CopyOut]: ...


async def copied_to_file(plan: CopyToPlan, path: str, begun: Begun, execution: Execution) -> Command:
    """Writes the query's rows to the file or directory, durably."""
    format_ = plan.options.format
    if format_ in _FILE_FORMATS:
        require_plain(plan.options)
        plan = replace(plan, options=CopyOptions())
    require_utf8(plan.options)
    desc = plan.query.desc
    if format_ == _PARQUET and len(set(desc.names)) != len(desc.names):
        raise SqlError(Sqlstate.DUPLICATE_COLUMN, "two columns of a Parquet file can't have the same name")
    place = await place_of(path, plan.connection, "to", execution)
    parts = place.parts()
    form = _form(plan, format_, execution, headed=parts is not None)
    copied = _Copied(plan, format_, begun, execution, f'could not write to {place.noun} "{place.shown}"')
    if parts is not None:
        await _done(copied.what, parts.require_free)
        async with _staged(place, copied) as directory:
            return await _copied_to_parts(copied, parts, directory, form)
    file = await asyncio.to_thread(place.make)
    try:
        if form is None:
            answer = await copied.into(file, None)
        else:
            async with _staged(place, copied) as directory:
                answer = await _joined(copied, file, Pieces(PiecesAsked(str(directory), desc, form)))
        await _done(copied.what, file.finish)
    except BaseException:
        await asyncio.shield(asyncio.to_thread(file.abandon))
        raise
    return answer


@dataclass(frozen=True, slots=True)
class _Copied:
    """One statement; `what` could not be done when a file can't be written."""

    plan: CopyToPlan
    format: str | None
    begun: Begun
    execution: Execution
    what: str

    async def into(self, file: MadeFile, pieces: Pieces | None) -> Command:
        """Copies all rows into the file, or into pieces."""
        copy_out = await self.begun(self.plan, pieces)
        await _written(lambda: self._writer(file, copy_out), copy_out.batches, self.what, pieces)
        return Command(f"COPY {pieces.rows}" if pieces is not None and pieces.paths else copy_out.tag())

    def _writer(self, file: MadeFile, copy_out: CopyOut) -> RowsWriter:
        match self.format:
            case "parquet":
                return ParquetWriter(file, copy_out.desc)
            case "json":
                return JsonWriter(file, copy_out.desc)
            case _:
                context = named_context(self.execution, copy_out.desc)
                return WireWriter(file, CopyEncoder(copy_out.desc, copy_out.options, context))

    def head(self) -> Sequence[bytes]:
        """Returns the bytes before the first row of lines."""
        desc = self.plan.query.desc
        options = wire_options(self.plan.options, desc, reading=False)
        return CopyEncoder(desc, options, named_context(self.execution, desc)).begin()


async def _joined(copied: _Copied, file: MadeFile, pieces: Pieces) -> Command:
    answer = await copied.into(file, pieces)
    if pieces.paths:
        head = copied.head() if isinstance(pieces.asked.form, LineForm) else ()
        await _done(copied.what, partial(_join, pieces, file, head))
    return answer


async def _copied_to_parts(
    copied: _Copied, parts: MadeParts, directory: Path, form: PieceForm | LineForm | None
) -> Command:
    desc = copied.plan.query.desc
    pieces = None if form is None else Pieces(PiecesAsked(str(directory), desc, form))
    alone = StagedFile(directory / "alone")
    paths = [alone.path]
    try:
        answer = await copied.into(alone, pieces)
        if pieces is not None and pieces.paths:
            paths = pieces.paths
        else:
            await _done(copied.what, alone.finish)
    except BaseException:
        await asyncio.shield(asyncio.to_thread(alone.abandon))
        raise
    stopped = threading.Event()
    suffix = _SUFFIXES[copied.format]
    publishing = asyncio.ensure_future(_done(copied.what, partial(parts.publish, directory, paths, suffix, stopped)))
    try:
        await asyncio.shield(publishing)
    except asyncio.CancelledError:
        stopped.set()
        with contextlib.suppress(SqlError):
            await publishing
        raise
    return answer


def _form(plan: CopyToPlan, format_: str | None, execution: Execution, *, headed: bool) -> PieceForm | LineForm | None:
    """Returns the form in which tasks may write many rows; None if they can't."""
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
        headed=headed,
        time_zone=context.time_zone,
        date_style=context.date_style,
        interval_style=context.interval_style,
        extra_float_digits=context.extra_float_digits,
        bytea_output=context.bytea_output,
    )


@contextlib.asynccontextmanager
async def _staged(place: CopyPlace, copied: _Copied) -> AsyncIterator[Path]:
    """Provides a directory for pieces, and removes it afterwards."""
    unfinished = copied.execution.environment.outside.unfinished
    try:
        directory = await asyncio.to_thread(unfinished.begin, place.scratch(), "pieces")
    except OSError as error:
        raise failed(copied.what, error) from None
    try:
        await _done(copied.what, partial(directory.mkdir, 0o700))
        yield directory
    finally:
        await asyncio.shield(asyncio.to_thread(unfinished.end, directory))


def _join(pieces: Pieces, file: MadeFile, head: Sequence[bytes]) -> None:
    if pieces.asked.form is PieceForm.PARQUET:
        _join_parquet(pieces, file)
        return
    file.write(b"".join(head))
    for path in pieces.paths:
        with path.open("rb") as piece:
            while data := piece.read(_CHUNK_BYTES):
                file.write(data)


def _join_parquet(pieces: Pieces, file: MadeFile) -> None:
    """Joins pieces of Parquet group by group, with one group in memory at a time."""
    writer = ParquetWriter(file, pieces.asked.desc)
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
    make: Callable[[], RowsWriter], batches: AsyncIterator[Sequence[Row]], what: str, pieces: Pieces | None
) -> None:
    """Writes all rows, unless they are in pieces."""
    writer: RowsWriter | None = None
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
