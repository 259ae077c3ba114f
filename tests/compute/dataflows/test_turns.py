"""Turns of ticks: who is awaited goes first, the others make way and are never left out."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Awaitable, Callable

from compute.replica.dataflows.turns import PRESSED_S, REST_MAX_S, Turns
from tests.simulation.virtual_time import VirtualLoop, run_virtual


def in_virtual_time(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    @functools.wraps(test)
    def run() -> None:
        run_virtual(VirtualLoop(), test())

    return run


class Ticks:
    """Ticks that have their turn until they are told to end; `begun` and `ended` are in that order."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.begun: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, *names: str, awaited: bool = False) -> None:
        for name in names:
            self._ends[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._tick(name, awaited))
        await _settle()

    async def end(self, *names: str) -> None:
        for name in names:
            self._ends[name].set()
        await _settle()

    async def cancel(self, *names: str) -> None:
        for name in names:
            self._tasks[name].cancel()
        await _settle()

    async def _tick(self, name: str, awaited: bool) -> None:
        async with self.turns.turn(name, awaited=awaited):
            self.begun.append(name)
            await self._ends[name].wait()

    async def leave(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


async def _settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def _ticks(at_once: int, batch: int | None = None) -> AsyncIterator[Ticks]:
    ticks = Ticks(Turns(at_once, batch))
    try:
        yield ticks
    finally:
        await ticks.leave()


@in_virtual_time
async def test_as_many_as_may_go_in_the_order_in_which_they_came() -> None:
    async with _ticks(2) as ticks:
        await ticks.come("a", "b", "c", "d")
        assert ticks.begun == ["a", "b"]
        await ticks.end("b")
        assert ticks.begun == ["a", "b", "c"]


@in_virtual_time
async def test_who_is_awaited_goes_before_those_who_came_first() -> None:
    async with _ticks(1) as ticks:
        await ticks.come("a", "b", "c")
        await ticks.come("x", awaited=True)
        await ticks.end("a")
        assert ticks.begun == ["a", "x"]
        await ticks.end("x")
        assert ticks.begun == ["a", "x", "b"]


@in_virtual_time
async def test_who_comes_to_be_awaited_while_it_waits_goes_before_the_others() -> None:
    async with _ticks(1) as ticks:
        await ticks.come("a", "b", "c")
        ticks.turns.hurry("c")
        ticks.turns.hurry("a")
        ticks.turns.hurry("nobody")
        await ticks.end("a")
        assert ticks.begun == ["a", "c"]


@in_virtual_time
async def test_others_go_a_batch_at_a_time_beside_one_that_is_awaited_and_rest_as_long() -> None:
    async with _ticks(8, batch=2) as ticks:
        await ticks.come("x", awaited=True)
        await ticks.come("a", "b", "c")
        assert ticks.begun == ["x", "a", "b"]
        await asyncio.sleep(0.1)
        await ticks.end("a")
        assert ticks.begun == ["x", "a", "b"], "the next batch begins when all of this one have ended"
        await ticks.end("b")
        assert ticks.begun == ["x", "a", "b"], "it rests"
        await ticks.come("y", awaited=True)
        assert ticks.begun == ["x", "a", "b", "y"], "who is awaited does not rest"
        await asyncio.sleep(0.2)
        assert ticks.begun == ["x", "a", "b", "y", "c"], "others are not left out, though some are always awaited"


@in_virtual_time
async def test_others_have_all_turns_again_once_nobody_has_been_awaited_for_a_while() -> None:
    async with _ticks(8, batch=2) as ticks:
        await ticks.come("x", awaited=True)
        await ticks.come("a", "b", "c", "d")
        await ticks.end("x")
        await ticks.come("e")
        assert ticks.begun == ["x", "a", "b"]
        await asyncio.sleep(PRESSED_S)
        await ticks.end("a")
        assert ticks.begun == ["x", "a", "b", "c", "d", "e"]


@in_virtual_time
async def test_who_is_cancelled_leaves_its_place_before_and_in_its_turn() -> None:
    async with _ticks(1) as ticks:
        await ticks.come("a", "b", "c")
        await ticks.cancel("b")
        await ticks.cancel("a")
        assert ticks.begun == ["a", "c"]


@in_virtual_time
async def test_who_is_cancelled_as_its_turn_comes_leaves_it_to_the_next() -> None:
    async with _ticks(1) as ticks:
        await ticks.come("a", "b", "c")
        ticks._ends["a"].set()
        await asyncio.sleep(0)
        # a's task ends now, and gives its turn to b, whose task is cancelled before it runs.
        ticks._tasks["b"].cancel()
        await _settle()
        assert ticks.begun == ["a", "c"]


@in_virtual_time
async def test_more_awaited_than_may_go_keep_their_order_and_the_others_their_share() -> None:
    async with _ticks(3, batch=1) as ticks:
        await ticks.come("w", "x", "y", "z", awaited=True)
        await ticks.come("a")
        assert ticks.begun == ["w", "x", "y"]
        await ticks.end("w", "x", "y")
        assert ticks.begun == ["w", "x", "y", "a", "z"]


@in_virtual_time
async def test_others_have_their_share_though_more_are_awaited_than_may_go() -> None:
    for batch in (1, None):
        async with _ticks(3, batch) as ticks:
            await ticks.come("a", "b", "c", "x0", "x1", "x2", awaited=False)
            await ticks.come(*(f"w{at}" for at in range(20)), awaited=True)
            ended = 0
            while "x2" not in ticks.begun:
                assert ended < 20, f"left out with a batch of {batch}: {ticks.begun}"
                await asyncio.sleep(0.1)
                await ticks.end(ticks.begun[ended])
                ended += 1


@in_virtual_time
async def test_others_have_all_turns_again_though_nothing_ends_after_the_last_that_was_awaited() -> None:
    async with _ticks(8, batch=2) as ticks:
        await ticks.come("x", awaited=True)
        await ticks.come("a", "b", "c", "d")
        await ticks.end("x", "b")
        assert ticks.begun == ["x", "a", "b"]
        await asyncio.sleep(PRESSED_S)
        await _settle()
        assert ticks.begun == ["x", "a", "b", "c", "d"]


@in_virtual_time
async def test_one_of_a_batch_that_takes_long_does_not_keep_the_others_from_their_turns() -> None:
    async with _ticks(8, batch=2) as ticks:
        await ticks.come("x", awaited=True)
        await ticks.come("a", "b", "c", "d")
        await asyncio.sleep(0.1)
        await ticks.end("b")
        for name in ("c", "d"):
            await asyncio.sleep(2 * REST_MAX_S)
            assert ticks.begun[-1] == name, "of two turns one is left"
            await ticks.end(name)


@in_virtual_time
async def test_who_had_their_turns_before_any_was_awaited_are_a_batch_from_then_on() -> None:
    async with _ticks(8, batch=2) as ticks:
        await ticks.come("a", "b", "c")
        await asyncio.sleep(30)
        await ticks.come("x", awaited=True)
        await ticks.come("d")
        await asyncio.sleep(0.1)
        await ticks.end("a", "b", "c")
        assert ticks.begun == ["a", "b", "c", "x"], "they rest"
        await asyncio.sleep(0.2)
        assert ticks.begun[-1] == "d", "as long as x has waited for them"


@in_virtual_time
async def test_who_forgoes_its_turn_goes_on_and_lets_the_next_one_in() -> None:
    async with _ticks(1) as ticks:
        await ticks.come("stuck", "a", "b")
        ticks.turns.forgo("stuck")
        await _settle()
        assert ticks.begun == ["stuck", "a"]
        ticks.turns.forgo("b")
        await ticks.end("stuck")
        assert ticks.begun == ["stuck", "a"], "b waits all the same, and no turn ends twice"
        await ticks.end("a")
        assert ticks.begun == ["stuck", "a", "b"]
