"""Hostile clients of WebSockets: frames and messages that are none, too much, too little, and nothing at all."""

from __future__ import annotations

import contextlib
import json
import select
import socket
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from model.time.clock import SystemClock
from server.api.sockets import SOCKET
from server.evaluation.pool import WorkerPool
from server.http.limits import HttpLimits
from server.http.server import HttpServer
from server.subscription.limits import BufferLimits
from tests.attack.loop_probe import unheld
from tests.http_api import api_of
from tests.server.memory_server import MemoryServer, memory_server
from tests.web_sockets import LOGIN, eventually, raw_socket_to, socket_to

_LIMITS = HttpLimits(connections_max=20, body_bytes_max=1 << 20, held_bytes_max=3 << 20, body_s=5.0)
_HANDSHAKE = "\r\n".join(
    (
        f"GET {SOCKET} HTTP/1.1",
        "Host: localhost",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        "",
        "",
    )
).encode()
_FUZZED = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    """What may take its time is evaluated in processes, as in a server of its own."""
    with memory_server() as running:
        running.environment.evaluations.apart = pool = WorkerPool(SystemClock())
        running.loop.call_soon_threadsafe(pool.begin)
        yield running


@pytest.fixture(scope="module")
def http(server: MemoryServer) -> Iterator[HttpServer]:
    with api_of(server, limits=_LIMITS) as listening:
        yield listening


@pytest.fixture(autouse=True)
def _everything_is_let_go(server: MemoryServer, http: HttpServer) -> Iterator[None]:
    """Whatever was done, nothing of it stays, and an honest client is served."""
    yield
    with socket_to(http) as honest:
        assert honest.rows("SELECT 1") == [["1"]]
    eventually(lambda: (len(server.environment.clients.sessions), server.places.taken, http.held_bytes) == (0, 0, 0))


