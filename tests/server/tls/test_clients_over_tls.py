"""Clients over TLS, unpatched, against the toy backend: what each way of asking for it comes to."""

from __future__ import annotations

import asyncio
import itertools
import socket
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import pg8000.dbapi
import psycopg
import pytest
import uvloop

from model.time.clock import SystemRandomness
from server.admission.gate import WITH_PASSWORD, Gate, given_rules
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions
from server.pgwire.verifier import Verifier
from server.tls.files import ReloadableTls, TlsFiles
from tests.cancelling import cancelled
from tests.server.pgwire.serving import serving
from tests.server.pgwire.toy import ToyBackend
from tests.server.tls.authority import Authority, self_signed_ed25519

_POLICY = AuthenticationPolicy(Verifier.of("right", SystemRandomness()))
_GATE = Gate(given_rules(WITH_PASSWORD), now=itertools.count(step=1000.0).__next__)
"""To which failures are long ago."""


@dataclass(frozen=True, slots=True)
class _Served:
    port: int
    authority: Authority
    other: Authority
    directory: Path

    def psycopg(self, **parameters: Any) -> psycopg.Connection[Any]:
        place: dict[str, Any] = {"host": "127.0.0.1", "port": self.port, "user": "someone", "password": "right"}
        return psycopg.connect(autocommit=True, **place | parameters)


