"""Reads a Kinesis stream ahead in a thread of its own: each open shard in turn, in the order of its sequence numbers.

A shard is read on behind its last bound record. Kinesis does not report lost records: asked for the records behind one
that has expired, it returns the ones it still has. So where reading begins, either the last bound record must still be
there, or everything since the moment when the shard was last seen to have nothing more must be young enough to be
there; that moment is bound too, now and then. Otherwise records may be lost, and the source stops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from connectors.aws.clients import AwsFailure, aws_client
from connectors.gauge import Partition, UpstreamFrontier
from connectors.kinesis.records import RECORDS_SCHEMA, StreamRecord, records_of_stream
from connectors.kinesis.shards import (
    Shards,
    StreamShard,
    behind,
    first_shards,
    lost_shards,
    open_shards,
    seen,
    shard_of,
)
from connectors.kinesis.stream import KinesisStream
from connectors.sources.read_ahead import ReadAhead
from connectors.upstream import Arrived, FetchedRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.backing_off import BackOff
from model.time.clock import Clock

_FETCHED_RECORDS = 10_000
_POLL_NS = 250_000_000
"""A shard may be asked five times a second."""
_LISTED_NS = 30_000_000_000
_LISTED_SOON_NS = 1_000_000_000
_SEEN_MS = 600_000
"""How old the last moment may become at which a shard was seen to have nothing more."""
_KEPT_MARGIN_MS = 1_200_000
"""How much sooner than it says Kinesis may let go of a record, by our clock and its own."""
_HOUR_MS = 3_600_000
_BACK_OFF = BackOff(0.25, 10.0)
_TOLD_FAILURES = 3
"""So often in a row a shard may be throttled before it is the source's status."""
_THROTTLED = frozenset(
    (
        "ProvisionedThroughputExceededException",
        "LimitExceededException",
        "ThrottlingException",
        "KMSThrottlingException",
        "RequestLimitExceeded",
    )
)
_EXPIRED = "ExpiredIteratorException"
_ABSENT = "ResourceNotFoundException"
_BY_ARN = "StreamARN"
_NOT_OF_IT = "InvalidArgumentException"


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of reading: with it everything below `frontier` is read, of the partitions named there. It is a record,
    or the end of a shard."""

    frontier: Mapping[Partition, int]
    record: StreamRecord | None = None

    @property
    def size(self) -> int:
        return 64 if self.record is None else self.record.size


@dataclass(slots=True)
class _Place:
    """A shard being read. `iterator` is Kinesis's; None means that a new one is to be asked for."""

    shard: StreamShard
    iterator: str | None = None
    due_ns: int = 0
    failures: int = 0
    ended: bool = False
    expected: int | None = None
    """The record that must come first: the last one that is bound."""


@dataclass(slots=True)
class _Stream:
    """A stream being read. `read` is the frontier read so far."""

    client: Any
    read: dict[Partition, int]
    shards: Shards
    places: dict[int, _Place] = field(default_factory=dict)
    list_ns: int = 0


