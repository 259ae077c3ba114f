"""How far a source is bound, as rows: a remap collection with its multiplicities as a column.

A remap collection holds a partition as often as its bound says. Whoever reads it wants (partition, bound) once; so the
collection is read as that, at a time or from one time to another, and never row by row. Notes are those of
upstream's reader, and nobody else's.
"""

from __future__ import annotations

import pyarrow as pa
from msgspec.structs import replace

from connectors.gauge import Partition, is_note
from connectors.sources.remap import bound_frontier, increments_of
from model.physical.columns import TIME_COLUMN, arrow_schema, column_name, updates_schema
from model.time.timestamp import TIMESTAMP_MAX, TIMESTAMP_MIN, Timestamp
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import TEXT
from storage.persist.batch import encode_inline
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.snapshot import Changes, Snapshot, read_changes, read_snapshot, snapshot, updates_between
from storage.persist.state import InlineBatch, ShardState


async def counted_snapshot(
    state: ShardState, as_of: Timestamp, desc: RelationDesc, blob: Blob, runner: Runner
) -> Snapshot:
    """Returns the remap collection at `as_of` as rows of `desc`: its columns, then each row's multiplicity. Errors as
    `snapshot` and `read_snapshot`."""
    bound = bound_frontier(await read_snapshot(snapshot(state, as_of), blob, runner))
    frontier = {partition: upto for partition, upto in bound.items() if not is_note(partition)}
    rows = pa.table([list(frontier), _shown(list(frontier.values()), desc)], schema=arrow_schema(desc))
    inline = (_at(encode_inline(rows, desc), as_of),) if rows.num_rows else ()
    return Snapshot(state.shard, as_of, desc, (), inline, consolidated=True)


async def counted_changes(
    state: ShardState, lower: Timestamp, upper: Timestamp, desc: RelationDesc, blob: Blob, runner: Runner
) -> Changes:
    """Returns how the rows of `counted_snapshot` change at times in [lower, upper); the state is readable at lower -
    1."""
    frontier: dict[Partition, int] = {}
    if lower > TIMESTAMP_MIN:
        frontier = bound_frontier(await read_snapshot(snapshot(state, Timestamp(lower - 1)), blob, runner))
    changes = await read_changes(updates_between(state, lower, upper), blob, runner)
    # A wide bound moves by several updates at a time.
    moves: dict[tuple[Partition, int], int] = {}
    places = (changes.column(name).to_pylist() for name in (column_name(0), TIME_COLUMN))
    for partition, time, increment in zip(*places, increments_of(changes), strict=True):
        moves[partition, time] = moves.get((partition, time), 0) + increment
    rows: list[tuple[Partition, int, int, int]] = []
    for (partition, time), increment in sorted(moves.items(), key=lambda move: move[0][1]):
        if is_note(partition):
            continue
        before = frontier.get(partition, 0)
        frontier[partition] = before + increment
        if before:
            rows.append((partition, before, time, -1))
        rows.append((partition, before + increment, time, 1))
    partitions, bounds, *rest = map(list, zip(*rows, strict=True)) if rows else [[]] * 4
    updates = pa.table([partitions, _shown(bounds, desc), *rest], schema=updates_schema(desc))
    inline = (encode_inline(updates, desc),) if rows else ()
    return Changes(state.shard, lower, min(upper, TIMESTAMP_MAX), desc, (), inline)


def _shown(bounds: list[int], desc: RelationDesc) -> list[int] | list[str]:
    """Returns numbers as users see them: those that no number of theirs holds are text."""
    return list(map(str, bounds)) if desc.columns[1].type == TEXT else bounds


def _at(batch: InlineBatch, time: Timestamp) -> InlineBatch:
    return replace(batch, time=time, time_min=time, time_max=time)
