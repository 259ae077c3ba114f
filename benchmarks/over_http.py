"""What comes over HTTP, beside the same over PostgreSQL's protocol in the same run: statements on kept connections, the
changes of a table; and what a scrape costs, and how long a cold page of the console takes."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from urllib.parse import urlsplit

import asyncpg
import psutil
import psycopg
import uvloop
from playwright.sync_api import Page, sync_playwright
from websockets.asyncio.client import connect

from benchmarks.report import Measure
from server.api.metrics import METRICS
from server.api.sockets import SOCKET
from server.api.sql import SQL

_CLIENTS = 16
_ROUNDS = 3
_STATEMENTS_A_SECOND = 3_000.0
_OBJECTS = 1_000
_AT_ONCE = 100
_SCRAPES = 10
_SCRAPE_MS = 100.0
_CHANGES = 200
_LATER_MS = 10.0
_PAGE_MS = 1_000.0
_BASIC = base64.b64encode(b"headwater:").decode()
_PAGES = {
    "statements": "#tree details",
    "freshness": "section[aria-label=freshness] table",
    "graph": "section[aria-label=graph] svg",
    "flows": "section[aria-label=flows] h2",
    "activity": "section[aria-label=activity] table",
    "system": "section[aria-label=system] table",
}


def measure_over_http(url: str, pid: int, seconds: float) -> Iterator[Measure]:
    """`pid` is that of the server's process."""
    address = _address(url)
    yield from _statements(url, address, seconds)
    yield from _changes(url, address)
    yield from _scrapes(url, address, pid)
    yield from _cold_pages(address)


def _address(url: str) -> str:
    """Returns where the server listens for HTTP, as it tells of a webhook source."""
    with psycopg.connect(url, autocommit=True) as session:
        session.execute("CREATE SOURCE over_http FROM WEBHOOK BODY FORMAT TEXT")
        row = session.execute("SELECT url FROM mz_internal.mz_webhook_sources WHERE name = 'over_http'").fetchone()
        assert row is not None
        session.execute("DROP SOURCE over_http")
        return urlsplit(str(row[0])).netloc


def _statements(url: str, address: str, seconds: float) -> Iterator[Measure]:
    """Measures each way in turns, and the ratio of each turn."""
    http: list[float] = []
    wire: list[float] = []
    for _ in range(_ROUNDS):
        http.append(uvloop.run(_rate(lambda until: _http_client(address, until), seconds)))
        wire.append(uvloop.run(_rate(lambda until: _wire_client(url, until), seconds)))
    note = f"{_CLIENTS} kept connections; SELECT 1; {statistics.median(wire):,.0f} /s over pgwire's simple protocol"
    yield Measure("POST /api/sql", statistics.median(http), "/s", _STATEMENTS_A_SECOND, note=note)
    ratio = statistics.median(one / other for one, other in zip(http, wire, strict=True))
    yield Measure("POST /api/sql over pgwire, statements a second", ratio, "")


async def _rate(client: Callable[[float], Awaitable[int]], seconds: float) -> float:
    began = time.monotonic()
    counts = await asyncio.gather(*(client(began + seconds) for _ in range(_CLIENTS)))
    return sum(counts) / (time.monotonic() - began)


