"""HTTP for webhook sources: a socket, its connections, and what these may hold together."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from functools import partial

from server.tls.files import ReloadableTls
from server.tls.transport import TlsTransport
from server.webhooks.http_connection import HttpConnection
from server.webhooks.limits import HttpLimits
from server.webhooks.receiving import WebhookReceiver

_BACKLOG = 1024


class HttpServer:
    """`start`, then `shut_down` once.

    Of all connections at most `connections_max` are kept. Beyond them the one whose client has kept us waiting for
    longest gives way: those who hold connections open, or send a byte from time to time, keep nobody out. When all
    are being served, others are told to come again."""

    def __init__(self, receiver: WebhookReceiver, limits: HttpLimits) -> None:
        self._receiver = receiver
        self._limits = limits
        self._connections: dict[HttpConnection, asyncio.Task[None]] = {}
        self._waited_for: dict[HttpConnection, None] = {}
        self._served: set[HttpConnection] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._handshakes: dict[TlsTransport, asyncio.TimerHandle] = {}
        self._listeners: list[asyncio.Server] = []
        self.held_bytes = 0

    async def start(self, sockets: Sequence[socket.socket], tls: ReloadableTls | None = None) -> None:
        """Takes connections from sockets that listen; with TLS no others."""
        loop = asyncio.get_running_loop()
        for bound in sockets:
            made = self._plain if tls is None else partial(self._encrypted, tls)
            self._listeners.append(await loop.create_server(made, sock=bound, backlog=_BACKLOG))

    def _plain(self) -> asyncio.Protocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(limit=self._limits.head_bytes_max), self._connected)

    def _encrypted(self, tls: ReloadableTls) -> asyncio.Protocol:
        """Who has not come to an end with the handshake counts by itself; beyond the number of connections the one that
        has taken longest gives way."""
        made = TlsTransport(
            tls.identity.for_http, self._plain(), connected=False, handshake_over=self._forget_handshake
        )
        self._handshakes[made] = asyncio.get_running_loop().call_later(self._limits.head_s, made.abort)
        if len(self._handshakes) > self._limits.connections_max:
            oldest = next(iter(self._handshakes))
            self._forget_handshake(oldest)
            oldest.abort()
        return made

    def _forget_handshake(self, transport: TlsTransport) -> None:
        timer = self._handshakes.pop(transport, None)
        if timer is not None:
            timer.cancel()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listeners[0].sockets[0].getsockname()[1])

    @property
    def connection_count(self) -> int:
        return len(self._connections)

    async def shut_down(self, grace_s: float) -> None:
        """Takes no more connections, ends those that are waited for, and lets requests end for `grace_s` seconds."""
        for listener in self._listeners:
            listener.close()
        for handshake in tuple(self._handshakes):
            handshake.abort()
        for connection in tuple(self._waited_for):
            connection.abort()
        tasks = [*self._connections.values(), *self._ending]
        if tasks:
            await asyncio.wait(tasks, timeout=grace_s)
        for connection, task in tuple(self._connections.items()):
            connection.abort()
            task.cancel()
        for task in self._ending:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        full = len(self._connections) >= self._limits.connections_max
        longest = next(iter(self._waited_for), None) if full else None
        busy = len(self._served) >= self._limits.connections_max
        connection = HttpConnection(reader, writer, self._receiver, self._limits, self, busy=busy)
        if longest is not None:
            self._end(longest)
        task = asyncio.create_task(connection.run(), name="http connection")
        self._connections[connection] = task
        task.add_done_callback(lambda _: self._forget(connection))
        self.wait_for(connection)

    def _end(self, connection: HttpConnection) -> None:
        """It is none of ours from now on, whatever its task still says."""
        task = self._connections[connection]
        self._forget(connection)
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        connection.abort()

    def _forget(self, connection: HttpConnection) -> None:
        self._connections.pop(connection, None)
        self._waited_for.pop(connection, None)
        self._served.discard(connection)

    # What connections tell

    def wait_for(self, connection: HttpConnection) -> None:
        """It is its client's turn to say something, from now on."""
        if connection not in self._connections:
            return
        self._waited_for[connection] = None
        self._served.discard(connection)

    def heard(self, connection: HttpConnection) -> None:
        """The client has said all of its request."""
        if connection not in self._connections:
            return
        self._waited_for.pop(connection, None)
        self._served.add(connection)

    def hold(self, size: int) -> bool:
        """Whether so many bytes more may be held; they are then, until they are let go of."""
        if self.held_bytes + size > self._limits.held_bytes_max:
            return False
        self.held_bytes += size
        return True

    def let_go(self, size: int) -> None:
        self.held_bytes -= size
