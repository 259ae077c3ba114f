"""Orders ticks: first those with waiting readers, then the others.

A hundred views that change with each commit keep a replica busy, and most have no reader. If all took turns alike, the
reader of one view would wait for ninety-nine others. So an *awaited* tick goes first: a reader waits for its result, or
a SUBSCRIBE or a sink is fed from it, directly or through other dataflows. While any tick is awaited, the others run in
batches, and rest after each batch for as long as it took. They get half of the time, and each of their ticks covers
more.

    nobody waits    others    ■■■■■■■■■■■■■■■■■■■■■■■■    as many at a time as may be, one after the other
    someone waits   awaited   ▲  ▲▲  ▲   ▲  ▲ ▲▲  ▲  ▲    at once
                    others    ■■■■    ■■■■    ■■■■        a batch, then a rest
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Collection
from typing import assert_never

from compute.replica.dataflows.maintained import Company

ALONE_MAX = 4
HYDRATIONS_MAX = 2
TOGETHER_MAX = 32
"""Several batches: while some compute, others may be committing."""
BATCH = 8
"""What goes as one round (see `together`). Of 16 the slowest awaited tick takes twice as long: it meets a round of
others under way, which has Python's lock most of the time."""
PRESSED_S = 1.0
"""For so long after one that was awaited the others make way: another one is likely to follow."""
REST_MAX_S = 1.0
"""A batch that takes longer waits for something else than the processor, which a longer rest would leave idle: then the
next one goes beside what is left of it, and is as much smaller."""

Turn = contextlib.AbstractAsyncContextManager[None]
_Waiting = dict[object, asyncio.Future[None]]
_NO_TURN = contextlib.nullcontext()


class TickTurns:
    """The turns of a replica's dataflows, by the way of their ticks."""

    def __init__(self) -> None:
        self._together = Turns(TOGETHER_MAX, BATCH)
        self._alone = Turns(ALONE_MAX)
        self._hydrations = Turns(HYDRATIONS_MAX)

    def turn(self, company: Company, key: object, *, awaited: bool) -> Turn:
        """Returns a context in which `key` has its turn; `key` has one at a time."""
        match company:
            case Company.FREE:
                return _NO_TURN
            case Company.TOGETHER:
                return self._together.turn(key, awaited=awaited)
            case Company.ALONE:
                return self._alone.turn(key, awaited=awaited)
            case _:
                assert_never(company)

    def hydration(self, key: object, *, awaited: bool) -> Turn:
        """Returns the turn of a dataflow's first tick, which reads the whole inputs."""
        return self._hydrations.turn(key, awaited=awaited)

    def forgo(self, key: object) -> None:
        """Gives the turn of `key` to the next in the queue, while the work of `key` goes on beside it. The `with` block
        of `key` may end later."""
        for turns in (self._together, self._alone, self._hydrations):
            turns.forgo(key)

    def hurry(self, key: object) -> None:
        """Gives `key` its turn soon: someone waits for it now."""
        for turns in (self._together, self._alone, self._hydrations):
            turns.hurry(key)


