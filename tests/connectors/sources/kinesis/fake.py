"""A stream in memory, behind the calls that the reader makes: its shards split and merge, its sequence numbers
have 56 digits, what it has kept for long enough goes, and it throttles."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from botocore.exceptions import ClientError, EndpointConnectionError

_FIRST = 49_590_338_271_490_256_608_559_692_538_361_571_095_921_575_989_136_588_898
_PAGE = 2


def refusal(code: str, call: str) -> ClientError:
    """As boto raises it."""
    return ClientError({"Error": {"Code": code, "Message": "no"}}, call)


@dataclass
class FakeShard:
    """`records` by their sequence numbers; `next` is that of the next one."""

    number: int
    start: int
    parents: tuple[int, ...]
    ending: int | None = None
    records: dict[int, bytes] = field(default_factory=dict)

    @property
    def told(self) -> dict[str, Any]:
        numbers = {"StartingSequenceNumber": str(self.start)}
        if self.ending is not None:
            numbers["EndingSequenceNumber"] = str(self.ending)
        names = ("ParentShardId", "AdjacentParentShardId")
        parents = {name: _id(parent) for name, parent in zip(names, self.parents, strict=False)}
        return {"ShardId": _id(self.number), "SequenceNumberRange": numbers, **parents}


def _id(number: int) -> str:
    return f"shardId-{number:012d}"


class FakeStream:
    """`troubled` is how often a call in a hundred fails. While it is `away` nobody answers."""

    def __init__(self, chance: random.Random, shards: int = 1) -> None:
        self.chance = chance
        self.troubled = 0
        self.away = False
        self.refused: str | None = None
        self.shards: dict[int, FakeShard] = {}
        self._numbers: Iterator[int] = count(_FIRST, 7)
        for number in range(shards):
            self.shards[number] = FakeShard(number, next(self._numbers), ())

    # What happens to it

    @property
    def open(self) -> list[FakeShard]:
        return [shard for shard in self.shards.values() if shard.ending is None]

    def put(self, shard: int, data: bytes) -> int:
        sequence = next(self._numbers)
        self.shards[shard].records[sequence] = data
        return sequence

    def split(self, number: int) -> None:
        self._replace((number,), 2)

    def merge(self, one: int, other: int) -> None:
        self._replace((one, other), 1)

    def _replace(self, parents: tuple[int, ...], children: int) -> None:
        for parent in parents:
            assert self.shards[parent].ending is None
            self.shards[parent].ending = next(self._numbers)
        for _ in range(children):
            number = max(self.shards) + 1
            self.shards[number] = FakeShard(number, next(self._numbers), parents)

    def trim(self, upto: int) -> None:
        """Records at or below are kept no longer, and closed shards without any neither."""
        for shard in list(self.shards.values()):
            shard.records = {sequence: data for sequence, data in shard.records.items() if sequence > upto}
            if shard.ending is not None and shard.ending <= upto:
                del self.shards[shard.number]

    # Its calls

    def describe_stream_summary(self, **_asked: str) -> dict[str, Any]:
        return {"StreamDescriptionSummary": {"RetentionPeriodHours": 24}}

    def _called(self, call: str, *codes: str) -> None:
        if self.away:
            raise EndpointConnectionError(endpoint_url="http://nowhere")
        if self.refused is not None:
            raise refusal(self.refused, call)
        if self.chance.randrange(100) < self.troubled:
            raise refusal(self.chance.choice(codes), call)

    def list_shards(self, **asked: str) -> dict[str, Any]:
        self._called("ListShards", "LimitExceededException", "InternalFailure")
        after = int(asked.get("NextToken", -1))
        assert ("StreamName" in asked) != ("NextToken" in asked), "Kinesis refuses both"
        found = [shard for number, shard in sorted(self.shards.items()) if number > after]
        answer: dict[str, Any] = {"Shards": [shard.told for shard in found[:_PAGE]]}
        return answer | ({"NextToken": str(found[_PAGE - 1].number)} if len(found) > _PAGE else {})

    def get_shard_iterator(self, **asked: str) -> dict[str, str]:
        self._called("GetShardIterator", "ProvisionedThroughputExceededException")
        shard = int(asked["ShardId"].removeprefix("shardId-"))
        if shard not in self.shards:
            raise refusal("ResourceNotFoundException", "GetShardIterator")
        at = int(asked.get("StartingSequenceNumber", 0))
        kind = asked["ShardIteratorType"]
        assert kind in ("TRIM_HORIZON", "AT_SEQUENCE_NUMBER") and (kind == "TRIM_HORIZON") == (not at)
        if at and at < self.shards[shard].start:
            raise refusal("InvalidArgumentException", "GetShardIterator")
        return {"ShardIterator": f"{shard} {at}"}

    def get_records(self, ShardIterator: str, Limit: int) -> dict[str, Any]:
        self._called("GetRecords", "ProvisionedThroughputExceededException", "ExpiredIteratorException")
        number, at = map(int, ShardIterator.split())
        if number not in self.shards:
            raise refusal("ExpiredIteratorException", "GetRecords")
        shard = self.shards[number]
        found = [(sequence, data) for sequence, data in shard.records.items() if sequence >= at]
        # It may give few, or none although there are some.
        given = found[: self.chance.randint(0, min(3, Limit))]
        now = datetime.datetime(2026, 11, 23, tzinfo=datetime.UTC)
        records = [
            {
                "SequenceNumber": str(sequence),
                "Data": data,
                "PartitionKey": f"k{number}",
                "ApproximateArrivalTimestamp": now,
            }
            for sequence, data in given
        ]
        whole = len(given) == len(found)
        answer: dict[str, Any] = {"Records": records, "MillisBehindLatest": 0 if whole else 1_000}
        if not (whole and shard.ending is not None):
            answer["NextShardIterator"] = f"{number} {given[-1][0] + 1 if given else at}"
        return answer
