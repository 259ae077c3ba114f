"""Asks lookups of indexes together: lookups of one index at one time share a peek while others are under way.

A lookup's own work is small beside the costs of a message, its payload and the answering task, which lookups that share
a peek share, too. A lookup that comes alone is asked at once.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa

from compute.controller.pending import IndexPeekRequest
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import rows_from_arrow
from model.types.datum import Row
from model.types.relation_desc import RelationDesc

_UNDER_WAY_MAX = 2
"""So that the replica has one to answer while the environment hands out another's rows."""
_KEYS_MAX = 1_024
_SHARED_BYTES_MAX = 1 << 20
"""Who asks for more gets it streamed, by itself."""

Ask = Callable[[IndexPeekRequest], AsyncGenerator[pa.RecordBatch]]


@dataclass(frozen=True, slots=True)
class _Question:
    keys: tuple[Row, ...]
    answer: asyncio.Future[list[Row] | None]


@dataclass(slots=True)
class _Queue:
    """Questions that can share a request, as they differ only in their keys; `desc` describes the rows."""

    request: IndexPeekRequest
    desc: RelationDesc
    waiting: list[_Question] = field(default_factory=list)
    under_way: int = 0


class Lookups:
    """Collects lookups of indexes; `ask` sends a peek with the collected keys to the replica."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._queues: dict[Hashable, _Queue] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def look_up(self, request: IndexPeekRequest, desc: RelationDesc) -> list[Row] | None:
        """Returns the rows with `request.keys`, of columns as in `desc`; None when they are too many to be had at once.

        The finishing is a projection alone, and nothing else is asked. The caller holds the index at as_of. Raises
        SqlError as a peek raises it.
        """
        assert request.keys
        if len(request.keys) > _KEYS_MAX:
            return None
        # The keys of one request have all as many parts.
        alike = request.index, request.as_of, len(request.keys[0]), request.finishing.project
        queue = self._queues.get(alike)
        if queue is None:
            queue = self._queues[alike] = _Queue(request, desc)
        if queue.under_way == _UNDER_WAY_MAX or queue.waiting:
            question = _Question(request.keys, asyncio.get_running_loop().create_future())
            queue.waiting.append(question)
            return await question.answer
        queue.under_way += 1
        try:
            # By itself, without a task that would have to have its turn first.
            places, found = await self._rows(queue, [request.keys])
            return [row for key in request.keys for row in found[places[key]]]
        except SqlError as error:
            if error.sqlstate is not Sqlstate.PROGRAM_LIMIT_EXCEEDED:
                raise
            return None
        finally:
            if queue.waiting:
                task = asyncio.create_task(self._serve(alike, queue))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            else:
                self._end(alike, queue)

    async def _serve(self, alike: Hashable, queue: _Queue) -> None:
        """Asks waiting questions until none is left."""
        while questions := _taken(queue.waiting):
            try:
                _hand_out(questions, *await self._rows(queue, [question.keys for question in questions]))
            except Exception as error:  # noqa: BLE001  (each who asked gets it)
                large = isinstance(error, SqlError) and error.sqlstate is Sqlstate.PROGRAM_LIMIT_EXCEEDED
                for question in questions:
                    if not question.answer.done():
                        question.answer.set_result(None) if large else question.answer.set_exception(error)
        self._end(alike, queue)

    def _end(self, alike: Hashable, queue: _Queue) -> None:
        queue.under_way -= 1
        if not queue.under_way:
            del self._queues[alike]

    async def _rows(self, queue: _Queue, asked: Sequence[tuple[Row, ...]]) -> tuple[dict[Row, int], list[list[Row]]]:
        """Returns the places of the keys, and the rows of each place."""
        places: dict[Row, int] = {}
        for keys in asked:
            for key in keys:
                places.setdefault(key, len(places))
        request = replace(queue.request, keys=tuple(places), numbered=True, bytes_max=_SHARED_BYTES_MAX)
        found: list[list[Row]] = [[] for _ in places]
        async with contextlib.aclosing(self._ask(request)) as batches:
            async for batch in batches:
                place_of = batch.column(batch.num_columns - 1).to_pylist()
                for row, place in zip(rows_from_arrow(batch, queue.desc), place_of, strict=True):
                    found[place].append(row)
        return places, found


def _taken(waiting: list[_Question]) -> list[_Question]:
    """Takes as many waiting questions as one request may put."""
    taken: list[_Question] = []
    keys = 0
    while waiting and (not taken or keys + len(waiting[0].keys) <= _KEYS_MAX):
        question = waiting.pop(0)
        if question.answer.done():
            continue  # who asked has given up
        taken.append(question)
        keys += len(question.keys)
    return taken


def _hand_out(questions: Sequence[_Question], places: dict[Row, int], found: list[list[Row]]) -> None:
    for question in questions:
        if not question.answer.done():
            question.answer.set_result([row for key in question.keys for row in found[places[key]]])
