"""From a seed: damaged requests over HTTP, messages over WebSockets, and calls of agents' tools, each judged by what is
said to it.

A case is one connection with a handful of messages, some of them damaged, in pieces of any size; then the client stops
sending, and reads until the server has closed. A case holds when the server does close; when each whole answer is HTTP
or a WebSocket's frames with JSON in them where they say so; and when no defect was answered, with 500 or XX000. What
comes back depends on the damage, and is otherwise left to the tests of each door.

    python -m tests.attack.web_fuzz 7 50000         the seed, and how many messages
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import random
import select
import socket
import struct
import sys
import traceback
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import Any, cast

from server.agents.requests import AGENT, DEVELOPER
from server.api.health import LIVEZ, READYZ
from server.api.metrics import METRICS
from server.api.sockets import SOCKET
from server.api.sql import SQL
from server.api.token_requests import TOKEN
from server.http.server import HttpServer
from server.ledgers.server_access import ServerAccess
from tests.attack.loop_probe import probed
from tests.http_api import api_of, asked, client_of
from tests.server.memory_server import memory_server

_PATIENCE_S = 60.0
_GLANCE_S = 0.02
_PIECE_MAX = 2_000
_DAMAGED_OF_TEN = 6
BASIC = "Basic " + base64.b64encode(b"headwater:").decode()
_STATEMENTS = (
    "SELECT 1",
    "SELECT a, b FROM kept ORDER BY a LIMIT 3",
    "SELECT count(*) FROM kept WHERE a > 5",
    "INSERT INTO kept VALUES (9, 'x')",
    "UPDATE kept SET b = 'y' WHERE a = 1",
    "BEGIN; SELECT 1; ROLLBACK",
    "SELECT 1 / 0",
    "SELECT '[1, {}]'::jsonb, ARRAY[1, NULL], 1.50, now(), row(1, 'a')",
    "SET application_name = 'fuzz'",
    "DECLARE c CURSOR FOR SELECT * FROM kept",
    "FETCH 2 c",
    "EXPLAIN SELECT * FROM kept",
    "SHOW TABLES",
    "SELECT * FROM mz_internal.mz_recent_activity_log LIMIT 2",
    "NOTIFY someone, 'x'",
    "SUBSCRIBE kept",
    "COPY kept TO STDOUT",
    "SELECT pg_sleep(100)",
    "PREPARE p AS SELECT $1::int; EXECUTE p (1)",
    "",
)
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}
_OPTIONS = ("%7B%22application_name%22:%22a%22%7D", "%7B", "%00", "1", "%7B%7D" * 3)
_ODD_HEADERS = (
    b"Host: evil.example",
    b"Origin: http://evil.example",
    b"X: " + b"y" * 40_000,
    b"no colon",
    b"Expect: 100-continue",
    b"Upgrade: websocket",
    b"Connection: close",
)
_ODD_LOGINS = (b"Bearer x", b"Basic !", b"Basic " + b"A" * 9_000)
_SHAKE = (
    "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
)
_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_data_products", {}),
    ("get_data_product_details", {"name": "public.kept"}),
    ("read_data_product", {"name": "public.kept", "limit": 3}),
    ("query", {"query": "SELECT * FROM kept", "limit": 2}),
    ("query", {"sql": "SELECT 1"}),
    ("check_view", {"query": "SELECT a FROM kept"}),
    ("nothing", {"a": [1]}),
)


@dataclass(slots=True)
class Report:
    """How the cases ended. `held_s`: the longest that the server's loop was held up, in processor time."""

    cases: int = 0
    messages: int = 0
    answers: int = 0
    frames: int = 0
    held_s: float = 0.0
    grown_bytes: int = 0
    statuses: dict[int, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def _value(random_: random.Random, depth: int = 0) -> Any:
    """Returns any value of JSON."""
    match random_.randrange(12 if depth < 4 else 9):
        case 0:
            return None
        case 1:
            return random_.choice((True, False))
        case 2:
            return random_.choice((0, -1, 1.5, 1e308, 2**63, -(2**64), 10**400))
        case 3:
            return random_.choice(("", "\x00", "a" * 10_000, "\ud800", "'; DROP TABLE kept; --", "é" * 50))
        case 4 | 5 | 6:
            return random_.choice(_STATEMENTS)
        case 7:
            return random_.choice(("query", "queries", "params", "user", "jsonrpc", "id"))
        case 8:
            return {"query": random_.choice(_STATEMENTS)}
        case 9:
            return [_value(random_, depth + 1) for _ in range(random_.randrange(4))]
        case 10:
            return {str(_value(random_, 9)): _value(random_, depth + 1) for _ in range(random_.randrange(4))}
        case _:
            nested: Any = []
            for _ in range(random_.choice((3, 200, 5_000))):
                nested = [nested]
            return nested


def _altered(value: Any, random_: random.Random) -> Any:
    """Returns a value of JSON with a part replaced, dropped or added."""
    if random_.random() < 0.2 or not isinstance(value, dict | list) or not value:
        return _value(random_)
    if isinstance(value, list):
        at = random_.randrange(len(value))
        return [*value[:at], _altered(value[at], random_), *value[at + 1 :]]
    name = random_.choice(list(value))
    rest = {key: each for key, each in value.items() if key != name}
    match random_.randrange(4):
        case 0:
            return rest
        case 1:
            return {**value, "more": _value(random_)}
        case 2:
            return {**rest, name.upper(): value[name]}
        case _:
            return {**rest, name: _altered(value[name], random_)}


def _dumped(value: Any, random_: random.Random) -> bytes:
    """Returns JSON, also of what no encoder nests deep enough for; or bytes that are none."""
    try:
        text = json.dumps(value).encode("utf-8", "surrogatepass")
    except RecursionError:
        text = b"[" * 5_000 + b"]" * 5_000
    if random_.random() < 0.1:
        return _flipped(text, random_)
    return text


def _flipped(raw: bytes, random_: random.Random) -> bytes:
    """Returns bytes of which some are others, cut off, or repeated."""
    changed = bytearray(raw or b"x")
    match random_.randrange(4):
        case 0:
            for _ in range(random_.randint(1, 5)):
                changed[random_.randrange(len(changed))] = random_.randrange(256)
        case 1:
            del changed[random_.randrange(len(changed)) :]
        case 2:
            at = random_.randrange(len(changed))
            changed[at:at] = random_.randbytes(random_.randint(1, 200))
        case _:
            changed *= random_.randint(2, 20)
    return bytes(changed)


def _request_value(random_: random.Random) -> Any:
    """Returns a request for statements, as it should be or altered."""
    if random_.random() < 0.6:
        value: Any = {"query": "; ".join(random_.choices(_STATEMENTS, k=random_.randint(1, 3)))}
    else:
        asked_ = [{"query": "SELECT $1::int4, $2", "params": ["5", None]}, {"query": random_.choice(_STATEMENTS)}]
        value = {"queries": asked_ * random_.randint(1, 3)}
    return _altered(value, random_) if random_.randrange(10) < _DAMAGED_OF_TEN else value


def _call_value(random_: random.Random) -> Any:
    """Returns a message of JSON-RPC for agents' tools, as it should be or altered."""
    name, arguments = random_.choice(_CALLS)
    method, params = random_.choice(
        (
            ("initialize", _HELLO),
            ("notifications/initialized", {}),
            ("tools/list", {}),
            ("tools/call", {"name": name, "arguments": arguments}),
            ("tools/call", {"name": name, "arguments": arguments}),
        )
    )
    value: Any = {"jsonrpc": "2.0", "id": random_.randrange(100), "method": method, "params": params}
    return _altered(value, random_) if random_.randrange(10) < _DAMAGED_OF_TEN else value


def _http(random_: random.Random) -> bytes:
    """Returns a request over HTTP, as it should be or damaged."""
    kind = random_.randrange(10)
    method, path, body = "GET", random_.choice((METRICS, LIVEZ, READYZ, "/", "/console/main.js", "/nothing")), b""
    if kind < 5:
        method, path, body = "POST", SQL, _dumped(_request_value(random_), random_)
        if random_.random() < 0.2:
            path += "?options=" + random_.choice(_OPTIONS)
    elif kind < 8:
        method, path, body = "POST", random_.choice((AGENT, DEVELOPER)), _dumped(_call_value(random_), random_)
    elif kind == 8:
        method, path = "POST", TOKEN
    if random_.random() < 0.05:
        method = random_.choice(("PUT", "get", "OPTIONS", "DELETE", "\x00", "TRACE" * 50))
    headers = [
        b"Host: 127.0.0.1",
        b"Authorization: " + (BASIC.encode() if random_.random() < 0.9 else random_.choice(_ODD_LOGINS)),
        b"Content-Type: application/json",
        b"Accept: application/json, text/event-stream",
    ]
    if random_.random() < 0.8:
        length = len(body) if random_.random() < 0.9 else random_.choice((0, 1, 10**9, -1, 2**64))
        headers.append(b"Content-Length: %d" % length)
        sent = body
    else:
        headers.append(b"Transfer-Encoding: chunked")
        sent = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
    if random_.random() < 0.1:
        headers.append(random_.choice(_ODD_HEADERS))
    raw = f"{method} {path} HTTP/1.1\r\n".encode("utf-8", "replace") + b"\r\n".join(headers) + b"\r\n\r\n" + sent
    return _flipped(raw, random_) if random_.random() < 0.1 else raw


def _frame(payload: bytes, random_: random.Random) -> bytes:
    """Returns a frame of a WebSocket's client, as it should be or damaged."""
    opcode, final, masked, told = random_.choice((1, 1, 1, 2)), 0x80, 0x80, len(payload)
    if random_.random() < 0.12:
        match random_.randrange(5):
            case 0:
                opcode = random_.randrange(16)
            case 1:
                final = 0
            case 2:
                masked = 0
            case 3:
                told = random_.choice((0, 1, len(payload) + 5, 1 << 20, 1 << 40, (1 << 64) - 1))
            case _:
                final = random_.choice((0xC0, 0xF0, 0x90))
    mask = random_.randbytes(4) if masked else b""
    if told < 126:
        head = bytes((final | opcode, masked | told))
    elif told < 1 << 16:
        head = bytes((final | opcode, masked | 126)) + struct.pack(">H", told)
    else:
        head = bytes((final | opcode, masked | 127)) + struct.pack(">Q", told)
    if mask:
        payload = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    return head + mask + payload


def _socket_messages(random_: random.Random, most: int) -> list[bytes]:
    """Returns what a client of a WebSocket sends: the handshake, who it is, and requests."""
    key = base64.b64encode(random_.randbytes(16))
    shake = _SHAKE.format(SOCKET).encode() + b"Sec-WebSocket-Key: " + key + b"\r\n\r\n"
    login: Any = {"user": "headwater", "password": ""}
    if random_.random() < 0.15:
        login = _altered(login, random_)
    messages = [
        _flipped(shake, random_) if random_.random() < 0.03 else shake,
        _frame(_dumped(login, random_), random_),
    ]
    return messages + [
        _frame(_dumped(_request_value(random_), random_), random_) for _ in range(random_.randint(1, most))
    ]


def case(random_: random.Random) -> list[bytes]:
    """Returns the messages of a connection."""
    if random_.random() < 0.5:
        return _socket_messages(random_, 8)
    return [_http(random_) for _ in range(random_.randint(1, 5))]


def spoken(port: int, messages: list[bytes], random_: random.Random) -> bytes | None:
    """Returns all that a server says to these messages until it closes; None where it doesn't."""
    said = bytearray()
    with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_S) as peer:
        try:
            for message in messages:
                at = 0
                while at < len(message):
                    size = random_.randint(1, _PIECE_MAX) if random_.random() < 0.2 else len(message)
                    peer.sendall(message[at : at + size])
                    at += size
                if random_.random() < 0.5 and select.select([peer], [], [], _GLANCE_S)[0]:
                    said += peer.recv(1 << 16)
            if random_.random() < 0.1:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return bytes(said)
            peer.shutdown(socket.SHUT_WR)
            while piece := peer.recv(1 << 16):
                said += piece
        except (ConnectionError, BrokenPipeError):
            return bytes(said)
        except TimeoutError:
            return None
    return bytes(said)


