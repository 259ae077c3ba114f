"""A call is too long by what its thread, or by what all of the JVM, has worked meanwhile: never by the clock."""

from __future__ import annotations

import pytest

from compute.replica.running.standstill import CallLimits, Standstill, Worked

_LIMITS = CallLimits(own_s=60.0, all_s=600.0)
_CALL, _OTHER = object(), object()


@pytest.mark.parametrize(
    ("own_s", "all_s", "too_long"),
    [
        (59.0, 59.0, False),  # it plans
        (60.0, 60.0, True),
        (0.5, 599.0, False),  # it is starved, or waits for its turn: others have worked
        (0.5, 600.0, True),  # what it waits for does not come
        (None, 60.0, False),  # the system does not tell of threads
        (None, 600.0, True),
        (None, None, False),
    ],
)
def test_a_call_is_too_long_by_the_processors_time(own_s: float | None, all_s: float | None, too_long: bool) -> None:
    standstill = Standstill(_LIMITS)
    begun = Worked(None if own_s is None else 7.0, None if all_s is None else 1000.0)
    assert not standstill.look(_CALL, begun)
    now = Worked(None if own_s is None else 7.0 + own_s, None if all_s is None else 1000.0 + all_s)
    assert standstill.look(_CALL, now) is too_long


def test_another_call_no_call_and_progress_begin_the_count_again() -> None:
    standstill = Standstill(_LIMITS)
    assert not standstill.look(_CALL, Worked(0.0, 0.0))
    assert not standstill.look(_OTHER, Worked(60.0, 60.0)), "it is another call"
    assert not standstill.look(None, Worked(130.0, 130.0)), "it is outside Java"
    assert not standstill.look(_OTHER, Worked(200.0, 200.0))
    standstill.begin_again()
    assert not standstill.look(_OTHER, Worked(260.0, 260.0)), "a job of its has run"
    assert standstill.look(_OTHER, Worked(320.0, 320.0))
    assert standstill.worked == Worked(60.0, 60.0)


def test_patience_grows() -> None:
    standstill = Standstill(_LIMITS.times(4))
    standstill.look(_CALL, Worked(0.0, 0.0))
    assert not standstill.look(_CALL, Worked(239.0, 0.0))
    assert standstill.look(_CALL, Worked(240.0, 0.0))
