"""A dataflow without computation: its outputs are collections as stored. An index on a table needs no Spark.

Pieces of shards are decoded one by one, so a table of any size passes through.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import CheckpointSize
from compute.protocol.dataflow import DataflowDescription, Import
from compute.replica.contents.fallible import split_errors
from compute.replica.dataflows.kept import KeptState
from compute.replica.dataflows.maintained import Company, Input, Kept, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.running.places import Places
from model.ids.global_id import GlobalId
from model.physical.columns import TIME_COLUMN
from model.time.timestamp import Timestamp
from storage.persist.snapshot import Changes, Snapshot, read_piece
from storage.persist.state import Piece


class Direct:
    """A dataflow that arranges nothing but its exports."""

    def __init__(
        self, description: DataflowDescription, computation: Computation, state: KeptState, places: Places
    ) -> None:
        self._imports = {item.id: item for item in description.imports}
        self._computation = computation
        self._state = state
        self._places = places
        self._rows = 0
        self._rows_read = 0

    @property
    def kept(self) -> Kept | None:
        return self._state.kept

    @property
    def copied_from(self) -> str:
        return self._state.copied_from

    @property
    def consolidates(self) -> bool:
        return False

    @property
    def company(self) -> Company:
        return Company.FREE

    @property
    def arrangements(self) -> Mapping[str, Arrangement]:
        return self._state.arrangements

    async def prepared(self) -> None:
        return

    @property
    def stuck(self) -> bool:
        return False

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        self._rows = sum(piece.rows for input_ in inputs.values() for piece in (*input_.parts, *input_.inline))
        self._rows_read = 0
        for id_, input_ in inputs.items():
            for piece in (*input_.parts, *input_.inline):
                table = await read_piece(piece, input_.desc, input_.shard, self._places.blob, self._places.runner)
                give = partial(self._give, self._imports[id_], input_, piece, table, outputs)
                await self._places.work(piece.rows, give)
                self._rows_read += piece.rows
        return TickRows(self._rows_read, 0)

    async def share_read(self) -> float:
        return self._rows_read / self._rows if self._rows else 1.0

    async def waits_for(self) -> str:
        return ""

    def _give(self, item: Import, input_: Input, piece: Piece, table: pa.Table, outputs: Outputs) -> None:
        # A commit's piece mostly has no other times than the tick's.
        rows, errors = split_errors(item, table if _lies_within(piece, input_) else at_times_of(input_, table))
        for output, imports in self._computation.imports_of.items():
            if item.id in imports:
                outputs.take(output, rows)
                outputs.take_errors(output, errors)

    async def seal(self) -> None:
        return

    async def discard(self) -> None:
        return

    def next_due(self) -> Timestamp | None:
        return None

    def take(self, name: str, arrangement: Arrangement) -> Arrangement:
        return self._state.take(name, arrangement)

    def drop(self, names: Iterable[str]) -> None:
        self._state.drop(names)

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        return await self._state.checkpoint(upper, sinces)

    async def close(self) -> None:
        return

    async def delete(self) -> None:
        await self._state.delete()


def _lies_within(piece: Piece, input_: Input) -> bool:
    """Returns whether the input contains all updates of the piece."""
    return (
        isinstance(input_, Changes)
        and piece.time_min is not None
        and piece.time_max is not None
        and input_.lower <= piece.time_min
        and piece.time_max < input_.upper
    )


def at_times_of(input_: Input, updates: pa.Table) -> pa.Table:
    """Returns the updates of a piece within the input, at the times that a tick sees."""
    times = updates.column(TIME_COLUMN)
    match input_:
        case Changes(lower=lower, upper=upper):
            return updates.filter(pc.and_(pc.greater_equal(times, lower), pc.less(times, upper)))
        case Snapshot(as_of=as_of):
            updates = updates.filter(pc.less_equal(times, as_of))
            index = updates.schema.get_field_index(TIME_COLUMN)
            at = pa.array(np.full(updates.num_rows, as_of, np.int64))
            return updates.set_column(index, updates.schema.field(index), at)
