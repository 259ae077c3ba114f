"""Drives ticks: one alone, or ticks of several dataflows together, a round of Spark at a time.

    begin ─▶ question ─▶ answer ─▶ question ─▶ answer … ─▶ result, or failure

A round asks Spark the questions of all ticks at once. A tick with a question that needs a job waits where it is, and
can be finished alone; so no tick can delay the others, nor fail them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from compute.maintain.tick import OwnJobs, Question, Tick, TickResult
from compute.spark.prepared import Answered, Asked, run_round


class Ticking:
    """A tick under way.

    `seconds`: the work of Python and Java so far, without jobs. `now` returns the thread's processor time, so that a
        busy
    machine makes no tick seem long.
    """

    def __init__(self, tick: Tick, now: Callable[[], float]) -> None:
        self.result: TickResult | None = None
        self.failure: Exception | None = None
        self.asked: Asked | None = None
        self.seconds = 0.0
        self._tick = tick
        self._now = now
        self._course = tick.course()
        self._question: Question | OwnJobs | None = None

    def begin(self) -> None:
        """Goes to the first question."""
        self._go(lambda: next(self._course))

    def take(self, answered: Answered) -> None:
        """Goes on with the answer to what is `asked`, to the next question."""
        question = self._question
        assert isinstance(question, Question), "there is no question"
        self.seconds += answered.seconds
        self._tick.times.add(answered.seconds)
        batches = answered.batches
        if batches is None:
            # By itself it fails again, and says why.
            self._ask(question)
        else:
            self._go(lambda: self._course.send(self._tick.answered(question, batches)))

    def finish(self) -> TickResult:
        """Runs the tick alone to its end. Raises PySpark's exceptions, OSError."""
        if self._question is None and self.result is None and self.failure is None:
            self.begin()
        while self._question is not None:
            self._ask(self._question)
        if self.failure is not None:
            raise self.failure
        assert self.result is not None, "a course ends with a result or a failure"
        return self.result

    def _ask(self, question: Question | OwnJobs) -> None:
        def step() -> Question | OwnJobs:
            if isinstance(question, OwnJobs):
                return next(self._course)
            answer = self._tick.answer(question)
            self.seconds += answer.seconds
            return self._course.send(answer)

        self._go(step)

    def _go(self, step: Callable[[], Question | OwnJobs]) -> None:
        begun = self._now()
        self._tick.times.begin()
        self._question = self.asked = None
        try:
            self._question = step()
            self.asked = self._tick.asked(self._question)
        except StopIteration as end:
            self.result = end.value
        except Exception as error:  # noqa: BLE001  (the tick has failed, and not those that go with it)
            self._question = None
            self.failure = error
            self._course.close()
        self._tick.times.end()
        self.seconds += self._now() - begun


def tick_together(ticks: Sequence[Ticking], scratch: Path) -> None:
    """Runs all ticks until each has a result or a failure, or needs a job. Py4JError, OSError: no tick has taken place.

    `scratch` is a directory for this call alone.
    """
    for each in ticks:
        each.begin()
    while asking := [(each, each.asked) for each in ticks if each.asked is not None]:
        answers = run_round([asked for _, asked in asking], scratch)
        for (each, _), answered in zip(asking, answers, strict=True):
            each.take(answered)
