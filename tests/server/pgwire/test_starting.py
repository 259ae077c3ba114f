"""Connections of which nobody has said anything yet: they are few, and give way to others."""

from __future__ import annotations

import asyncio
import socket
import struct

import uvloop

from server.admission.gate import Gate, given_rules
from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions, WireServer, bind
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


def test_who_has_reset_a_connection_over_tcp_is_not_taken_for_a_local_client() -> None:
    """The system no longer knows the address of such a client, while all that it sent can still be read."""
    backend = ToyBackend()
    trusting_local = ConnectionOptions(gate=Gate(given_rules("local all all trust")))

    async def serve() -> None:
        (listener,) = bind("127.0.0.1", 0)
        with socket.create_connection(listener.getsockname()) as gone:
            gone.sendall(HELLO)
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        server = WireServer(backend, ServerOptions(connection=trusting_local))
        await server.start([listener])
        # This one is accepted behind the other.
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(HELLO)
        ((kind, body),) = messages(await reader.read())
        assert kind == "E" and error_fields(body)["M"].startswith("no pg_hba.conf entry")
        writer.close()
        await server.shut_down(1)

    uvloop.run(serve())
    assert backend.opened == 0
