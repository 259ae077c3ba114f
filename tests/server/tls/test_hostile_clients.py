"""Clients that stop within the handshake, send what is no TLS, or stand between: nobody else waits for them."""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import uvloop

from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions
from server.tls.files import ReloadableTls, TlsFiles
from tests.missing import lacks
from tests.server.pgwire import frames
from tests.server.pgwire.serving import serving
from tests.server.pgwire.toy import ToyBackend
from tests.server.pgwire.wire import HELLO
from tests.server.tls.authority import Authority

_SSL_REQUEST = struct.pack(">II", 8, 80877103)
_GSS_REQUEST = struct.pack(">II", 8, 80877104)
_TIMEOUT_S = 5.0
_STARTING = 50


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> ReloadableTls:
    return ReloadableTls(TlsFiles(*Authority(tmp_path_factory.mktemp("tls")).server()))


@pytest.fixture(scope="module")
def port(tls: ReloadableTls) -> Iterator[int]:
    connection = ConnectionOptions(tls=tls, startup_timeout_s=_TIMEOUT_S)
    with serving(
        ToyBackend(), ServerOptions(starting_max=_STARTING, connection=connection), uvloop.new_event_loop
    ) as it:
        yield it


@pytest.fixture(autouse=True)
def _others_are_served(port: int) -> Iterator[None]:
    yield
    with psycopg.connect(f"host=127.0.0.1 port={port} user=someone sslmode=require") as connection:
        assert connection.execute("SELECT 42").fetchone() == (42,)


def _connected(port: int, first: bytes = b"") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), 20)
    made.sendall(first)
    return made


def _all_of(client: socket.socket) -> bytes:
    """What comes until the server closes the connection."""
    said = bytearray()
    with contextlib.suppress(ConnectionError):
        while piece := client.recv(1 << 16):
            said += piece
    return bytes(said)


def _hello() -> bytes:
    """What an honest client begins its handshake with."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["postgresql"])
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    with contextlib.suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


_HELLO = _hello()


@pytest.mark.parametrize("injected", [HELLO, _SSL_REQUEST, b"\x16", b"\0"])
def test_bytes_behind_the_request_for_tls_are_refused(port: int, injected: bytes) -> None:
    """Else somebody who stands between would have his statements taken for the client's (CVE-2021-23214)."""
    with _connected(port, _SSL_REQUEST + injected) as client:
        (kind, body), *rest = frames.messages(_all_of(client))
    assert (kind, rest) == ("E", [])
    fields = frames.error_fields(body)
    assert (fields["S"], fields["C"], fields["M"]) == ("FATAL", "08P01", "received unencrypted data after SSL request")


def test_a_refused_request_for_gss_may_come_before(port: int) -> None:
    with _connected(port, _GSS_REQUEST) as client:
        assert client.recv(1) == b"N"
        client.sendall(_SSL_REQUEST)
        assert client.recv(1) == b"S"


def test_half_a_handshake_is_waited_for_no_longer_than_a_login(port: int) -> None:
    with contextlib.ExitStack() as stack:
        clients = []
        for begun in (b"", _SSL_REQUEST):
            for length in (1, 5, 6, 50, 200):
                client = stack.enter_context(_connected(port, begun))
                assert client.recv(len(begun[:1])) == b"S"[: len(begun)]
                client.sendall(_HELLO[:length])
                clients.append(client)
        assert [_all_of(client) for client in clients] == [b""] * len(clients)


def test_a_handshake_that_is_answered_with_silence_is_ended(port: int) -> None:
    with _connected(port, _HELLO) as client:
        assert _all_of(client)[:1] == b"\x16"


