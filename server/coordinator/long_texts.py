"""Reading, planning and binding long statements beside the event loop, in threads.

The grammar works without Python's lock, and planning gives it up every few milliseconds, so that others are served
meanwhile. A thread can't be ended: what it does takes time in proportion to the text's length.

Python's collector of cycles would hold the lock for as long as it looks through all that a large plan consists of. So
it rests while one is made, what there is then is left out of its rounds, and it makes up for it when nothing is made.
Where that never is, it does so after some minutes: what others leave meanwhile would fill the heap.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_SHORT_TEXT_LENGTH_MAX = 4096
_SURELY_SHORT_LENGTH_MAX = 400
_NESTING_MAX = 200
_NESTING = re.compile(r"[-+*/%^|&#~(\[:]|\bnot\b|\bcase\b", re.IGNORECASE)
_THREADS_MAX = 2
_QUIET_S = 60.0
_RESTED_MAX_S = 300.0


def is_long_text(text: str) -> bool:
    """Whether reading and planning it may take more than some tens of milliseconds: for its length, or for what may
    stand in each other."""
    if len(text) <= _SURELY_SHORT_LENGTH_MAX:
        return False
    return len(text) > _SHORT_TEXT_LENGTH_MAX or sum(1 for _ in _NESTING.finditer(text)) > _NESTING_MAX


class _LongTexts:
    """The threads, and the collector's rest."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS_MAX, "long texts")
        self._under_way = 0
        self._collecting: asyncio.TimerHandle | None = None
        self._rests_since: float | None = None

    async def result(self, call: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        self._begin(loop)
        future = loop.run_in_executor(self._threads, call)
        # The work goes on when nobody waits for it any more.
        future.add_done_callback(lambda _: self._end(loop))
        return await asyncio.shield(future)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        self._under_way += 1
        gc.disable()
        if self._rests_since is None:
            self._rests_since = loop.time()
        if self._collecting is not None:
            self._collecting.cancel()
            self._collecting = None

    def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        self._under_way -= 1
        if self._rests_since is not None and loop.time() - self._rests_since > _RESTED_MAX_S:
            self._collect()
            self._rests_since = loop.time()
        if self._under_way == 0:
            gc.freeze()
            gc.enable()
            self._collecting = loop.call_later(_QUIET_S, self._collect)

    def _collect(self) -> None:
        self._collecting = self._rests_since = None
        gc.unfreeze()
        gc.collect()
        gc.freeze()


_LONG_TEXTS = _LongTexts()


async def beside(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The work's result, or what it raises."""
    context = contextvars.copy_context()
    return await _LONG_TEXTS.result(partial(context.run, work, *arguments, **named))
