"""Reads several topics as one, a whole transaction at a time, as `TransactionOrder` decides.

Frontiers name partitions by `member_partition`; records have a further column, `source`. Records that don't make a
whole transaction yet wait in a bounded buffer here, and further ones in the readers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from connectors.gauge import Partition, UpstreamFrontier
from connectors.sources.decode.debezium import TransactionBegin, TransactionEnd, boundary_of, transaction_of
from connectors.sources.past_transactions import PastTransactions
from connectors.sources.transactions import Place, Step, TransactionOrder
from connectors.upstream import OFFSET, PARTITION, FetchedRange, UpstreamReader, UpstreamStatus
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.clock import Clock

SOURCE = "source"
BUFFER_BYTES = 64 * 1024 * 1024
TRANSACTION_BYTES_MAX = 512 * 1024 * 1024
"""What is read ahead of one source, and what of it a transaction that is next may need."""
LoadValues = Callable[[GlobalId, pa.Table], list[Any] | None]
"""The values of a source's records, as dicts; None while it is asked how they were written."""
_PATIENCE_NS = 5_000_000_000
_PULLED_RECORDS, _PULLED_BYTES = 10_000, 8 * 1024 * 1024


def member_partition(source: GlobalId, partition: Partition) -> str:
    """Names a partition of a source among those of several sources."""
    return f"{source}/{partition}"


def of_member(source: GlobalId, frontier: UpstreamFrontier) -> dict[Partition, int]:
    """Returns one source's part of a frontier of several sources."""
    begin = f"{source}/"
    return {
        int(str(name).removeprefix(begin)): bound for name, bound in frontier.items() if str(name).startswith(begin)
    }


def records_of_member(source: GlobalId, records: pa.Table) -> pa.Table:
    """Returns one source's records among those of several sources."""
    if SOURCE not in records.column_names:
        return records
    mine = records.filter(pc.equal(records.column(SOURCE), str(source)))
    return mine.drop_columns([SOURCE])


