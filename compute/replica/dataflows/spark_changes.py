"""An import's contribution to a tick, as Spark reads it: literal rows if few, else the parts themselves, and a file of
the rows that are in no part.

Rows need not be consolidated: retractions are ordinary updates. Inline batches, one for every commit, are decoded once
for all dataflows that read them, and combined once for dataflows whose ticks cover equal times.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StructField, StructType

from compute.maintain.change import Change, local_change
from compute.protocol.dataflow import Import
from compute.replica.contents.fallible import ERRORS, split_errors, stored_error_column
from compute.replica.contents.narrow_parts import conformed_frame
from compute.replica.contents.parts import PartFiles
from compute.replica.dataflows.direct import at_times_of
from compute.replica.dataflows.maintained import Input
from compute.replica.running.cache import RecentlyUsed
from compute.replica.running.places import Places
from compute.spark.collect import collect_batches
from compute.spark.schema import spark_schema
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, updates_schema
from model.types.relation_desc import RelationDesc
from storage.persist.batch import decode_piece
from storage.persist.snapshot import Changes, Snapshot, read_piece
from storage.persist.state import InlineBatch, Part, Piece

LITERAL_ROWS_MAX = 20_000
LITERAL_BYTES_MAX = 8 << 20
_INLINE_TABLES_MAX = 2_048
_CHANGES_MAX = 32
_SHARED_ROWS_MAX = 2_000
_ROW_BYTES = 256

Errors = Callable[[SparkSession], pa.Table]


@dataclass(frozen=True, slots=True)
class ImportChange:
    """An import in a tick. `change` has the rows; `errors` runs a query for the errors (err, time, diff), if any are
    possible."""

    change: Change
    errors: Errors | None


class ImportReader:
    """The reader of inputs for all dataflows of a replica. `scratch` takes files, readable by Spark's executors."""

    def __init__(self, places: Places, files: PartFiles, scratch: Path) -> None:
        self._places = places
        self._files = files
        self._scratch = scratch
        self._tables: RecentlyUsed[tuple[InlineBatch, RelationDesc, pa.Table]] = RecentlyUsed(_INLINE_TABLES_MAX)
        self._changes: RecentlyUsed[tuple[tuple[Piece, ...], RelationDesc, ImportChange]] = RecentlyUsed(_CHANGES_MAX)

    async def read(self, item: Import, input_: Input) -> ImportChange:
        """Reads what is small; finds the files of the rest. Raises SqlError naming the shard."""
        pieces: tuple[Piece, ...] = (*input_.parts, *input_.inline)
        rows = sum(piece.rows for piece in pieces)
        if isinstance(input_, Snapshot) or input_.parts or rows > _SHARED_ROWS_MAX:
            return await self._read(item, input_, pieces, rows)
        # Dataflows that go together read the same: known by the identity of what commits made.
        key = item.shard, item.fallible, input_.lower, input_.upper, tuple(map(id, pieces))
        known = self._changes.get(key)
        if known is not None and known[1] == input_.desc:
            return known[2]
        change = await self._read(item, input_, pieces, rows)
        self._changes.put(key, (pieces, input_.desc, change))
        return change

    async def _read(self, item: Import, input_: Input, pieces: tuple[Piece, ...], rows: int) -> ImportChange:
        small = rows <= LITERAL_ROWS_MAX and sum(piece.bytes for piece in pieces) <= LITERAL_BYTES_MAX
        here = pieces if small or input_.desc.arity == 0 else input_.inline
        tables = [await self._updates_of(piece, input_) for piece in here]

        def decoded() -> tuple[Change, pa.Table]:
            # In one piece first: every commit's rows are a chunk, and each step would go through them one by one.
            whole = pa.concat_tables([updates_schema(input_.desc).empty_table(), *tables]).combine_chunks()
            updates, errors = split_errors(item, at_times_of(input_, whole))
            return local_change(updates, self._scratch), errors

        # Long texts are written to a file: not on the event loop. Pieces tell their bytes compressed.
        held, errors = await self._places.work(max(rows, sum(each.nbytes for each in tables) // _ROW_BYTES), decoded)
        parts = input_.parts if len(here) < len(pieces) else ()
        if not parts:
            return ImportChange(held, (lambda _session: errors) if errors.num_rows else None)
        paths = dict(
            zip(parts, await asyncio.gather(*(self._files.path(part, input_.shard) for part in parts)), strict=True)
        )

        def all_updates(session: SparkSession) -> DataFrame:
            """Returns the parts' updates with all columns of the shard, including errors."""
            frames = [
                _group(session, input_, group, [paths[part] for part in group]) for group in _alike(input_, parts)
            ]
            frame = frames[0]
            for other in frames[1:]:
                frame = frame.unionAll(other)
            return frame

        def rows_of(session: SparkSession) -> DataFrame:
            frame = all_updates(session)
            if item.fallible:
                name = stored_error_column(item)
                frame = frame.where(F.col(name).isNull())
                frame = frame.drop(name) if item.error_at is None else frame
            return frame.unionAll(held.frame(session))

        def errors_of(session: SparkSession) -> pa.Table:
            name = stored_error_column(item)
            frame = all_updates(session).where(F.col(name).isNotNull()).select(name, TIME_COLUMN, DIFF_COLUMN)
            batches: list[pa.RecordBatch] = []
            collect_batches(frame, batches.append)
            found = [pa.Table.from_batches([batch]).rename_columns(ERRORS.names).cast(ERRORS) for batch in batches]
            return pa.concat_tables([errors, *found])

        return ImportChange(Change(rows, rows_of), errors_of if item.fallible else None)

    async def _updates_of(self, piece: Piece, input_: Input) -> pa.Table:
        if not isinstance(piece, InlineBatch):
            return await read_piece(piece, input_.desc, input_.shard, self._places.blob, self._places.runner)
        # Known by its identity, which states that follow each other share; it is held, so that no other has it.
        known = self._tables.get(id(piece))
        if known is not None and known[0] is piece and known[1] == input_.desc:
            return known[2]
        table = decode_piece(piece, piece.payload, input_.desc, input_.shard, "an inline batch")
        self._tables.put(id(piece), (piece, input_.desc, table))
        return table


def _alike(input_: Input, parts: Sequence[Part]) -> list[list[Part]]:
    """Groups parts that one scan can read: equal columns, and equal constants in place of the others."""
    groups: dict[tuple[object, ...], list[Part]] = {}
    for part in parts:
        time = part.time if isinstance(input_, Changes) else None
        cut = part.time_max is not None and isinstance(input_, Snapshot) and part.time_max > input_.as_of
        groups.setdefault((part.time_column, part.diff, time, cut), []).append(part)
    return list(groups.values())


def _group(session: SparkSession, input_: Input, parts: Sequence[Part], paths: Sequence[str]) -> DataFrame:
    """Returns the updates of similar parts, at the times that the tick sees."""
    part = parts[0]
    row_columns = list(spark_schema(input_.desc).fields)
    fields = list(row_columns)
    if part.time_column:
        fields.append(StructField(TIME_COLUMN, LongType()))
    if part.diff_column:
        fields.append(StructField(DIFF_COLUMN, LongType()))
    frame = conformed_frame(session.read.schema(StructType(fields)).parquet(*paths), input_.desc)
    time = F.col(TIME_COLUMN) if part.time_column else F.lit(part.time).cast("long")
    diff = F.col(DIFF_COLUMN) if part.diff_column else F.lit(part.diff).cast("long")
    seen: Column
    match input_:
        case Changes(lower=lower, upper=upper):
            if part.time_column:
                frame = frame.where((time >= lower) & (time < upper))
            seen = time
        case Snapshot(as_of=as_of):
            if part.time_column:
                frame = frame.where(time <= as_of)
            seen = F.lit(as_of).cast("long")
    columns = [F.col(field.name) for field in row_columns]
    return frame.select(*columns, seen.alias(TIME_COLUMN), diff.alias(DIFF_COLUMN))
