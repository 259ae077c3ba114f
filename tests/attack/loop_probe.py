"""How long the event loop of a server is held up, measured on the loop itself."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

_TICK_S = 0.002
_HELD_S_MAX = 0.1
_ATTEMPTS = 3


@dataclass(slots=True)
class Held:
    """The longest times, in seconds of this process's processor, between two turns that others could have taken.

    The processor's time and not the clock's: on a machine that is busy with other things the clock tells of those. What
    the loop does itself counts, and so does what another thread does while it keeps Python's lock. What Python's
    collector of cycles takes doesn't: it visits the objects of all tests that this process has run, which no server
    has."""

    longest_s: float = 0.0
    all_s: list[float] = field(default_factory=list)


@contextmanager
def probed(loop: asyncio.AbstractEventLoop) -> Iterator[Held]:
    """Measures while the block runs; the loop runs in another thread of this process."""
    held = Held()
    ended = False
    clock, processor = time.perf_counter(), time.process_time()
    collecting_since, collected = 0.0, 0.0

    def collector(phase: str, _facts: object) -> None:
        nonlocal collecting_since, collected
        if phase == "start":
            collecting_since = time.process_time()
        else:
            collected += time.process_time() - collecting_since

    def tick() -> None:
        nonlocal clock, processor
        now, used = time.perf_counter(), time.process_time() - collected
        took = min(now - clock, used - processor)
        held.longest_s = max(held.longest_s, took)
        if took > 0.03:
            held.all_s.append(round(took, 3))
        clock, processor = now, used
        if not ended:
            loop.call_later(_TICK_S, tick)

    gc.callbacks.append(collector)
    loop.call_soon_threadsafe(tick)
    try:
        yield held
    finally:
        ended = True
        gc.callbacks.remove(collector)
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(30)


def unheld(loop: asyncio.AbstractEventLoop, attack: Callable[[], T]) -> T:
    """What the attack is answered, while nobody waits for more than a tenth of a second. What it does to the loop it
    does each time, other than a machine that is busy."""
    for _ in range(_ATTEMPTS):
        with probed(loop) as held:
            answer = attack()
        if held.longest_s < _HELD_S_MAX:
            return answer
    raise AssertionError(f"others waited for {held.all_s} s")
