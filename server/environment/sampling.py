"""Takes a sample of lags, statistics and replicas each minute."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from sys import intern

from catalog.declared.snapshot import ReplicaFigures, Sample
from server.environment.environment import Environment
from server.environment.processes import family_of, used_by
from server.ledgers.conditions import at
from server.ledgers.replica_rows import replica_rows

EVERY_MS = 60_000
_NS_PER_S = 1e9
_Used = tuple[int, float]


class Sampling:
    """Samples an environment; `look` is called again and again, and takes one when it is time."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._due_ms = 0
        self._before: dict[int, tuple[int, float]] = {}
        """By pid, when a replica was looked at last, in ns, and the seconds of processors that it had used."""

    async def look(self) -> None:
        """Takes a sample, if the last one is a minute old, or the clock was set back since."""
        now_ms = self._environment.clock.now_ms()
        if now_ms >= self._due_ms or self._due_ms - now_ms > EVERY_MS:
            self._due_ms = now_ms + EVERY_MS
            await self.take()

    async def take(self) -> None:
        """Takes a sample now. Processes are asked in a thread."""
        environment = self._environment
        pids = [status.pid for status in environment.compute.statuses() if status.pid is not None]
        used = await asyncio.to_thread(_used, pids) if pids else {}
        state = environment.catalog.state
        sources = environment.ingestions.statuses(state)
        sinks = environment.deliveries.statuses(state)
        sample = Sample(
            at(environment.clock.now_ms()),
            tuple(self._lags_ms()),
            tuple((intern(str(each.id)), each.figures) for each in sources if each.figures is not None),
            tuple((intern(str(each.id)), each.figures) for each in sinks if each.figures is not None),
            tuple(self._replicas(used)),
        )
        environment.observed.samples.add(sample)

    def _lags_ms(self) -> Iterator[tuple[str, int | None]]:
        environment = self._environment
        items, present = environment.catalog.state.items, int(environment.oracle.peek_write_ts)
        for id_, known in sorted(environment.frontiers().items()):
            if id_ in items:
                upper = known.upper.time
                yield intern(str(id_)), None if upper is None else max(present - upper, 0)

    def _replicas(self, used: Mapping[int, _Used]) -> Iterator[ReplicaFigures]:
        environment, now_ns = self._environment, self._environment.clock.elapsed_ns()
        before, self._before = self._before, {}
        for replica in replica_rows(environment.catalog.state, environment.compute.statuses()):
            if replica.pid is None or replica.pid not in used:
                continue
            memory, seconds = used[replica.pid]
            nano_cores = None
            if replica.pid in before:
                then_ns, had = before[replica.pid]
                nano_cores = int(max(seconds - had, 0.0) * _NS_PER_S * _NS_PER_S / max(now_ns - then_ns, 1))
            self._before[replica.pid] = now_ns, seconds
            yield ReplicaFigures(replica.id, nano_cores, memory)


def _used(pids: list[int]) -> dict[int, _Used]:
    """Returns what each process and its children use together."""
    found = {}
    for pid in pids:
        each = [used for process in family_of(pid) if (used := used_by(process)) is not None]
        if each:
            found[pid] = sum(memory for memory, _ in each), sum(seconds for _, seconds in each)
    return found
