"""The oracle's laws hold for any sequence of operations and any clock."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from model.timestamp import Timestamp
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
