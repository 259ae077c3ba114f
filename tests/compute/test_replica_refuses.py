"""Whoever is refused learns why, however much it had said already."""

from __future__ import annotations

import asyncio

import pytest

from compute.protocol.command import Hello, InitializationComplete, UpdateConfiguration
from compute.protocol.framing import Frame, FrameReader, encode_frame
from compute.protocol.response import ServingRefused
from compute.protocol.vocabulary import CODEC, VERSION
from compute.replica.process.server import ReplicaServer, listen

_MEGABYTES = 8


async def _refusal(address: str) -> list[object]:
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(encode_frame(CODEC, Frame(Hello("1", VERSION, "a guess", "c"))))
    setting = encode_frame(CODEC, Frame(UpdateConfiguration((("name", "x" * (1 << 20)),))))
    for _ in range(_MEGABYTES):
        writer.write(setting)
    writer.write(encode_frame(CODEC, Frame(InitializationComplete())))
    await asyncio.sleep(0.2)
    frames = FrameReader(CODEC)
    answers: list[object] = []
    while data := await reader.read(1 << 16):
        answers += [frame.message for frame in frames.feed(data)]
    writer.close()
    return answers


@pytest.mark.timeout(300)
def test_a_refusal_is_read_by_one_that_keeps_talking() -> None:
    async def run() -> list[object]:
        def open_peeks(*_: object) -> object:
            raise AssertionError("nothing is opened for one that is refused")

        server = ReplicaServer("told", open_peeks)  # type: ignore[arg-type]
        listener, address = await listen(server, "127.0.0.1:0")
        async with listener:
            answers = await _refusal(address)
            listener.close()
        return answers

    assert asyncio.run(run()) == [ServingRefused("the secret is wrong", superseded=False)]
