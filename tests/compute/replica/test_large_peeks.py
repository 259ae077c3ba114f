"""A query over many constant rows is encoded once, and not on the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterable
from unittest.mock import patch

import pyarrow as pa
import pytest

from compute.controller.asked import NO_REPLICA
from compute.controller.controller import ComputeController, ControllerOptions
from compute.controller.link import SocketLink
from compute.controller.peeks import PendingPeeks
from compute.controller.pending import PeekRequest
from compute.protocol.codec import Codec
from compute.protocol.command import Command, CreateInstance, Peek
from compute.protocol.framing import FrameReader
from compute.protocol.history import CommandHistory
from compute.protocol.vocabulary import CODEC
from model.errors.sql_error import SqlError
from model.time.clock import SystemClock, SystemRandomness
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8, TEXT
from planner.ir.relation import Constant, Finishing
from tests.compute.in_process import InProcessHost, InProcessLink

pytestmark = pytest.mark.asyncio


def _peek(rows: int) -> Peek:
    relation = Constant(
        tuple(((number, str(number)), 1) for number in range(rows)),
        relation_desc(("a", INT8, False), ("b", TEXT, False)),
    )
    return Peek("p", relation, (), Timestamp(5), Finishing((), None, None, ()))


def _controller(host: InProcessHost) -> ComputeController:
    options = ControllerOptions("memory:", "memory:", "1", "timeline", ())
    return ComputeController(options, {"r1": host}, SystemClock(), SystemRandomness())


@pytest.mark.parametrize(("rows", "apart"), [(10, False), (40_000, True)])
async def test_a_peek_is_encoded_once_and_a_large_one_beside_the_loop(rows: int, apart: bool) -> None:
    threads: list[int] = []
    encode = Codec.encode

    def noted(codec: Codec, value: object) -> bytes:
        threads.append(threading.get_ident())
        return encode(codec, value)

    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near)
    link = SocketLink(reader, writer)
    arrived, arriving = await asyncio.open_connection(sock=far)
    frames = FrameReader(CODEC)
    peeks = PendingPeeks(CommandHistory(), _OneLink(link))
    command = _peek(rows)
    with patch.object(Codec, "encode", noted):
        answer = asyncio.ensure_future(anext(peeks.ask(command)))
        received = next(iter(frames.feed(await arrived.read(1 << 20))), None)
        while received is None:
            received = next(iter(frames.feed(await arrived.read(1 << 20))), None)
    assert received.message == command
    assert len(threads) == 1
    assert (threads[0] != threading.get_ident()) is apart
    answer.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await answer
    link.close()
    arriving.close()


class _OneLink:
    """The replicas of a cluster where there is a link and nothing else."""

    def __init__(self, link: SocketLink) -> None:
        self._link = link

    def require_replica(self) -> None:
        pass

    def tell(self, command: Command, encoded: bytes | None = None) -> None:
        self._link.send(command, encoded)

    def send_each(self, command: Command, *, to: str | None = None, but: str | None = None) -> None:
        self._link.send(command)

    def answering(self) -> list[str]:
        return ["r1"]

    def any_connected(self) -> bool:
        return True

    def name_of_question(self) -> str:
        return "q"


async def test_a_large_peek_that_another_life_of_the_replica_is_asked_is_not_encoded_again() -> None:
    asked: list[bytes | None] = []
    send, reached = InProcessLink.send, asyncio.Event()

    def noted(self: InProcessLink, command: Command, encoded: bytes | None = None) -> None:
        if isinstance(command, Peek):
            asked.append(encoded)
            reached.set()
        send(self, command, encoded)

    async def waiting(_instance: CreateInstance, _peek: Peek) -> Iterable[pa.RecordBatch]:
        if len(asked) == 1:
            await asyncio.get_running_loop().create_future()
        return ()

    host = InProcessHost(waiting)
    controller = _controller(host)
    controller.start()
    await asyncio.wait_for(controller.wait_ready(), 20)
    peek = _peek(40_000)
    answer = controller.peek(PeekRequest(peek.relation, (), peek.as_of, peek.finishing))
    with patch.object(InProcessLink, "send", noted):
        answered = asyncio.ensure_future(anext(answer, None))
        await asyncio.wait_for(reached.wait(), 20)
        host.crash()
        assert await asyncio.wait_for(answered, 20) is None
    await controller.stop()
    first, again = asked
    assert first is not None and again is first


async def _nothing(_instance: CreateInstance, _peek: Peek) -> Iterable[pa.RecordBatch]:
    return ()


async def test_a_large_peek_does_not_wait_where_the_last_replica_is_dropped_meanwhile() -> None:
    controller = _controller(InProcessHost(_nothing))
    controller.start()
    await asyncio.wait_for(controller.wait_ready(), 20)
    peek = _peek(40_000)
    answer = controller.peek(PeekRequest(peek.relation, (), peek.as_of, peek.finishing))
    answered = asyncio.ensure_future(anext(answer))
    await asyncio.sleep(0)
    await controller.remove_replica("r1")
    with pytest.raises(SqlError, match=NO_REPLICA):
        await asyncio.wait_for(answered, 5)
    await controller.stop()
