"""Listens on a socket, and keeps its connections until their end."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from server.admission.places import AdmittedPlaces, too_many_clients
from server.pgwire.arriving import Arriving
from server.pgwire.backend import Backend
from server.pgwire.connection import ClientConnection, ConnectionOptions

_BACKLOG = 1024
_KEEPALIVE = {socket.TCP_KEEPIDLE: 60, socket.TCP_KEEPINTVL: 10, socket.TCP_KEEPCNT: 6}
"""Seconds of silence until a client is asked, seconds between questions, and how many stay without an answer."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of a server.

    `port`: 0 chooses a free one
    `connections_max`: counts clients, also those over HTTP, that have proved their user, so a CancelRequest gets
        through when all places are taken
    `superusers_reserved`: places of `connections_max` that only superusers get
    `starting_max`: the limit for clients that have not proved their user. A new client takes the place of the oldest
        client from the network with most clients, so that many connections of one network keep out no other network
    """

    host: str = "127.0.0.1"
    port: int = 0
    connections_max: int = 1000
    superusers_reserved: int = 3
    starting_max: int = 200
    connection: ConnectionOptions = field(default_factory=ConnectionOptions)


def bind(host: str, port: int) -> list[socket.socket]:
    """Returns sockets that listen on all addresses of `host`, on one port; raises OSError when one can't be had.

    A client that connects before the server accepts connections from them waits.
    """
    bound: list[socket.socket] = []
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    addresses = dict.fromkeys((family, address) for family, _, _, _, address in found)
    try:
        for family, address in addresses:
            first, *others = address
            wanted = (first, bound[0].getsockname()[1], *others[1:]) if bound else address
            bound.append(socket.create_server(wanted, family=family, backlog=_BACKLOG))
            _ask_for_life(bound[-1])
    except OSError:
        for each in bound:
            each.close()
        raise
    return bound


def bind_in(directory: Path, port: int) -> tuple[socket.socket, Path]:
    """Returns a listening Unix socket in a directory, at the path where libpq looks for this port, and the path.
    Replaces the socket of a server that is gone; raises OSError when the path can't be had.
    """
    path = directory / f".s.PGSQL.{port}"
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket():
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
                if asking.connect_ex(str(path)) == 0:
                    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
            path.unlink()
        bound.bind(str(path))
        # Who may come in is decided by who comes, not by who may reach the socket.
        path.chmod(0o777)
        bound.listen(_BACKLOG)
    except OSError:
        bound.close()
        raise
    return bound, path


def _ask_for_life(listener: socket.socket) -> None:
    """Turns on keep-alive, by which the system detects clients whose machines are gone. Connections inherit it from
    the listening socket."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        listener.setsockopt(socket.IPPROTO_TCP, name, value)


class WireServer:
    """The server: `start`, then `shut_down` once."""

    def __init__(self, backend: Backend, options: ServerOptions) -> None:
        self._backend = backend
        self._options = options
        self.places = AdmittedPlaces(options.connections_max, options.superusers_reserved)
        """Places of clients over HTTP count as well."""
        self._admitted: set[ClientConnection] = set()
        self._starting: dict[ClientConnection, None] = {}
        self._connections: set[ClientConnection] = set()
        self._listeners: list[asyncio.Server] = []
        self._arriving = Arriving()

    async def start(self, sockets: Sequence[socket.socket] | None = None) -> None:
        """Takes connections from `sockets` (of `bind` and `bind_in`), the first of them of TCP, or from the options'
        address; raises OSError when it can't be had."""
        loop = asyncio.get_running_loop()
        for bound in bind(self._options.host, self._options.port) if sockets is None else sockets:
            if bound.family == socket.AF_UNIX:
                listener = await loop.create_unix_server(partial(self._connect, local=True), sock=bound)
            else:
                listener = await loop.create_server(self._connect, sock=bound, backlog=_BACKLOG)
            self._listeners.append(listener)

    @property
    def port(self) -> int:
        """Returns the port of the first listening socket."""
        return int(self._listeners[0].sockets[0].getsockname()[1])

    @property
    def connections(self) -> tuple[ClientConnection, ...]:
        return tuple(self._connections)

    @property
    def connection_count(self) -> int:
        return len(self._connections)

    def change(self, backend: Backend, connection: ConnectionOptions) -> None:
        """Has another backend answer new clients."""
        self._backend = backend
        self._options = replace(self._options, connection=connection)

    async def shut_down(self, grace_s: float) -> None:
        """Refuses new connections, and dismisses existing connections."""
        for listener in self._listeners:
            listener.close()
        await self.dismiss(grace_s)

    async def release(self, grace_s: float) -> None:
        """Ends connections (57P01) as each comes to the end of its transaction; returns once all have ended, or after
        `grace_s` seconds."""
        for connection in tuple(self._connections):
            connection.leave(_shutting_down())
        await self._wait(grace_s)

    async def dismiss(self, grace_s: float) -> None:
        """Ends idle connections (57P01), lets running statements end for at most `grace_s` seconds, then cancels
        them."""
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

    def _connect(self, *, local: bool = False) -> ClientConnection:
        connection = ClientConnection(self._backend, self._options.connection, self, self._arriving, local=local)
        self._connections.add(connection)
        return connection

    def arrived(self, connection: ClientConnection) -> None:
        self._starting[connection] = None
        if len(self._starting) > self._options.starting_max:
            self._drop_one()

    def _drop_one(self) -> None:
        """Ends the oldest starting connection of the network that has most starting connections."""
        counts = Counter(each.origin for each in self._starting)
        most = max(counts.values())
        dropped = next(each for each in self._starting if counts[each.origin] == most)
        del self._starting[dropped]
        dropped.terminate(too_many_clients())

    def admit(self, connection: ClientConnection, *, superuser: bool) -> None:
        self.places.take(superuser=superuser)
        self._admitted.add(connection)
        self._starting.pop(connection, None)

    def left(self, connection: ClientConnection) -> None:
        if connection in self._admitted:
            self._admitted.remove(connection)
            self.places.give_back()
        self._starting.pop(connection, None)
        self._connections.discard(connection)


def _shutting_down() -> SqlError:
    return SqlError(
        Sqlstate.ADMIN_SHUTDOWN,
        "terminating connection due to administrator command",
        severity=Severity.FATAL,
    )
