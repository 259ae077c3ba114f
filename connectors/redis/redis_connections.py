"""Sessions with a server that speaks Redis's protocol: one connection each, which ends at the first failure.

The library reconnects by itself after a connection has ended. Reconnecting would lose an open transaction, and run the
rest of the transaction's commands outside any transaction. So a session never connects twice.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import redis
from redis.backoff import NoBackoff
from redis.connection import Connection, SSLConnection
from redis.retry import Retry

from connectors.redis.settings import (
    AUTHORITY,
    CERTIFICATE,
    DATABASE,
    HOST,
    KEY,
    PASSWORD,
    PORT,
    SSL_MODE,
    USER,
)
from connectors.unreachable import Unreachable

CONNECT_S, ANSWER_S = 10, 600
FAILURES = (redis.RedisError, OSError)


class RedisSession:
    """One open connection to a server. Every error raised by a method is one of FAILURES."""

    def __init__(self, settings: Mapping[str, str], answer_s: float = ANSWER_S) -> None:
        self._connects = iter((True,))
        told: dict[str, Any] = {
            "host": settings[HOST],
            "port": int(settings[PORT]),
            "db": int(settings[DATABASE]),
            "username": settings.get(USER),
            "password": settings.get(PASSWORD),
            "client_name": "headwater",
            "driver_info": None,
            "socket_connect_timeout": CONNECT_S,
            "socket_timeout": CONNECT_S,
            "socket_keepalive": True,
            "retry": Retry(NoBackoff(), 0),
            "redis_connect_func": self._connected,
            "protocol": 2,
        }
        with _encryption(settings) as encryption:
            kind = SSLConnection if encryption else Connection
            # What the library does is typed in parts.
            self._connection = cast(Any, kind(**told, **encryption))
            self._connection.connect()
        self._socket: socket.socket = self._connection._sock
        self._socket.settimeout(answer_s)

    def _connected(self, connection: Any) -> None:
        if not next(self._connects, False):
            raise redis.ConnectionError("the session has ended")
        connection.on_connect()

    def ask(self, *words: str | bytes | int) -> Any:
        """Returns the answer to a command."""
        self._connection.send_command(*words, check_health=False)
        return self._connection.read_response()

    def ask_all(self, commands: Sequence[tuple[str | bytes | int, ...]]) -> list[Any]:
        """Sends commands together and returns their answers. The first answer that is an error is raised, after all
        answers have arrived."""
        self.send(b"".join(self._connection.pack_commands(commands)))
        return self.answers(len(commands))

    def answers(self, count: int) -> list[Any]:
        """Returns the next answers."""
        found: list[Any] = []
        failure: redis.ResponseError | None = None
        for _ in range(count):
            try:
                found.append(self._connection.read_response())
            except redis.ResponseError as error:
                failure = failure or error
        if failure is not None:
            raise failure
        return found

    def packed(self, *words: str | bytes | int) -> bytes:
        """Encodes a command as bytes, to be sent later."""
        return b"".join(self._connection.pack_command(*words))

    def send(self, packed: bytes) -> None:
        """Sends commands, and waits for no answer."""
        self._connection.send_packed_command([packed], check_health=False)

    def abort(self) -> None:
        """Ends the session; another thread may call this."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with contextlib.suppress(*FAILURES):
            self._connection.disconnect()


def reason_of(failure: Exception) -> str:
    """Returns an error's message, the server's or the library's, as one line."""
    return " ".join(str(failure).split()) or type(failure).__name__


def ask_redis(settings: Mapping[str, str]) -> None:
    """Raises Unreachable when it does not answer, or does not let us in."""
    try:
        session = RedisSession(settings, CONNECT_S)
        try:
            session.ask("PING")
        finally:
            session.close()
    except FAILURES as failure:
        raise Unreachable(reason_of(failure)) from None


@contextmanager
def _encryption(settings: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yields the library's arguments for TLS; yields nothing where TLS is disabled."""
    mode = settings[SSL_MODE]
    if mode == "disabled":
        yield {}
        return
    told: dict[str, Any] = {
        "ssl_cert_reqs": "none" if mode == "required" else "required",
        "ssl_check_hostname": mode == "verify-identity",
        "ssl_ca_data": settings.get(AUTHORITY),
    }
    if CERTIFICATE not in settings:
        yield told
        return
    # The library reads a key from files alone: this one is on no disk.
    with os.fdopen(os.memfd_create("certificate"), "wb") as file:
        file.write(f"{settings[CERTIFICATE]}\n{settings[KEY]}\n".encode())
        file.flush()
        path = f"/proc/self/fd/{file.fileno()}"
        yield {**told, "ssl_certfile": path, "ssl_keyfile": path}
