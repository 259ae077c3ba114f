"""Writes materialized views, many in one step: writes that arrive during a step wait, and go together in the next.

A step costs a durable write whatever its size, and consensus takes one step after the other. A hundred views that
change with each commit would wait for a hundred steps; together they wait for two.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from compute.replica.running.places import Places
from compute.replica.running.shard_writer import FencedOut, ShardWriter, WriteRefused, commit_writes
from storage.persist.shard import PreparedWrite


@dataclass(frozen=True, slots=True)
class _Waiting:
    writer: ShardWriter
    write: PreparedWrite
    done: asyncio.Future[None]


class ShardCommits:
    """The queue of views' writes. `run` is the task."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._waiting: list[_Waiting] = []
        self._came = asyncio.Event()

    async def commit(self, writer: ShardWriter, write: PreparedWrite) -> None:
        """Commits like `CommitWrite`. A cancelled caller waits for the outcome."""
        waiting = _Waiting(writer, write, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._came.set()
        try:
            await asyncio.shield(waiting.done)
        except asyncio.CancelledError:
            await asyncio.wait([waiting.done])
            if not waiting.done.cancelled():
                waiting.done.exception()  # the caller is gone, whatever came of it
            raise

    async def run(self) -> None:
        """Writes until cancelled; waiting writes are then cancelled, too."""
        try:
            while True:
                await self._came.wait()
                self._came.clear()
                batch = self._next()
                try:
                    await self._write(batch)
                except Exception as defect:
                    for waiting in batch:
                        _fail(waiting, defect)
                    raise
                except BaseException:
                    self._waiting += batch
                    raise
        except asyncio.CancelledError:
            for waiting in self._waiting:
                waiting.done.cancel()
            raise

    def _next(self) -> list[_Waiting]:
        """Takes one waiting write a shard: a shard may have two writers while one dataflow replaces another."""
        batch = {waiting.writer.machine.key: waiting for waiting in reversed(self._waiting)}
        self._waiting = [waiting for waiting in self._waiting if batch[waiting.writer.machine.key] is not waiting]
        if self._waiting:
            self._came.set()
        return list(batch.values())

    async def _write(self, batch: Sequence[_Waiting]) -> None:
        """Writes all together; after a refusal, each alone, so that one misfit does not hold up the others."""
        try:
            await commit_writes([(waiting.writer, waiting.write) for waiting in batch], self._places)
        except WriteRefused as refused:
            if len(batch) == 1 or isinstance(refused, FencedOut):
                for waiting in batch:
                    waiting.write.abandon()
                    _fail(waiting, refused)
                return
            for waiting in batch:
                await self._write([waiting])
        except Exception as error:  # noqa: BLE001  (each dataflow is told, and tries again)
            for waiting in batch:
                waiting.write.abandon()
                _fail(waiting, error)
        else:
            for waiting in batch:
                if not waiting.done.done():
                    waiting.done.set_result(None)


def _fail(waiting: _Waiting, error: Exception) -> None:
    if not waiting.done.done():
        waiting.done.set_exception(error)