class KinesisReader(ReadAhead[_Step]):
    """Reads a stream. `settings` are a client's, the keys among them; `arrived` is called in the reader's thread."""

    def __init__(self, place: KinesisStream, settings: Mapping[str, str], clock: Clock, arrived: Arrived) -> None:
        super().__init__(f"kinesis {place.stream}", arrived)
        self._place = place
        self._settings = settings
        self._clock = clock
        self._start()

    # The ingestion's side

    def beginning(self) -> UpstreamFrontier:
        """Returns the frontier of the first records that the stream still has."""
        try:
            return first_shards(self._list(aws_client("kinesis", self._settings)))
        except AwsFailure as failure:
            message = f'stream "{self._place.stream}" can\'t be read: {_reason(failure)}'
            raise SqlError(Sqlstate.CONNECTION_EXCEPTION, message, hint="See the source's connection.") from None

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        records: list[StreamRecord] = []
        frontier: dict[Partition, int] = {}
        with self._changed:
            size = 0
            while self._pieces and len(records) < records_max and size < bytes_max:
                step = self._pieces.popleft()
                frontier |= step.frontier
                size += step.size
                if step.record is not None:
                    records.append(step.record)
            self._buffered -= size
            if self._failure is not None and not frontier:
                raise self._failure
            self._changed.notify_all()
        if not frontier:
            return None
        return FetchedRange(records_of_stream(records) if records else RECORDS_SCHEMA.empty_table(), frontier)

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        """Does nothing: Kinesis does not need to know how far records have been made durable."""

    # The thread's side

    def _follow(self, frontier: dict[Partition, int]) -> None:
        """Reads with one client after another: after a failure, from where the last one had come."""
        read, failures = frontier, 0
        while True:
            try:
                client = aws_client("kinesis", self._settings, attempts=1)
                stream = _Stream(client, dict(read), self._list(client))
                failures, read = 0, stream.read
                self._follow_stream(stream)
            except AwsFailure as failure:
                failures += 1
                self._say(_reason(failure))
                self._pause(_BACK_OFF.delay_s(failures))

    def _follow_stream(self, stream: _Stream) -> None:
        self._say(None)
        self._look(stream)
        while True:
            self._wait_for_room()
            now_ns = self._clock.elapsed_ns()
            if now_ns >= stream.list_ns:
                self._list_again(stream)
            due = [place for place in stream.places.values() if place.due_ns <= now_ns]
            for place in due:
                self._require_stay()
                self._read(stream, place)
            if not due:
                soonest_ns = min([stream.list_ns, *(place.due_ns for place in stream.places.values())])
                self._pause(max(soonest_ns - now_ns, 1_000_000) / 1e9)

    def _list_again(self, stream: _Stream) -> None:
        try:
            stream.shards = self._list(stream.client)
        except ClientError as failure:
            if _code(failure) not in _THROTTLED:
                raise
            stream.list_ns = self._clock.elapsed_ns() + _LISTED_SOON_NS
            return
        self._look(stream)

    def _look(self, stream: _Stream) -> None:
        """Looks for shards that have begun and that have ended, and changes the shards being read."""
        for lost in lost_shards(stream.shards, stream.read):
            raise _trimmed(self._place.stream, lost, stream.read[lost] - 1)
        for place in list(stream.places.values()):
            place.shard = stream.shards.get(place.shard.number, place.shard)
            if place.ended:
                self._end(stream, place)
        for shard in open_shards(stream.shards, stream.read):
            if shard.number not in stream.places:
                stream.places[shard.number] = _Place(shard)
        # Whose ending is not told yet is looked for soon.
        ended = any(place.ended for place in stream.places.values())
        stream.list_ns = self._clock.elapsed_ns() + (_LISTED_SOON_NS if ended else _LISTED_NS)

    def _end(self, stream: _Stream, place: _Place) -> None:
        """Ends the reading of a shard, from which nothing more comes, and puts the end into the queue of the
        consumer."""
        step = behind(place.shard, stream.shards, stream.read)
        if step:
            del stream.places[place.shard.number]
            stream.read |= step
            self._put(_Step(step))

    def _read(self, stream: _Stream, place: _Place) -> None:
        now_ns = self._clock.elapsed_ns()
        try:
            if place.iterator is None:
                self._aim(stream, place)
            by_arn = {name: value for name, value in self._named.items() if name == _BY_ARN}
            answer = stream.client.get_records(ShardIterator=place.iterator, Limit=_FETCHED_RECORDS, **by_arn)
        except ClientError as failure:
            self._refused(stream, place, failure, now_ns)
            return
        if place.failures:
            place.failures = 0
            self._say(None)
        records = [_record(place.shard.number, each) for each in answer["Records"]]
        at_end = not answer.get("MillisBehindLatest") or answer.get("NextShardIterator") is None
        if place.expected is not None:
            records = self._behind_expected(stream, place, records, at_end)
        steps = [_Step({place.shard.number: each.sequence + 1}, each) for each in records]
        if at_end and place.expected is None:
            steps += self._seen(stream, place.shard.number)
        if steps:
            for step in steps:
                stream.read |= step.frontier
            self._put(*steps)
        place.iterator = answer.get("NextShardIterator")
        place.due_ns = now_ns + (_POLL_NS if at_end else 0)
        if place.iterator is None:
            place.ended, place.due_ns = True, _NEVER_NS
            stream.list_ns = 0

    def _seen(self, stream: _Stream, shard: int) -> list[_Step]:
        """Notes that a shard has nothing more at this moment, so that later records are not older; at most once per
        interval."""
        now_ms = self._clock.now_ms()
        if now_ms - stream.read.get(seen(shard), 0) < _SEEN_MS:
            return []
        return [_Step({seen(shard): now_ms})]

    def _behind_expected(
        self, stream: _Stream, place: _Place, records: list[StreamRecord], at_end: bool
    ) -> list[StreamRecord]:
        """Returns the records without the first one, when that is the record bound last, which shows that none was
        lost. Raises when it is missing, unless everything behind it must still be there."""
        if records and records[0].sequence == place.expected:
            place.expected = None
            return records[1:]
        if records or at_end:
            assert place.expected is not None
            since_ms = stream.read.get(seen(place.shard.number), 0)
            if self._clock.now_ms() - since_ms < self._kept_ms(stream.client) - _KEPT_MARGIN_MS:
                place.expected = None
                return records
            raise _trimmed(self._place.stream, place.shard.number, place.expected)
        return []

    def _aim(self, stream: _Stream, place: _Place) -> None:
        """Asks for an iterator where the shard is to be read on."""
        shard, bound = place.shard, stream.read.get(place.shard.number, 0)
        asked: dict[str, str] = {"ShardId": shard.id, **self._named}
        if bound <= shard.start:
            place.expected = None
            asked["ShardIteratorType"] = "TRIM_HORIZON"
        else:
            place.expected = bound - 1
            asked |= {"ShardIteratorType": "AT_SEQUENCE_NUMBER", "StartingSequenceNumber": str(place.expected)}
        try:
            place.iterator = stream.client.get_shard_iterator(**asked)["ShardIterator"]
        except ClientError as failure:
            if _code(failure) == _NOT_OF_IT:
                raise _another(self._place.stream, shard.number, bound - 1, _reason(failure)) from None
            raise

    def _refused(self, stream: _Stream, place: _Place, failure: ClientError, now_ns: int) -> None:
        """Handles a refusal of a shard: another attempt follows, later each time."""
        code = _code(failure)
        if code == _ABSENT:
            raise _absent(self._place.stream)
        if code == _EXPIRED:
            place.iterator = None
            return
        if code not in _THROTTLED:
            raise failure
        place.failures += 1
        place.due_ns = now_ns + int(_BACK_OFF.delay_s(place.failures) * 1e9)
        if place.failures >= _TOLD_FAILURES:
            self._say(f"shard {place.shard.number} is throttled: {_reason(failure)}")

    def _kept_ms(self, client: Any) -> int:
        """Returns how long the stream keeps records, in ms."""
        summary = client.describe_stream_summary(**self._named)["StreamDescriptionSummary"]
        return int(summary["RetentionPeriodHours"]) * _HOUR_MS

    @property
    def _named(self) -> dict[str, str]:
        stream = self._place.stream
        return {_BY_ARN: stream} if stream.startswith("arn:") else {"StreamName": stream}

    def _list(self, client: Any) -> Shards:
        shards: dict[int, StreamShard] = {}
        asked = self._named
        while True:
            try:
                answer = client.list_shards(**asked)
            except ClientError as failure:
                if _code(failure) == _ABSENT:
                    raise _absent(self._place.stream) from None
                raise
            for told in answer["Shards"]:
                shard = shard_of(told)
                shards[shard.number] = shard
            if not answer.get("NextToken"):
                return shards
            asked = {"NextToken": answer["NextToken"]}

    def _put(self, *steps: _Step) -> None:
        with self._changed:
            self._require_stay()
            for step in steps:
                self._known |= step.frontier
        super()._put(*steps)


