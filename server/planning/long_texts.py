"""Reads, plans and binds statements: at once if few steps are needed, else beside the event loop, in threads.

    on the loop     texts that look short, up to STEPS_ON_LOOP_MAX steps of planning; longer work begins anew in
    the quick lane  texts that look short, and those up to QUICK_LENGTH_MAX, up to STEPS_IN_QUICK_LANE_MAX; then in
    the slow lane   everything, up to STEPS_MAX and some more by the character; longer work is 54001

A lane is a thread. Waiting work is ordered by size: small work comes before large work, which moves up with each start,
so that nothing waits for ever. The slow lane helps with quick work while it has none of its own. A thread's work ends
at its next step when nobody wants it any more. The grammar works without Python's lock, and planning gives the lock up
every few milliseconds, so that others are served meanwhile.

Python's collector of cycles would hold the lock while it looks through a large plan. It rests while such a plan is
made, leaves everything existing then out of its rounds, and catches up afterwards. Without a pause, it catches up after
some minutes, because the garbage of others would fill the heap.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import heapq
import itertools
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ParamSpec, TypeVar

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.ir.steps import UNDER_WAY, Steps, StepsSpent, counted
from storage.persist.large_blocks import give_back_freed

P = ParamSpec("P")
T = TypeVar("T")

STEPS_ON_LOOP_MAX = 8_000
"""Some 20 to 40 milliseconds."""
_STEPS_WITHOUT_TURN_MAX = 1_000
"""After more, others have their turn: a statement may plan many things one after the other."""
STEPS_IN_QUICK_LANE_MAX = 200_000
STEPS_MAX = 3_000_000
_STEPS_A_CHARACTER = 20
_STEPS_OF_PLANS_MAX = 100 * STEPS_MAX
QUICK_LENGTH_MAX = 1 << 16
_SHORT_TEXT_LENGTH_MAX = 4096
_SURELY_SHORT_LENGTH_MAX = 400
_NESTING_MAX = 200
_NESTING = re.compile(r"[-+*/%^|&#~(\[:]|\bnot\b|\bcase\b", re.IGNORECASE)
_LARGE_LENGTH_MIN = 1 << 18
_QUIET_S = 60.0
_RESTED_MAX_S = 300.0
_GIVE_BACK_AFTER_S = 5.0


def is_long_text(text: str) -> bool:
    """Returns whether reading may take more than some tens of milliseconds, because of length or possible nesting."""
    if len(text) <= _SURELY_SHORT_LENGTH_MAX:
        return False
    return len(text) > _SHORT_TEXT_LENGTH_MAX or sum(1 for _ in _NESTING.finditer(text)) > _NESTING_MAX


def took_long() -> bool:
    """Returns whether the work under way has taken more steps than allowed on the event loop."""
    steps = UNDER_WAY.get()
    return steps is not None and steps.taken > STEPS_ON_LOOP_MAX


@dataclass(order=True, slots=True)
class _Waiting:
    """Waiting work; the least `turn` comes first."""

    turn: int
    number: int
    size: int = field(compare=False)
    call: Callable[[], Any] = field(compare=False)
    steps: Steps = field(compare=False)
    answer: asyncio.Future[Any] = field(compare=False)


class _Lane:
    """A thread, and its waiting work. With `helps`, it takes work of another lane while it has none."""

    def __init__(self, name: str, helps: _Lane | None = None) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._waiting: list[_Waiting] = []
        self._numbers = itertools.count()
        self._begun = 0
        self._busy = False
        self._helps = helps
        self._helped_by: _Lane | None = None
        if helps is not None:
            helps._helped_by = self

    async def result(self, size: int, call: Callable[[], T], steps: Steps) -> T:
        """Returns the call's result, or raises the call's exception; the call is ended when the waiter goes."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        entry = _Waiting(self._begun + size, next(self._numbers), size, call, steps, answer)
        heapq.heappush(self._waiting, entry)
        self._go_on()
        if self._helped_by is not None:
            self._helped_by._go_on()
        try:
            return await answer
        finally:
            if not answer.done() or answer.cancelled():
                steps.end()
                self._forget(entry)

    def _forget(self, entry: _Waiting) -> None:
        """Forgets a waiter that has gone: the text is not held until the text's turn comes."""
        if entry in self._waiting:
            self._waiting.remove(entry)
            heapq.heapify(self._waiting)

    def _next(self) -> _Waiting | None:
        """Returns the next work that somebody still waits for."""
        while self._waiting:
            entry = heapq.heappop(self._waiting)
            self._begun = max(self._begun, entry.turn)
            if not entry.answer.done():
                return entry
        return None

    def _go_on(self) -> None:
        if self._busy:
            return
        entry = self._next() or (None if self._helps is None else self._helps._next())
        if entry is None:
            return
        self._busy = True
        asyncio.get_running_loop().create_task(self._work(entry))

    async def _work(self, entry: _Waiting) -> None:
        loop = asyncio.get_running_loop()
        _REST.begin(loop)
        try:
            outcome = await loop.run_in_executor(self._thread, _outcome, entry.call)
        finally:
            self._busy = False
            _REST.end(loop, large=entry.size >= _LARGE_LENGTH_MIN)
            self._go_on()
        if entry.answer.done():
            return
        if isinstance(outcome, _Raised):
            entry.answer.set_exception(outcome.error)
        else:
            entry.answer.set_result(outcome)


