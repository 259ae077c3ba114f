"""How far a source is bound, as rows: a remap collection with its multiplicities as a column.

A remap collection holds a partition as often as its bound says. Whoever reads it wants (partition, bound) once; so the
collection is read as that, at a time or from one time to another, and never row by row.
"""

from __future__ import annotations

import pyarrow as pa
from msgspec.structs import replace

from model.physical import DIFF_COLUMN, TIME_COLUMN, arrow_schema, column_name, updates_schema
from model.relation_desc import RelationDesc
from model.timestamp import TIMESTAMP_MAX, TIMESTAMP_MIN, Timestamp
from storage.persist.batch import encode_inline
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.snapshot import Changes, Snapshot, read_changes, read_snapshot, snapshot, updates_between
from storage.persist.state import InlineBatch, ShardState
from storage.sources.gauge import Partition
from storage.sources.remap import bound_frontier


async def counted_snapshot(
    state: ShardState, as_of: Timestamp, desc: RelationDesc, blob: Blob, runner: Runner
) -> Snapshot:
    """The remap collection at `as_of` as rows of `desc`: its columns, then each row's multiplicity. Errors as
    `snapshot` and `read_snapshot`."""
    frontier = bound_frontier(await read_snapshot(snapshot(state, as_of), blob, runner))
    rows = pa.table(
        [list(frontier), list(frontier.values())],
        schema=arrow_schema(desc),
    )
    inline = (_at(encode_inline(rows, desc), as_of),) if rows.num_rows else ()
    return Snapshot(state.shard, as_of, desc, (), inline, consolidated=True)


async def counted_changes(
    state: ShardState, lower: Timestamp, upper: Timestamp, desc: RelationDesc, blob: Blob, runner: Runner
) -> Changes:
    """How the rows of `counted_snapshot` change at times in [lower, upper); the state is readable at lower - 1."""
    frontier: dict[Partition, int] = {}
    if lower > TIMESTAMP_MIN:
        frontier = bound_frontier(await read_snapshot(snapshot(state, Timestamp(lower - 1)), blob, runner))
    changes = await read_changes(updates_between(state, lower, upper), blob, runner)
    rows: list[tuple[Partition, int, int, int]] = []
    columns = (column_name(0), TIME_COLUMN, DIFF_COLUMN)
    for partition, time, increment in zip(*(changes.column(name).to_pylist() for name in columns), strict=True):
        before = frontier.get(partition, 0)
        frontier[partition] = before + increment
        if before:
            rows.append((partition, before, time, -1))
        rows.append((partition, before + increment, time, 1))
    updates = pa.table(list(map(list, zip(*rows, strict=True))) or [[]] * 4, schema=updates_schema(desc))
    inline = (encode_inline(updates, desc),) if rows else ()
    return Changes(state.shard, lower, min(upper, TIMESTAMP_MAX), desc, (), inline)


def _at(batch: InlineBatch, time: Timestamp) -> InlineBatch:
    return replace(batch, time=time, time_min=time, time_max=time)