async def _http_client(address: str, until: float) -> int:
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    body = b'{"query": "SELECT 1"}'
    request = (
        f"POST {SQL} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Basic {_BASIC}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body
    done = 0
    while time.monotonic() < until:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        answer = await reader.readexactly(length)
        assert b'"rows":[["1"]]' in answer, answer
        done += 1
    writer.close()
    return done


async def _wire_client(url: str, until: float) -> int:
    connection = await asyncpg.connect(url)
    done = 0
    while time.monotonic() < until:
        assert await connection.execute("SELECT 1") == "SELECT 1"
        done += 1
    await connection.close()
    return done


def _changes(url: str, address: str) -> Iterator[Measure]:
    """Measures from before an INSERT until each subscription has its row."""
    over_socket, over_wire = asyncio.run(_arrivals(url, address))
    socket_ms, wire_ms = statistics.median(over_socket) * 1000, statistics.median(over_wire) * 1000
    note = f"p50 {socket_ms:.1f} ms from INSERT to row; pgwire's {wire_ms:.1f} ms"
    yield Measure("SUBSCRIBE over a WebSocket, later than pgwire's", socket_ms - wire_ms, "ms", _LATER_MS, False, note)


async def _arrivals(url: str, address: str) -> tuple[list[float], list[float]]:
    writer = await asyncpg.connect(url)
    await writer.execute("CREATE TABLE changing (n int)")
    arrived: dict[str, asyncio.Queue[float]] = {"socket": asyncio.Queue(), "wire": asyncio.Queue()}
    begun = asyncio.Barrier(3)

    async def by_socket() -> None:
        async with connect(f"ws://{address}{SOCKET}") as client:
            await client.send(json.dumps({"user": "headwater", "password": ""}))
            await client.send(json.dumps({"query": "SUBSCRIBE changing"}))
            while json.loads(await client.recv())["type"] != "Rows":
                pass
            await begun.wait()
            async for message in client:
                assert json.loads(message)["type"] == "Row"
                arrived["socket"].put_nowait(time.perf_counter())

    async def by_wire() -> None:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as client:
            await begun.wait()
            async for _ in client.cursor().stream("SUBSCRIBE changing"):
                arrived["wire"].put_nowait(time.perf_counter())

    readers = [asyncio.create_task(by_socket()), asyncio.create_task(by_wire())]
    await begun.wait()
    # The first row may come with what was there at the beginning.
    await writer.execute("INSERT INTO changing VALUES (0)")
    for queue in arrived.values():
        await queue.get()
    took: dict[str, list[float]] = {"socket": [], "wire": []}
    for number in range(1, _CHANGES + 1):
        began = time.perf_counter()
        await writer.execute(f"INSERT INTO changing VALUES ({number})")
        for name, queue in arrived.items():
            took[name].append(await queue.get() - began)
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    await writer.close()
    return took["socket"], took["wire"]


def _scrapes(url: str, address: str, pid: int) -> Iterator[Measure]:
    with psycopg.connect(url, autocommit=True) as session:
        for first in range(0, _OBJECTS, _AT_ONCE):
            numbers = range(first, first + _AT_ONCE)
            session.execute("".join(f"CREATE TABLE scraped_{number} (a int);" for number in numbers))
    scraped = uvloop.run(_scraped(address, 1))
    before = psutil.Process(pid).cpu_times()
    uvloop.run(_scraped(address, _SCRAPES))
    after = psutil.Process(pid).cpu_times()
    spent_ms = (after.user + after.system - before.user - before.system) * 1000 / _SCRAPES
    note = f"{_OBJECTS:,} tables; {scraped / 1024:,.0f} KiB"
    yield Measure("a scrape, processor time of the server", spent_ms, "ms", _SCRAPE_MS, False, note)


async def _scraped(address: str, times: int) -> int:
    """Returns the length of the last answer."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    length = 0
    for _ in range(times):
        writer.write(f"GET {METRICS} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Basic {_BASIC}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
    writer.close()
    return length


def _cold_pages(address: str) -> Iterator[Measure]:
    """Measures from the address to what each page shows first, with the sign-in between, each in a browser's context
    that has nothing of the console yet. The browser itself has begun."""
    program = shutil.which("chromium")
    if program is None:
        yield Measure("a cold page of the console", None, "ms", _PAGE_MS, False, "there is no chromium")
        return
    with sync_playwright() as found:
        browser = found.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        for name, shows in _PAGES.items():
            took = []
            for _ in range(_ROUNDS):
                context = browser.new_context()
                took.append(_cold_page(context.new_page(), f"http://{address}/#{name}", shows) * 1000)
                context.close()
            note = f"{_OBJECTS:,} tables; {', '.join(f'{each:.0f}' for each in took)} ms"
            yield Measure(f"a cold page of the console: {name}", statistics.median(took), "ms", _PAGE_MS, False, note)
        browser.close()


def _cold_page(page: Page, url: str, shows: str) -> float:
    began = time.perf_counter()
    page.goto(url)
    page.get_by_role("button", name="Sign in").click()
    page.locator(shows).first.wait_for(timeout=60_000)
    return time.perf_counter() - began
