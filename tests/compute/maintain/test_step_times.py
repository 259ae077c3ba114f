"""The time of a tick by step: spans of work, what others did for it, and nothing of what it waits for others."""

from __future__ import annotations

from compute.maintain.step_times import StepTimes


def test_each_step_has_its_own_work_and_what_was_done_for_it() -> None:
    now = [0.0]

    def works(seconds: float) -> None:
        now[0] += seconds

    times = StepTimes(lambda: now[0])
    times.begin()
    works(1.0)  # before the first step
    times.enter(0)
    works(2.0)
    times.end()
    works(50.0)  # the round of others
    times.add(4.0)
    times.begin()
    works(8.0)
    times.enter(1)
    works(16.0)
    times.enter(None)
    works(32.0)
    times.end()
    times.end()
    assert [times.ms(step) for step in range(3)] == [14_000.0, 16_000.0, 0.0]
