"""Writes materialized views, many in one step: writes that arrive during a step wait, and go together in the next.

A step costs a durable write whatever its size, and consensus takes one step after the other. A hundred views that
change with each commit would wait for a hundred steps; together they wait for two.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from compute.replica.running.joined_queue import JoinedQueue, QueuedWrite
from compute.replica.running.places import Places
from compute.replica.running.shard_writer import FencedOut, ShardWriter, WriteRefused, commit_writes
from storage.persist.shard import PreparedWrite


@dataclass(frozen=True, slots=True)
class _ViewWrite(QueuedWrite):
    writer: ShardWriter
    write: PreparedWrite


class ShardCommits(JoinedQueue[_ViewWrite]):
    """The queue of views' writes. `run` is the task."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self._places = places

    async def commit(self, writer: ShardWriter, write: PreparedWrite) -> None:
        """Commits like `CommitWrite`. A cancelled caller waits for the outcome."""
        await self._outcome(_ViewWrite(asyncio.get_running_loop().create_future(), writer, write))

    def _take(self, waiting: Sequence[_ViewWrite]) -> tuple[list[_ViewWrite], list[_ViewWrite]]:
        """Takes one waiting write a shard: a shard may have two writers while one dataflow replaces another."""
        batch = {each.writer.machine.key: each for each in reversed(waiting)}
        return list(batch.values()), [each for each in waiting if batch[each.writer.machine.key] is not each]

    async def _write(self, batch: Sequence[_ViewWrite]) -> None:
        """Writes all together; after a refusal, each alone, so that one misfit does not hold up the others."""
        try:
            await commit_writes([(waiting.writer, waiting.write) for waiting in batch], self._places)
        except WriteRefused as refused:
            if len(batch) == 1 or isinstance(refused, FencedOut):
                for waiting in batch:
                    waiting.write.abandon()
                    waiting.fail(refused)
                return
            for waiting in batch:
                await self._write([waiting])
        except Exception as error:  # noqa: BLE001  (each dataflow is told, and tries again)
            for waiting in batch:
                waiting.write.abandon()
                waiting.fail(error)
        else:
            for waiting in batch:
                if not waiting.done.done():
                    waiting.done.set_result(None)