_NEVER_NS = 1 << 62


def _record(shard: int, told: Mapping[str, Any]) -> StreamRecord:
    arrived = told.get("ApproximateArrivalTimestamp")
    return StreamRecord(shard, int(told["SequenceNumber"]), arrived, told["PartitionKey"], bytes(told["Data"]))


def _code(failure: ClientError) -> str:
    return str(failure.response.get("Error", {}).get("Code", ""))


def _reason(failure: BotoCoreError | ClientError) -> str:
    return " ".join(str(failure).split())


def _absent(stream: str) -> SqlError:
    return SqlError(
        Sqlstate.UNDEFINED_OBJECT,
        f'there is no stream "{stream}"',
        hint="Create the stream. If it was deleted, drop the source and create it again: its records are gone.",
    )


def _another(stream: str, shard: int, sequence: int, reason: str) -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'shard {shard} of stream "{stream}" can\'t be read behind sequence number {sequence}: {reason}',
        detail="The stream was deleted, and another one was created with its name.",
        hint="Drop the source and create it again.",
    )


def _trimmed(stream: str, shard: int, sequence: int) -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'shard {shard} of stream "{stream}" no longer has the record at sequence number {sequence}, the last one read',
        detail="Records are deleted after the stream's retention period; those behind it may be gone, too.",
        hint="Drop the source and create it again; give the stream a longer retention period.",
    )
