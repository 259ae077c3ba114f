"""The link to a replica on another host: by TLS, with the certificate checked, and nothing on the way to be read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from compute.controller.address import AddressHost
from compute.controller.link import ReplicaUnavailable
from compute.protocol.command import Hello
from compute.protocol.link_tls import ReplicaCertificate
from compute.protocol.response import ServingRefused
from compute.protocol.vocabulary import VERSION
from compute.replica.process.options import options_from
from compute.replica.process.server import ReplicaServer, listen
from model.time.clock import SystemClock
from server.options import ServeOptions
from server.tls.self_signed import make_certificate

_SECRET = "a secret of both"
_REFUSED = ServingRefused("the secret is wrong", superseded=False)


def _pair(folder: Path, name: str, host: str = "127.0.0.1") -> tuple[Path, Path]:
    cert, key = folder / f"{name}.crt", folder / f"{name}.key"
    make_certificate(cert, key, [host], SystemClock())
    return cert, key


def _with_replica(certificate: ReplicaCertificate | None, body: Callable[[str], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        def open_nothing(*_: object) -> object:
            raise AssertionError("nothing is opened for one that is refused")

        server = ReplicaServer("another secret", open_nothing)  # type: ignore[arg-type]
        listener, address = await listen(server, "127.0.0.1:0", None if certificate is None else certificate.context)
        async with listener:
            await body(address)
            listener.close()
            server.hang_up()
        others = asyncio.all_tasks() - {current for current in (asyncio.current_task(),) if current is not None}
        if others:
            await asyncio.wait(others)

    asyncio.run(run())


async def _answer(address: str, authorities: Path | None) -> object:
    """Returns what the replica says to a wrong secret; None where the connection is over without."""
    link = await AddressHost(address, _SECRET, authorities).connect()
    link.send(Hello("1", VERSION, _SECRET, "c"))
    frame = await link.receive()
    link.abort()
    assert await link.receive() is None
    return None if frame is None else frame.message


def test_a_trusted_replica_answers(tmp_path: Path) -> None:
    cert, key = _pair(tmp_path, "replica")

    async def body(address: str) -> None:
        assert await _answer(address, cert) == _REFUSED

    _with_replica(ReplicaCertificate(cert, key), body)


def test_others_get_no_secret(tmp_path: Path) -> None:
    cert, key = _pair(tmp_path, "replica")
    elsewhere, other_key = _pair(tmp_path, "elsewhere", "spark.example")

    async def stranger(address: str) -> None:
        with pytest.raises(ReplicaUnavailable, match="no trusted replica"):
            await _answer(address, elsewhere)

    async def misnamed(address: str) -> None:
        with pytest.raises(ReplicaUnavailable, match="no trusted replica"):
            await _answer(address, elsewhere)

    async def plain(address: str) -> None:
        with pytest.raises(ReplicaUnavailable):
            await _answer(address, cert)

    async def asked_plainly(address: str) -> None:
        assert await _answer(address, None) is None

    _with_replica(ReplicaCertificate(cert, key), stranger)
    _with_replica(ReplicaCertificate(elsewhere, other_key), misnamed)
    _with_replica(None, plain)
    _with_replica(ReplicaCertificate(cert, key), asked_plainly)


@dataclass
class _Relay:
    """Hands bytes on between two, and keeps them."""

    to: str
    seen: bytearray = field(default_factory=bytearray)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = self.to.rpartition(":")
        further = await asyncio.open_connection(host, int(port))
        await asyncio.gather(self._pass(reader, further[1]), self._pass(further[0], writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                self.seen += data
                writer.write(data)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@pytest.mark.parametrize("by_tls", [True, False])
def test_nobody_on_the_way_reads_the_secret(tmp_path: Path, by_tls: bool) -> None:
    cert, key = _pair(tmp_path, "replica")

    async def body(address: str) -> None:
        relay = _Relay(address)
        async with await asyncio.start_server(relay.serve, "127.0.0.1", 0) as between:
            host, port = between.sockets[0].getsockname()[:2]
            assert await _answer(f"{host}:{port}", cert if by_tls else None) == _REFUSED
            between.close()
        assert (_SECRET.encode() in relay.seen) is not by_tls

    _with_replica(ReplicaCertificate(cert, key) if by_tls else None, body)


def test_a_certificate_is_read_again(tmp_path: Path) -> None:
    cert, key = _pair(tmp_path, "replica")
    certificate = ReplicaCertificate(cert, key)
    later = _pair(tmp_path, "later")

    async def body(address: str) -> None:
        cert.write_text("no certificate")
        with pytest.raises(OSError):
            certificate.reload()
        first = tmp_path / "first.crt"
        first.write_bytes(before)
        assert await _answer(address, first) == _REFUSED
        cert.write_bytes(later[0].read_bytes())
        key.write_bytes(later[1].read_bytes())
        certificate.reload()
        assert await _answer(address, later[0]) == _REFUSED
        with pytest.raises(ReplicaUnavailable):
            await _answer(address, first)

    before = cert.read_bytes()
    _with_replica(certificate, body)


def test_half_of_the_options_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cert, key = _pair(tmp_path, "replica")
    given = ["--listen", "127.0.0.1:0", "--data-dir", str(tmp_path)]
    assert options_from([*given, "--tls-cert", str(cert), "--tls-key", str(key)]).certificate is not None
    for wrong in (["--tls-cert", str(cert)], ["--tls-cert", str(key), "--tls-key", str(key)]):
        with pytest.raises(SystemExit):
            options_from([*given, *wrong])
        assert "--tls-cert" in capsys.readouterr().err
    for replica, ca in ("unix:/r", cert), ("h:1", key):
        with pytest.raises(ValueError, match="replica_ca"):
            ServeOptions(data_dir=tmp_path, replica=replica, replica_ca=ca)
