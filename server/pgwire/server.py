"""Listening: a socket, the connections that came through it, and their end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from model.errors import Severity, SqlError
from model.sqlstate import Sqlstate
from server.pgwire.backend import Backend
from server.pgwire.connection import Connection, ConnectionOptions


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """`port` 0 takes a free one. `connections_max` counts clients that have said who they are, so that a
    CancelRequest finds its way in when all places are taken."""

    host: str = "127.0.0.1"
    port: int = 0
    connections_max: int = 1000
    connection: ConnectionOptions = field(default_factory=ConnectionOptions)


class WireServer:
    """`start`, then `shut_down` once."""

    def __init__(self, backend: Backend, options: ServerOptions) -> None:
        self._backend = backend
        self._options = options
        self._admitted: set[Connection] = set()
        self._connections: set[Connection] = set()
        self._listener: asyncio.Server | None = None

    async def start(self) -> None:
        """Listens; OSError when the address can't be had."""
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(self._connect, self._options.host, self._options.port, backlog=1024)

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._listener is not None
        return int(self._listener.sockets[0].getsockname()[1])

    @property
    def connections(self) -> tuple[Connection, ...]:
        return tuple(self._connections)

    @property
    def connection_count(self) -> int:
        return len(self._connections)

    async def shut_down(self, grace_s: float) -> None:
        """Takes no more connections, tells idle clients to go (57P01), lets running statements end for at most
        `grace_s` seconds, then cancels them."""
        if self._listener is not None:
            self._listener.close()
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
