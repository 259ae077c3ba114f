"""Whatever a client sends, it gets a protocol error or a correct answer, and no other connection notices.

A few thousand messages by default; HEADWATER_FUZZ_MESSAGES=100000 runs the whole of it.
"""

from __future__ import annotations

import asyncio
import os
import random
import struct

import pytest

from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions, WireServer
from tests.server.pgwire import frames
from tests.server.pgwire.fuzz import MESSAGE_BYTES_MAX, run, session_bytes
from tests.server.pgwire.toy import ToyBackend

_MESSAGES = int(os.environ.get("HEADWATER_FUZZ_MESSAGES", "6000"))
_SOCKET_CASES = 60


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_damaged_messages_end_in_a_protocol_error_or_a_right_answer(seed: int) -> None:
    report = asyncio.run(run(seed, _MESSAGES // 3))
    assert report.failures == []
    assert min(report.answered, report.refused) > report.cases // 10, "the damage is too small or too great to tell"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """What the good client's query is answered with, up to ReadyForQuery."""
    writer.write(frames.query("SELECT 7"))
    data = b""
    while not data.endswith(b"Z\0\0\0\5I"):
        data += await asyncio.wait_for(reader.read(1 << 16), 60)
    return data


async def _attack(port: int, random_: random.Random) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(session_bytes(random_, random_.randint(1, 16)))
        await writer.drain()
        if random_.random() < 0.5:
            await asyncio.wait_for(reader.read(1 << 16), 60)
    except ConnectionError:
        pass
    finally:
        if random_.random() < 0.5:
            writer.transport.abort()
        writer.close()


async def _beside() -> None:
    options = ServerOptions(connection=ConnectionOptions(message_bytes_max=MESSAGE_BYTES_MAX))
    server = WireServer(ToyBackend(), options)
    await server.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(frames.startup({"user": "good"}))
    while not (await reader.read(1 << 16)).endswith(b"Z\0\0\0\5I"):
        pass
    random_ = random.Random(4)
    right = await _answer(reader, writer)
    for _ in range(_SOCKET_CASES):
        await asyncio.gather(*(_attack(server.port, random_) for _ in range(3)))
        assert await _answer(reader, writer) == right
    for _ in range(100):
        if server.connection_count == 1:
            break
        await asyncio.sleep(0.05)
    assert server.connection_count == 1
    writer.close()
    await server.shut_down(1)


def test_a_client_beside_attackers_notices_nothing() -> None:
    asyncio.run(_beside())


async def _flood(size: int) -> int:
    """The most bytes held while a client sends `size` bytes of COPY data in one message to a statement that sleeps."""
    server = WireServer(ToyBackend(), ServerOptions())
    await server.start()
    _reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(frames.startup({"user": "flood"}) + frames.query("SLEEP 1"))
    held = 0
    sending = asyncio.create_task(_send_much(writer, size))
    for _ in range(20):
        await asyncio.sleep(0.02)
        held = max([held, *(connection.machine.buffered_bytes for connection in server.connections)])
    sending.cancel()
    writer.transport.abort()
    await server.shut_down(1)
    return held


async def _send_much(writer: asyncio.StreamWriter, size: int) -> None:
    writer.write(b"d" + struct.pack(">i", size + 4))
    for _ in range(size >> 16):
        writer.write(bytes(1 << 16))
        await writer.drain()


def test_what_a_client_sends_ahead_is_held_only_up_to_a_bound() -> None:
    assert 0 < asyncio.run(_flood(64 << 20)) < 1 << 20
