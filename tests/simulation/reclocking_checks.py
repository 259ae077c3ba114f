"""What no read of a source may show, and no history of its shards. Each check gives sentences, one for a violation."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from connectors.gauge import Partition, UpstreamFrontier, is_note
from model.ids.global_id import GlobalId
from model.time.timestamp import TIMESTAMP_MIN
from model.updates.update import Update, updates_from_arrow
from planner.catalog_view import QualifiedName
from storage.persist.snapshot import read_changes
from tests.compute.ingestions.log import Log
from tests.simulation.incarnation import Incarnation

Contents = Counter[tuple[object, ...]]
Bounds = Mapping[Partition, int]


@dataclass(frozen=True, slots=True)
class SourceRead:
    """All collections of a source at `timestamp`, asked and answered at these moments. `kept` is what a view over its
    progress holds, `counts` what one over the source does: the rows of each partition."""

    asked: int
    answered: int
    timestamp: int
    rows: Contents
    progress: Bounds
    kept: Bounds
    counts: Bounds
    as_of: bool


def observed(reads: Sequence[SourceRead], log: Log) -> Iterator[str]:
    """Each read is of one state, and of the one that its progress names; timestamps follow real time."""
    answers: dict[int, SourceRead] = {}
    for read in reads:
        rows = _rows_below(log, read.progress)
        if read.kept != read.progress:
            yield f"at {read.timestamp} progress is {read.progress}, and a view over it says {read.kept}"
        if read.rows != rows:
            yield f"at {read.timestamp} progress is {read.progress}, and there is {read.rows}"
        if read.counts != dict(Counter(partition for _, partition, _ in rows)):
            yield f"at {read.timestamp} progress is {read.progress}, and the view says {read.counts}"
        if log.whole and read.progress not in log.cuts:
            yield f"at {read.timestamp} progress is {read.progress}: part of a transaction"
        first = answers.setdefault(read.timestamp, read)
        if (first.progress, first.rows) != (read.progress, read.rows):
            yield f"two answers at {read.timestamp}: {first.progress} and {read.progress}"
    newest = sorted((read for read in reads if not read.as_of), key=lambda read: read.asked)
    for before, after in itertools.combinations(newest, 2):
        if before.answered < after.asked and before.timestamp > after.timestamp:
            yield f"a read at {after.timestamp} began after one at {before.timestamp} had ended"


async def recorded(life: Incarnation, log: Log) -> list[str]:
    """At each time the source's shard holds what its remap's says of the log, whole transactions, and never less than
    before; what was written at t says how much there was right before t."""
    source, told = _id_of(life, "s"), _id_of(life, "told")
    bindings = await _updates(life, GlobalId.remapping(source))
    rows = await _updates(life, source)
    frontier: dict[Partition, int] = {}
    contents: Contents = Counter()
    amounts: dict[int, dict[str, int]] = {}
    found = []
    for time in sorted({update.time for update in (*bindings, *rows)}):
        for update in bindings:
            if update.time == time:
                (partition,) = update.row
                assert isinstance(partition, int)
                if is_note(partition):
                    continue
                if update.diff < 0:
                    found.append(f"partition {partition} went back at {time}")
                frontier[partition] = frontier.get(partition, 0) + update.diff
        for update in rows:
            if update.time == time:
                contents[update.row[:-1]] += update.diff
        if contents != _rows_below(log, frontier):
            found.append(f"at {time} {frontier} is bound, and there is {contents}")
        if log.whole and frontier not in log.cuts:
            found.append(f"at {time} {frontier} is bound: part of a transaction")
        amounts[time] = _amounts(contents, frontier)
    for update in await _updates(life, told):
        what, count = update.row
        before = [time for time in amounts if time < update.time]
        so = amounts[max(before)] if before else _amounts(Counter(), {})
        if so[str(what)] != count:
            found.append(f"{update.row} was written at {update.time}, when {so} was so")
    return found


def _amounts(contents: Contents, frontier: UpstreamFrontier) -> dict[str, int]:
    """What clients count."""
    rows = contents.total()
    indexed = sum(count for (_, partition, _), count in contents.items() if partition == 1)
    bound = sum(frontier.values())
    return {"s": rows, "v": rows, "progress": bound, "p": bound, "indexed": indexed}


def _rows_below(log: Log, frontier: UpstreamFrontier) -> Contents:
    return Counter({row[:-1]: count for row, count in log.rows_below(frontier).items()})


def _id_of(life: Incarnation, name: str) -> GlobalId:
    item = life.environment.catalog.state.find(QualifiedName("headwater", "public", name))
    assert item is not None
    return item.id


async def _updates(life: Incarnation, id_: GlobalId) -> list[Update]:
    """All updates of a collection of which nothing was compacted."""
    storage = life.environment.storage
    await storage.load([id_])
    upper = storage.frontiers(id_).upper.time
    assert upper is not None
    changes = storage.reads.updates_between(id_, TIMESTAMP_MIN, upper)
    return updates_from_arrow(await read_changes(changes, storage.blob), storage.desc(id_))