class Turns:
    """A queue of turns: `at_once` ticks run at a time. While any tick is awaited, at most `batch` of the others run,
    and rest afterwards; without a `batch` only the order changes."""

    def __init__(self, at_once: int, batch: int | None = None) -> None:
        self._at_once = at_once
        self._batch = batch
        self._kept = min(batch or 1, at_once - 1)
        self._awaited: _Waiting = {}
        self._others: _Waiting = {}
        self._awaited_going: set[object] = set()
        self._others_going: set[object] = set()
        self._batch_going: set[object] = set()
        self._batch_began_s = 0.0
        self._batch_begun = 0
        self._rest_until_s = 0.0
        self._pressed_until_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @contextlib.asynccontextmanager
    async def turn(self, key: object, *, awaited: bool) -> AsyncIterator[None]:
        """Gives `key` its turn, one at a time."""
        admitted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._awaited if awaited else self._others)[key] = admitted
        self._admit()
        try:
            await admitted
            yield
        finally:
            self._leave(key)

    def hurry(self, key: object) -> None:
        """Moves `key`, if it waits for its turn, before the others, because a reader waits."""
        admitted = self._others.pop(key, None)
        if admitted is not None:
            self._awaited[key] = admitted
            self._admit()

    def forgo(self, key: object) -> None:
        """Lets the next one in instead of `key`, if `key` has its turn."""
        if key in self._awaited_going or key in self._others_going:
            self._leave(key)

    def _leave(self, key: object) -> None:
        """Ends the turn of `key`, or its waiting for a turn."""
        self._awaited.pop(key, None)
        self._others.pop(key, None)
        self._awaited_going.discard(key)
        self._others_going.discard(key)
        if key in self._batch_going:
            self._batch_going.remove(key)
            if not self._batch_going:
                self._rest(asyncio.get_running_loop().time())
        self._admit()

    def _admit(self) -> None:
        now_s = asyncio.get_running_loop().time()
        self._press(now_s)
        allowed = min(len(self._others), self._others_max(now_s))
        # Some turns are kept for those who may go now, or they never would where more than `at_once` are awaited.
        kept = max(0, min(allowed, self._kept - len(self._others_going)))
        self._begin(self._awaited, self._awaited_going, self._free - kept)
        begun = self._begin(self._others, self._others_going, min(self._free, allowed))
        if self._pressed(now_s):
            self._note_batch(begun, now_s)
            self._look_again(now_s)

    @property
    def _free(self) -> int:
        return self._at_once - len(self._awaited_going) - len(self._others_going)

    def _pressed(self, now_s: float) -> bool:
        """Returns whether the others make way."""
        return self._batch is not None and now_s < self._pressed_until_s

    def _press(self, now_s: float) -> None:
        """Makes the others give way while a tick is awaited. Others that run already count as a batch."""
        if self._awaited or self._awaited_going:
            if not self._pressed(now_s):
                self._batch_going = set(self._others_going)
                self._batch_began_s, self._batch_begun = now_s, len(self._others_going)
            self._pressed_until_s = now_s + PRESSED_S

    def _others_max(self, now_s: float) -> int:
        """Returns the number of others that may begin now."""
        if self._batch is None or not self._pressed(now_s):
            return self._at_once
        if self._batch_going and now_s >= self._batch_began_s + REST_MAX_S:
            # Who takes so long keeps its own turn from the others, not all of them.
            self._batch_going.clear()
            self._rest(now_s)
        room = self._batch - len(self._others_going)
        if self._batch_going:
            return min(room, self._batch - self._batch_begun)
        return room if now_s >= self._rest_until_s else 0

    def _rest(self, now_s: float) -> None:
        """Rests, since the batch has ended."""
        self._rest_until_s = now_s + min(now_s - self._batch_began_s, REST_MAX_S)

    def _begin(self, waiting: _Waiting, going: set[object], count: int) -> list[object]:
        """Begins the first `count` waiting keys."""
        keys = list(itertools.islice(waiting, max(0, count)))
        for key in keys:
            going.add(key)
            admitted = waiting.pop(key)
            if not admitted.done():
                admitted.set_result(None)
        return keys

    def _note_batch(self, begun: Collection[object], now_s: float) -> None:
        """Notes others that began while giving way: as a new batch, or as more of the present batch."""
        if begun and not self._batch_going:
            self._batch_began_s, self._batch_begun = now_s, 0
        self._batch_going.update(begun)
        self._batch_begun += len(begun)

    def _look_again(self, now_s: float) -> None:
        """Sets a timer at which waiting others may begin: after a rest, beside a batch that takes too long, or once
        no tick is awaited."""
        if not self._others:
            return
        due_s = self._batch_began_s + REST_MAX_S if self._batch_going else self._rest_until_s
        at_s = min(self._pressed_until_s, due_s) if due_s > now_s else self._pressed_until_s
        if self._timer is None or self._timer.when() > at_s:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_at(at_s, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._admit()
