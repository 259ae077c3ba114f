"""Runs ticks of small dataflows together: one thread, and one question to Spark for the questions of all.

Ticks that arrive during rounds wait for the next round. Each dataflow stays independent: the times its tick covers, its
failure and its state are its own, and nothing is sealed for several in one. A tick that needs a job leaves the round,
and is finished alone; a dataflow whose tick took long ticks alone until its ticks are short again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from compute.maintain.ticking import Ticking, tick_together
from compute.replica.dataflows.maintained import TickRows
from compute.replica.dataflows.turns import BATCH
from compute.replica.running.worker import SparkWorker

ROUNDS_MAX = 2
"""How many rounds are under way at a time: while one waits for Java, Python has the other."""
MEMBERS_MAX = BATCH
"""The members of a round wait for each other: the more there are, the later the first is done."""
SLOW_S = 0.1
"""A tick that is worked on for longer keeps others waiting, if they go with it."""


class Member:
    """A dataflow's tick in a round. `begin` starts it, in the round's thread; `end` takes its result there."""

    def __init__(self, begin: Callable[[], Ticking], end: Callable[[Ticking], TickRows]) -> None:
        self.ticking: Ticking | None = None
        self.rows: TickRows | None = None
        self.failure: Exception | None = None
        self._begin = begin
        self._end = end

    @property
    def slow(self) -> bool:
        """Returns whether the next tick should run alone."""
        return self.ticking is not None and self.ticking.seconds > SLOW_S

    def begin(self) -> Ticking:
        self.ticking = self.ticking or self._begin()
        return self.ticking

    def end(self) -> TickRows:
        """Finishes the tick, alone if need be."""
        return self._end(self.begin())

    def end_if_done(self) -> None:
        ticking = self.ticking
        assert ticking is not None, "it has begun"
        try:
            if ticking.result is not None or ticking.failure is not None:
                self.rows = self.end()
        except Exception as error:  # noqa: BLE001  (it is the member's own)
            self.failure = error


class Together:
    """The rounds of a replica. `scratch` is a directory for their exclusive use."""

    def __init__(self, worker: SparkWorker, scratch: Path) -> None:
        self._worker = worker
        self._waiting: list[tuple[Member, asyncio.Future[None]]] = []
        self._free = [scratch / f"round-{number}" for number in range(ROUNDS_MAX)]
        for each in self._free:
            each.mkdir(parents=True, exist_ok=True)
        self._due = False

    async def go(self, member: Member) -> TickRows | None:
        """Runs the tick in a round; returns its counts, or None when it has to be finished alone. The tick's
        exceptions.

        A round is not interrupted: a cancelled caller waits for its end.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((member, done))
        self._start_soon()
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            if (member, done) in self._waiting:
                self._waiting.remove((member, done))
            else:
                await asyncio.wait([done])
                done.exception()  # the caller is gone, whatever came of it
            raise
        if member.failure is not None:
            raise member.failure
        return member.rows

    def _start_soon(self) -> None:
        """Begins a round after all ticks that arrive now have arrived."""
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._start)

    def _start(self) -> None:
        self._due = False
        while self._waiting and self._free:
            round_, self._waiting = self._waiting[:MEMBERS_MAX], self._waiting[MEMBERS_MAX:]
            scratch = self._free.pop()
            work = self._worker.run_round(partial(_run, [member for member, _ in round_], scratch))
            work.add_done_callback(partial(self._ended, [done for _, done in round_], scratch))

    def _ended(self, waiting: Sequence[asyncio.Future[None]], scratch: Path, work: asyncio.Future[None]) -> None:
        self._free.append(scratch)
        self._start_soon()
        for done in waiting:
            if work.cancelled():
                done.cancel()
            elif (failure := work.exception()) is not None:
                done.set_exception(failure)
            else:
                done.set_result(None)


def _run(members: Sequence[Member], scratch: Path) -> None:
    tick_together([member.begin() for member in members], scratch)
    for member in members:
        member.end_if_done()
