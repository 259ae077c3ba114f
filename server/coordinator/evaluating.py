"""The interpreter for a statement: what may go on for ever goes on in a thread, what sleeps does so between two
attempts, and both end with the statement."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from itertools import count

from model.clock import Clock
from model.datum import Row
from planner.functions.sleeping import Pause, pausing
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query
from planner.ir.relation import LetRecursive, Recursive
from planner.ir.visit import walk_relation
from planner.plans import Query


class _Ended(Exception):
    """Nobody waits for the rows any more."""


async def evaluated(query: Query, context: EvaluationContext, clock: Clock) -> list[Row]:
    """The query's rows, when all sleeps that it asks for are over."""
    for slept in count():
        try:
            with pausing(slept):
                return await _attempted(query, context)
        except Pause as pause:
            await clock.sleep(pause.seconds)
    raise AssertionError("counting has no end")


async def _attempted(query: Query, context: EvaluationContext) -> list[Row]:
    """A recursion may have no end: it lets others run, and stops when the caller is cancelled."""
    if not any(isinstance(node, Recursive | LetRecursive) for node in walk_relation(query.relation)):
        return evaluate_query(query, context)
    ended = threading.Event()

    def checkpoint() -> None:
        if ended.is_set():
            raise _Ended

    context = replace(context, checkpoint=checkpoint)
    thread = asyncio.ensure_future(asyncio.to_thread(evaluate_query, query, context))
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        ended.set()
        # Whatever it still comes to is of no more interest, but must have been looked at.
        thread.add_done_callback(lambda done: done.cancelled() or done.exception())
        raise
