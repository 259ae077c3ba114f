"""COPY t FROM 'file' (FORMAT PARQUET), or objects: columns are taken by their names, a few thousand rows at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Generator

import pyarrow as pa
import pyarrow.parquet as pq

from model.errors import SqlError
from model.relation_desc import RelationDesc
from model.scalar_type import BOOL, BYTEA, DATE, FLOAT4, FLOAT8, INT2, INT4, INT8, JSONB, TEXT, TIMESTAMP, TIMESTAMPTZ
from model.sqlstate import Sqlstate
from planner.plans.copying import CopyFromPlan, CopyOptions
from server.coordinator.execution import Execution
from server.coordinator.sequence.copying.copy_from import copied_desc, copy_receiver
from server.coordinator.sequence.copying.from_file import require_plain
from server.coordinator.sequence.copying.place_of import place_of
from server.coordinator.sequence.copying.places import CopyPlace
from server.coordinator.writing import item_of
from server.pgwire.backend import Command
from storage.sources.files.parquet_columns import parquet_desc, parquet_rows

_ROWS_AT_ONCE = 4096
_FORMAT = "parquet"
_INTEGERS, _FLOATS = (INT2, INT4, INT8), (FLOAT4, FLOAT8)
_TIMES = (DATE, TIMESTAMP, TIMESTAMPTZ)
_KNOWN = (*_INTEGERS, *_FLOATS, *_TIMES, BOOL, BYTEA, JSONB, TEXT)


def is_parquet(options: CopyOptions) -> bool:
    """Whether it is asked for; 42601 for options that Parquet has no use for."""
    if options.format != _FORMAT:
        return False
    require_plain(options)
    return True


async def copied_from_parquet(plan: CopyFromPlan, path: str, execution: Execution) -> Command:
    """The file's rows are in the transaction. What fails leaves none."""
    desc = copied_desc(plan, item_of(execution.catalog, plan.target))
    receiver = copy_receiver(plan, execution)
    try:
        place = await place_of(path, plan.connection, "from", execution)
        for name in await asyncio.to_thread(place.names):
            with contextlib.closing(_tables(place, name, desc)) as tables:
                while (table := await asyncio.to_thread(next, tables, None)) is not None:
                    await receiver.feed(table)
    except BaseException as error:
        cause = error if isinstance(error, SqlError) else SqlError(Sqlstate.QUERY_CANCELED, "COPY from a file ended")
        await receiver.fail(cause)
        raise
    return Command(await receiver.finish())


def _tables(place: CopyPlace, name: str, desc: RelationDesc) -> Generator[pa.Table, None, None]:
    """The rows as c0, c1, …, in order. It blocks."""
    what = f'{place.noun} "{name}"'
    with place.open(name) as file:
        try:
            source = pq.ParquetFile(file)
            _require_columns(what, source.schema_arrow, desc)
            for batch in source.iter_batches(_ROWS_AT_ONCE, columns=list(desc.names)):
                _require_columns(what, batch.schema, desc)
                yield parquet_rows(pa.Table.from_batches([batch]), desc)
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            message = f"{what} can't be read as Parquet of this table"
            raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, detail=str(error)) from None


def _require_columns(what: str, schema: pa.Schema, desc: RelationDesc) -> None:
    """22P04 for a column that the file lacks, or whose values are of a type that would have to be guessed at."""
    found = {column.name: column.type for column in parquet_desc(schema).columns}
    for column in desc.columns:
        type_ = found.get(column.name)
        if type_ is None or schema.names.count(column.name) > 1:
            raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, f'{what} has not one column "{column.name}"')
        wanted = column.type
        alike = any(type_ in kind and wanted in kind for kind in (_INTEGERS, _FLOATS))
        if not alike and (type_ != wanted or wanted not in _KNOWN):
            message = f'column "{column.name}" of {what} is of another type'
            detail = f"The file has {schema.field(column.name).type}."
            raise SqlError(Sqlstate.DATATYPE_MISMATCH, message, detail=detail)
