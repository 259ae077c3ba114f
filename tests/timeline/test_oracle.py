"""The oracle's laws hold for any sequence of operations and any clock."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.time.clock import SystemClock
from model.time.timestamp import Timestamp
from storage.persist.location import Versioned
from tests.storage.memory import MemoryConsensus
from timeline.durable_oracle import TIMELINE_KEY, DurableOracle, TimelineRecord
from timeline.fence import FENCE_KEY, Fence
from timeline.oracle import OracleState, allocate_write, apply_write


@st.composite
def operations(draw: st.DrawFn) -> list[tuple[str, int]]:
    kinds = st.sampled_from(["allocate", "apply"])
    return draw(st.lists(st.tuples(kinds, st.integers(0, 50)), max_size=60))


@given(operations())
def test_timestamps_are_given_once_and_never_decrease(steps: list[tuple[str, int]]) -> None:
    state, given_before, read_before = OracleState(), -1, state_read(OracleState())
    for kind, argument in steps:
        if kind == "allocate":
            state, timestamp = allocate_write(state, argument)
            assert timestamp > given_before
            assert timestamp >= argument
            assert timestamp > state.read_ts, "a write is strictly after every read before it"
            given_before = timestamp
        else:
            applied = min(argument, state.write_ts)
            state = apply_write(state, Timestamp(applied))
        assert state.read_ts >= read_before
        assert state.read_ts <= state.write_ts
        read_before = state.read_ts


def state_read(state: OracleState) -> int:
    return state.read_ts


def test_apply_write_moves_both_timestamps_forward_only() -> None:
    state = OracleState(read_ts=Timestamp(0), write_ts=Timestamp(4))
    assert apply_write(state, Timestamp(2)) == OracleState(read_ts=Timestamp(2), write_ts=Timestamp(4))
    level = OracleState(read_ts=Timestamp(2), write_ts=Timestamp(2))
    assert apply_write(level, Timestamp(4)) == OracleState(read_ts=Timestamp(4), write_ts=Timestamp(4))


class _SlowConsensus(MemoryConsensus):
    """Each look at it is the next moment, and may take a while."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0
        self.open = asyncio.Event()

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        self.looks += 1
        record = TimelineRecord(oracle=OracleState(read_ts=Timestamp(self.looks), write_ts=Timestamp(self.looks)))
        found = {FENCE_KEY: Versioned(1, b""), TIMELINE_KEY: Versioned(1, msgspec.msgpack.encode(record))}
        await self.open.wait()
        return {key: found[key] for key in keys}


async def test_a_read_of_the_oracle_begins_after_it_is_asked_for_and_is_shared_by_who_waits() -> None:
    consensus = _SlowConsensus()
    oracle = DurableOracle(consensus, Fence(epoch=1, seqno=1), SystemClock())
    first = asyncio.create_task(oracle.read_ts())
    await asyncio.sleep(0)
    rest = [asyncio.create_task(oracle.read_ts()) for _ in range(3)]
    await asyncio.sleep(0)
    assert consensus.looks == 1
    consensus.open.set()
    assert (await first, *await asyncio.gather(*rest)) == (1, 2, 2, 2)
    assert await oracle.read_ts() == 3


async def test_who_gives_up_reading_the_oracle_leaves_nobody_waiting() -> None:
    consensus = _SlowConsensus()
    oracle = DurableOracle(consensus, Fence(epoch=1, seqno=1), SystemClock())
    first, second = asyncio.create_task(oracle.read_ts()), asyncio.create_task(oracle.read_ts())
    await asyncio.sleep(0)
    first.cancel()
    consensus.open.set()
    async with asyncio.timeout(60):
        assert await second == 2


async def test_who_reads_the_oracle_where_consensus_answers_at_once_waits_for_no_turn() -> None:
    consensus = _SlowConsensus()
    consensus.open.set()
    reading = DurableOracle(consensus, Fence(epoch=1, seqno=1), SystemClock()).read_ts()
    with pytest.raises(StopIteration) as done:
        reading.send(None)
    assert done.value.value == 1
