"""What a leader alone was asked, or answers alone, the next one is asked, as long as no reader has seen rows of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pyarrow as pa
import pytest

from compute.controller.peeks import PendingPeeks
from compute.protocol.command import AcknowledgeRows, Command, PeekIndex
from compute.protocol.framing import batches_to_payload
from compute.protocol.history import CommandHistory
from compute.protocol.response import PeekCompleted, PeekDone, PeekRows
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from planner.ir.relation import Finishing

pytestmark = pytest.mark.asyncio


class _OneThenAnother:
    """Two replicas, the first of which answers alone until it stands still."""

    def __init__(self) -> None:
        self.names = ["r1"]
        self.told: list[Command] = []

    def require_replica(self) -> None:
        pass

    def tell(self, command: Command, encoded: bytes | None = None) -> None:
        self.told.append(command)

    def send_each(self, command: Command, *, to: str | None = None, but: str | None = None) -> None:
        self.told.append(command)

    def answering(self) -> list[str]:
        return self.names

    def any_connected(self) -> bool:
        return True

    def name_of_question(self) -> str:
        return "again"


_PEEK = PeekIndex("first", GlobalId.user(3), None, Timestamp(5), Finishing((), None, None, (0,)))


def _rows(*values: int) -> bytes:
    batch = pa.record_batch([pa.array(values, pa.int64())], names=["c0"])
    return batches_to_payload(batch.schema, [batch])


async def _asked(peeks: PendingPeeks) -> tuple[AsyncGenerator[pa.RecordBatch], asyncio.Task[pa.RecordBatch]]:
    """Asks, with the first replica's rows on their way to the reader, who has not run yet."""
    answer = peeks.ask(_PEEK)
    first = asyncio.ensure_future(anext(answer))
    while not len(peeks):
        await asyncio.sleep(0)
    peeks.take("r1", PeekRows("first", 1), _rows(1))
    return answer, first


async def test_an_answer_that_nobody_has_seen_any_of_is_asked_of_the_next_leader() -> None:
    replicas = _OneThenAnother()
    peeks = PendingPeeks(CommandHistory(), replicas)
    answer, first = await _asked(peeks)
    replicas.names = ["r2"]
    peeks.pass_over("r1")
    assert [each.uuid for each in replicas.told if isinstance(each, PeekIndex)] == ["first", "again"]
    peeks.take("r1", PeekDone("first", PeekCompleted(1, 0.0, ())), b"")
    peeks.take("r2", PeekRows("again", 2), _rows(1, 2))
    peeks.take("r2", PeekDone("again", PeekCompleted(2, 0.0, ())), b"")
    assert (await first).column(0).to_pylist() == [1, 2]
    assert [batch async for batch in answer] == []


async def test_an_answer_that_was_seen_in_part_is_waited_for() -> None:
    replicas = _OneThenAnother()
    peeks = PendingPeeks(CommandHistory(), replicas)
    answer, first = await _asked(peeks)
    assert (await first).column(0).to_pylist() == [1]
    second = asyncio.ensure_future(anext(answer))
    await asyncio.sleep(0)
    assert AcknowledgeRows("first", 1) in replicas.told
    replicas.names = ["r2"]
    peeks.pass_over("r1")
    peeks.take("r1", PeekRows("first", 1), _rows(2))
    assert (await second).column(0).to_pylist() == [2]
    await answer.aclose()
