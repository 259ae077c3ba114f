"""Protocols for the connection to a replica, and for the host that finds or starts a replica."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from typing import Protocol

from compute.protocol.command import Command
from compute.protocol.framing import Frame, FrameReader, framed
from compute.protocol.siblings import StatesPlace
from compute.protocol.vocabulary import CODEC

_READ_BYTES = 1 << 18


class ReplicaUnavailable(Exception):
    """No replica could be connected to, or the connected replica is gone."""


class Silence(Protocol):
    """A replica that says nothing, and whether it is still to be waited for."""

    def hopeless(self) -> bool:
        """Looks; some time is to pass between two looks."""
        ...


class Link(Protocol):
    """An ordered connection to a replica."""

    def send(self, command: Command, encoded: bytes | None = None) -> None:
        """Hands `command` on, whose bytes may be `encoded` already; only responses show whether it arrived. Never
        blocks, never fails."""
        ...

    async def receive(self) -> Frame | None:
        """Returns the next response with its payload; None when the connection is over. Raises MalformedMessage for
        noise."""
        ...

    def abort(self) -> None:
        """Ends the connection now, whatever is still on its way: `receive` gives None."""
        ...

    def close(self) -> None: ...


class Host(Protocol):
    """The place where the replica runs."""

    @property
    def pid(self) -> int | None:
        """Returns the replica's process id, if this host knows one."""
        ...

    @property
    def address(self) -> str:
        """Returns the replica's address, for people to read."""
        ...

    @property
    def secret(self) -> str:
        """Returns the secret that the replica expects in Hello."""
        ...

    @property
    def stopped(self) -> bool:
        """Returns whether the replica is known to stand still until somebody resumes it (after SIGSTOP, or in a
        debugger)."""
        ...

    @property
    def states(self) -> StatesPlace | None:
        """Returns where the replica keeps states, if other replicas can copy from there."""
        ...

    def silence(self) -> Silence | None:
        """Returns how long a replica is waited for that has just been asked, and has not answered; None: it can't
        hang."""
        ...

    async def connect(self) -> Link:
        """Connects to the replica, or starts a replica first. ReplicaUnavailable when neither works."""
        ...

    async def replace(self) -> None:
        """Ends our own replica after it refused to serve, so that the next `connect` starts another."""
        ...

    async def stop(self) -> None:
        """Ends our own replica."""
        ...


class SocketLink:
    """A connection over a stream socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._frames = FrameReader(CODEC)
        self._ready: Iterator[Frame] = iter(())

    def send(self, command: Command, encoded: bytes | None = None) -> None:
        if not self._writer.is_closing():
            self._writer.write(framed(CODEC.encode(command) if encoded is None else encoded))

    async def receive(self) -> Frame | None:
        while True:
            frame = next(self._ready, None)
            if frame is not None:
                return frame
            try:
                data = await self._reader.read(_READ_BYTES)
            except ConnectionError:
                return None
            if not data:
                return None
            self._ready = self._frames.feed(data)

    def abort(self) -> None:
        self._writer.transport.abort()

    def close(self) -> None:
        self._writer.close()


async def open_link(address: str, tls: ssl.SSLContext | None = None) -> Link:
    """Connects to `unix:/path` or `host:port`, there by TLS if a context says whom to trust. Raises OSError when nobody
    listens, or nobody that is trusted."""
    if address.startswith("unix:"):
        return SocketLink(*await asyncio.open_unix_connection(address.removeprefix("unix:")))
    host, _, port = address.rpartition(":")
    return SocketLink(*await asyncio.open_connection(host.strip("[]"), int(port), ssl=tls))
