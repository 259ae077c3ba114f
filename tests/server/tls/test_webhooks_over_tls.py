"""The port for webhook sources speaks TLS alone where the server has a certificate."""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server.http.limits import HttpLimits
from server.tls.files import ReloadableTls, TlsFiles
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.tls.authority import Authority
from tests.webhooks import listening, post, url_of

_LIMITS = HttpLimits(connections_max=10, head_s=60.0)


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            connection.execute("CREATE SOURCE t FROM WEBHOOK BODY FORMAT TEXT")
        yield running


def _url(server: MemoryServer) -> str:
    with server.connect() as connection:
        return url_of(connection, "t")


def test_requests_come_over_tls_alone(server: MemoryServer, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    trusting = ssl.create_default_context(cafile=authority.file)
    with listening(server, _LIMITS, ReloadableTls(TlsFiles(*authority.server()))) as http:
        url = _url(server)
        assert url.startswith("https://127.0.0.1:")
        assert post(url, b"x" * 1_000_000, trusting=trusting) == (200, "")
        assert post(url + "/none", b"x", trusting=trusting)[0] == 404
        with pytest.raises(ssl.SSLCertVerificationError):
            post(url, trusting=ssl.create_default_context())
        with pytest.raises(ConnectionError):
            post(url.replace("https", "http"))
        with server.connect() as connection:
            assert connection.execute("SELECT length(body) FROM t").fetchall() == [(1_000_000,)]
        assert http.connection_count == 0


def test_who_stops_within_the_handshake_keeps_nobody_out(server: MemoryServer, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    trusting = ssl.create_default_context(cafile=authority.file)
    with listening(server, _LIMITS, ReloadableTls(TlsFiles(*authority.server()))), contextlib.ExitStack() as stack:
        url = _url(server)
        place = urlsplit(url)
        stalled = []
        for _ in range(10 * _LIMITS.connections_max):
            stalled.append(stack.enter_context(socket.create_connection((str(place.hostname), place.port or 0), 60)))
            stalled[-1].sendall(b"\x16\x03\x01")
        assert post(url, b"honest", trusting=trusting) == (200, "")
        # The first of them gave way.
        with contextlib.suppress(ConnectionError):
            assert stalled[0].recv(1) == b""


def test_a_certificate_that_was_replaced_is_shown_from_then_on(server: MemoryServer, tmp_path: Path) -> None:
    before, after = Authority(tmp_path, "before"), Authority(tmp_path, "after")
    cert, key = before.server()
    tls = ReloadableTls(TlsFiles(cert, key))
    with listening(server, _LIMITS, tls):
        url = _url(server)
        assert post(url, b"a", trusting=ssl.create_default_context(cafile=before.file)) == (200, "")
        for source, target in zip(after.server("next"), (cert, key), strict=True):
            shutil.move(source, target)
        tls.reload()
        assert post(url, b"b", trusting=ssl.create_default_context(cafile=after.file)) == (200, "")
        with pytest.raises(ssl.SSLCertVerificationError):
            post(url, b"c", trusting=ssl.create_default_context(cafile=before.file))
