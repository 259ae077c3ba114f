"""Writes bindings of many sources in one step: bindings that arrive during a step wait, and go together in the next.

Idle sources are bound at the same moments (see `next_moment`), so a hundred of them take a step or two. A source
refused because others have written its shards does not hold up the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compute.replica.running.joined_queue import JoinedQueue, QueuedWrite
from compute.replica.running.places import Places
from compute.replica.running.shard_writer import FencedOut, refusal_of
from storage.persist.commit import Committed, Conflict, commit
from storage.persist.shard import PreparedWrite
from storage.persist.state import ShardState


@dataclass(frozen=True, slots=True)
class _Binding(QueuedWrite):
    writes: Sequence[PreparedWrite]

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(write.key for write in self.writes)

    def refuse(self, error: Exception) -> None:
        """Abandons the writes, and fails the binding."""
        for write in self.writes:
            write.abandon()
        self.fail(error)


class JoinedBindings(JoinedQueue[_Binding]):
    """The queue of bindings. `run` is the task."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self._places = places

    async def commit(self, writes: Sequence[PreparedWrite]) -> list[ShardState]:
        """Returns the resulting states once all of `writes` are durable. WriteRefused, FencedOut: none is durable, and
        all are abandoned. SqlError: the outcome is unknown.

        A cancelled caller waits for the outcome.
        """
        states: list[ShardState] = await self._outcome(_Binding(asyncio.get_running_loop().create_future(), writes))
        return states

    def _take(self, waiting: Sequence[_Binding]) -> tuple[list[_Binding], list[_Binding]]:
        """Takes the first waiting bindings, one a shard: a source may have two ingestions while one replaces the
        other."""
        batch: list[_Binding] = []
        later: list[_Binding] = []
        taken: set[str] = set()
        for binding in waiting:
            (later if taken & binding.keys else batch).append(binding)
            taken |= binding.keys
        return batch, later

    async def _write(self, batch: Sequence[_Binding]) -> None:
        places = self._places
        while batch:
            preconditions = places.fencing.preconditions
            writes = [write for binding in batch for write in binding.writes]
            token = places.randomness.token()
            try:
                outcome = await commit(places.consensus, writes, preconditions, token=token, clock=places.clock)
            except Exception as error:  # noqa: BLE001  (each source is told, and begins anew)
                for binding in batch:
                    binding.fail(error)
                return
            match outcome:
                case Committed(states):
                    _tell(batch, states)
                    return
                case Conflict(refusals):
                    refused = refusal_of(refusals, preconditions)
                    met = [binding for binding in batch if binding.keys & refusals.keys()]
                    if isinstance(refused, FencedOut) or not met:
                        met = list(batch)
                    for binding in met:
                        own = {key: why for key, why in refusals.items() if key in binding.keys}
                        binding.refuse(refused if met == batch else refusal_of(own, preconditions))
                    batch = [binding for binding in batch if binding not in met]


def _tell(batch: Sequence[_Binding], states: Mapping[str, ShardState]) -> None:
    for binding in batch:
        if not binding.done.done():
            binding.done.set_result([states[write.machine.shard] for write in binding.writes])


def next_moment(now_s: float, interval_s: float) -> float:
    """Returns when a source without records is bound next, about an interval from now at the latest: at the moments of
    all sources with the same interval."""
    moment = (now_s // interval_s + 1) * interval_s
    return moment if moment - now_s > interval_s / 1000 else moment + interval_s