@dataclass(frozen=True, slots=True)
class _Raised:
    error: BaseException


def _outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - it is raised where the call's result is awaited
        return _Raised(error)


class _CollectorsRest:
    """The rest of Python's collector of cycles while a long text is planned."""

    def __init__(self) -> None:
        self._under_way = 0
        self._collecting: asyncio.TimerHandle | None = None
        self._giving_back: asyncio.TimerHandle | None = None
        self._rests_since: float | None = None

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        self._under_way += 1
        gc.disable()
        if self._rests_since is None:
            self._rests_since = loop.time()
        if self._collecting is not None:
            self._collecting.cancel()
            self._collecting = None

    def end(self, loop: asyncio.AbstractEventLoop, *, large: bool) -> None:
        self._under_way -= 1
        if self._rests_since is not None and loop.time() - self._rests_since > _RESTED_MAX_S:
            self._collect()
            self._rests_since = loop.time()
        if self._under_way == 0:
            gc.freeze()
            gc.enable()
            self._collecting = loop.call_later(_QUIET_S, self._collect)
        if large and self._giving_back is None:
            self._giving_back = loop.call_later(_GIVE_BACK_AFTER_S, self._give_back, loop)

    def _collect(self) -> None:
        self._collecting = self._rests_since = None
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def _give_back(self, loop: asyncio.AbstractEventLoop) -> None:
        """Returns the memory of a large text to the system."""
        self._giving_back = None
        loop.run_in_executor(None, give_back_freed)


_REST = _CollectorsRest()
_QUICK = _Lane("quick texts")
_SLOW = _Lane("slow texts", helps=_QUICK)


async def apart(text: str, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Runs work on a text where nobody waits for it; raises SqlError 54001 beyond the limit of steps."""
    if not is_long_text(text):
        steps = Steps(STEPS_ON_LOOP_MAX)
        try:
            with counted(steps):
                result = work(*arguments, **named)
        except StepsSpent:
            pass
        else:
            if steps.taken > _STEPS_WITHOUT_TURN_MAX:
                await asyncio.sleep(0)
            return result
    call = partial(work, *arguments, **named)
    if len(text) <= QUICK_LENGTH_MAX:
        try:
            return await _counted_in(_QUICK, len(text), Steps(STEPS_IN_QUICK_LANE_MAX), call)
        except StepsSpent:
            pass
    try:
        most = STEPS_MAX + _STEPS_A_CHARACTER * len(text)
        return await _counted_in(_SLOW, max(len(text), QUICK_LENGTH_MAX), Steps(most), call)
    except StepsSpent:
        raise _too_complex() from None


async def planned_apart(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Runs planning whose length no text tells, as `apart` does: planning over views grows with the views."""
    return await apart("", work, *arguments, **named)


async def beside(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Returns the work's result, or raises its exception. The plan exists already, so the work ends; long work
    begins anew in a lane."""
    call = partial(work, *arguments, **named)
    try:
        return await _counted_in(_QUICK, QUICK_LENGTH_MAX, Steps(STEPS_IN_QUICK_LANE_MAX), call)
    except StepsSpent:
        return await _counted_in(_SLOW, QUICK_LENGTH_MAX, Steps(_STEPS_OF_PLANS_MAX), call)


def _too_complex() -> SqlError:
    return SqlError(
        Sqlstate.STATEMENT_TOO_COMPLEX,
        "the statement is too complex to be planned",
        detail=f"It takes more than {STEPS_MAX} steps, and {_STEPS_A_CHARACTER} more for each character.",
        hint="What stands in itself several times by level doubles with each; materialize parts of it.",
    )


async def _counted_in(lane: _Lane, size: int, steps: Steps, call: Callable[[], T]) -> T:
    context = contextvars.copy_context()

    def work() -> T:
        with counted(steps):
            return call()

    return await lane.result(size, partial(context.run, work), steps)
