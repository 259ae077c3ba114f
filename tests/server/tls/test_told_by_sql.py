"""What SQL tells of the encryption of connections, and that it has files read again."""

from __future__ import annotations

import decimal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions
from server.reloading import Reloading
from server.tls.files import ReloadableTls, TlsFiles
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.tls.authority import Authority


@dataclass(frozen=True, slots=True)
class _Served:
    server: MemoryServer
    authority: Authority
    tls: ReloadableTls


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Served]:
    authority = Authority(tmp_path_factory.mktemp("tls"))
    tls = ReloadableTls(TlsFiles(*authority.server(), authority.file))
    with memory_server(wire=ServerOptions(connection=ConnectionOptions(tls=tls))) as server:
        yield _Served(server, authority, tls)


_ASK = (
    b"SELECT ssl, version, cipher, bits, client_dn, client_serial, issuer_dn FROM pg_stat_ssl"
    b" WHERE pid = pg_backend_pid()"
)


def _told(served: _Served, options: str) -> tuple[object, ...] | None:
    with psycopg.connect(f"{served.server.dsn()} {options}", autocommit=True) as connection:
        return connection.execute(_ASK).fetchone()


def test_each_connection_tells_what_encrypts_it(served: _Served) -> None:
    assert _told(served, "sslmode=disable") == (False, *[None] * 6)
    encrypted = True, "TLSv1.3", "TLS_AES_256_GCM_SHA384", 256
    assert _told(served, "sslmode=require") == (*encrypted, None, None, None)
    cert, key = served.authority.issue("client", names=("a client",))
    told = _told(served, f"sslmode=require sslcert={cert} sslkey={key}")
    assert told is not None
    serial = told[5]
    assert told == (*encrypted, "/CN=a client", serial, "/CN=authority")
    assert isinstance(serial, decimal.Decimal) and serial > 0


def test_sql_has_files_read_again(served: _Served) -> None:
    async def with_reloading() -> Reloading:
        reloading = Reloading({"TLS": served.tls})
        served.server.environment.options.reload_configuration = reloading.ask
        return reloading

    reloading = served.server.run(with_reloading())
    before = served.tls.identity
    with served.server.connect() as connection:
        assert connection.execute("SELECT pg_reload_conf()").fetchall() == [(True,)]
        served.server.run(reloading.done())
        after = served.tls.identity
        assert after is not before
        served.authority.server()[1].chmod(Path(__file__).stat().st_mode | 0o044)
        connection.execute("SELECT pg_reload_conf() FROM generate_series(1, 1000)")
        served.server.run(reloading.done())
    assert served.tls.identity is after
    assert _told(served, "sslmode=require") is not None
