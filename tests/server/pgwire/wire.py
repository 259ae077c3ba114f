"""A Connection without a socket: bytes in, bytes out, one toy session behind it."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from server.admission.gate import Gate, given_rules
from server.pgwire.arriving import Arriving
from server.pgwire.connection import ClientConnection, ConnectionOptions
from tests.server.pgwire.frames import startup
from tests.server.pgwire.toy import ToyBackend

TRUSTING = Gate(given_rules("local all all trust\nhost all all samehost trust"))
HELLO = startup({"user": "someone", "database": "here"})


class MemoryTransport:
    """What asyncio's transport is to a Connection."""

    def __init__(self, address: str) -> None:
        self.written = bytearray()
        self.reading = True
        self.closed = False
        self.address = address

    def get_extra_info(self, name: str) -> Any:
        return ((self.address, 1) if self.address else "") if name == "peername" else None

    def write(self, data: bytes) -> None:
        assert not self.closed
        self.written += data

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def close(self) -> None:
        self.closed = True


class _Room:
    """Room for everybody."""

    def arrived(self, connection: ClientConnection) -> None: ...

    def admit(self, connection: ClientConnection, *, superuser: bool) -> None: ...

    def left(self, connection: ClientConnection) -> None: ...


class Wire:
    """One connection; make it inside a running loop."""

    def __init__(
        self,
        backend: ToyBackend,
        options: ConnectionOptions | None = None,
        address: str = "127.0.0.1",
        arriving: Arriving | None = None,
    ) -> None:
        self.transport = MemoryTransport(address)
        self.connection = ClientConnection(
            backend,
            options or ConnectionOptions(gate=TRUSTING),
            _Room(),
            arriving,
            local=not address,
        )
        self.connection.connection_made(cast(asyncio.BaseTransport, self.transport))

    def send(self, data: bytes) -> None:
        if not self.transport.closed:
            self.connection.data_received(data)

    async def settle(self) -> None:
        """Until nothing more will happen without more bytes."""
        for _ in range(10_000):
            await asyncio.sleep(0)
            task = self.connection.task
            assert task is not None
            if task.done() or (self.connection.idle and not self.connection.machine.output_bytes):
                return
        raise AssertionError("the connection never came to rest")

    async def exchange(self, data: bytes) -> bytes:
        """What `data` is answered with."""
        self.send(data)
        await self.settle()
        answer = bytes(self.transport.written)
        self.transport.written.clear()
        return answer

    async def leave(self) -> None:
        """The client goes away without a word."""
        self.connection.connection_lost(None)
        task = self.connection.task
        assert task is not None
        await asyncio.wait([task])
        assert task.exception() is None


async def connected(backend: ToyBackend | None = None, options: ConnectionOptions | None = None) -> Wire:
    """After start-up."""
    wire = Wire(backend or ToyBackend(), options)
    await wire.exchange(HELLO)
    return wire
