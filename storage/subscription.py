"""SubscribeAt: the contents at a time, then every update after it, with statements of progress in between.

Exactly correct: rows of the snapshot carry the snapshot's time; all updates occur at exactly their time; a progress
statement comes after all updates at times before it (source: seed 2, "Storage").
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name
from model.time.antichain import Antichain
from model.time.capability import ReadCapability
from model.time.timestamp import TIMESTAMP_MAX, Timestamp, step_back, step_forward
from model.updates.consolidate import consolidate
from storage.collection import Collection
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.snapshot import in_order_of_time, read_changes, read_snapshot, snapshot, updates_between


@dataclass(frozen=True, slots=True)
class Updates:
    """Columns c0, c1, … (of the projection), `time`, `diff`; consolidated, in order of time."""

    table: pa.Table


@dataclass(frozen=True, slots=True)
class Progress:
    """All updates at times before `frontier` have been given."""

    frontier: Antichain


SubscriptionEvent = Updates | Progress


@dataclass(frozen=True, slots=True)
class SubscribedShape:
    """The wanted rows and columns: `filter` over c0, c1, …, then the columns at `projection`."""

    filter: pc.Expression | None = None
    projection: Sequence[int] | None = None

    def of(self, table: pa.Table) -> pa.Table:
        if self.filter is not None:
            table = table.filter(self.filter)
        if self.projection is None:
            return table
        columns = [table.column(column_name(i)) for i in self.projection]
        names = [column_name(i) for i in range(len(columns))]
        columns += [table.column(TIME_COLUMN), table.column(DIFF_COLUMN)]
        narrowed = pa.table(columns, names=[*names, TIME_COLUMN, DIFF_COLUMN])
        return in_order_of_time(consolidate(narrowed))


class CapabilityChecks(Protocol):
    """The checks of a capability."""

    def validate(self, capability: ReadCapability) -> Collection: ...

    def check_in_force(self, capability: ReadCapability) -> None: ...


class SubscriptionSource(Protocol):
    """The part of the controller that a subscription needs."""

    @property
    def blob(self) -> Blob: ...

    @property
    def runner(self) -> Runner: ...

    def upper_of(self, collection: Collection) -> Antichain: ...

    async def wait_for_upper_of(self, collection: Collection, time: Timestamp) -> None: ...


async def subscribe(
    source: SubscriptionSource,
    checks: CapabilityChecks,
    capability: ReadCapability,
    shape: SubscribedShape,
    with_snapshot: bool,
) -> AsyncIterator[SubscriptionEvent]:
    """Ends after Progress of the empty frontier. Raises SqlError once the capability is no longer valid."""
    collection = checks.validate(capability)
    if capability.frontier.time is None:
        yield Progress(capability.frontier)
        return
    events = follow(source, collection, capability.frontier.time, shape, with_snapshot)
    async with contextlib.aclosing(events):
        async for event in events:
            checks.check_in_force(capability)
            yield event


async def follow(
    source: SubscriptionSource, collection: Collection, as_of: Timestamp, shape: SubscribedShape, with_snapshot: bool
) -> AsyncGenerator[SubscriptionEvent]:
    """Yields events like `subscribe`, under a volatile hold; raises SqlError when since has passed `as_of`, and
    40001 once a column has become wide."""
    with collection.take_hold(Antichain(as_of)) as hold:
        await source.wait_for_upper_of(collection, as_of)
        # The shape is of these columns: values of one that becomes wide come in another.
        known = collection.state.desc
        if with_snapshot:
            table = await read_snapshot(snapshot(collection.state, as_of), source.blob, source.runner)
            times = pa.array(np.full(table.num_rows, as_of, np.int64))
            table = shape.of(table.add_column(table.num_columns - 1, TIME_COLUMN, times))
            if table.num_rows > 0:
                yield Updates(table)
        frontier = Antichain(step_forward(as_of))
        yield Progress(frontier)
        while frontier.time is not None:
            await source.wait_for_upper_of(collection, frontier.time)
            upper = source.upper_of(collection)
            # Nothing is at or after an empty upper, so all that is left lies before the greatest time.
            until = TIMESTAMP_MAX if upper.time is None else upper.time
            state = collection.state
            changes = updates_between(state, frontier.time, until, known)
            hold.reads_from(state.seqno)
            if changes.parts or changes.inline:
                table = shape.of(await read_changes(changes, source.blob, source.runner))
                if table.num_rows > 0:
                    yield Updates(table)
            frontier = upper
            if frontier.time is not None:
                hold.downgrade(Antichain(step_back(frontier.time)))
            yield Progress(frontier)
