"""COPY t FROM 'file' (FORMAT PARQUET), or objects: columns are taken by their names, a few thousand rows at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Generator

import pyarrow as pa

from connectors.files.source.arrow_values import texts_of, told_column
from connectors.files.source.bounded_parquet import BoundedParquet
from connectors.files.source.parquet_columns import parquet_desc, parquet_rows
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import column_name, rows_to_arrow
from model.text.context import TextContext
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import (
    BOOL,
    BYTEA,
    DATE,
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    JSONB,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    ScalarType,
    TypeName,
)
from planner.plans.copying import CopyFromPlan, CopyOptions
from server.pgwire.backend import Command
from server.pgwire.copy.copied_columns import ColumnReader
from server.statements.copying.copy_from import copied_desc, copy_receiver
from server.statements.copying.copy_options import named_context
from server.statements.copying.from_file import require_plain
from server.statements.copying.place_of import place_of
from server.statements.copying.places import CopyPlace
from server.transactions.execution import Execution
from server.writes.writing import item_of

_FORMAT = "parquet"
_INTEGERS, _FLOATS = (INT2, INT4, INT8), (FLOAT4, FLOAT8)
_NUMERICS = (TypeName.NUMERIC, TypeName.WIDE)
_TIMES = (DATE, TIMESTAMP, TIMESTAMPTZ)
# A type with a modifier is none of these: its values are held to that as they are read.
_KNOWN = (*_INTEGERS, *_FLOATS, *_TIMES, BOOL, BYTEA, JSONB, TEXT)


def is_parquet(options: CopyOptions) -> bool:
    """Returns whether FORMAT PARQUET is asked for; raises 42601 for options that Parquet can't use."""
    if options.format != _FORMAT:
        return False
    require_plain(options)
    return True


async def copied_from_parquet(plan: CopyFromPlan, path: str, execution: Execution) -> Command:
    """Copies the file's rows into the transaction. What fails leaves none."""
    item = item_of(execution.catalog, plan.target)
    desc = copied_desc(plan, item)
    context = named_context(execution, desc)
    receiver = copy_receiver(plan, execution)
    try:
        place = await place_of(path, plan.connection, "from", execution)
        for name in await asyncio.to_thread(place.names):
            with contextlib.closing(_tables(place, name, item.name, desc, context)) as tables:
                while (table := await asyncio.to_thread(next, tables, None)) is not None:
                    await receiver.feed(table)
    except BaseException as error:
        cause = error if isinstance(error, SqlError) else SqlError(Sqlstate.QUERY_CANCELED, "COPY from a file ended")
        await receiver.fail(cause)
        raise
    return Command(await receiver.finish())


def _tables(
    place: CopyPlace, name: str, relation: str, desc: RelationDesc, context: TextContext
) -> Generator[pa.Table, None, None]:
    """Yields the rows as c0, c1, …, in order. Blocks."""
    what = f'{place.noun} "{name}"'
    with place.open(name) as file:
        try:
            source = BoundedParquet(file)
            columns = _Columns(what, source.schema, relation, desc, context)
            at = 0
            for batch in source.batches(columns=desc.names):
                yield columns.rows(pa.Table.from_batches([batch]), at)
                at += batch.num_rows
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            message = f"{what} can't be read as Parquet of this table"
            raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, detail=str(error)) from None


class _Columns:
    """The table's columns in a file: columns of the table's type are taken as they are, values of other types are
    read from their text. 22P04 for a missing column, 42804 for a type whose conversion would be a guess."""

    def __init__(self, what: str, schema: pa.Schema, relation: str, desc: RelationDesc, context: TextContext) -> None:
        found = {column.name: column.type for column in parquet_desc(schema).columns}
        plain, written = [], []
        for column in desc.columns:
            type_ = found.get(column.name)
            if type_ is None or schema.names.count(column.name) > 1:
                raise SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, f'{what} has not one column "{column.name}"')
            if _is_plain(type_, column.type):
                plain.append(column)
            elif _is_written(type_, column.type):
                written.append(column)
            else:
                message = f'column "{column.name}" of {what} is of another type'
                detail = f"The file has {schema.field(column.name).type}."
                raise SqlError(Sqlstate.DATATYPE_MISMATCH, message, detail=detail)
        self._desc = desc
        self._plain = RelationDesc(tuple(plain))
        self._reader = ColumnReader(relation, RelationDesc(tuple(written)), context)

    def rows(self, table: pa.Table, at: int) -> pa.Table:
        """Returns the rows of one batch of the file, in the table's columns; `at` earlier rows have been read."""
        plain = parquet_rows(table, self._plain)
        if not self._reader.names:
            return plain
        texts = [_texts(table.column(name)) for name in self._reader.names]
        rows = self._reader.rows(list(zip(*texts, strict=True)), range(at + 1, at + table.num_rows + 1))
        written = rows_to_arrow(rows, self._reader.desc)
        made = {
            **dict(zip(self._plain.names, plain.columns, strict=True)),
            **dict(zip(self._reader.names, written.columns, strict=True)),
        }
        columns = [made[name] for name in self._desc.names]
        return pa.table(columns, names=[column_name(place) for place in range(self._desc.arity)])


def _is_plain(found: ScalarType, wanted: ScalarType) -> bool:
    alike = any(found in kind and wanted in kind for kind in (_INTEGERS, _FLOATS))
    return alike or (found == wanted and wanted in _KNOWN)


def _is_written(found: ScalarType, wanted: ScalarType) -> bool:
    if wanted.name in _NUMERICS and (found.name in _NUMERICS or found in _INTEGERS):
        return True
    return found == wanted == TIME or (found == TEXT and (wanted == JSONB or wanted not in _KNOWN))


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    texts: list[str | None] = texts_of(told_column(column)).to_pylist()
    return texts
