"""What is tried again waits longer each time, never too long, and never ends."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.time.backing_off import BackOff, kept_going
from model.time.clock import SystemClock


class NoWaiting(SystemClock):
    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


@given(
    st.floats(0.0001, 10.0),
    st.floats(1.0, 1_000.0),
    st.lists(st.integers(1, 10**9) | st.integers(1, 5_000), min_size=1).map(sorted),
)
def test_waits_grow_to_the_longest_however_many_failures_there_are(
    first_s: float, times_longer: float, failures: list[int]
) -> None:
    back_off = BackOff(first_s, first_s * times_longer)
    waits = [back_off.delay_s(each) for each in failures]
    assert all(earlier <= later for earlier, later in itertools.pairwise(waits))
    assert all(first_s <= wait <= first_s * times_longer for wait in waits)
    assert back_off.delay_s(1) == first_s


async def test_work_that_ends_is_told_of_and_begun_again_until_it_is_cancelled() -> None:
    ends: list[Exception | None] = []
    begun = 0
    lasting = asyncio.Event()

    async def work() -> None:
        nonlocal begun
        begun += 1
        if begun > 2_000:
            lasting.set()
            await asyncio.get_running_loop().create_future()
        if begun % 2:
            raise OverflowError("defect")

    task = asyncio.create_task(kept_going(work, NoWaiting(), ends.append))
    await asyncio.wait_for(lasting.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert begun == 2_001 and len(ends) == 2_000
    assert {type(end) for end in ends} == {OverflowError, type(None)}