class TransactionalReader:
    """Reads the topics of several sources.

    `readers`: of all sources, with that of the transactions' topic, `metadata`
    `counted_as`: the names of the other sources' collections in the transactions' topic
    `load`: decodes a source's records
    `open_past`: opens another reader of the transactions' topic, for transactions that ended before
    """

    def __init__(
        self,
        metadata: GlobalId,
        readers: Mapping[GlobalId, UpstreamReader],
        counted_as: Mapping[GlobalId, str],
        load: LoadValues,
        open_past: Callable[[], UpstreamReader],
        clock: Clock,
    ) -> None:
        self._metadata = metadata
        self._readers = readers
        self._counted_as = counted_as
        self._load = load
        self._open_past = open_past
        self._clock = clock
        self._bound: UpstreamFrontier = {}
        self._past: PastTransactions | None = None
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._close_past()
        self._order = TransactionOrder(self._counted_as, self._was_before)
        self._rows: dict[Place, list[pa.Table]] = defaultdict(list)
        self._unread: dict[GlobalId, FetchedRange] = {}
        """What has come of a source, and waits until it is known how it was written."""
        self._steps: list[Step] = []
        self._bytes: dict[GlobalId, int] = dict.fromkeys(self._readers, 0)
        self._trouble: str | None = None
        self._waiting_since_ns: int | None = None

    def beginning(self) -> UpstreamFrontier:
        found: dict[Partition, int] = {}
        for source, reader in self._readers.items():
            begins = reader.beginning()
            if source == self._metadata and len(begins) > 1:
                message = f"a topic of transactions has one partition, not {len(begins)}: their order would be unknown"
                raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
            found |= {member_partition(source, partition): bound for partition, bound in begins.items()}
        return found

    def begin(self, frontier: UpstreamFrontier) -> None:
        self._bound = dict(frontier)
        self._begin_anew()
        for source, reader in self._readers.items():
            reader.begin(of_member(source, frontier))

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        self._pull(bytes_max)
        cut, upto = self._order.cut(records_max)
        taken = {place: self._taken(place, steps) for place, steps in cut.items()}
        frontier: dict[Partition, int] = {member_partition(*place): steps[-1].end for place, steps in cut.items()}
        if upto is not None:
            place, steps = self._told_until(upto)
            taken[place] = self._taken(place, steps)
            frontier[member_partition(*place)] = upto
        self._look_after()
        if not frontier:
            return None
        self._bound = {**self._bound, **frontier}
        tables = [_named(table, source) for (source, _), table in taken.items()]
        return FetchedRange(pa.concat_tables(tables), frontier)

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        for source, reader in self._readers.items():
            reader.acknowledge(of_member(source, frontier))

    def status(self) -> UpstreamStatus:
        known: dict[Partition, int] = {}
        trouble = self._trouble
        for source, reader in self._readers.items():
            status = reader.status()
            known |= {member_partition(source, partition): end for partition, end in status.known.items()}
            trouble = status.trouble or trouble
        return UpstreamStatus(known, trouble)

    def close(self) -> None:
        self._close_past()
        for reader in self._readers.values():
            reader.close()

    def _close_past(self) -> None:
        past, self._past = self._past, None
        if past is not None:
            past.close()

    # What comes

    def _pull(self, bytes_max: int) -> None:
        """Takes records from the readers, as many as there is room for, and those that the next transaction lacks."""
        for source, reader in self._readers.items():
            while self._has_room(source):
                fetched = self._unread.pop(source, None) or reader.take(_PULLED_RECORDS, min(bytes_max, _PULLED_BYTES))
                if fetched is None:
                    break
                values = self._load(source, fetched.records)
                if values is None:
                    self._unread[source] = fetched
                    break
                self._read(source, fetched, values)

    def _has_room(self, source: GlobalId) -> bool:
        if self._bytes[source] < BUFFER_BYTES:
            return True
        waiting = self._order.waits_for()
        if waiting is None or waiting.source != source:
            return False
        if self._bytes[source] > TRANSACTION_BYTES_MAX:
            message = f"transaction {waiting.transaction} has more than {TRANSACTION_BYTES_MAX} bytes of changes"
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
        return True

    def _read(self, source: GlobalId, fetched: FetchedRange, values: Sequence[Any]) -> None:
        """Adds a range of a source's records, whose decoded values are `values`."""
        offsets = fetched.records.column(OFFSET).to_pylist()
        partitions = fetched.records.column(PARTITION).to_pylist()
        said: dict[Partition, list[tuple[int, Any]]] = defaultdict(list)
        for partition, offset, value in zip(partitions, offsets, values, strict=True):
            said[partition].append((offset, value))
        for partition, end in fetched.frontier.items():
            place = source, partition
            mine = fetched.records.filter(pc.equal(fetched.records.column(PARTITION), partition))
            self._rows[place].append(mine)
            self._bytes[source] += mine.nbytes
            if source == self._metadata:
                self._read_metadata(said[partition])
                self._steps += _steps(said[partition], end, of_changes=False)
            else:
                self._order.read(place, _steps(said[partition], end, of_changes=True))

    def _read_metadata(self, said: Iterable[tuple[int, Any]]) -> None:
        for offset, value in said:
            match boundary_of(value):
                case TransactionBegin(transaction):
                    self._order.begun(transaction)
                case TransactionEnd() as end:
                    self._order.ended(offset + 1, end)

    # What goes

    def _told_until(self, upto: int) -> tuple[Place, list[Step]]:
        """Removes and returns the steps of the transactions' topic up to an offset."""
        count = bisect_right(self._steps, upto, key=lambda step: step.end)
        steps, self._steps = self._steps[:count], self._steps[count:]
        place = next(place for place in self._rows if place[0] == self._metadata)
        return place, steps

    def _taken(self, place: Place, steps: list[Step]) -> pa.Table:
        """Removes and returns the records of these steps, which are the first of the partition."""
        whole = pa.concat_tables(self._rows[place])
        count = sum(step.record for step in steps)
        left = whole.slice(count)
        self._rows[place] = [left]
        self._bytes[place[0]] -= whole.nbytes - left.nbytes
        return whole.slice(0, count)

    # What does not go

    def _was_before(self, source: GlobalId, transaction: str) -> bool:
        return self._past is not None and self._past.counted(self._counted_as[source], transaction)

    def _look_after(self) -> None:
        """Finds the reason why the next transaction is incomplete, and reports it after some time."""
        unknown = self._order.unknown()
        if unknown is not None:
            if self._past is None:
                self._past = PastTransactions(
                    self._open_past(), partial(self._load, self._metadata), of_member(self._metadata, self._bound)
                )
            self._past.read()
        reason = self._reason()
        if reason is None:
            self._trouble = self._waiting_since_ns = None
            return
        now = self._clock.elapsed_ns()
        if self._waiting_since_ns is None:
            self._waiting_since_ns = now
        if now - self._waiting_since_ns > _PATIENCE_NS:
            self._trouble = reason

    def _reason(self) -> str | None:
        waiting = self._order.waits_for()
        unknown = self._order.unknown()
        if unknown is not None and (waiting is not None or (self._past is not None and self._past.complete)):
            (source, partition), step = unknown
            return (
                f"the record of partition {partition} before offset {step.end} is of transaction {step.transaction}, "
                f'of which no END has come that counts changes of "{self._counted_as[source]}"'
            )
        if waiting is not None:
            name = self._counted_as[waiting.source]
            return f'transaction {waiting.transaction} has {waiting.arrived} of {waiting.expected} changes of "{name}"'
        return None


def _steps(said: Iterable[tuple[int, Any]], end: int, *, of_changes: bool) -> Iterator[Step]:
    """Yields the steps for decoded records, by their offsets, up to `end`."""
    reached = 0
    for offset, value in said:
        reached = offset + 1
        yield Step(reached, transaction_of(value) if of_changes else None)
    if reached < end:
        yield Step(end, None, record=False)


def _named(records: pa.Table, source: GlobalId) -> pa.Table:
    return records.append_column(SOURCE, pa.array(np.full(records.num_rows, str(source)), pa.string()))
