"""Finds changes of relations without updates of their own by looking at them: system relations.

    contents(t) − contents(the time looked at before)     are the changes at t

Relations are looked at once a time is complete: at all times at which the catalog changed, and once per period. So
contents from the catalog change at exactly their times, and other contents at the time of the look that found the
change.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from model.errors.sql_error import NotSupported
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, has_physical_form, rows_to_arrow
from model.time.antichain import Antichain
from model.time.clock import Clock
from model.time.timestamp import Timestamp, step_forward
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import type_text
from model.updates.consolidate import consolidate
from storage.subscription import Progress, SubscriptionEvent, Updates

PERIOD_S = 1.0


class Observable(Protocol):
    """A relation that can be looked at."""

    async def settled(self, time: Timestamp) -> list[Timestamp]:
        """Waits until `time` is complete; returns the times from there on at which to look, the last of them the
        newest complete one."""
        ...

    async def contents(self, time: Timestamp) -> list[Row]:
        """Returns the rows at a complete time; raises SqlError when the query fails then."""
        ...


async def observed_events(
    observed: Observable, desc: RelationDesc, as_of: Timestamp, clock: Clock, *, snapshot: bool
) -> AsyncGenerator[SubscriptionEvent]:
    """Yields the contents at `as_of`, then every change that is found, without end. Raises 0A000 for columns of a
    type that no collection can hold."""
    for column in desc.columns:
        if not has_physical_form(column.type):
            hint = f'SUBSCRIBE to a query that leaves out or casts "{column.name}".'
            raise NotSupported(f"SUBSCRIBE to columns of type {type_text(column.type)}", hint=hint)
    await observed.settled(as_of)
    before = _counted(await observed.contents(as_of), desc)
    if snapshot and before.num_rows:
        yield Updates(_at(before, as_of))
    frontier = step_forward(as_of)
    yield Progress(Antichain(frontier))
    while True:
        for time in await observed.settled(frontier):
            after = _counted(await observed.contents(time), desc)
            change, before = consolidate(pa.concat_tables([after, _negated(before)])), after
            if change.num_rows:
                yield Updates(_at(change, time))
            frontier = step_forward(time)
            yield Progress(Antichain(frontier))
        await clock.sleep(PERIOD_S)


def _counted(rows: list[Row], desc: RelationDesc) -> pa.Table:
    """Returns c0…, diff; consolidated."""
    return consolidate(rows_to_arrow(rows, desc).append_column(DIFF_COLUMN, pa.array([1] * len(rows), pa.int64())))


def _negated(table: pa.Table) -> pa.Table:
    at = table.num_columns - 1
    return table.set_column(at, table.schema.field(at), pc.negate(table.column(at)))


def _at(table: pa.Table, time: Timestamp) -> pa.Table:
    """Returns c0…, time, diff."""
    return table.add_column(table.num_columns - 1, TIME_COLUMN, pa.array([int(time)] * table.num_rows, pa.int64()))
