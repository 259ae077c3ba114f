"""Connections of which nobody has said anything yet: they are few, and give way to others."""

from __future__ import annotations

import asyncio
import socket
import struct

import psycopg
import pytest
import uvloop

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import SystemRandomness
from server.admission.gate import Gate, Knock, given_rules
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.backend import Credentials
from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions, WireServer, bind
from server.pgwire.verifier import Verifier
from tests.server.pgwire.frames import error_fields, kinds, messages, startup
from tests.server.pgwire.serving import serving
from tests.server.pgwire.toy import ToyBackend
from tests.server.pgwire.wire import HELLO, Wire


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


def test_who_holds_many_connections_keeps_out_nobody_else() -> None:
    with serving(ToyBackend(), ServerOptions(starting_max=3)) as port:
        slow = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=("127.0.0.2", 0))
        held = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(6)]
        for dropped in held[:4]:
            assert error_fields(messages(_all_of(dropped))[0][1])["C"] == "53300"
        slow.sendall(HELLO)
        assert slow.recv(1) == b"R"
        for each in (slow, *held):
            each.close()


async def test_names_are_cut_as_those_of_roles_and_databases_are(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def credentials(backend: ToyBackend, user: str) -> Credentials:
        asked.append(user)
        return Credentials()

    monkeypatch.setattr(ToyBackend, "credentials", credentials)
    answer = await Wire(ToyBackend()).exchange(startup({"user": "x" * 62 + "é", "database": "here"}))
    assert kinds(answer).endswith("Z") and asked == ["x" * 62]


async def test_who_waits_for_a_turn_can_be_ended() -> None:
    gate = Gate(given_rules("host all all all scram-sha-256"))
    for _ in range(20):
        gate.failed(Knock("someone", "here", ("192.0.2.7", 1)))
    policy = AuthenticationPolicy(Verifier.of("right", SystemRandomness()))
    wire = Wire(ToyBackend(), ConnectionOptions(gate=gate, authentication=policy), "192.0.2.7")
    wire.send(HELLO)
    for _ in range(10):
        await asyncio.sleep(0)
    assert not wire.transport.closed and not wire.connection.idle
    wire.connection.terminate(SqlError(Sqlstate.TOO_MANY_CONNECTIONS, "sorry, too many clients already"))
    await wire.settle()
    assert wire.transport.closed
    assert error_fields(messages(bytes(wire.transport.written))[0][1])["C"] == "53300"


def test_the_last_places_are_for_superusers() -> None:
    with serving(ToyBackend(), ServerOptions(connections_max=3, superusers_reserved=1)) as port:

        def come(user: str) -> psycopg.Connection[tuple[object, ...]]:
            return psycopg.connect(f"host=127.0.0.1 port={port} user={user} dbname=here")

        opened = [come("ordinary"), come("ordinary")]
        with pytest.raises(psycopg.OperationalError, match="reserved for roles with the SUPERUSER attribute"):
            come("ordinary")
        opened.append(come("someone"))
        with pytest.raises(psycopg.OperationalError, match="sorry, too many clients already"):
            come("someone")
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
