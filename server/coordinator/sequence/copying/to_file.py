"""COPY … TO a file or an object: in the formats of the wire, as Parquet, or as lines of JSON."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from model.datum import Row
from model.errors import SqlError
from model.physical import arrow_schema, rows_to_arrow
from model.relation_desc import RelationDesc
from model.sqlstate import Sqlstate
from planner.plans.copying import CopyOptions
from planner.plans.queries import CopyToPlan
from server.coordinator.execution import Execution
from server.coordinator.sequence.copying.from_file import require_plain
from server.coordinator.sequence.copying.place_of import place_of
from server.coordinator.sequence.copying.places import MadeFile, failed
from server.pgwire.backend import Command, CopyOut
from server.pgwire.copy.rows_out import CopyEncoder
from storage.sinks.plain_columns import json_objects, plain_columns

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PARQUET, _JSON = "parquet", "json"
_FILE_FORMATS = (_PARQUET, _JSON)
_GROUP_ROWS = 100_000


class _Writer(Protocol):
    """Of one file, in one format."""

    def begin(self) -> None: ...

    def add(self, rows: Sequence[Row]) -> None: ...

    def end(self) -> None: ...

    def abandon(self) -> None:
        """Nothing more is written."""
        ...


async def copied_to_file(
    plan: CopyToPlan, path: str, begun: Callable[[CopyToPlan], Awaitable[CopyOut]], execution: Execution
) -> Command:
    """The rows are there, durably. `begun` begins a COPY to a client."""
    format_ = plan.options.format
    if format_ in _FILE_FORMATS:
        require_plain(plan.options)
        plan = replace(plan, options=CopyOptions())
    place = await place_of(path, plan.connection, "to", execution)
    copy_out = await begun(plan)
    file = await asyncio.to_thread(place.make)
    what = f'could not write to {place.noun} "{place.shown}"'
    try:
        await _written(_writer(file, format_, copy_out, execution), copy_out.batches, what)
        await _done(what, file.finish)
    except BaseException:
        await asyncio.shield(asyncio.to_thread(file.abandon))
        raise
    return Command(copy_out.tag())


async def _written(writer: _Writer, batches: AsyncIterator[Sequence[Row]], what: str) -> None:
    try:
        await _done(what, writer.begin)
        async for batch in batches:
            await _done(what, partial(writer.add, batch))
        await _done(what, writer.end)
    except BaseException:
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
            return _WireWriter(file, CopyEncoder(copy_out.desc, copy_out.options, execution.asker.text_context))


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
        objects = json_objects(rows_to_arrow(rows, self._desc), self._desc)
        self._file.write(b"".join(msgspec.json.encode(each) + b"\n" for each in objects))

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
    """Rows gather until they make a group."""

    def __init__(self, file: MadeFile, desc: RelationDesc) -> None:
        if len(set(desc.names)) != len(desc.names):
            raise SqlError(Sqlstate.DUPLICATE_COLUMN, "two columns of a Parquet file can't have the same name")
        self._desc = desc
        schema = plain_columns(arrow_schema(desc).empty_table(), desc).schema
        self._written = _Written(file)
        self._writer = pq.ParquetWriter(self._written, schema)
        self._kept: list[pa.Table] = []
        self._rows = 0

    def begin(self) -> None:
        """Its writer has begun."""

    def add(self, rows: Sequence[Row]) -> None:
        self._kept.append(plain_columns(rows_to_arrow(rows, self._desc), self._desc))
        self._rows += len(rows)
        if self._rows >= _GROUP_ROWS:
            self._write()

    def _write(self) -> None:
        if self._kept:
            self._writer.write_table(pa.concat_tables(self._kept))
        self._kept, self._rows = [], 0

    def end(self) -> None:
        self._write()
        self._writer.close()

    def abandon(self) -> None:
        # A writer ends its file when it is forgotten, whether or not there is one.
        self._written.left = True
        self._writer.close()