def frame(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """A client's frame, also one that no client may send."""
    first, *rest = Frame(opcode, data).serialize(mask=True)
    return bytes((first if fin else first & 0x7F, *rest))


@contextlib.contextmanager
def dialled(http: HttpServer, *, logged_in: bool = True) -> Iterator[socket.socket]:
    """A plain socket whose connection is a WebSocket's."""
    with socket.socket() as made:
        # What is not read is not to wait in the system's memory, of which a socket may have very much.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        made.connect(("127.0.0.1", http.port))
        made.settimeout(30)
        made.sendall(_HANDSHAKE)
        assert made.recv(4096).startswith(b"HTTP/1.1 101 ")
        if logged_in:
            made.sendall(frame(json.dumps(LOGIN).encode()))
            told = b""
            while b"ReadyForQuery" not in told:
                told += made.recv(4096)
        yield made


def rest_of(made: socket.socket) -> bytes:
    """What is told until the connection ends."""
    pieces = []
    with contextlib.suppress(ConnectionError):
        while piece := made.recv(65_536):
            pieces.append(piece)
    return b"".join(pieces)


def sent(made: socket.socket, data: bytes) -> None:
    """Sends as much as is taken."""
    with contextlib.suppress(ConnectionError):
        made.sendall(data)


@_FUZZED
@given(data=st.binary(max_size=2_000), logged_in=st.booleans())
def test_any_bytes_end_their_own_connection_alone(http: HttpServer, data: bytes, logged_in: bool) -> None:
    with dialled(http, logged_in=logged_in) as made:
        sent(made, data)
        with contextlib.suppress(OSError):
            made.shutdown(socket.SHUT_WR)
        rest_of(made)


_FRAMES = st.builds(
    lambda opcode, data, fin: frame(data, opcode, fin=fin),
    st.sampled_from(list(Opcode)),
    st.binary(max_size=125)
    | st.sampled_from([b'{"query": "SELECT 1"}', b'{"query": "SUBSCRIBE pg_class"}', b"\x03\xe8"]),
    st.booleans(),
)


@_FUZZED
@given(frames=st.lists(_FRAMES, max_size=30))
def test_any_frames_end_their_own_connection_alone(http: HttpServer, frames: list[bytes]) -> None:
    with dialled(http) as made:
        sent(made, b"".join(frames))
        with contextlib.suppress(OSError):
            made.shutdown(socket.SHUT_WR)
        rest_of(made)


_KEYS = st.sampled_from(["query", "queries", "params", "user", "password", "token", "options"]) | st.text(max_size=5)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from(["SELECT 1", "BEGIN", "x"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=12,
)


@_FUZZED
@given(message=_JSON)
def test_any_message_is_answered_with_one_ready(http: HttpServer, message: object) -> None:
    with socket_to(http) as made:
        assert sum(type_ == "ReadyForQuery" for type_, _ in made.asked(message if message != "" else {})) == 1
        assert made.rows("ROLLBACK; SELECT 1") == [["1"]]


@_FUZZED
@given(message=_JSON)
def test_any_first_message_that_is_no_login_is_refused(http: HttpServer, message: object) -> None:
    with raw_socket_to(http) as made:
        made.send(message)
        assert made.next()[0] == "Error"
        with pytest.raises(ConnectionClosed):
            made.next()


@pytest.mark.parametrize(("logged_in", "size"), [(False, 70_000), (True, 2 << 20)])
def test_a_message_that_is_too_long_is_refused(http: HttpServer, logged_in: bool, size: int) -> None:
    with dialled(http, logged_in=logged_in) as made:
        sent(made, frame(b" " * size)[:1_000])
        assert b"\x03\xf1" in rest_of(made), "1009"
    with dialled(http, logged_in=logged_in) as made:
        parts = [frame(b" " * 1_000, Opcode.TEXT, fin=False), *[frame(b" " * 1_000, Opcode.CONT, fin=False)] * 2_200]
        sent(made, b"".join(parts))
        rest_of(made)


def test_what_is_received_by_all_is_bounded(http: HttpServer) -> None:
    with contextlib.ExitStack() as opened:
        begun = [opened.enter_context(dialled(http)) for _ in range(6)]
        for each in begun:
            sent(each, frame(b" " * 900_000)[:-1])
        assert http.held_bytes <= _LIMITS.held_bytes_max
        refused, _, _ = select.select(begun, [], [], 30)
        assert any(b"too much is being received at once" in rest_of(each) for each in refused)


def test_who_tells_nothing_is_sent_away_and_gives_way(http: HttpServer) -> None:
    with contextlib.ExitStack() as opened:
        silent = [opened.enter_context(dialled(http, logged_in=False)) for _ in range(30)]
        with socket_to(http) as honest:
            assert honest.rows("SELECT 1") == [["1"]]
        assert b"nobody has told who it is" in rest_of(silent[-1])


def test_half_closed_connections_end(http: HttpServer) -> None:
    for logged_in in (False, True):
        with dialled(http, logged_in=logged_in) as made:
            if logged_in:
                made.sendall(frame(b'{"query": "SELECT pg_sleep(3600)"}'))
            made.shutdown(socket.SHUT_WR)
            rest_of(made)


@pytest.mark.in_part(4)
@pytest.mark.parametrize(
    "flood",
    [
        frame(b"", Opcode.PING) * 50_000,
        frame(b"x" * 125, Opcode.PING) * 5_000,
        frame(b"", Opcode.PONG) * 50_000,
        frame(b"", Opcode.TEXT, fin=False) + frame(b"", Opcode.CONT, fin=False) * 50_000,
        frame(b"{}") * 5_000,
        frame(b'{"x": ' + b"[" * 1_000_000),
        frame(json.dumps({"query": "SELECT " + "(" * 100_000 + "1" + ")" * 100_000}).encode()),
        frame(json.dumps({"queries": [{"query": ""}] * 40_000}).encode()),
    ],
    ids=["pings", "long pings", "pongs", "empty parts", "no requests", "deep", "deep SQL", "queries"],
)
def test_floods_hold_nobody(server: MemoryServer, http: HttpServer, flood: bytes) -> None:
    def attack() -> None:
        with dialled(http) as made:
            sent_all = flood + frame(b"\x03\xe8", Opcode.CLOSE)
            made.settimeout(10)
            with contextlib.suppress(ConnectionError, TimeoutError):
                for at in range(0, len(sent_all), 65_536):
                    made.sendall(sent_all[at : at + 65_536])
                    made.setblocking(False)
                    with contextlib.suppress(BlockingIOError):
                        made.recv(1 << 20)
                    made.settimeout(10)
            rest_of(made)

    unheld(server.loop, attack)


def test_who_goes_while_much_waits_ends_the_session(http: HttpServer) -> None:
    with dialled(http) as made:
        made.sendall(frame(b'{"query": "SELECT pg_sleep(3600)"}'))
        # More requests than are read ahead, and no more than the system takes of what nobody reads.
        made.sendall(frame(b'{"query": "SELECT 1"}') * 4_000)


def test_who_floods_and_reads_nothing_is_read_no_further(server: MemoryServer, http: HttpServer) -> None:
    with dialled(http) as made:
        made.settimeout(2)
        with contextlib.suppress(TimeoutError):
            for _ in range(2_000):
                made.sendall(frame(b"x" * 125, Opcode.PING) * 500)
            raise AssertionError("it was read on")
        with socket_to(http) as honest:
            assert unheld(server.loop, lambda: honest.rows("SELECT 1")) == [["1"]]


def test_a_subscription_whose_reader_does_not_read_is_ended(server: MemoryServer, http: HttpServer) -> None:
    limits = server.environment.options.subscribe_limits
    # On a busy machine changes of many commits come together, and wait for the reader for so long.
    server.environment.options.subscribe_limits = BufferLimits(memory_bytes=1 << 20, spill_bytes=4 << 20, stall_s=1.0)
    try:
        with server.connect() as other, dialled(http) as made:
            other.execute("CREATE TABLE flooding (a text)")
            made.sendall(frame(b'{"query": "SUBSCRIBE flooding"}'))
            eventually(lambda: any(each.active for each in server.environment.clients.subscriptions))
            for _ in range(100):
                other.execute("INSERT INTO flooding SELECT repeat('x', 1000) || n FROM generate_series(1, 250) n")
            kind = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'websocket client'"
            eventually(lambda: other.execute(kind).fetchall() == [(0,)])
    finally:
        server.environment.options.subscribe_limits = limits


def test_long_answers_hold_nobody(server: MemoryServer, http: HttpServer) -> None:
    def read() -> int:
        with dialled(http) as made:
            query = "SELECT n, repeat('x', 100) FROM generate_series(1, 50000) n"
            made.sendall(frame(json.dumps({"query": query}).encode()))
            count, last = 0, b""
            while b"ReadyForQuery" not in last:
                piece = made.recv(1 << 20)
                count += (last[-20:] + piece).count(b'"type":"Row"') - last[-20:].count(b'"type":"Row"')
                last = piece
            return count

    assert unheld(server.loop, read) == 50_000
