"""Requests to webhook sources, as clients send them."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import psycopg

from server.http.exchange import Routes
from server.http.limits import HttpLimits
from server.http.server import HttpServer
from server.pgwire.server import bind
from server.tls.files import ReloadableTls
from server.webhooks.receiving import WebhookReceiver
from server.webhooks.request import PREFIX
from tests.server.memory_server import MemoryServer


def url_of(connection: psycopg.Connection[Any], source: str) -> str:
    """Where requests to a source go."""
    row = connection.execute("SELECT url FROM mz_internal.mz_webhook_sources WHERE name = %s", [source]).fetchone()
    assert row is not None
    return str(row[0])


def post(
    url: str, body: bytes = b"", headers: Mapping[str, str] | None = None, trusting: ssl.SSLContext | None = None
) -> tuple[int, str]:
    """The status, and what is said beside it; over TLS with a server that is trusted."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    if trusting is None:
        client = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
    else:
        client = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=60, context=trusting)
    try:
        client.request("POST", parts.path, body, dict(headers or {}))
        answer = client.getresponse()
        return answer.status, answer.read().decode().strip()
    finally:
        client.close()


@contextmanager
def listening(
    server: MemoryServer,
    limits: HttpLimits = HttpLimits(),  # noqa: B008 - frozen
    tls: ReloadableTls | None = None,
) -> Iterator[HttpServer]:
    """HTTP for a server without a process of its own."""

    async def begin() -> HttpServer:
        http = HttpServer(Routes({PREFIX: WebhookReceiver(server.environment, limits)}), limits)
        await http.start(bind("127.0.0.1", 0), tls)
        server.environment.options.webhooks_at = f"{'http' if tls is None else 'https'}://127.0.0.1:{http.port}"
        return http

    http = server.run(begin())
    try:
        yield http
    finally:
        server.run(http.shut_down(5))
