"""Stores the documents of a sink in its destination, and counts them.

The documents of a time are made from the input: where parts of a transaction that will never end have come to a
destination, the keys that it touched are stored again as they were before it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

import pyarrow as pa

from compute.replica.running.places import Places
from compute.replica.running.watch import Watch
from compute.replica.sinks.input_updates import InputUpdates
from compute.replica.sinks.sessions import Sessions
from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import (
    DriverResponse,
    FlushLoads,
    Loaded,
    StartCommit,
    Store,
)
from connectors.sinks.reduction import Reduction
from model.time.timestamp import Timestamp, step_back
from storage.persist.snapshot import snapshot, updates_between


@dataclass(slots=True)
class Tally:
    """Counts of a sink since the replica opened it. `commit_ms` is how long the last commit took."""

    transactions: int = 0
    loaded: int = 0
    stored: int = 0
    bytes: int = 0
    commit_ms: int = 0


class SinkDocuments:
    """The documents of a sink, on their way through the sessions to its destination and back."""

    def __init__(self, sink: SinkDescription, places: Places, watch: Watch, sessions: Sessions) -> None:
        self._sink = sink
        self._places = places
        self._watch = watch
        self._sessions = sessions
        self.tally = Tally()

    @asynccontextmanager
    async def contents(
        self, sink: SinkDescription, position: Timestamp, upper: Timestamp
    ) -> AsyncIterator[InputUpdates]:
        """Reads all rows of the input right before `position`, and the updates up to `upper`."""
        state, rows = self._watch.state(sink.input), InputUpdates(sink, self._places)
        desc = sink.desc if not sink.fallible else state.desc
        try:
            await rows.read(snapshot(state, step_back(position), desc))
            await rows.read(updates_between(state, position, upper, desc))
            yield rows
        finally:
            rows.close()

    async def store_contents(
        self, sessions: Sessions, position: Timestamp, closing: Timestamp, read_to: Timestamp
    ) -> None:
        """Stores the documents right before `closing`, of all keys that changed from `position` to before `read_to`."""
        async with (
            self.contents(self._sink, position, read_to) as rows,
            aclosing(rows.documents_at(closing, position, read_to)) as documents,
        ):
            async for each in documents:
                await self.store(each, sessions)

    async def undo_parts(self, position: Timestamp, read_to: Timestamp) -> None:
        """Resets ranges with parts of an unfinishable transaction to their state before the transaction."""
        for frontier, session in self._sessions.with_parts():
            await session.ask(FlushLoads())
            await self.store_contents(session, position, frontier, read_to)
            await session.ask(StartCommit(frontier))

    async def store(self, documents: pa.Table, sessions: Sessions | None = None) -> None:
        """Stores documents in the destination, or in the part of it that `sessions` write."""
        await (sessions or self._sessions).ask(Store(documents))
        self.tally.stored += documents.num_rows
        self.tally.bytes += documents.nbytes

    def load(self, reduction: Reduction | None, responses: Iterable[DriverResponse]) -> None:
        """Gives the documents that were loaded to the reduction that asked for them."""
        for response in responses:
            if isinstance(response, Loaded):
                assert reduction is not None, "the rules say that documents are asked for"
                reduction.load(response.documents)
                self.tally.loaded += response.documents.num_rows
