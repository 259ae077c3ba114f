"""EXPLAIN TIMESTAMP: the time of a read, the reasons, and the frontiers of all inputs."""

from __future__ import annotations

import datetime
from contextlib import ExitStack

from model.ids.global_id import GlobalId, Namespace
from planner.ir.query import AsOf
from server.objects.maintained.as_of import Bounds
from server.planning.access import UsedIndex
from server.planning.statement_plans import Planned
from server.reads.index_reading import IndexReader
from server.reads.reading import Reader
from server.transactions.execution import Execution


def item_name(id_: GlobalId, execution: Execution) -> str:
    """Returns an object's name and id, for people."""
    if id_.namespace is Namespace.REMAPPING:
        return f"the remap collection of {item_name(GlobalId.user(id_.number), execution)}"
    item = execution.catalog.items.get(id_)
    return str(id_) if item is None else f"{execution.catalog.full_name(item)} ({id_})"


async def timestamp_lines(planned: Planned, as_of: AsOf | None, execution: Execution) -> list[str]:
    reader = Reader(execution.environment, execution)
    reads, indexes = planned.reads, _indexes(planned, IndexReader(execution.environment, execution))
    with ExitStack() as holds:
        answer = await reader.choose(reads, set(reads.user), as_of, holds, [index.collection for index in indexes])
    wall = datetime.datetime.fromtimestamp(answer.timestamp / 1000, datetime.UTC)
    lines = [
        f"                query timestamp: {answer.timestamp} ({wall:%Y-%m-%d %H:%M:%S.%f})",
        f"          oracle read timestamp: {answer.read_ts}",
        f"largest not in advance of upper: {'-' if answer.upper.time is None else answer.upper.time - 1}",
        f"                          upper: {answer.upper}",
        f"                          since: {answer.since}",
        f"        can respond immediately: {str(answer.complete).lower()}",
        "",
        "reasons:",
        *(f"  {reason}" for reason in answer.reasons),
    ]
    for id_ in sorted(reads.user):
        bounds = execution.environment.collections.frontiers(id_)
        lines += _source("source", id_, bounds, execution)
    for index in indexes:
        lines += _source("index", index.item, execution.environment.dataflows.bounds(index.collection), execution)
    return lines


def _indexes(planned: Planned, reader: IndexReader) -> list[UsedIndex]:
    """Returns the indexes that may answer."""
    found = [] if planned.access is None or not reader.usable_for(planned.access) else [planned.access.index]
    if planned.arranged is not None and reader.usable_together(planned.arranged):
        found += planned.arranged.indexes
    return list(dict.fromkeys(found))


def _source(kind: str, id_: GlobalId, bounds: Bounds, execution: Execution) -> list[str]:
    return [
        "",
        f"{kind} {item_name(id_, execution)}:",
        f"  read frontier:  {bounds.since}",
        f"  write frontier: {bounds.upper}",
    ]