class _Said:
    """The rest of what was said, for HTTPResponse."""

    def __init__(self, said: bytes) -> None:
        self.rest = io.BytesIO(said)

    def makefile(self, *_: Any) -> io.BytesIO:
        return self.rest


class _Kept(io.BytesIO):
    """Isn't closed with its first answer."""

    def close(self) -> None:
        pass


def judged(said: bytes, report: Report) -> str | None:
    """Counts the answers; returns what is wrong with them, if anything."""
    if b"XX000" in said:
        return "a defect was answered"
    source = _Said(said)
    source.rest = _Kept(said)
    while source.rest.tell() < len(said):
        at = source.rest.tell()
        answer = HTTPResponse(cast("socket.socket", source))
        try:
            answer.begin()
            status = answer.status
            if status == 101:
                return _judged_frames(said[source.rest.tell() :], report)
            body = answer.read()
        except (HTTPException, ValueError):
            # What was cut off by a client that is gone is no answer; what does not begin as one is a fault.
            return None if said[at:].startswith(b"HTTP/1.") else f"this is no answer: {said[at : at + 100]!r}"
        report.answers += 1
        report.statuses[status] = report.statuses.get(status, 0) + 1
        if status == 500:
            return f"a defect was answered: {body[:200]!r}"
        if (answer.headers.get("content-type") or "").startswith("application/json") and body:
            try:
                json.loads(body)
            except (ValueError, RecursionError):
                return f"this is no JSON: {body[:200]!r}"
    return None