@pytest.mark.parametrize("begun", [b"", _SSL_REQUEST])
@pytest.mark.parametrize(
    "noise",
    [
        b"\x16\x03\x01\xff\xff" + b"\x01" * 70_000,
        b"\x16\x03\x01\x40\x00\x01\xff\xff\xff" + bytes(70_000),
        b"\x16\x03\x01\x00\x00" * 1000,
        b"\x16\x03\x03\x00\x01\x01" * 5000,
        b"\x16" * 300_000,
        b"\x16\x03\x01\x00\x02\x01\x00\x17\x03\x03\x00\x10" + bytes(16),
        b"\x16\x02\x00\x00\x02\x01\x00",
    ],
)  # fmt: skip
def test_what_is_no_handshake_ends_the_connection(port: int, begun: bytes, noise: bytes) -> None:
    with _connected(port, begun) as client:
        if begun:
            assert client.recv(1) == b"S"
        with contextlib.suppress(ConnectionError):
            client.sendall(noise)
        said = _all_of(client)
    # At most an alert.
    assert not said or (said[0] == 0x15 and len(said) < 50)


def test_plain_text_after_the_answer_is_no_tls(port: int) -> None:
    with _connected(port, _SSL_REQUEST) as client:
        assert client.recv(1) == b"S"
        client.sendall(HELLO)
        said = _all_of(client)
    assert said == b""


def test_hundreds_that_stop_within_the_handshake_keep_nobody_out(port: int) -> None:
    with contextlib.ExitStack() as stack:
        for number in range(6 * _STARTING):
            client = stack.enter_context(_connected(port, _HELLO if number % 2 else _HELLO[:100]))
            client.settimeout(20)
        with psycopg.connect(f"host=127.0.0.1 port={port} user=someone sslmode=require") as connection:
            assert connection.execute("SELECT 42").fetchone() == (42,)


def test_a_broken_record_ends_a_connection_that_was_well(port: int) -> None:
    connection = psycopg.connect(f"host=127.0.0.1 port={port} user=someone sslmode=require")
    with socket.socket(fileno=connection.fileno()) as below:
        below.sendall(b"\x17\x03\x03\x00\x20" + bytes(32))
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 42")
        connection.close()
        below.detach()


def test_nobody_negotiates_anew(port: int) -> None:
    if shutil.which("openssl") is None:
        lacks("openssl is not on this machine")
    line = ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-tls1_2", "-starttls", "postgres"]
    done = subprocess.run(line, input="R\n", capture_output=True, text=True, timeout=60, check=False)
    told = done.stdout + done.stderr
    assert "RENEGOTIATING" in told and "no renegotiation" in told, told


def test_a_value_of_many_records_comes_whole(port: int) -> None:
    large = "x" * (8 << 20)
    with psycopg.connect(f"host=127.0.0.1 port={port} user=someone sslmode=require") as connection:
        rows = connection.execute("SELECT %s::text, %s::text", [large, large]).fetchall()
    assert rows == [(large, large)]


def test_files_that_change_while_clients_come_are_read_whole(tmp_path: Path) -> None:
    """Each handshake uses the certificate before or the one after, with its own key and its own binding."""
    authority = Authority(tmp_path)
    place = tmp_path / "used.crt", tmp_path / "used.key"
    pairs = [authority.server(f"server{number}") for number in range(4)]

    def put(number: int) -> None:
        for source, target in zip(pairs[number % 4], place, strict=True):
            shutil.copy(source, tmp_path / "next")
            (tmp_path / "next").chmod(0o600)
            (tmp_path / "next").rename(target)

    put(0)
    tls = ReloadableTls(TlsFiles(*place))
    with serving(ToyBackend(), ServerOptions(connection=ConnectionOptions(tls=tls)), uvloop.new_event_loop) as port:
        dsn = f"host=127.0.0.1 port={port} user=someone sslmode=verify-full sslrootcert={authority.file}"
        with psycopg.connect(dsn) as first:
            for number in range(20):
                put(number)
                tls.reload()
                with psycopg.connect(dsn, sslnegotiation="direct") as connection:
                    assert connection.execute("SELECT 42").fetchone() == (42,)
            assert first.execute("SELECT 42").fetchone() == (42,)
