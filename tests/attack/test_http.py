"""Hostile clients over HTTP: what is too much is refused as soon as it is known, what says nothing gives way, and an
honest client is answered all the while."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from model.time.clock import SystemClock
from server.evaluation.pool import WorkerPool
from server.http.limits import HttpLimits
from server.webhooks.evaluating import TOO_MANY
from tests.attack.loop_probe import unheld
from tests.draws import draws
from tests.server.memory_server import MemoryServer, memory_server
from tests.webhooks import listening, post, url_of
from timeline.waiting import LockOwner

_LIMITS = HttpLimits(connections_max=20, body_bytes_max=1 << 20, held_bytes_max=3 << 20, evaluation_s=60.0)
_PATH = "/api/webhook/headwater/public/t"
Session = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    """What may take its time is evaluated in processes, as in a server of its own."""
    with memory_server() as running:
        running.environment.evaluations.apart = pool = WorkerPool(SystemClock())
        running.loop.call_soon_threadsafe(pool.begin)
        with running.connect() as connection:
            connection.execute("CREATE SOURCE t FROM WEBHOOK BODY FORMAT TEXT")
            connection.execute("CREATE SOURCE j FROM WEBHOOK BODY FORMAT JSON INCLUDE HEADERS")
            connection.execute("CREATE SOURCE a FROM WEBHOOK BODY FORMAT JSON ARRAY INCLUDE HEADERS")
        with listening(running, _LIMITS):
            yield running


@pytest.fixture
def session(server: MemoryServer) -> Iterator[Session]:
    with server.connect() as connection:
        yield connection


def count(session: Session, source: str = "t") -> int:
    row = session.execute(f"SELECT count(*) FROM {source}".encode()).fetchone()
    assert row is not None
    return int(row[0])


def dialled(url: str) -> socket.socket:
    parts = urlsplit(url)
    client = socket.create_connection((parts.hostname, parts.port or 0))
    client.settimeout(60)
    return client


def all_of(client: socket.socket) -> bytes:
    """What is answered until the connection ends."""
    pieces = []
    with contextlib.suppress(ConnectionResetError):
        while piece := client.recv(65_536):
            pieces.append(piece)
    return b"".join(pieces)


def answered(url: str, data: bytes, *, half_closed: bool = False) -> bytes:
    with dialled(url) as client:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(data)
            if half_closed:
                client.shutdown(socket.SHUT_WR)
        return all_of(client)


def head(*lines: str, path: str = _PATH) -> bytes:
    return "\r\n".join((f"POST {path} HTTP/1.1", "Host: h", *lines, "", "")).encode("latin-1")


@contextlib.contextmanager
def held_commits(server: MemoryServer) -> Iterator[Callable[[int], None]]:
    """Nobody commits meanwhile. What is given returns once so many requests wait for it."""
    committer = server.environment.committer
    owner = LockOwner()
    holding = committer.hold(owner)
    server.run(holding.__aenter__())

    async def waiting(count: int) -> None:
        while len(committer._queue) < count:
            await server.environment.clock.sleep(0.01)

    try:
        yield lambda count: server.run(waiting(count))
    finally:
        server.run(holding.__aexit__(None, None, None))


def test_a_body_that_is_announced_as_too_large_is_refused_unread(session: Session) -> None:
    before = count(session)
    assert answered(url_of(session, "t"), head("Content-Length: 999999999999")).startswith(b"HTTP/1.1 413 ")
    expecting = head("Content-Length: 999999999999", "Expect: 100-continue")
    assert answered(url_of(session, "t"), expecting).startswith(b"HTTP/1.1 413 ")
    assert count(session) == before


def test_chunks_without_end_are_cut_off(session: Session, server: MemoryServer) -> None:
    before = count(session)
    chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
    answer = unheld(
        server.loop, lambda: answered(url_of(session, "t"), head("Transfer-Encoding: chunked") + chunk * 64)
    )
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert count(session) == before


@pytest.mark.parametrize(("piece", "status"), [(b"1\r\nx\r\n", 400), (b"18\r\n" + b"x" * 24 + b"\r\n", 413)])
def test_a_body_in_tiny_pieces_keeps_nobody_waiting(
    session: Session, server: MemoryServer, piece: bytes, status: int
) -> None:
    answer = unheld(
        server.loop, lambda: answered(url_of(session, "t"), head("Transfer-Encoding: chunked") + piece * 50_000)
    )
    assert answer.startswith(b"HTTP/1.1 %d " % status)


def test_many_requests_in_one_packet_keep_nobody_waiting(session: Session, server: MemoryServer) -> None:
    request = head("Content-Length: 1", path="/api/webhook/headwater/public/j") + b"x"
    answer = unheld(server.loop, lambda: answered(url_of(session, "j"), request * 3_000, half_closed=True))
    assert answer.count(b"HTTP/1.1 400 ") == 3_000


def test_thousands_who_say_nothing_keep_nobody_out(session: Session, server: MemoryServer) -> None:
    url = url_of(session, "t")
    begun = (b"", b"POST ", head()[:-2], head("Content-Length: 10") + b"123", head(path="/none") + b"more")
    before = count(session)
    with ExitStack() as silent:
        for number in range(1000):
            client = silent.enter_context(dialled(url))
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                client.sendall(begun[number % len(begun)])
            if number % 100 == 99:
                assert post(url, b"honest") == (200, "")
    assert count(session) == before + 10


@pytest.mark.parametrize("leaving", [False, True])
def test_a_crowd_that_comes_at_once_keeps_nobody_out(session: Session, server: MemoryServer, *, leaving: bool) -> None:
    url = url_of(session, "t")
    with ExitStack() as silent:

        async def crowd(turns: int) -> socket.socket:
            # The loop waits meanwhile, finds all of them at once, and the honest one so many turns later.
            for number in range(100):
                client = silent.enter_context(dialled(url))
                if leaving and number % 2:
                    client.close()
            for _ in range(turns):
                await asyncio.sleep(0)
            honest = dialled(url)
            honest.sendall(head("Content-Length: 1", "Connection: close") + b"a")
            return honest

        for turns in range(8):
            with server.run(crowd(turns)) as honest:
                assert all_of(honest).startswith(b"HTTP/1.1 200 ")


def test_who_takes_too_long_is_left(session: Session, server: MemoryServer) -> None:
    address = server.environment.options.webhooks_at
    with listening(server, HttpLimits(head_s=0.1, body_s=0.1, idle_s=0.1)):
        url = url_of(session, "t")
        for data in (
            b"",
            b"POST",
            head()[:-2],
            head("Content-Length: 10") + b"123",
            head("Transfer-Encoding: chunked"),
        ):
            assert answered(url, data) == b""
        kept = answered(url, head("Content-Length: 1") + b"a")
        assert kept.startswith(b"HTTP/1.1 200 ") and kept.count(b"HTTP/1.1") == 1
    server.environment.options.webhooks_at = address


def test_who_has_said_all_is_answered(session: Session) -> None:
    request = head("Content-Length: 2") + b"ab"
    before = count(session)
    assert answered(url_of(session, "t"), request, half_closed=True).startswith(b"HTTP/1.1 200 ")
    several = answered(url_of(session, "t"), request * 5, half_closed=True)
    assert several.count(b"HTTP/1.1 200 ") == 5
    with dialled(url_of(session, "t")) as client:
        client.sendall(head("Content-Length: 2", "Expect: 100-continue"))
        assert client.recv(65_536).startswith(b"HTTP/1.1 100 ")
        client.sendall(b"ab")
        assert client.recv(65_536).startswith(b"HTTP/1.1 200 ")
    assert count(session) == before + 7
    cut_off = answered(url_of(session, "t"), head("Content-Length: 3") + b"ab", half_closed=True)
    assert cut_off.startswith(b"HTTP/1.1 400 ")
    assert count(session) == before + 7


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", 404),
        (f"GET {_PATH} HTTP/1.1\r\nHost: h\r\n\r\n".encode(), 405),
        (f"HEAD {_PATH} HTTP/1.1\r\nHost: h\r\n\r\n".encode(), 405),
        (head(path="/"), 404),
        (head(path="/api/webhook/headwater/public"), 404),
        (head(path="/api/webhook/headwater/public/none"), 404),
        (head(path="/api/webhook/headwater/public/%ff"), 404),
        (head(path="/api/webhook/headwater/public/t/t"), 404),
        (head(path="/api/webhook/headwater/pg_catalog/pg_class"), 404),
        (head("Content-Encoding: gzip", "Content-Length: 0"), 415),
        (head("Content-Length: -1"), 400),
        (head("Content-Length: 1", "Content-Length: 2"), 400),
        (head("Content-Length: " + "9" * 5000), 400),
        (head("Content-Length: 1", "Transfer-Encoding: chunked"), 400),
        (head("Transfer-Encoding: gzip, chunked"), 501),
        (head("Transfer-Encoding: chunked") + b"zz\r\n", 400),
        (head("Transfer-Encoding: chunked") + b"1" * 40_000, 431),
        (head("Bad Name: x"), 400),
        (head("a: b\x00c"), 400),
        (head("x: " + "y" * 100_000), 431),
        (head(*(f"h{number}: y" for number in range(10_000))), 431),
        (b"POST / HTTP/1.1\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        (b"\x00\x00\x00\x08\x04\xd2\x16\x2f\r\n\r\n", 400),
        (b"POST " + b"/" * 100_000, 431),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_no_request_is_told_why(session: Session, request_: bytes, status: int) -> None:
    before = count(session)
    answer = answered(url_of(session, "t"), request_, half_closed=True)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer
    assert post(url_of(session, "t"), b"honest")[0] == 200
    assert count(session) == before + 1


_PLAIN = head("Content-Length: 1") + b"x"


@pytest.mark.parametrize(
    "first",
    [
        head("Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
        head("Transfer-Encoding: chunked", "content-length : 5") + b"0\r\n\r\n",
        head("Content-Length: 1", "Content-Length: 1") + b"x",
        head("Content-Length: 1, 1") + b"x",
        head("Content-Length: 1").replace(b"\r\n", b"\n") + b"x",
        head("a: b\nContent-Length: 1") + b"x",
        head("Content-Length: 1")[:-2] + b"\n" + b"x",
        head("Content-Length: 1").replace(b"HTTP/1.1\r\n", b"HTTP/1.1\n") + b"x",
        head("Transfer-Encoding: chunked").replace(b"HTTP/1.1", b"HTTP/1.0") + b"0\r\n\r\n",
    ],
)
@pytest.mark.parametrize("before", [0, 3])
def test_what_others_may_read_as_another_request_ends_the_connection(
    session: Session, first: bytes, before: int
) -> None:
    held = count(session)
    answer = answered(url_of(session, "t"), _PLAIN * before + first + _PLAIN, half_closed=True)
    assert answer.count(b"HTTP/1.1 200 ") == before
    last = b"HTTP/1.1" + answer.rpartition(b"HTTP/1.1")[2]
    assert last.startswith(b"HTTP/1.1 400 ") and b"connection: close" in last
    assert count(session) == held + before


def test_a_head_that_comes_byte_by_byte_is_looked_at_as_a_whole(session: Session) -> None:
    for request, status in ((_PLAIN, 200), (head("Content-Length: 1", "Content-Length: 1") + b"x", 400)):
        with dialled(url_of(session, "t")) as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for place in range(len(request)):
                client.sendall(request[place : place + 1])
            assert client.recv(65_536).startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.parametrize("place", ["http://h", "HTTP://h:6876", "https://user@h:1"])
def test_a_target_may_be_absolute_as_clients_of_proxies_write_it(session: Session, place: str) -> None:
    before = count(session)
    request = head("Content-Length: 1", path=f"{place}{_PATH}?x=1") + b"x"
    assert answered(url_of(session, "t"), request, half_closed=True).startswith(b"HTTP/1.1 200 ")
    other = head("Content-Length: 1", path=f"ftp://h{_PATH}") + b"x"
    assert answered(url_of(session, "t"), other, half_closed=True).startswith(b"HTTP/1.1 404 ")
    assert count(session) == before + 1


_PIECES = (
    *(
        b"POST ",
        b"/api/webhook/headwater/public/t",
        b" HTTP/1.1",
        b"\r\n",
        b"\n",
        b"Host: h",
        b"\x00",
        b":",
        b"5",
        b"-1",
    ),
    *(b"Content-Length: ", b"Transfer-Encoding: chunked", b"Connection: close", b"0\r\n\r\n", b"\xff"),
)


@draws(60, [HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(_PIECES)))
def test_any_bytes_are_answered_or_the_connection_ends(session: Session, pieces: list[bytes]) -> None:
    answer = answered(url_of(session, "t"), b"".join(pieces), half_closed=True)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 ")
    assert b" 500 " not in answer.partition(b"\r\n")[0]


_HOSTILE = {
    "deep": (b"[" * 1_000_000, 400),
    "deep and closed": (b"[" * 200_000 + b"]" * 200_000, 400),
    "deep objects": (b'{"a":' * 200_000, 400),
    "deep and short": (b"[" * 8_000 + b"]" * 8_000, 400),
    "long numbers": (b"[" + b"9" * 1_000_000 + b"]", 400),
    "large exponents": (b"[" + b"1e131000," * 1_000 + b"1]", 413),
    "a value of large exponents": (b'{"a": [' + b"1e131000," * 500 + b"1]}", 413),
    "exponents in strings": (b'["' + b"1e131000" * 1_000 + b'"]', 200),
    "quotes that never close": (b'["' + b'\\"' * 400_000, 400),
    "digits": (b"[1e" + b"9" * 900_000 + b"]", 400),
    "exponents": (b"[" + b"1e1000000000000," * 100 + b"1]", 400),
    "many rows": (b"[" + b"1," * 400_000 + b"1]", 413),
    "many lines": (b"1\n" * 400_000, 413),
    "many keys": (b"{" + b",".join(b'"%d":1' % key for key in range(80_000)) + b"}", 200),
    "a long string": (b'"' + b"x" * 1_000_000 + b'"', 200),
    "escapes": (b'"' + b"\\u00e9" * 150_000 + b'"', 200),
}


@pytest.mark.in_part(4)
@pytest.mark.parametrize("family", _HOSTILE)
def test_hostile_json_keeps_nobody_waiting(session: Session, server: MemoryServer, family: str) -> None:
    body, status = _HOSTILE[family]
    before = count(session, "a")
    found, reason = unheld(server.loop, lambda: post(url_of(session, "a"), body))
    assert found == status or (family == "long numbers" and found in (200, 400)), reason
    if found != 200:
        assert count(session, "a") == before


def test_headers_are_not_multiplied_without_bound(session: Session) -> None:
    before = count(session, "a")
    body = b"[" + b"1," * 15_000 + b"1]"
    assert post(url_of(session, "a"), body, {"x": "y" * 20_000}) == (413, TOO_MANY)
    assert post(url_of(session, "a"), body)[0] == 200
    assert count(session, "a") == before + 15_001


def test_a_check_that_takes_too_long_is_ended(session: Session, server: MemoryServer) -> None:
    address = server.environment.options.webhooks_at
    session.execute(
        "CREATE SOURCE slow FROM WEBHOOK BODY FORMAT TEXT "
        "CHECK (WITH (BODY) length(repeat(repeat(repeat(body, 1000), 1000), 1000)) > 0)"
    )
    with listening(server, HttpLimits(evaluation_s=1.0)):
        status, reason = post(url_of(session, "slow"), b"x" * 100)
        assert status in (403, 503), reason
        assert post(url_of(session, "t"), b"honest")[0] == 200
    server.environment.options.webhooks_at = address


def test_requests_beyond_the_rate_are_told_to_come_again(session: Session, server: MemoryServer) -> None:
    address = server.environment.options.webhooks_at
    with listening(server, HttpLimits(requests_per_second=5)):
        request = head("Content-Length: 1") + b"a"
        before = count(session)
        answer = answered(
            url_of(session, "t"), request * 5 + request.replace(b"/t ", b"/none ") + request, half_closed=True
        )
        assert answer.count(b"HTTP/1.1 200 ") + answer.count(b"HTTP/1.1 429 ") >= 5
        assert count(session) == before + answer.count(b"HTTP/1.1 200 ")
        while True:
            status, reason = post(url_of(session, "t"), b"a")
            if status == 429:
                break
        assert reason == "a webhook source takes 5 requests a second"
    server.environment.options.webhooks_at = address


def test_bodies_take_no_more_memory_together_than_they_may(session: Session) -> None:
    part = head("Content-Length: 1000000") + b"x" * 999_999
    with ExitStack() as clients:
        waiting = []
        for _ in range(5):
            client = clients.enter_context(dialled(url_of(session, "t")))
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                client.sendall(part)
            waiting.append(client)
        status, reason = post(url_of(session, "t"), b"x" * 1_000_000)
        assert (status, reason) == (429, "too much is being received at once")
    assert post(url_of(session, "t"), b"honest")[0] == 200


def test_what_can_not_be_committed_in_time_is_not_there(session: Session, server: MemoryServer) -> None:
    address, environment = server.environment.options.webhooks_at, server.environment
    before = count(session)
    with listening(server, HttpLimits(commit_s=0.2)):
        url = url_of(session, "t")
        with held_commits(server):
            assert post(url, b"late") == (503, "nothing can be written now")
    environment.options.webhooks_at = address
    assert count(session) == before


def test_who_comes_while_all_are_being_served_is_told_to_come_again(session: Session, server: MemoryServer) -> None:
    address, before = server.environment.options.webhooks_at, count(session)
    with listening(server, HttpLimits(connections_max=2)):
        url = url_of(session, "t")
        with ExitStack() as clients:
            with held_commits(server) as waiting:
                served = [clients.enter_context(dialled(url)) for _ in range(2)]
                for client in served:
                    client.sendall(head("Content-Length: 1") + b"a")
                waiting(2)
                for _ in range(5):
                    assert post(url, b"late") == (429, "too many requests at once")
            assert all(client.recv(65_536).startswith(b"HTTP/1.1 200 ") for client in served)
    server.environment.options.webhooks_at = address
    assert count(session) == before + 2
