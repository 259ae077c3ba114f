"""What lies between a socket and who speaks through it: order, pace, the end; against a client in memory."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from pathlib import Path
from typing import Any, cast

import pytest

from server.tls.files import TlsFiles, read_identity
from server.tls.transport import TlsTransport
from tests.server.tls.authority import Authority


class _Socket:
    """What asyncio's transport is: it takes `room` bytes until somebody reads them."""

    def __init__(self, room: int = 1 << 16) -> None:
        self.sent = bytearray()
        self.room = room
        self.protocol: asyncio.Protocol | None = None
        self.paused = False
        self.closed = False
        self.largest = 0

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("192.0.2.7", 1) if name == "peername" else default

    def write(self, data: bytes) -> None:
        assert not self.closed
        self.sent += data
        self.largest = max(self.largest, len(self.sent))
        if len(self.sent) > self.room and not self.paused:
            self.paused = True
            assert self.protocol is not None
            self.protocol.pause_writing()

    def take(self) -> bytes:
        """All that was sent; there is room again."""
        taken = bytes(self.sent)
        self.sent.clear()
        if self.paused:
            self.paused = False
            assert self.protocol is not None
            self.protocol.resume_writing()
        return taken

    def get_write_buffer_size(self) -> int:
        return len(self.sent)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = close


class _Speaker(asyncio.Protocol):
    def __init__(self) -> None:
        self.heard = bytearray()
        self.paused = False
        self.told: list[str] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.told.append("made")

    def data_received(self, data: bytes) -> None:
        self.heard += data

    def eof_received(self) -> bool | None:
        self.told.append("end")
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        self.told.append("lost")

    def pause_writing(self) -> None:
        assert not self.paused
        self.paused = True

    def resume_writing(self) -> None:
        assert self.paused
        self.paused = False


class _Joined:
    """A client in memory, joined to a TlsTransport."""

    def __init__(self, directory: Path, *, connected: bool = True, version: ssl.TLSVersion | None = None) -> None:
        authority = Authority(directory)
        context = ssl.create_default_context(cafile=authority.file)
        if version is not None:
            context.maximum_version = version
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.client = context.wrap_bio(self._in, self._out, server_hostname="127.0.0.1")
        self.socket, self.speaker = _Socket(), _Speaker()
        identity = read_identity(TlsFiles(*authority.server()))
        self.transport = TlsTransport(identity.for_clients, self.speaker, connected=connected)
        self.socket.protocol = self.transport
        self.transport.connection_made(cast(asyncio.BaseTransport, self.socket))

    def shake_hands(self) -> None:
        for _ in range(10):
            with contextlib.suppress(ssl.SSLWantReadError):
                self.client.do_handshake()
                break
            self.carry()
        self.carry()

    def carry(self, pieces: int = 1 << 20) -> None:
        """What either side has sent comes to the other."""
        data = self._out.read()
        for begin in range(0, len(data), pieces):
            self.transport.data_received(data[begin : begin + pieces])
        self._in.write(self.socket.take())

    def say(self, data: bytes, pieces: int = 1 << 20) -> None:
        self.client.write(data)
        self.carry(pieces)

    def hear(self) -> bytes:
        said = bytearray()
        with contextlib.suppress(ssl.SSLWantReadError, ssl.SSLZeroReturnError):
            while piece := self.client.read(1 << 16):
                said += piece
        return bytes(said)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
@pytest.mark.parametrize("pieces", [1, 7, 1 << 20])
async def test_what_is_said_is_heard_however_it_is_cut(tmp_path: Path, version: ssl.TLSVersion, pieces: int) -> None:
    joined = _Joined(tmp_path, version=version)
    joined.shake_hands()
    joined.say(b"x" * 40_000 + b"end", pieces)
    assert joined.speaker.heard == b"x" * 40_000 + b"end"
    joined.transport.write(b"an answer")
    joined.carry()
    assert joined.hear() == b"an answer"


async def test_a_large_value_waits_as_it_is_until_the_client_takes_it(tmp_path: Path) -> None:
    joined = _Joined(tmp_path)
    joined.shake_hands()
    value = bytes(range(256)) * (1 << 15)
    joined.transport.write(value)
    joined.transport.write(b"behind")
    assert joined.speaker.paused
    joined.transport.close()
    said = bytearray()
    for _ in range(1000):
        await asyncio.sleep(0)
        joined.carry()
        said += joined.hear()
        if joined.socket.closed:
            break
    joined.carry()
    assert bytes(said + joined.hear()) == value + b"behind"
    # Encrypted in pieces, however large it is.
    assert joined.socket.largest < 1 << 18
    assert not joined.speaker.paused


async def test_others_have_their_turn_while_a_client_takes_all_at_once(tmp_path: Path) -> None:
    joined = _Joined(tmp_path)
    joined.shake_hands()
    joined.socket.room = 1 << 30
    joined.transport.write(bytes(20 << 20))
    turns = 0
    while joined.transport.get_write_buffer_size() > len(joined.socket.sent):
        assert joined.speaker.paused
        await asyncio.sleep(0)
        turns += 1
    assert turns >= 15 and not joined.speaker.paused


async def test_nothing_is_said_before_the_handshake_is_over(tmp_path: Path) -> None:
    joined = _Joined(tmp_path, connected=False)
    joined.transport.write(b"a secret")
    assert joined.socket.sent == b"" and joined.speaker.told == []
    joined.shake_hands()
    assert joined.speaker.told == ["made"] and joined.hear() == b""


async def test_both_ends_are_told(tmp_path: Path) -> None:
    joined = _Joined(tmp_path)
    joined.shake_hands()
    with contextlib.suppress(ssl.SSLWantReadError):
        joined.client.unwrap()
    joined.carry()
    assert joined.speaker.told == ["end"] and joined.socket.closed
    joined.transport.connection_lost(None)
    assert joined.speaker.told == ["end", "lost"]
    joined.transport.write(b"too late")
    joined.transport.close()


async def test_who_is_not_connected_yet_is_not_told_of_a_loss(tmp_path: Path) -> None:
    joined = _Joined(tmp_path, connected=False)
    joined.transport.data_received(b"no handshake")
    assert joined.socket.closed
    joined.transport.connection_lost(None)
    assert joined.speaker.told == []
