"""Chooses the source of a subscription's events.

a stored collection, perhaps some of its columns      its shard, read here; unless the contents are large
a relation without collections                       the interpreter, once
a relation over system relations                      repeated reads (observed.py)
any other relation                                    a dataflow of its own on the replica
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator

import pyarrow as pa

from compute.protocol.dataflow import DataflowDescription, Import, SubscribeExport
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, rows_to_arrow
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import consolidate
from planner.ir.relation import Get, Project, Relation
from storage.subscription import Progress, SubscriptionEvent, Updates


def stored_columns(relation: Relation) -> tuple[GlobalId, tuple[int, ...]] | None:
    """Returns the collection, and its columns, when the relation is only that; None otherwise."""
    match relation:
        case Get(id=id_, desc=desc):
            return id_, tuple(range(desc.arity))
        case Project(input=Get(id=id_), columns=columns):
            return id_, columns
        case _:
            return None


async def constant_events(
    batches: AsyncGenerator[list[Row]], desc: RelationDesc, as_of: Timestamp, *, snapshot: bool
) -> AsyncGenerator[SubscriptionEvent]:
    """Yields all rows of a constant relation at `as_of`, then ends."""
    async with contextlib.aclosing(batches):
        async for rows in batches:
            if not snapshot:
                break
            table = rows_to_arrow(rows, desc)
            for name, value in ((TIME_COLUMN, int(as_of)), (DIFF_COLUMN, 1)):
                table = table.append_column(name, pa.array([value] * len(rows), pa.int64()))
            yield Updates(consolidate(table))
    yield Progress(EMPTY)


async def ended_events(as_of: Timestamp) -> AsyncGenerator[SubscriptionEvent]:
    """Yields the end of a subscription that ends where it begins. (A dataflow with nothing to produce would never
    report its end.)"""
    yield Progress(Antichain(as_of))


def dataflow_of(
    relation: Relation,
    imports: tuple[Import, ...],
    ids: tuple[GlobalId, GlobalId],
    as_of: Timestamp,
    until: Timestamp | None,
    *,
    snapshot: bool,
) -> DataflowDescription:
    """Returns a dataflow whose one export is the relation's changes. `ids` are transient, for the relation and the
    export."""
    built, exported = ids
    return DataflowDescription(
        imports=imports,
        objects=((built, relation),),
        exports=(SubscribeExport(exported, built, snapshot),),
        as_of=Antichain(as_of),
        until=Antichain(until),
    )