def _judged_frames(said: bytes, report: Report) -> str | None:
    """Counts whole frames of a WebSocket; the last one may be cut off."""
    at = 0
    while at + 2 <= len(said):
        opcode, size, begin = said[at] & 15, said[at + 1], at + 2
        if size & 0x80 or said[at] & 0x70:
            return f"this is no frame of a server: {said[at : at + 20]!r}"
        if size > 125:
            width, form = (2, ">H") if size == 126 else (8, ">Q")
            if begin + width > len(said):
                return None
            (size,) = struct.unpack_from(form, said, begin)
            begin += width
        if begin + size > len(said):
            return None
        payload, at = said[begin : begin + size], begin + size
        report.frames += 1
        if opcode in (1, 2):
            try:
                told = json.loads(payload)
            except ValueError:
                return f"this is no JSON: {payload[:200]!r}"
            if set(told) != {"type", "payload"}:
                return f"this is no message: {payload[:200]!r}"
    return None


def resident_bytes() -> int:
    """Returns this process's resident memory."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


def run(seed: int, messages: int) -> Report:
    """Speaks to a server of its own until so many messages are sent. Every hundredth case is one whose right answer is
    known, of a client beside; at the end nothing may be left of the clients that are gone."""
    random_, report = random.Random(seed), Report()
    with (
        memory_server(access=ServerAccess(files=False, programs=False)) as server,
        api_of(server) as http,
        client_of(http) as beside,
    ):
        asked(beside, "CREATE TABLE kept (a int, b text); INSERT INTO kept SELECT g, 'v' FROM generate_series(1, 20) g")
        uncaught: list[str] = []

        def note(_: object, context: dict[str, Any]) -> None:
            told = context.get("exception")
            if isinstance(told, OSError):
                # Futures for which nobody waits any longer are told, too, that a connection was lost.
                return
            uncaught.append("".join([context["message"], *(traceback.format_exception(told) if told else ())]))

        server.loop.set_exception_handler(note)
        grown_from = 0
        with probed(server.loop) as held:
            while report.messages < messages:
                if report.cases == 300:
                    # What is made once is made by now.
                    grown_from = resident_bytes()
                sent = case(random_)
                said = spoken(http.port, sent, random_)
                report.cases += 1
                report.messages += len(sent)
                wrong = "the server does not close" if said is None else judged(said, report)
                if wrong is not None:
                    beginnings = [message[:300] for message in sent]
                    report.failures.append(f"case {report.cases} of seed {seed}: {wrong}; sent {beginnings}")
                if report.cases % 100 == 0:
                    told = asked(beside, "SELECT 6 * 7")[0].get("rows")
                    if told != [["42"]]:
                        report.failures.append(f"after case {report.cases} of seed {seed}, others are told {told}")
        report.held_s = held.longest_s
        report.grown_bytes = resident_bytes() - grown_from if grown_from else 0
        left = server.run(_left(server.environment.clients.sessions, http))
        if left:
            report.failures.append(f"what is left of clients that are gone: {left}")
        report.failures += uncaught
    return report


async def _left(sessions: dict[int, Any], http: HttpServer) -> str:
    """Returns what has not ended some turns after the last client has gone; empty when all has."""
    for _ in range(600):
        if not sessions and http.connection_count <= 1:
            return ""
        await asyncio.sleep(0.05)
    return f"{len(sessions)} sessions, {http.connection_count} connections"


if __name__ == "__main__":
    done = run(int(sys.argv[1]), int(sys.argv[2]))
    for failure in done.failures[:20]:
        print(failure)
    print(
        f"{done.cases:,} connections, {done.messages:,} messages, {done.answers:,} answers "
        f"{dict(sorted(done.statuses.items()))}, {done.frames:,} frames, {len(done.failures)} failures; "
        f"the loop held up for {done.held_s:.3f} s at most; {done.grown_bytes / 2**20:.0f} MiB more"
    )
    sys.exit(1 if done.failures else 0)
