"""Evaluates small plans on the event loop; in a simulation, which has only one thread, all plans.

The evaluation runs in a greenlet: while it waits, the loop goes on, and later resumes it at the same place.
"""

from __future__ import annotations

import contextvars
from collections.abc import AsyncGenerator, Awaitable
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet

from model.errors.sql_error import SqlError
from model.time.clock import Clock
from model.types.datum import Row
from planner.functions.system.waiting import Waits, waiting_by
from server.evaluation.work import AskedFacts, Work, batches_of, work_rows


class EvaluationsHere:
    """An Evaluations."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def rows(self, work: Work, facts: AskedFacts) -> AsyncGenerator[list[Row]]:
        batches, error = await self._batches(work, facts)
        for batch in batches:
            yield batch
        if error is not None:
            raise error

    async def _batches(self, work: Work, facts: AskedFacts) -> tuple[list[list[Row]], SqlError | None]:
        """Returns the rows in batches, and the error that follows them."""

        def run() -> tuple[list[list[Row]], SqlError | None]:
            batches: list[list[Row]] = []
            with waiting_by(waits):
                try:
                    batches.extend(batches_of(work_rows(work, facts)))
                except SqlError as error:
                    return batches, error
            return batches, None

        waits = Waits(
            lambda seconds: _hand_over(self._clock.sleep(seconds)),
            lambda lock: _hand_over(facts.wait_for_lock(lock)),
            lambda function, arguments: _hand_over(facts.call_large_object(function, arguments)),
        )
        evaluation = greenlet(run)
        evaluation.gr_context = contextvars.copy_context()
        try:
            outcome = evaluation.switch()
            while not evaluation.dead:
                try:
                    answer = await outcome
                except SqlError as error:
                    outcome = evaluation.throw(error)
                else:
                    outcome = evaluation.switch(answer)
        finally:
            if not evaluation.dead:
                evaluation.throw(GreenletExit)
        found: tuple[list[list[Row]], SqlError | None] = outcome
        return found

    async def close(self) -> None:
        return


def _hand_over(wait: Awaitable[Any]) -> Any:
    """Goes back to the loop, which comes again with the answer when the wait is over, or with its error."""
    loop = getcurrent().parent
    assert loop is not None, "an evaluation is started by the loop"
    return loop.switch(wait)