@pytest.fixture(scope="module", params=["uvloop", "asyncio"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Served]:
    directory = tmp_path_factory.mktemp("tls")
    authority = Authority(directory)
    tls = ReloadableTls(TlsFiles(*authority.server(), authority.file))
    options = ServerOptions(connection=ConnectionOptions(gate=_GATE, authentication=_POLICY, tls=tls))
    loop = uvloop.new_event_loop if request.param == "uvloop" else asyncio.new_event_loop
    with serving(ToyBackend(), options, loop) as port:
        yield _Served(port, authority, Authority(directory, "other"), directory)


@pytest.mark.parametrize(
    ("mode", "encrypted"),
    [("disable", False), ("allow", False), ("prefer", True), ("require", True), ("verify-ca", True),
     ("verify-full", True)],
)  # fmt: skip
def test_libpq_gets_the_encryption_that_its_mode_asks_for(served: _Served, mode: str, encrypted: bool) -> None:
    with served.psycopg(sslmode=mode, sslrootcert=str(served.authority.file)) as connection:
        assert connection.pgconn.ssl_in_use is encrypted
        assert connection.execute("NUMBERS 100000").fetchall()[-1] == (99_999, "row 99999")


@pytest.mark.parametrize("mode", ["verify-ca", "verify-full"])
def test_libpq_refuses_a_certificate_of_another_authority(served: _Served, mode: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="certificate verify failed"):
        served.psycopg(sslmode=mode, sslrootcert=str(served.other.file))


def test_libpq_refuses_a_certificate_for_another_name(served: _Served) -> None:
    trusted = str(served.authority.file)
    with pytest.raises(psycopg.OperationalError, match="does not match host name"):
        served.psycopg(host="localhost", hostaddr="127.0.0.1", sslmode="verify-full", sslrootcert=trusted)
    served.psycopg(host="localhost", hostaddr="127.0.0.1", sslmode="verify-ca", sslrootcert=trusted).close()


@pytest.mark.parametrize("negotiation", ["postgres", "direct"])
@pytest.mark.parametrize("binding", ["disable", "prefer", "require"])
def test_the_proof_holds_for_the_channel_whatever_way_it_began(served: _Served, negotiation: str, binding: str) -> None:
    with served.psycopg(sslmode="require", sslnegotiation=negotiation, channel_binding=binding) as connection:
        assert connection.execute("SELECT 42").fetchone() == (42,)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        served.psycopg(sslmode="require", sslnegotiation=negotiation, channel_binding=binding, password="wrong")


def test_no_channel_is_bound_without_encryption(served: _Served) -> None:
    with pytest.raises(psycopg.OperationalError, match="channel binding required"):
        served.psycopg(sslmode="disable", channel_binding="require")


def test_a_certificate_without_a_hash_binds_no_channel(tmp_path: Path) -> None:
    tls = ReloadableTls(TlsFiles(*self_signed_ed25519(tmp_path)))
    with serving(
        ToyBackend(), ServerOptions(connection=ConnectionOptions(gate=_GATE, authentication=_POLICY, tls=tls))
    ) as port:
        place = f"host=127.0.0.1 port={port} user=someone password=right sslmode=require"
        psycopg.connect(place).close()
        with pytest.raises(psycopg.OperationalError, match="channel binding"):
            psycopg.connect(place, channel_binding="require")


def test_cancel_requests_are_encrypted_as_their_connection(served: _Served) -> None:
    with served.psycopg(sslmode="require") as connection:
        with cancelled(connection), pytest.raises(psycopg.errors.QueryCanceled):
            connection.execute("SLEEP 60")
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_clients_certificate_must_be_the_authoritys(served: _Served) -> None:
    cert, key = served.authority.issue("client")
    with served.psycopg(sslmode="require", sslcert=str(cert), sslkey=str(key)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    for issued in (
        served.other.issue("stranger"),
        served.authority.issue("late", expired=True),
        served.authority.issue("misused", for_servers=True),
    ):
        with pytest.raises(psycopg.OperationalError, match=r"certificate|alert"):
            served.psycopg(sslmode="require", sslcert=str(issued[0]), sslkey=str(issued[1]))


def test_asyncpg_over_tls(served: _Served) -> None:
    context = ssl.create_default_context(cafile=served.authority.file)

    async def ask(encryption: Any) -> Any:
        place = {"host": "127.0.0.1", "port": served.port, "user": "someone", "database": "here", "password": "right"}
        connection = await asyncpg.connect(**place, ssl=encryption)
        try:
            return await connection.fetchval("SELECT $1::int4", 42)
        finally:
            await connection.close()

    assert asyncio.run(ask(context)) == 42
    assert asyncio.run(ask("require")) == 42
    with pytest.raises(ssl.SSLCertVerificationError):
        asyncio.run(ask(ssl.create_default_context(cafile=served.other.file)))


def test_pg8000_over_tls_binds_the_channel(served: _Served) -> None:
    context = ssl.create_default_context(cafile=served.authority.file)
    place = {"host": "127.0.0.1", "port": served.port, "database": "here", "password": "right"}
    connection = pg8000.dbapi.connect("someone", **place, ssl_context=context)
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("SELECT 42")
    assert cursor.fetchone() == [42]
    connection.close()


def _s_client(port: int, *options: str) -> str:
    line = ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", *options]
    done = subprocess.run(line, input="", capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


def test_openssl_finds_nothing_below_1_2(served: _Served) -> None:
    for version, name in (("-tls1_3", "TLSv1.3"), ("-tls1_2", "TLSv1.2")):
        for begun in (("-starttls", "postgres"), ("-alpn", "postgresql")):
            told = _s_client(served.port, version, *begun, "-CAfile", str(served.authority.file))
            assert f"New, {name}" in told and "Verification: OK" in told, told
    for version in ("-tls1_1", "-tls1"):
        told = _s_client(served.port, version, "-starttls", "postgres", "-cipher", "ALL:@SECLEVEL=0")
        assert "Cipher is (NONE)" in told and "alert protocol version" in told, told


def test_who_begins_with_tls_must_name_the_protocol(served: _Served) -> None:
    context = ssl.create_default_context(cafile=served.authority.file)
    for protocols, taken in (([], False), (["http/1.1"], False), (["postgresql"], True)):
        if protocols:
            context.set_alpn_protocols(protocols)
        with socket.create_connection(("127.0.0.1", served.port), 10) as raw:
            with context.wrap_socket(raw, server_hostname="127.0.0.1") as encrypted:
                encrypted.settimeout(10)
                encrypted.sendall(b"\0\0\0\x08\x04\xd2\x16\x2f")
                # Encryption within encryption is a protocol that nobody speaks.
                assert (encrypted.recv(1) == b"E") is taken
