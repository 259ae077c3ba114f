"""Evaluates small plans on the event loop; in a simulation, which has only one thread, all plans.

The evaluation runs in a greenlet: while it sleeps, the loop goes on, and later resumes it at the same place.
"""

from __future__ import annotations

import contextvars
from collections.abc import AsyncGenerator

from greenlet import GreenletExit, getcurrent, greenlet

from catalog.lookup.system_lookup import SessionFacts
from model.errors.sql_error import SqlError
from model.time.clock import Clock
from model.types.datum import Row
from planner.functions.system.sleeping import sleeping_by
from server.evaluation.work import Work, batches_of, work_rows


class EvaluationsHere:
    """An Evaluations."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def rows(self, work: Work, facts: SessionFacts) -> AsyncGenerator[list[Row]]:
        batches, error = await self._batches(work, facts)
        for batch in batches:
            yield batch
        if error is not None:
            raise error

    async def _batches(self, work: Work, facts: SessionFacts) -> tuple[list[list[Row]], SqlError | None]:
        """Returns the rows in batches, and the error that follows them."""

        def run() -> tuple[list[list[Row]], SqlError | None]:
            batches: list[list[Row]] = []
            with sleeping_by(_hand_over):
                try:
                    batches.extend(batches_of(work_rows(work, facts)))
                except SqlError as error:
                    return batches, error
            return batches, None

        evaluation = greenlet(run)
        evaluation.gr_context = contextvars.copy_context()
        try:
            outcome = evaluation.switch()
            while not evaluation.dead:
                await self._clock.sleep(outcome)
                outcome = evaluation.switch()
        finally:
            if not evaluation.dead:
                evaluation.throw(GreenletExit)
        found: tuple[list[list[Row]], SqlError | None] = outcome
        return found

    async def close(self) -> None:
        return


def _hand_over(seconds: float) -> None:
    """Back to the loop, which comes again when the time has passed."""
    loop = getcurrent().parent
    assert loop is not None, "an evaluation is started by the loop"
    loop.switch(seconds)
