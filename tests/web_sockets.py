"""SQL over a WebSocket, as clients ask for it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from server.api.sockets import SOCKET
from server.http.server import HttpServer

Message = tuple[str, Any]
LOGIN: dict[str, Any] = {"user": "headwater", "password": ""}


def eventually(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it never came about")


class SqlSocket:
    """A client that has connected."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, message: object) -> None:
        self.connection.send(json.dumps(message))

    def next(self) -> Message:
        told = json.loads(self.connection.recv(30))
        assert set(told) == {"type", "payload"}
        return told["type"], told["payload"]

    def until_ready(self) -> list[Message]:
        """All messages up to ReadyForQuery."""
        told = [self.next()]
        while told[-1][0] != "ReadyForQuery":
            told.append(self.next())
        return told

    def asked(self, message: object) -> list[Message]:
        """The answer to a text, or to a whole request."""
        self.send({"query": message} if isinstance(message, str) else message)
        return self.until_ready()

    def rows(self, query: str) -> list[Any]:
        return [payload for type_, payload in self.asked(query) if type_ == "Row"]

    def code(self, query: str) -> str:
        (error,) = [payload for type_, payload in self.asked(query) if type_ == "Error"]
        return str(error["code"])


@contextmanager
def raw_socket_to(http: HttpServer, **options: Any) -> Iterator[SqlSocket]:
    """A client that has told nothing yet."""
    with connect(f"ws://127.0.0.1:{http.port}{SOCKET}", **options) as connection:
        yield SqlSocket(connection)


@contextmanager
def socket_to(http: HttpServer, login: dict[str, Any] = LOGIN, **options: Any) -> Iterator[SqlSocket]:
    """A client whose session is ready."""
    with raw_socket_to(http, **options) as made:
        made.send(login)
        made.until_ready()
        yield made
