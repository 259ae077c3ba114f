"""The steady clock never goes back, keeps to half and double speed, and comes to the wall clock however that jumps."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given

from model.time.steady_clock import SteadyClock

_HOUR_MS = 3_600_000


class _Hands:
    """Both clocks are set by hand."""

    def __init__(self) -> None:
        self.wall_ms = 10 * _HOUR_MS
        self.passed_ms = 0

    def now_ms(self) -> int:
        return self.wall_ms

    def elapsed_ns(self) -> int:
        return self.passed_ms * 1_000_000

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("nobody waits here")

    def go(self, ms: int) -> None:
        self.wall_ms += ms
        self.passed_ms += ms


@given(st.lists(st.tuples(st.integers(0, _HOUR_MS), st.integers(-_HOUR_MS, _HOUR_MS) | st.just(0)), max_size=30))
def test_no_jump_makes_it_go_back_or_leave_half_and_double_speed(moves: list[tuple[int, int]]) -> None:
    hands = _Hands()
    clock = SteadyClock(hands)
    before = clock.now_ms()
    for passed, jump in moves:
        apart = abs(clock.behind_ms())
        hands.go(passed)
        hands.wall_ms += jump
        now = clock.now_ms()
        assert passed // 2 - 1 <= now - before <= 2 * passed + 1
        assert abs(clock.behind_ms()) <= apart + abs(jump)
        before = now


@given(st.integers(-_HOUR_MS, _HOUR_MS), st.lists(st.integers(1, 100_000), min_size=1))
def test_it_comes_to_a_wall_clock_that_jumped_and_stays_with_it(jump: int, steps: list[int]) -> None:
    hands = _Hands()
    clock = SteadyClock(hands)
    hands.wall_ms += jump
    hands.go(jump if jump > 0 else -2 * jump)
    assert abs(clock.behind_ms()) <= 1
    for step in steps:
        hands.go(step)
        assert abs(clock.behind_ms()) <= 1


@given(st.lists(st.integers(0, 10**9)))
def test_without_a_jump_it_is_the_wall_clock_however_long_nobody_looks(steps: list[int]) -> None:
    hands = _Hands()
    clock = SteadyClock(hands)
    for step in steps:
        hands.go(step)
        assert clock.now_ms() == hands.wall_ms


def test_it_begins_where_time_had_come_to_and_waits_there_for_the_wall_clock() -> None:
    hands = _Hands()
    clock = SteadyClock(hands, hands.wall_ms + 1_000)
    assert clock.behind_ms() == -1_000
    hands.go(1_000)
    assert clock.behind_ms() == -500
    hands.go(1_000)
    assert clock.behind_ms() == 0
