"""Whatever comes over HTTP and WebSockets is answered right or refused, and neither held nor felt by others.

A few hundred messages by default; HEADWATER_FUZZ_MESSAGES=50000 runs the whole of it.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import socket
import struct
import time
from typing import Any

from server.api.sockets import SOCKET
from server.api.token_requests import TOKEN
from tests.attack.web_fuzz import BASIC, Report, case, judged, run
from tests.http_api import api_of
from tests.server.memory_server import memory_server

_MESSAGES = int(os.environ.get("HEADWATER_FUZZ_MESSAGES", "600"))
_GROWN_MAX = 256 << 20


def test_damaged_messages_are_answered_or_refused() -> None:
    report = run(31, _MESSAGES)
    assert report.failures == []
    assert {200, 400, 401} <= report.statuses.keys() and report.frames > report.cases, "the damage tells nothing"
    assert report.grown_bytes < _GROWN_MAX


def test_a_case_is_told_by_its_seed() -> None:
    assert [case(random.Random(seed)) for seed in range(50)] == [case(random.Random(seed)) for seed in range(50)]


def test_the_judge_sees_what_is_wrong() -> None:
    fine = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
    shaken = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"
    told = b'{"type":"ReadyForQuery","payload":"I"}'
    whole = bytes((0x81, len(told))) + told
    assert judged(fine * 2, Report()) is None
    assert judged(fine + fine[:-1], Report()) is None, "cut off"
    assert judged(fine.replace(b"{}", b"{]"), Report()) is not None
    assert judged(fine.replace(b"200 OK", b"500 No"), Report()) is not None
    assert judged(fine.replace(b"HTTP", b"HTML"), Report()) is not None
    assert judged(fine + b'{"code":"XX000"}', Report()) is not None
    assert judged(shaken + whole, Report()) is None
    assert judged(shaken + whole.replace(b'"payload"', b'"payment"'), Report()) is not None
    assert judged(shaken + b"\x81\x80abcd", Report()) is not None, "a server masks nothing"


def test_a_client_that_resets_its_connection_is_no_defect() -> None:
    asks = f"POST {TOKEN} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {BASIC}\r\nContent-Length: 0\r\n\r\n"
    uncaught: list[str] = []

    def note(_: object, context: dict[str, Any]) -> None:
        # Futures for which nobody waits any longer are told, too, that a connection was lost.
        if not isinstance(context.get("exception"), OSError):
            uncaught.append(context["message"])

    with memory_server() as server, api_of(server) as http:

        async def settled() -> None:
            while http.connection_count:
                await asyncio.sleep(0.01)
            gc.collect()

        server.loop.set_exception_handler(note)
        for number in range(200):
            with socket.create_connection(("127.0.0.1", http.port)) as peer:
                peer.sendall(asks.encode() * 5)
                # At each moment of the answers once.
                time.sleep(number % 5 / 2_000)
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        server.run(settled())
    assert uncaught == []


def test_a_handshake_with_control_characters_is_refused() -> None:
    shake = f"GET {SOCKET} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: web\x08socket\r\n\r\n".encode()
    said = b""
    with (
        memory_server() as server,
        api_of(server) as http,
        socket.create_connection(("127.0.0.1", http.port), timeout=60) as peer,
    ):
        peer.sendall(shake)
        while piece := peer.recv(1 << 16):
            said += piece
    assert said.startswith(b"HTTP/1.1 400"), said
