"""The input of a sink's transaction: taken up piece by piece, then cut into portions.

Pieces are decoded one after the other, and spooled beyond a size; a portion has all updates of its keys. A transaction
of any size therefore takes the memory of a portion.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.protocol.dataflow import Import
from compute.replica.contents.difference import Difference
from compute.replica.contents.fallible import ERROR_COLUMN, ERRORS, split_errors
from compute.replica.dataflows.direct import at_times_of
from compute.replica.dataflows.exports.tick_updates import TickUpdates
from compute.replica.dataflows.maintained import Input
from compute.replica.running.places import Places
from compute.replica.sinks.key_ranges import RangeStand, not_there_yet
from connectors.sinks.description import SinkDescription
from connectors.sinks.documents import (
    changed_documents,
    documents_at,
    keyed_documents,
    projected,
    touched_documents,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_type, column_name
from model.physical.shown_numerics import shown_name
from model.time.timestamp import Timestamp
from model.updates.consolidate import consolidate
from storage.persist.snapshot import read_piece
from storage.persist.state import Piece, ShardState

_PORTION_ROWS = 1 << 17
"""A portion is combined in memory."""
STORE_ROWS = 16_384
"""So many documents go to a driver at once."""


def import_of(sink: SinkDescription) -> Import:
    """Returns the sink's input as an import."""
    return Import(sink.sink, sink.input, sink.desc, sink.fallible, error_at=sink.error_at)


class InputUpdates:
    """The updates of one transaction: `read` first; `close` last. `stands` are the frontiers of ranges of keys that
    have come apart."""

    def __init__(
        self,
        sink: SinkDescription,
        places: Places,
        portion_rows: int = _PORTION_ROWS,
        *,
        stands: Sequence[RangeStand] = (),
    ) -> None:
        self._sink = sink
        self._places = places
        self._stands = stands
        self._portion_rows = portion_rows
        self._import = import_of(sink)
        fields = [
            pa.field(column_name(at), arrow_type(column.type)) for at, column in enumerate(sink.documents.columns)
        ]
        fields += [pa.field(shown_name(at), pa.int32()) for at in sink.shown]
        self._schema = pa.schema([*fields, pa.field(TIME_COLUMN, pa.int64()), pa.field(DIFF_COLUMN, pa.int64())])
        self._spool = TickUpdates(self._schema, places.directory)
        self._errors = [ERRORS.empty_table()]

    async def read(self, input_: Input) -> None:
        """Takes up the input's updates at the times it covers."""
        for piece in (*input_.parts, *input_.inline):
            table = await read_piece(piece, input_.desc, input_.shard, self._places.blob, self._places.runner)
            await self._places.work(piece.rows, partial(self._take, input_, table))

    def _take(self, input_: Input, table: pa.Table) -> None:
        rows, errors = split_errors(self._import, at_times_of(input_, table))
        self._spool.take(not_there_yet(projected(rows, self._sink), self._sink, self._stands))
        if errors.num_rows:
            self._errors.append(errors)

    @property
    def rows(self) -> int:
        """Returns the number of updates."""
        return self._spool.rows

    def failure(self) -> tuple[Timestamp, SqlError] | None:
        """Returns the time of the first error still live at the end, and the least error; None without errors."""
        errors = pa.concat_tables(self._errors)
        live = consolidate(errors.drop_columns([TIME_COLUMN]))
        if not live.num_rows:
            return None
        sqlstate, _, message = min(live.column(ERROR_COLUMN).to_pylist()).partition(" ")
        since = Timestamp(pc.min(errors.column(TIME_COLUMN)).as_py())
        return since, SqlError(Sqlstate(sqlstate), message, detail="What the sink reads has this error.")

    async def documents(self, upper: Timestamp, *, touched: bool = False) -> AsyncGenerator[pa.Table, None]:
        """Yields the documents of updates before `upper`, as many at once as fit into a message. With `touched`,
        documents of all keys among the updates, even unchanged ones."""
        making = partial(changed_documents)
        if self._sink.key is not None:
            making = partial(touched_documents if touched else keyed_documents, sink=self._sink)
        async with aclosing(self._made(upper, making, timed=touched or self._sink.key is None)) as made:
            async for each in made:
                yield each

    async def documents_at(
        self, closing: Timestamp, lower: Timestamp, upper: Timestamp
    ) -> AsyncGenerator[pa.Table, None]:
        """Yields the documents right before `closing`, of all keys with updates in [lower, upper). All rows right
        before `lower` were `read`, too."""
        making = partial(documents_at, sink=self._sink, lower=lower, closing=closing)
        async with aclosing(self._made(upper, making, timed=True)) as made:
            async for each in made:
                yield each

    async def _made(
        self, upper: Timestamp, making: Callable[[pa.Table], pa.Table], *, timed: bool
    ) -> AsyncGenerator[pa.Table, None]:
        async with aclosing(self.portions(upper, timed=timed)) as portions:
            async for portion in portions:
                made = await self._places.work(portion.num_rows, partial(making, portion))
                for start in range(0, made.num_rows, STORE_ROWS):
                    yield made.slice(start, STORE_ROWS)

    async def portions(self, upper: Timestamp, *, timed: bool) -> AsyncGenerator[pa.Table, None]:
        """Yields the updates before `upper`, consolidated, all of a key's in one table; with `timed`, including
        times."""
        schema = self._schema if timed else self._schema.remove(self._schema.get_field_index(TIME_COLUMN))
        by = None if self._sink.key is None else [column_name(place) for place in self._sink.key]
        portions = Difference(schema, self._places.directory, self.rows, self._portion_rows, by=by)
        try:
            for chunk in self._spool.chunks():
                taken = chunk.filter(pc.less(chunk.column(TIME_COLUMN), upper)).select(schema.names)
                await self._places.work(taken.num_rows, partial(portions.add, taken))
            async for portion in self._places.each(self.rows, portions.tables()):
                yield portion
        finally:
            portions.close()

    def close(self) -> None:
        self._spool.close()


def pieces_between(state: ShardState, lower: Timestamp, upper: Timestamp) -> list[Piece]:
    """Returns the pieces of a shard that may have updates in [lower, upper)."""
    pieces = (piece for batch in state.batches for piece in batch.pieces)
    return [
        piece
        for piece in pieces
        if piece.time_min is not None
        and piece.time_max is not None
        and piece.time_min < upper
        and lower <= piece.time_max
    ]


def closing_time(state: ShardState, lower: Timestamp, upper: Timestamp, rows_max: int) -> Timestamp:
    """Returns the time to close a transaction from `lower` on with `rows_max` rows or little more, judging by
    pieces."""
    pieces = sorted(pieces_between(state, lower, upper), key=lambda piece: piece.time_min or 0)
    total = np.cumsum([piece.rows for piece in pieces], dtype=np.int64)
    for at in range(1, len(pieces)):
        begins = pieces[at].time_min
        assert begins is not None, "it has updates"
        if total[at] > rows_max and begins > lower and begins > (pieces[at - 1].time_min or 0):
            return Timestamp(begins)
    return upper
