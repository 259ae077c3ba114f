"""The reads of one execution, with places, rows and times, for EXPLAIN ANALYZE; other executions carry no trace.

    begin a read -> the rows pass -> the read ends

A read is of an index, by the interpreter, or on Spark. Times count from the trace's beginning.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

import pyarrow as pa

from compute.protocol.measures import OperatorMeasure
from compute.protocol.response import PeekCompleted
from model.types.datum import Row
from planner.ir.query import Query
from server.planning.access import IndexAccess, UsedIndex

B = TypeVar("B", Sequence[Row], list[Row], pa.RecordBatch)
_NS_PER_MS = 1e6


class ReadPlace(StrEnum):
    """The places that rows come from."""

    INDEX = "Index"
    INTERPRETER = "Interpreter"
    SPARK = "Spark"


@dataclass(slots=True)
class TracedRead:
    """One read: an index's `access`, or a `query` with the `indexes` that stand in for views of it.

    Times are in nanoseconds; `first_ns` and `ended_ns` are None while nothing has come. `bytes` are those of answers
    that came as Arrow, `spark_ms` and `operators` are the replica's account of its work."""

    place: ReadPlace
    began_ns: int
    access: IndexAccess | None = None
    query: Query | None = None
    indexes: tuple[UsedIndex, ...] = ()
    first_ns: int | None = None
    ended_ns: int | None = None
    rows: int = 0
    bytes: int | None = None
    spark_ms: float | None = None
    operators: tuple[OperatorMeasure, ...] = ()

    def told(self, outcome: PeekCompleted) -> None:
        """Notes the replica's account of the answered peek."""
        self.spark_ms = outcome.spark_ms
        self.operators = outcome.operators


@dataclass(slots=True)
class Trace:
    """The reads of one execution, in order of beginning; `now_ns` is a clock that never jumps."""

    now_ns: Callable[[], int]
    began_ns: int = field(init=False)
    reads: list[TracedRead] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.began_ns = self.now_ns()

    def begin(self, place: ReadPlace, query: Query, indexes: tuple[UsedIndex, ...] = ()) -> TracedRead:
        """Begins the read of a query."""
        read = TracedRead(place, self.now_ns(), query=query, indexes=indexes)
        self.reads.append(read)
        return read

    async def found(
        self, access: IndexAccess, reading: Awaitable[list[Row] | AsyncGenerator[Sequence[Row]] | None]
    ) -> list[Row] | AsyncGenerator[Sequence[Row]] | None:
        """Returns the rows that an index finds, as a read; an index that gives way counts for nothing."""
        read = TracedRead(ReadPlace.INDEX, self.now_ns(), access=access)
        found = await reading
        if found is None:
            return None
        self.reads.append(read)
        if isinstance(found, list):
            read.rows = len(found)
            read.first_ns = read.ended_ns = self.now_ns()
            return found
        return self.counted(read, found)

    async def counted(self, read: TracedRead, batches: AsyncGenerator[B]) -> AsyncGenerator[B]:
        """Yields and counts the batches of a read."""
        async with contextlib.aclosing(batches):
            async for batch in batches:
                if read.first_ns is None:
                    read.first_ns = self.now_ns()
                read.rows += len(batch)
                if isinstance(batch, pa.RecordBatch):
                    read.bytes = (read.bytes or 0) + batch.nbytes
                yield batch
        read.ended_ns = self.now_ns()

    def ms(self, time_ns: int) -> float:
        """Returns a time as milliseconds since the trace began."""
        return (time_ns - self.began_ns) / _NS_PER_MS
