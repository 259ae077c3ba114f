"""Listening: a socket, the connections that came through it, and their end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field

from model.errors import Severity, SqlError
from model.sqlstate import Sqlstate
from server.pgwire.backend import Backend
from server.pgwire.connection import Connection, ConnectionOptions

_BACKLOG = 1024


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """`port` 0 takes a free one. `connections_max` counts clients that have said who they are, so that a
    CancelRequest finds its way in when all places are taken."""

    host: str = "127.0.0.1"
    port: int = 0
    connections_max: int = 1000
    connection: ConnectionOptions = field(default_factory=ConnectionOptions)


def bind(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen on every address of `host`, all on one port; OSError when one can't be had.

    Who connects before a server takes connections from them waits.
    """
    bound: list[socket.socket] = []
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    addresses = dict.fromkeys((family, address) for family, _, _, _, address in found)
    try:
        for family, address in addresses:
            first, *others = address
            wanted = (first, bound[0].getsockname()[1], *others[1:]) if bound else address
            bound.append(socket.create_server(wanted, family=family, backlog=_BACKLOG))
    except OSError:
        for each in bound:
            each.close()
        raise
    return bound


class WireServer:
    """`start`, then `shut_down` once."""

    def __init__(self, backend: Backend, options: ServerOptions) -> None:
        self._backend = backend
        self._options = options
        self._admitted: set[Connection] = set()
        self._connections: set[Connection] = set()
        self._listeners: list[asyncio.Server] = []

    async def start(self, sockets: Sequence[socket.socket] | None = None) -> None:
        """Takes connections from `sockets` (of `bind`), or from the options' address; OSError when it can't be had."""
        loop = asyncio.get_running_loop()
        for bound in bind(self._options.host, self._options.port) if sockets is None else sockets:
            self._listeners.append(await loop.create_server(self._connect, sock=bound, backlog=_BACKLOG))

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listeners[0].sockets[0].getsockname()[1])

    @property
    def connections(self) -> tuple[Connection, ...]:
        return tuple(self._connections)

    @property
    def connection_count(self) -> int:
        return len(self._connections)

    async def shut_down(self, grace_s: float) -> None:
        """Takes no more connections, tells idle clients to go (57P01), lets running statements end for at most
        `grace_s` seconds, then cancels them."""
        for listener in self._listeners:
            listener.close()
        for connection in tuple(self._connections):
            connection.terminate(_shutting_down())
        await self._wait(grace_s)
        for connection in tuple(self._connections):
            connection.abort()
        await self._wait(grace_s)

    async def _wait(self, seconds: float) -> None:
        tasks = [connection.task for connection in self._connections if connection.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    def _connect(self) -> Connection:
        connection = Connection(self._backend, self._options.connection, self._admit, self._forget)
        self._connections.add(connection)
        return connection

    def _admit(self, connection: Connection) -> None:
        if len(self._admitted) >= self._options.connections_max:
            raise SqlError(Sqlstate.TOO_MANY_CONNECTIONS, "sorry, too many clients already", severity=Severity.FATAL)
        self._admitted.add(connection)

    def _forget(self, connection: Connection) -> None:
        self._admitted.discard(connection)
        self._connections.discard(connection)


def _shutting_down() -> SqlError:
    return SqlError(
        Sqlstate.ADMIN_SHUTDOWN,
        "terminating connection due to administrator command",
        severity=Severity.FATAL,
    )
