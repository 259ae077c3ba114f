"""The exports of a dataflow: one sink for each, filled by a tick and completed by the runner.

    begin(lower, upper) ─▶ take …, take_errors … ─▶ commit ─▶ seal ─▶ deliver
                                                 └──────────────▶ discard, when anything of the tick fails

`take`, `target` and `adopt` may be called in another thread than the rest; no other method is called meanwhile. Updates
made durable by `commit` must be left out when the tick is repeated. `deliver` comes once the tick can't fail any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

import pyarrow as pa

from compute.executors.task_done import ExportDone
from compute.maintain.wide import ExportTarget
from compute.replica.dataflows.exports.shard_sink import ShardSink
from compute.replica.dataflows.outputs import Computation
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp


class ExportSink(Protocol):
    """One export."""

    @property
    def since(self) -> Antichain:
        """Returns from when the export can be read."""
        ...

    @property
    def upper(self) -> Antichain:
        """Returns up to where the export is complete."""
        ...

    def begin(self, lower: Timestamp, upper: Antichain) -> None:
        """Begins a tick of [lower, upper)."""
        ...

    def take(self, updates: pa.Table) -> None:
        """Takes some of the tick's updates: c0…, time, diff."""
        ...

    def target(self) -> ExportTarget | None:
        """Returns what tasks need to write the tick's updates; None where they can't, and `take` is for all."""
        ...

    def adopt(self, done: Sequence[ExportDone]) -> None:
        """Takes what tasks have written of the tick's updates, in the order of hashes."""
        ...

    def take_errors(self, errors: pa.Table) -> None:
        """Takes a part of the tick's errors, with columns err (text), time, diff."""
        ...

    async def commit(self, forgo: Callable[[], None]) -> None:
        """Makes durable all updates that must be durable before the tick is done. `forgo` gives the tick's turn to the
        next, before what may take long."""
        ...

    async def seal(self) -> None:
        """Makes the tick's updates part of the export."""
        ...

    def discard(self) -> None:
        """Discards the tick, which did not take place; idempotent."""
        ...

    async def deliver(self) -> None:
        """Hands on complete results."""
        ...

    def advance(self, upper: Antichain) -> None:
        """Tells the exports that nothing changed at times before `upper`."""
        ...

    def compact(self, since: Antichain) -> None:
        """Times before `since` need not be told apart any more."""
        ...

    def end(self, *, dropped: bool) -> None:
        """Ends the sink: the export is wanted no more, or another sink takes its place."""
        ...


S = TypeVar("S")


class Exports:
    """The sinks of one dataflow, by export. An output goes to each export of it."""

    def __init__(self, computation: Computation, sinks: Mapping[GlobalId, ExportSink]) -> None:
        self.rows = 0
        self._output_of = dict(computation.output_of)
        self._sinks = dict(sinks)

    def of(self, kind: type[S]) -> dict[GlobalId, S]:
        """Returns the sinks of a kind."""
        return {id_: sink for id_, sink in self._sinks.items() if isinstance(sink, kind)}

    def sinks(self) -> Mapping[GlobalId, ExportSink]:
        return self._sinks

    def add(self, id_: GlobalId, sink: ExportSink) -> None:
        """Adds another sink for the dataflow's only output. Call between ticks."""
        (self._output_of[id_],) = set(self._output_of.values())
        self._sinks = {**self._sinks, id_: sink}

    def remove(self, id_: GlobalId) -> None:
        """Ends an export that nobody wants any more, and drops what the export keeps."""
        sink = self._sinks.get(id_)
        if sink is not None:
            # Not in place: a tick may be giving to the sinks in another thread.
            self._sinks = {each: kept for each, kept in self._sinks.items() if each != id_}
            sink.end(dropped=True)

    def compact(self, id_: GlobalId, since: Antichain) -> None:
        """Lets an export forget the differences between times before `since`. An empty `since` says that nobody wants
        the export, and removes the export."""
        if since.empty:
            self.remove(id_)
        elif id_ in self._sinks:
            self._sinks[id_].compact(since)

    async def look(self) -> None:
        """Finds what others have written to the shards, where they do. Raises SqlError."""
        for sink in self.of(ShardSink).values():
            await sink.writer.look()

    def begin(self, lower: Timestamp, upper: Antichain) -> None:
        """Begins a tick; `rows` counts its updates."""
        self.rows = 0
        for sink in self._sinks.values():
            sink.begin(lower, upper)

    def take(self, output: GlobalId, updates: pa.Table) -> None:
        self.rows += updates.num_rows
        for sink in self._taking(output):
            sink.take(updates)

    def targets(self, output: GlobalId) -> Mapping[str, ExportTarget]:
        found: dict[str, ExportTarget] = {}
        for id_, sink in self._sinks.items():
            if self._output_of[id_] == output:
                target = sink.target()
                if target is None:
                    return {}
                found[str(id_)] = target
        return found

    def adopt(self, output: GlobalId, done: Mapping[str, Sequence[ExportDone]]) -> None:
        self.rows += max(sum(each.rows for each in parts) for parts in done.values())
        for id_, sink in self._sinks.items():
            if str(id_) in done:
                sink.adopt(done[str(id_)])

    def take_errors(self, output: GlobalId, errors: pa.Table) -> None:
        for sink in self._taking(output) if errors.num_rows else ():
            sink.take_errors(errors)

    async def commit(self, forgo: Callable[[], None]) -> None:
        for sink in self._sinks.values():
            await sink.commit(forgo)

    async def seal(self) -> None:
        for sink in self._sinks.values():
            await sink.seal()

    def discard(self) -> None:
        for sink in self._sinks.values():
            sink.discard()

    async def deliver(self) -> None:
        for sink in self._sinks.values():
            await sink.deliver()

    def advance(self, upper: Antichain) -> None:
        for sink in self._sinks.values():
            sink.advance(upper)

    def end(self, *, dropped: bool) -> None:
        for sink in self._sinks.values():
            sink.end(dropped=dropped)

    def _taking(self, output: GlobalId) -> list[ExportSink]:
        return [sink for id_, sink in self._sinks.items() if self._output_of[id_] == output]
