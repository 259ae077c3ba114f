"""Work inside Java that is wanted no more, or does not end: nobody else notices, up to a number of such calls."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from compute.protocol.response import StuckCall
from compute.replica.running.java_calls import CallingThread
from compute.replica.running.standstill import Worked
from compute.replica.running.supervision import LIMITS, STUCK_MAX, PlanningTooLong, SparkWork, Supervision


@dataclass
class World:
    """A JVM that a test is: how long its threads have worked is what the test says, and calls end when it lets them.

    `obstinate` calls are not ended by an interrupt.
    """

    own_s: dict[str, float] = field(default_factory=dict)
    all_s: float = 0.0
    jobs: set[str] = field(default_factory=set)
    obstinate: bool = True
    ended: bool = False
    looks: Counter[str] = field(default_factory=Counter)
    cancelled: set[str] = field(default_factory=set)
    inside: dict[str, threading.Event] = field(default_factory=dict)
    told: list[tuple[StuckCall, ...]] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.supervision = Supervision(self, lambda: 1_000, first_look_s=0.0, look_s=0.0)
        self.supervision.stuck = self.told.append
        self.supervision.ends = self.reasons.append
        self.executor = ThreadPoolExecutor(STUCK_MAX + 4)

    # JavaCalls

    def call(self, thread: CallingThread) -> object | None:
        return self.inside.get(thread.tag)

    def worked(self, thread: CallingThread) -> Worked:
        self.looks[thread.tag] += 1
        return Worked(self.own_s.get(thread.tag, 0.0), self.all_s)

    def has_jobs(self, thread: CallingThread) -> bool:
        return thread.tag in self.jobs

    def cancel_jobs(self, thread: CallingThread) -> None:
        self.cancelled.add(thread.tag)
        self.jobs.discard(thread.tag)

    def interrupt(self, thread: CallingThread) -> None:
        if not self.obstinate:
            self.inside[thread.tag].set()

    def calm(self, thread: CallingThread) -> None:
        raise AssertionError("the worker does that")

    def place(self, thread: CallingThread) -> str:
        return "a rule"

    def end(self) -> None:
        self.ended = True

    # What a test does

    def begin(self, piece: SparkWork) -> asyncio.Task[None]:
        """The piece, inside a call of Java that ends when `inside` is set."""
        self.inside[piece.name] = leave = threading.Event()
        piece.thread = CallingThread(0, piece.name, None, None)
        future = asyncio.get_running_loop().run_in_executor(self.executor, leave.wait)
        return asyncio.create_task(self.supervision.attend(piece, future))

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await asyncio.sleep(0)

    async def looked(self, name: str, times: int = 20) -> None:
        """Returns after it has been looked at so many times."""
        seen = self.looks[name]
        await self.until(lambda: self.looks[name] >= seen + times)

    async def stuck(self, name: str, **of: object) -> asyncio.Task[None]:
        """Work that was cancelled, and is found to be stuck."""
        task = self.begin(SparkWork(name, f"statement {name}", **of))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        task.cancel()
        await self.looked(name, 2)
        self.own_s[name] = LIMITS.own_s
        before = len(self.told)
        await self.until(lambda: len(self.told) > before)
        return task

    def let_go(self) -> None:
        for event in self.inside.values():
            event.set()


@pytest.fixture
async def world() -> object:
    world = World()
    yield world
    world.let_go()
    world.executor.shutdown()


async def test_a_starved_machine_makes_no_call_too_long(world: World) -> None:
    gave_up: list[PlanningTooLong] = []
    waiting = world.begin(SparkWork("waiting", "statement", gave_up=gave_up.append))
    cancelled = world.begin(SparkWork("cancelled", "statement"))
    await asyncio.sleep(0)
    cancelled.cancel()
    world.own_s |= {"waiting": LIMITS.own_s - 1, "cancelled": LIMITS.own_s - 1}
    world.all_s = LIMITS.all_s - 1
    await world.looked("waiting", 200)
    assert not (gave_up or world.told or world.reasons or world.ended)
    world.let_go()
    await waiting
    with pytest.raises(asyncio.CancelledError):
        await cancelled


async def test_what_is_cancelled_is_interrupted_where_no_job_is_under_way(world: World) -> None:
    world.obstinate = False
    world.jobs.add("a")
    task = world.begin(SparkWork("a", "statement"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert world.cancelled == {"a"} and not world.told


async def test_a_statement_that_is_planned_for_too_long_is_told_at_once_and_ended(world: World) -> None:
    gave_up: list[PlanningTooLong] = []
    piece = SparkWork("a", "statement", gave_up=gave_up.append)
    task = world.begin(piece)
    await world.looked("a", 2)
    world.own_s["a"] = LIMITS.own_s
    await world.until(lambda: bool(gave_up))
    assert not task.done() and piece.stop.is_set()
    assert gave_up[0].detail == "Spark's planner was not done with it after 60 s of the processor's time."
    world.let_go()
    with pytest.raises(PlanningTooLong):
        await task


async def test_a_job_under_way_is_progress(world: World) -> None:
    gave_up: list[PlanningTooLong] = []
    task = world.begin(SparkWork("a", "statement", gave_up=gave_up.append))
    world.jobs.add("a")
    await world.looked("a", 2)
    for _ in range(5):
        world.own_s["a"] = world.own_s.get("a", 0.0) + LIMITS.own_s
        await world.looked("a", 2)
    assert not gave_up
    world.let_go()
    await task


async def test_a_dataflow_is_waited_for_however_long_it_is_planned(world: World) -> None:
    left: list[str] = []
    piece = SparkWork("a", "dataflow of u1", on_stuck=lambda: left.append("told"))
    piece.leave = lambda: left.append("left")
    task = world.begin(piece)
    await world.looked("a", 2)
    world.own_s["a"] = LIMITS.own_s
    await world.until(lambda: len(left) == 2)
    assert world.told == [(StuckCall("dataflow of u1", 1_000, 60_000),)]
    world.own_s["a"] = 2 * LIMITS.own_s
    await world.until(lambda: len(world.told) == 2)
    assert world.told[-1] == (StuckCall("dataflow of u1", 1_000, 120_000),)
    assert not piece.stop.is_set() and not task.done()
    world.let_go()
    await task
    assert not world.told[-1] and not world.ended


async def test_a_dataflow_that_ended_a_jvm_before_has_more_patience(world: World) -> None:
    task = world.begin(SparkWork("a", "dataflow of u1", patience=4.0))
    await world.looked("a", 2)
    world.own_s["a"] = 4 * LIMITS.own_s - 1
    await world.looked("a")
    assert not world.told
    world.own_s["a"] = 4 * LIMITS.own_s
    await world.until(lambda: bool(world.told))
    world.let_go()
    await task


async def test_what_is_stuck_is_left_alone_and_only_beyond_the_bound_ends_the_jvm(world: World) -> None:
    blamed: list[str] = []
    tasks = [
        await world.stuck(str(number), blamed=lambda number=number: blamed.append(str(number)))
        for number in range(STUCK_MAX)
    ]
    await world.looked("0", 50)
    assert not (world.ended or world.reasons or blamed)
    assert [each.subject for each in world.told[-1]] == [f"statement {number}" for number in range(STUCK_MAX)]
    tasks.append(await world.stuck("last", blamed=lambda: blamed.append("last")))
    await world.until(lambda: world.ended)
    subjects = ", ".join(f"statement {name}" for name in [*map(str, range(STUCK_MAX)), "last"])
    assert world.reasons == [f"{STUCK_MAX + 1} calls of Java do not end, and {STUCK_MAX} may be so: {subjects}"]
    assert blamed == [*map(str, range(STUCK_MAX)), "last"]
    world.let_go()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_what_has_ended_after_all_makes_room(world: World) -> None:
    for number in range(3 * STUCK_MAX):
        task = await world.stuck(str(number))
        world.inside[str(number)].set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not world.told[-1]
    assert not world.ended and not world.reasons


async def test_a_plan_like_one_that_is_stuck_is_refused(world: World) -> None:
    task = await world.stuck("a", alike=b"plan")
    for refused in (SparkWork("b", "statement", alike=b"plan"),):
        with pytest.raises(PlanningTooLong):
            world.supervision.refuse_alike(refused)
    for taken in (SparkWork("b", "statement", alike=b"another"), SparkWork("c", "range")):
        world.supervision.refuse_alike(taken)
    world.let_go()
    with pytest.raises(asyncio.CancelledError):
        await task
    world.supervision.refuse_alike(SparkWork("b", "statement", alike=b"plan"))


async def test_nobody_waits_for_what_is_inside_java_when_it_ends_in_good_order(world: World) -> None:
    task = world.begin(SparkWork("a", "statement"))
    await asyncio.sleep(0)
    world.supervision.close()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
