"""CHECK INDEX: the difference between an index's rows and its definition's; neither need fit in memory."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from catalog.nouns.items import Index
from compute.controller.pending import IndexPeekRequest, PeekRequest
from compute.replica.contents.difference import PORTION_ROWS, Difference
from compute.replica.dataflows.outputs import index_name
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, rows_from_arrow, updates_schema
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.ir.relation import Finishing, Relation
from server.environment.environment import Environment

_ROWS_UNKNOWN = 16 * PORTION_ROWS
_ROWS_A_BATCH = 4096


async def index_differences(
    environment: Environment, index: Index, desc: RelationDesc, definition: Relation, timestamp: Timestamp
) -> AsyncGenerator[Sequence[Row]]:
    """Yields the differences, in batches: the surplus of each row (negative: missing), then the row.

    `definition` reads stored collections, held at the timestamp and complete there.
    """
    schema = updates_schema(desc)
    schema = schema.remove(schema.get_field_index(TIME_COLUMN))
    whole = Finishing((), None, None, tuple(range(desc.arity)))
    runner = environment.storage.runner
    difference = Difference(schema, Path(tempfile.gettempdir()), 2 * _rows_expected(environment, index))

    async def add(batches: AsyncIterator[pa.RecordBatch], sign: int) -> None:
        async for batch in batches:
            table = pa.Table.from_batches([batch.select(schema.names[:-1])])
            signs = pa.array(np.full(batch.num_rows, sign, np.int64))
            signed = table.append_column(DIFF_COLUMN, signs).cast(schema)
            await runner.run(lambda: difference.add(signed))  # noqa: B023 (it is awaited)

    try:
        controller = environment.dataflows.controller
        with controller.hold(index.collection, timestamp):
            imports = environment.collections.imports_of(definition)
            request = PeekRequest(definition, imports, timestamp, whole, cluster=index.cluster)
            async with contextlib.aclosing(environment.compute.peek(request)) as batches:
                await add(batches, -1)
            await controller.progress.wait_for_upper(index.collection, timestamp)
            asked = IndexPeekRequest(index.collection, None, timestamp, whole)
            async with contextlib.aclosing(environment.compute.peek_index(asked)) as batches:
                await add(batches, 1)
        tables = difference.tables()
        while (table := await runner.run(lambda: next(tables, None))) is not None:
            for start in range(0, table.num_rows, _ROWS_A_BATCH):
                yield _rows(table.slice(start, _ROWS_A_BATCH), desc)
    finally:
        difference.close()


def _rows_expected(environment: Environment, index: Index) -> int:
    """Returns the index's number of rows as last reported, in updates, of which a row may have several."""
    known = environment.dataflows.measures(index.collection)
    if known is None:
        return _ROWS_UNKNOWN
    return sum(each.rows for each in known.arrangements if each.name == index_name(index.collection))


def _rows(table: pa.Table, desc: RelationDesc) -> list[Row]:
    diffs = table.column(DIFF_COLUMN).to_pylist()
    return [(diff, *row) for diff, row in zip(diffs, rows_from_arrow(table, desc), strict=True)]
