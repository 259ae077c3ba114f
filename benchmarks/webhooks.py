"""Requests to a webhook source by many clients at a time, each of which waits until its row is durable."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import statistics
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import asyncpg
import uvloop

from benchmarks.report import Measure

_CLIENTS = 16
_REQUESTS_A_SECOND = 500.0
_KEY = b"key"
_PAYLOAD = "x" * 160
_SETUP = f"""
CREATE SECRET webhook_key AS '{_KEY.decode()}';
CREATE SOURCE plain FROM WEBHOOK BODY FORMAT JSON;
CREATE SOURCE signed FROM WEBHOOK BODY FORMAT JSON CHECK (WITH (HEADERS, BODY, SECRET webhook_key AS key)
    constant_time_eq(decode(headers->'x-signature', 'hex'), hmac(body, key, 'sha256')))
"""


def measure_webhooks(url: str, seconds: float) -> Iterator[Measure]:
    """Bodies of 200 bytes, without and with a check of their signature."""
    for name, latencies, took in uvloop.run(_measured(url, seconds)):
        p50, p99 = statistics.median(latencies) * 1000, statistics.quantiles(latencies, n=100)[98] * 1000
        note = f"{_CLIENTS} clients; p50 {p50:.1f} ms, p99 {p99:.1f} ms"
        yield Measure(
            f"requests to a {name} webhook source", len(latencies) / took, "/s", _REQUESTS_A_SECOND, note=note
        )


async def _measured(url: str, seconds: float) -> list[tuple[str, list[float], float]]:
    connection = await asyncpg.connect(url)
    for statement in _SETUP.split(";\n"):
        await connection.execute(statement)
    found = []
    for name, address in await connection.fetch("SELECT name, url FROM mz_internal.mz_webhook_sources ORDER BY name"):
        began = time.monotonic()
        until = began + seconds
        each = await asyncio.gather(*(_client(address, number, until) for number in range(_CLIENTS)))
        found.append((name, [latency for latencies in each for latency in latencies], time.monotonic() - began))
        count = await connection.fetchval(f"SELECT count(*) FROM {name}")
        assert count == len(found[-1][1]), "each request that was answered is there once"
    await connection.close()
    return found


async def _client(url: str, number: int, until: float) -> list[float]:
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    latencies: list[float] = []
    while time.monotonic() < until:
        body = json.dumps({"client": number, "n": len(latencies), "payload": _PAYLOAD}).encode()
        signature = hmac.digest(_KEY, body, hashlib.sha256).hex()
        head = (
            f"POST {parts.path} HTTP/1.1\r\nHost: h\r\nX-Signature: {signature}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        began = time.monotonic()
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        latencies.append(time.monotonic() - began)
        assert answer.startswith(b"HTTP/1.1 200 "), answer
    writer.close()
    return latencies
