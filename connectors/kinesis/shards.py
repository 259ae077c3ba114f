"""Decides which shards of a stream to read: those that have begun and not ended, by their bounds. Pure.

A shard that is split or merged is closed: it gets an ending sequence number, and its children continue it. The children
are read after the whole parent: then one step binds the parent behind the ending, and the children at the starts. So
the remap tells of each shard whether the shard has begun and ended, even when upstream has forgotten the shard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from connectors.gauge import Partition, UpstreamFrontier
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_ID = re.compile(r"shardId-(\d{12,})")


def seen(shard: int) -> Partition:
    """Returns the partition of the remap that says when a shard was last seen to have nothing more, in ms since
    1970."""
    return -1 - shard


@dataclass(frozen=True, slots=True)
class StreamShard:
    """A shard, whose sequence numbers are from `start` on, and up to `ending` once it is closed."""

    number: int
    start: int
    ending: int | None
    parents: tuple[int, ...]

    @property
    def id(self) -> str:
        return f"shardId-{self.number:012d}"

    def drained(self, frontier: UpstreamFrontier) -> bool:
        """Tells whether all of the shard is below the frontier."""
        return self.ending is not None and frontier.get(self.number, 0) > self.ending


Shards = Mapping[int, StreamShard]


def shard_of(told: Mapping[str, Any]) -> StreamShard:
    """Reads a shard from an answer of ListShards."""
    parents = (told.get(name) for name in ("ParentShardId", "AdjacentParentShardId"))
    numbers = told["SequenceNumberRange"]
    ending = numbers.get("EndingSequenceNumber")
    return StreamShard(
        _number(told["ShardId"]),
        int(numbers["StartingSequenceNumber"]),
        None if ending is None else int(ending),
        tuple(_number(parent) for parent in parents if parent is not None),
    )


def _number(id_: str) -> int:
    found = _ID.fullmatch(id_)
    if found is None:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f'shards like "{id_}" are not supported')
    return int(found[1])


def first_shards(shards: Shards) -> dict[Partition, int]:
    """Returns the frontier of a stream's beginning: the starts of the shards whose parents are gone."""
    return {
        shard.number: shard.start for shard in shards.values() if not any(parent in shards for parent in shard.parents)
    }


def open_shards(shards: Shards, frontier: UpstreamFrontier) -> list[StreamShard]:
    """Returns the shards to read now, sorted."""
    return [shard for _, shard in sorted(shards.items()) if _begun(shard, shards, frontier)]


def _begun(shard: StreamShard, shards: Shards, frontier: UpstreamFrontier) -> bool:
    if shard.drained(frontier):
        return False
    return shard.number in frontier or _parents_drained(shard, shards, frontier)


def _parents_drained(shard: StreamShard, shards: Shards, frontier: UpstreamFrontier) -> bool:
    return all(parent not in shards or shards[parent].drained(frontier) for parent in shard.parents)


def behind(shard: StreamShard, shards: Shards, frontier: UpstreamFrontier) -> dict[Partition, int]:
    """Returns the step that ends a shard read completely: it is bound behind its ending, and the children that begin
    with that at their starts. Empty while the stream does not report the ending."""
    if shard.ending is None:
        return {}
    step: dict[Partition, int] = {shard.number: shard.ending + 1}
    after = {**frontier, **step}
    children = (each for each in shards.values() if shard.number in each.parents and each.number not in frontier)
    return step | {each.number: each.start for each in children if _parents_drained(each, shards, after)}


def lost_shards(shards: Shards, frontier: UpstreamFrontier) -> Iterable[int]:
    """Returns the shards that were not read to their ends, and are gone upstream though a child of theirs is there:
    their records are lost."""
    gone = {each for each in frontier if each not in shards}
    return sorted(
        {parent for shard in shards.values() if shard.number not in frontier for parent in shard.parents} & gone
    )
