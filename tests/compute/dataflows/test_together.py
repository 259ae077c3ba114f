"""Rounds of small ticks: who takes part gets its own outcome, and who leaves keeps nobody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from compute.replica.dataflows import together
from compute.replica.dataflows.maintained import TickRows
from compute.replica.dataflows.together import Member, Together

pytestmark = pytest.mark.asyncio


class Threads:
    """What a Together needs of a worker."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(2)

    def run_round(self, work: Callable[[], None]) -> asyncio.Future[None]:
        return asyncio.get_running_loop().run_in_executor(self._pool, work)


class FakeTick:
    """A tick that ends in its first round as it is told."""

    def __init__(self, *, result: object = None, failure: Exception | None = None) -> None:
        self.result, self.failure, self.seconds = result, failure, 0.0


def _member(tick: FakeTick, rows: int = 1) -> Member:
    def end(ticking: Any) -> TickRows:
        if ticking.failure is not None:
            raise ticking.failure
        return TickRows(rows, rows)

    return Member(lambda: tick, end)  # type: ignore[arg-type, return-value]


def _rounds(monkeypatch: pytest.MonkeyPatch, hold: threading.Event | None = None) -> list[int]:
    """The sizes of the rounds that take place; each waits for `hold`."""
    sizes: list[int] = []

    def tick_together(ticks: Sequence[object], _scratch: Path) -> None:
        sizes.append(len(ticks))
        if hold is not None:
            hold.wait()

    monkeypatch.setattr(together, "tick_together", tick_together)
    return sizes


async def test_each_has_its_own_outcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = _rounds(monkeypatch)
    rounds = Together(Threads(), tmp_path)  # type: ignore[arg-type]
    done, failed, left = FakeTick(result=1), FakeTick(failure=ZeroDivisionError("x")), FakeTick()
    outcomes = await asyncio.gather(
        *(rounds.go(_member(tick, 7)) for tick in (done, failed, left)), return_exceptions=True
    )
    assert outcomes[0] == TickRows(7, 7)
    assert isinstance(outcomes[1], ZeroDivisionError)
    assert outcomes[2] is None
    assert sizes == [3]


async def test_who_comes_meanwhile_goes_in_the_next_rounds_and_none_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = threading.Event()
    sizes = _rounds(monkeypatch, hold)
    rounds = Together(Threads(), tmp_path)  # type: ignore[arg-type]
    first = [asyncio.create_task(rounds.go(_member(FakeTick(result=1)))) for _ in range(together.ROUNDS_MAX)]
    for _ in range(3 * together.MEMBERS_MAX):
        first.append(asyncio.create_task(rounds.go(_member(FakeTick(result=1)))))
    await asyncio.sleep(0)
    hold.set()
    assert await asyncio.gather(*first) == [TickRows(1, 1)] * len(first)
    assert sum(sizes) == len(first)
    assert max(sizes) <= together.MEMBERS_MAX


async def test_who_is_cancelled_leaves_the_queue_or_waits_for_the_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = threading.Event()
    sizes = _rounds(monkeypatch, hold)
    rounds = Together(Threads(), tmp_path)  # type: ignore[arg-type]
    under_way = [
        asyncio.create_task(rounds.go(_member(FakeTick(result=1))))
        for _ in range(together.ROUNDS_MAX * together.MEMBERS_MAX)
    ]
    waiting = asyncio.create_task(rounds.go(_member(FakeTick(result=1))))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    under_way[0].cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not under_way[0].done()
    hold.set()
    with pytest.raises(asyncio.CancelledError):
        await under_way[0]
    assert await asyncio.gather(*under_way[1:]) == [TickRows(1, 1)] * (len(under_way) - 1)
    assert sum(sizes) == len(under_way)


async def test_a_round_that_fails_as_a_whole_fails_all_and_the_next_one_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("Java is gone")

    rounds = Together(Threads(), tmp_path)  # type: ignore[arg-type]
    with monkeypatch.context() as patch:
        patch.setattr(together, "tick_together", broken)
        members = [rounds.go(_member(FakeTick(result=1))) for _ in range(3)]
        outcomes = await asyncio.gather(*members, return_exceptions=True)
    assert [str(each) for each in outcomes] == ["Java is gone"] * 3
    _rounds(monkeypatch)
    assert await rounds.go(_member(FakeTick(result=1))) == TickRows(1, 1)
