"""Who is let in by a Redis server, and which server is who it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectors.redis.redis_connections import ask_redis
from connectors.redis.settings import REDIS_SETTINGS
from connectors.unreachable import Unreachable
from tests.connectors.sources.kafka.certificates import Certificate
from tests.data_servers import run_redis
from tests.ports import free_port


def test_users_have_passwords(tmp_path: Path) -> None:
    with run_redis(tmp_path, "--requirepass", "s3cret ü") as server:

        def ask(**told: str) -> None:
            ask_redis(REDIS_SETTINGS.all({"HOST": server.host, "PORT": str(server.port), **told}, {}))

        ask(PASSWORD="s3cret ü")
        ask(USER="default", PASSWORD="s3cret ü", DATABASE="15")
        for refused, why in (
            ({}, "Authentication required"),
            ({"PASSWORD": "other"}, "invalid username-password"),
            ({"USER": "nobody", "PASSWORD": "s3cret ü"}, "invalid username-password"),
            ({"PASSWORD": "s3cret ü", "DATABASE": "16"}, "out of range"),
        ):
            with pytest.raises(Unreachable, match=why):
                ask(**refused)


def test_servers_and_clients_are_known_by_their_certificates(tmp_path: Path) -> None:
    """A server of 127.0.0.2, which listens at 127.0.0.1 too, and knows one client."""
    certificate, client = Certificate("127.0.0.2"), Certificate("127.0.0.3")
    stranger = Certificate("127.0.0.2")
    for name, content in (("pem", certificate.pem), ("key", certificate.key_pem), ("client", client.pem)):
        (tmp_path / name).write_bytes(content)
    given = [f"--tls-{part}={tmp_path / name}" for part, name in (("cert-file", "pem"), ("key-file", "key"))]
    options = [word for told in (*given, f"--tls-ca-cert-file={tmp_path / 'client'}") for word in told.split("=")]
    with run_redis(tmp_path, *options, "--tls-port", str(free_port())) as server:
        port = server.options[server.options.index("--tls-port") + 1]

        def ask(mode: str, host: str, authority: Certificate | None, known: Certificate | None) -> None:
            told = {"HOST": host, "PORT": port, "SSL MODE": mode}
            if authority is not None:
                told["SSL CERTIFICATE AUTHORITY"] = authority.pem.decode()
            if known is not None:
                told |= {"SSL CERTIFICATE": known.pem.decode(), "SSL KEY": known.key_pem.decode()}
            ask_redis(REDIS_SETTINGS.all(told, {}))

        ask("required", "127.0.0.1", None, client)
        ask("verify-ca", "127.0.0.1", certificate, client)
        ask("verify-identity", "127.0.0.2", certificate, client)
        for mode, host, authority in (
            ("verify-identity", "127.0.0.1", certificate),
            ("verify-ca", "127.0.0.1", None),
            ("verify-ca", "127.0.0.1", stranger),
            ("verify-identity", "127.0.0.2", stranger),
        ):
            with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
                ask(mode, host, authority, client)
        for known in (None, stranger):
            with pytest.raises(Unreachable):
                ask("required", "127.0.0.1", None, known)
        with pytest.raises(Unreachable):
            ask("disabled", "127.0.0.1", None, None)
