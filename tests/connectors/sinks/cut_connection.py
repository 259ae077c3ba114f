"""A server's port behind another one, whose connections end, or fall silent, when something is said: a client does not
know then whether it was heard."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_BYTES = 1 << 16


class CuttingProxy:
    """Listens on `port`. `arm` it to cut the connection that says `word` next."""

    def __init__(self, host: str, port: int) -> None:
        self._there = host, port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._word: bytes | None = None
        self._heard = False
        self._silent = False
        self._closed = threading.Event()
        self.fired = False
        threading.Thread(target=self._accept, daemon=True).start()

    def arm(self, word: bytes, *, heard: bool, silent: bool = False) -> None:
        """`heard`: the server hears it, and the client hears no answer; else neither. `silent`: the connection stays
        open, and nothing is said on it any more."""
        self._word, self._heard, self._silent, self.fired = word, heard, silent, False

    def close(self) -> None:
        self._closed.set()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._there)
            said = [False]
            for work in (self._ask, self._answer):
                threading.Thread(target=work, args=(client, server, said), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket, cut: list[bool]) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(_BYTES):
                if self._word is not None and self._word in data:
                    self._word, self.fired, cut[0] = None, True, True
                    if self._heard:
                        server.sendall(data)
                        server.recv(_BYTES)
                    self._fall_silent()
                    break
                server.sendall(data)
        _end(client, server)

    def _answer(self, client: socket.socket, server: socket.socket, cut: list[bool]) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(_BYTES):
                if cut[0]:
                    self._fall_silent()
                    break
                client.sendall(data)
        _end(client, server)

    def _fall_silent(self) -> None:
        if self._silent:
            self._closed.wait()


def _end(*sockets: socket.socket) -> None:
    for each in sockets:
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()


@contextmanager
def cutting(host: str, port: int) -> Iterator[CuttingProxy]:
    proxy = CuttingProxy(host, port)
    try:
        yield proxy
    finally:
        proxy.close()
