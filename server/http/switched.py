"""A connection that has left HTTP for another protocol: bytes in both directions, within the limits of all clients."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from server.http.request import ClientGone

_WRITABLE_BYTES = 64 << 10


class SwitchedHost(Protocol):
    """The connection that was switched, as far as the other protocol needs it."""

    def is_known(self) -> None: ...

    def hold(self, size: int) -> bool: ...

    def let_go(self, size: int) -> None: ...

    def abort(self) -> None: ...


class SwitchedConnection:
    """The bytes of a client. Reading is one task's matter, writing anybody's.

    Until `is_known` is called, the connection gives way to others, as one does that waits for a request.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: bytes, host: SwitchedHost
    ) -> None:
        """`first` has come already."""
        self._reader = reader
        self._writer = writer
        self._first = first
        self.is_known = host.is_known
        self.hold, self.let_go, self.abort = host.hold, host.let_go, host.abort
        self.when_stopping: Callable[[], None] = lambda: None
        """Called when the server shuts down."""

    async def read(self, size: int) -> bytes:
        """Returns what has come, at most so many bytes; nothing at the end."""
        if self._first:
            data, self._first = self._first[:size], self._first[size:]
            return data
        try:
            return await self._reader.read(size)
        except OSError:
            return b""

    def write_soon(self, data: bytes) -> None:
        """Writes what may be lost, without waiting for the client."""
        if data and not self._writer.transport.is_closing():
            self._writer.write(data)

    async def write(self, data: bytes) -> None:
        """Writes, and waits until the client has taken nearly everything; raises ClientGone when the client is gone."""
        try:
            self.write_soon(data)
            await self._writer.drain()
        except OSError:
            raise ClientGone from None

    @property
    def taking(self) -> bool:
        """Tells whether the client reads what is sent."""
        return bool(self._writer.transport.get_write_buffer_size() < _WRITABLE_BYTES)
