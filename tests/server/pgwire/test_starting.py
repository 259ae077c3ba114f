"""Connections of which nobody has said anything yet: they are few, and give way to others."""

from __future__ import annotations

import socket

from server.pgwire.server import ServerOptions, bind
from tests.server.pgwire.frames import error_fields, messages
from tests.server.pgwire.serving import serving
from tests.server.pgwire.toy import ToyBackend
from tests.server.pgwire.wire import HELLO


def _all_of(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    data = b""
    while piece := connection.recv(4096):
        data += piece
    return data


def test_the_one_that_has_said_nothing_for_longest_gives_way() -> None:
    with serving(ToyBackend(), ServerOptions(starting_max=2)) as port:
        opened = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(4)]
        for old in opened[:2]:
            ((kind, body),) = messages(_all_of(old))
            assert kind == "E" and error_fields(body)["C"] == "53300"
        for young in opened[2:]:
            young.sendall(HELLO)
            assert young.recv(1) == b"R"
        for each in opened:
            each.close()


def test_clients_that_are_silent_are_asked_whether_they_are_still_there() -> None:
    listeners = bind("127.0.0.1", 0)
    with listeners[0] as listener, socket.create_connection(listener.getsockname()) as client:
        connection, _ = listener.accept()
        with connection, client:
            assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 60
