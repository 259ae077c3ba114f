"""The HTTP server: its sockets, its connections, and their common limits."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from functools import partial

from server.http.connection import HttpConnection
from server.http.exchange import Routes
from server.http.limits import HttpLimits
from server.tls.files import ReloadableTls
from server.tls.transport import TlsTransport

_BACKLOG = 1024


class _ClientProtocol(asyncio.StreamReaderProtocol):
    """The protocol of streams; beyond, calls `on_gone` at once when the client sends nothing more."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        connected: Callable[[asyncio.StreamReader, asyncio.StreamWriter, _ClientProtocol], None],
    ) -> None:
        super().__init__(reader, lambda reader, writer: connected(reader, writer, self))
        self.on_gone: Callable[[], None] = lambda: None

    def eof_received(self) -> bool:
        self.on_gone()
        return bool(super().eof_received())

    def connection_lost(self, exc: Exception | None) -> None:
        self.on_gone()
        super().connection_lost(exc)


class HttpServer:
    """The server: `start`, then `shut_down` once.

    It keeps at most `connections_max` connections. Beyond that, the connection whose client has been silent longest is
    dropped: a client that holds connections open, or sends a byte now and then, keeps nobody out. When all are being
    served, further clients are told to try again.
    """

    def __init__(self, routes: Routes, limits: HttpLimits) -> None:
        self._routes = routes
        self._limits = limits
        self._connections: dict[HttpConnection, asyncio.Task[None]] = {}
        self._waited_for: dict[HttpConnection, None] = {}
        self._served: set[HttpConnection] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._handshakes: dict[TlsTransport, asyncio.TimerHandle] = {}
        self._listeners: list[asyncio.Server] = []
        self.held_bytes = 0

    async def start(self, sockets: Sequence[socket.socket], tls: ReloadableTls | None = None) -> None:
        """Accepts connections from listening sockets; with `tls`, only encrypted ones."""
        loop = asyncio.get_running_loop()
        for bound in sockets:
            made = self._plain if tls is None else partial(self._encrypted, tls)
            self._listeners.append(await loop.create_server(made, sock=bound, backlog=_BACKLOG))

    def _plain(self) -> asyncio.Protocol:
        return _ClientProtocol(asyncio.StreamReader(limit=self._limits.head_bytes_max), self._connected)

    def _encrypted(self, tls: ReloadableTls) -> asyncio.Protocol:
        """Accepts an encrypted connection. Unfinished handshakes are counted separately; beyond the limit of
        connections the oldest is dropped."""
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
        """The port it listens on."""
        return int(self._listeners[0].sockets[0].getsockname()[1])

    @property
    def connection_count(self) -> int:
        return len(self._connections)

    async def shut_down(self, grace_s: float) -> None:
        """Refuses new connections, and dismisses existing connections."""
        for listener in self._listeners:
            listener.close()
        await self.dismiss(grace_s)

    async def dismiss(self, grace_s: float) -> None:
        """Ends connections that wait for their clients, and lets requests finish for `grace_s` seconds."""
        for handshake in tuple(self._handshakes):
            handshake.abort()
        for connection in tuple(self._waited_for):
            connection.abort()
        for connection in tuple(self._connections):
            connection.stop()
        tasks = [*self._connections.values(), *self._ending]
        if tasks:
            await asyncio.wait(tasks, timeout=grace_s)
        for connection, task in tuple(self._connections.items()):
            connection.abort()
            task.cancel()
        for task in self._ending:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, protocol: _ClientProtocol) -> None:
        full = len(self._connections) >= self._limits.connections_max
        longest = next(iter(self._waited_for), None) if full else None
        busy = len(self._served) >= self._limits.connections_max
        connection = HttpConnection(reader, writer, self._routes, self._limits, self, busy=busy)
        protocol.on_gone = connection.client_is_gone
        if longest is not None:
            self._end(longest)
        task = asyncio.create_task(connection.run(), name="http connection")
        self._connections[connection] = task
        task.add_done_callback(lambda _: self._forget(connection))
        self.wait_for(connection)

    def _end(self, connection: HttpConnection) -> None:
        """Drops a connection, whatever its task still does."""
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
        """Notes that the server now waits for the client."""
        if connection not in self._connections:
            return
        self._waited_for[connection] = None
        self._served.discard(connection)

    def heard(self, connection: HttpConnection) -> None:
        """Notes that the client has sent its whole request."""
        if connection not in self._connections:
            return
        self._waited_for.pop(connection, None)
        self._served.add(connection)

    def hold(self, size: int) -> bool:
        """Takes so many more bytes, until they are released; tells whether there was room."""
        if self.held_bytes + size > self._limits.held_bytes_max:
            return False
        self.held_bytes += size
        return True

    def let_go(self, size: int) -> None:
        self.held_bytes -= size
