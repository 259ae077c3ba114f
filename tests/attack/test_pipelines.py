"""Many thousands of small messages at once, none of which waits for anything: others have their turns all the same.

`--attack-bytes N` has N bytes of the smallest come together, with `--whole` four times as many.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from tests.attack.loop_probe import unheld
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import (
    FLUSH,
    SYNC,
    TERMINATE,
    bind,
    close,
    describe,
    execute,
    frame,
    messages,
    parse,
    query,
    startup,
)

_COPY = query("COPY copied FROM STDIN")
_RUN = bind("", "") + execute("")

_FAMILIES: dict[str, tuple[bytes, bytes, int]] = {
    "syncs": (b"", SYNC, 1),
    "flushes": (b"", FLUSH, 1),
    "parses": (b"", parse("", "SELECT 1"), 1),
    "binds": (parse("", "SELECT 1"), bind("", ""), 1),
    "descriptions of statements": (parse("", "SELECT 1"), describe("S", ""), 1),
    "descriptions of portals": (parse("", "SELECT 1") + bind("", ""), describe("P", ""), 1),
    "closes": (b"", close("P", ""), 1),
    "executions": (parse("", "SELECT 1"), _RUN, 20),
    "executions and syncs": (parse("", "SELECT 1"), _RUN + SYNC, 40),
    "queries": (b"", query("SELECT 1"), 20),
    "queries of nothing": (b"", query(""), 4),
    "queries that fail": (b"", query("SELECT x"), 20),
    "queries of many statements": (b"", query("SELECT 1;" * 500), 20),
    "transactions": (b"", query("BEGIN") + query("ROLLBACK"), 20),
    "what comes behind an error": (parse("", "SELECT x"), bind("", ""), 1),
    "rows to copy, each by itself": (_COPY, frame("d", b"1\n"), 1),
    "pieces of rows to copy, each by itself": (_COPY, frame("d", b"1"), 1),
    "nothing to copy": (_COPY, frame("d"), 1),
    "rows to copy, and no COPY": (b"", frame("d", b"1\n"), 1),
}
"""What comes first, then what comes many times, and by how many times less of it is enough."""


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            connection.execute("CREATE TABLE copied (a text)")
        yield running


@pytest.mark.parametrize("family", _FAMILIES)
def test_nobody_waits_for_a_pipeline_of_small_messages(
    server: MemoryServer, request: pytest.FixtureRequest, whole: bool, family: str
) -> None:
    length = int(request.config.getoption("--attack-bytes")) * (4 if whole else 1)
    first, again, less = _FAMILIES[family]
    data = first + again * (length // less // len(again)) + SYNC
    heard = messages(unheld(server.loop, lambda: _told_all(server.port, data)))
    assert ("Z", b"I") in heard
    failed = sum(kind == "E" for kind, _ in heard)
    assert failed == (data.count(again) if "fail" in family else "error" in family)


def test_each_message_of_a_pipeline_is_answered(server: MemoryServer) -> None:
    count = 4_000
    heard = messages(_told_all(server.port, (parse("", "SELECT 1") + _RUN + SYNC) * count))
    assert "".join(kind for kind, _ in heard).endswith("12DCZ" * count)


def _told_all(port: int, data: bytes) -> bytes:
    """All that a client hears who says all at once and leaves; a COPY that has begun ends in nothing."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(startup({"user": "headwater", "database": "headwater"}))
        sending = threading.Thread(target=client.sendall, args=(data + TERMINATE,))
        sending.start()
        heard = bytearray()
        while piece := client.recv(1 << 20):
            heard += piece
        sending.join()
    # What was being said when the client left may be cut short.
    end = 0
    while end + 5 <= len(heard) and (after := end + 1 + struct.unpack_from(">i", heard, end + 1)[0]) <= len(heard):
        end = after
    return bytes(heard[:end])
