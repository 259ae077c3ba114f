"""Reads and writes the messages of a WebSocket (RFC 6455) over a connection that has left HTTP.

The protocol is the library's; here are sockets and bounds: what is received and not yet taken is counted with the
bodies of all requests, a message has at most so many bytes, and a client that sends faster than it is answered, or
takes no answers, is read no further.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterable

from websockets.datastructures import Headers
from websockets.exceptions import InvalidHeader
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN, SERVER, Protocol
from websockets.server import ServerProtocol

from server.http.request import ClientGone, Refused, RequestHead
from server.http.switched import SwitchedConnection

_READ_BYTES = 8 << 10
"""More at once could be so many frames that others wait for them."""
_READ_AHEAD_BYTES = 256 << 10
_READ_AHEAD_MESSAGES = 64
_MASK_BYTES, _SHORT, _MEDIUM = 4, 125, 65_535
_SWITCHING = 101

_log = logging.getLogger("headwater.web_socket")
# The library would write what clients send, passwords too, where others ask for debugging.
_log.setLevel(logging.ERROR)


def accepted(head: RequestHead) -> list[tuple[str, str]]:
    """Returns the headers of the answer that makes a WebSocket of a connection; raises Refused where the request does
    not ask for one properly."""
    headers = Headers()
    try:
        for name in head.headers.names:
            headers[name] = head.headers.text(name) or ""
    except InvalidHeader as error:
        raise Refused(400, f"the header {error.name} holds what none may") from None
    answer = ServerProtocol(logger=_log).accept(Request(head.path, headers, method=head.method))
    if answer.status_code != _SWITCHING:
        told = [(name, answer.headers[name]) for name in ("Upgrade", "Allow") if name in answer.headers]
        message = "this is the place of a WebSocket (RFC 6455, version 13)"
        raise Refused(answer.status_code, message, headers=tuple(told))
    return list(answer.headers.raw_items())


class WebSocket:
    """One client's messages. One task calls `receive`; a second task calls everything else."""

    def __init__(self, connection: SwitchedConnection, message_bytes_max: int) -> None:
        self._connection = connection
        self._protocol = Protocol(SERVER, state=OPEN, max_size=message_bytes_max, logger=_log)
        self._held = 0
        self._part: bytearray | None = None
        self._messages: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._taken = 0
        self._moved = asyncio.Event()
        self._room = asyncio.Event()
        self._over = False

    def allow(self, message_bytes_max: int) -> None:
        """Takes messages of so many bytes from now on."""
        self._protocol.max_message_size = message_bytes_max

    @property
    def taking(self) -> bool:
        """Tells whether the client reads what is sent."""
        return self._connection.taking

    # Receiving

    async def receive(self) -> None:
        """Takes what the client sends, and answers pings, until the client closes, goes, or breaks a rule."""
        try:
            while self._protocol.state is OPEN:
                data = await self._connection.read(_READ_BYTES)
                if not data:
                    break
                if not self._connection.hold(len(data)):
                    await self.close(CloseCode.TRY_AGAIN_LATER, "too much is being received at once")
                    break
                self._held += len(data)
                self._protocol.receive_data(data)
                for event in self._protocol.events_received():
                    assert isinstance(event, Frame), "the handshake is over"
                    self._take(event)
                await self._connection.write(self._unsent())
                while self._waiting_bytes > _READ_AHEAD_BYTES or len(self._messages) > _READ_AHEAD_MESSAGES:
                    self._room.clear()
                    await self._room.wait()
                # What has come already is read without waiting: others have their turn between.
                await asyncio.sleep(0)
        except ClientGone:
            pass
        finally:
            self.stop()

    def _take(self, frame: Frame) -> None:
        """Takes one frame. The bytes of a message are held until it is done with, those of all else no longer."""
        size = len(frame.data)
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._let_go(_frame_bytes(size))
            return
        self._let_go(_frame_bytes(size) - size)
        if self._part is None and frame.fin:
            self._append(bytes(frame.data))
            return
        if self._part is None:
            self._part = bytearray()
        self._part += frame.data
        if frame.fin:
            whole, self._part = bytes(self._part), None
            self._append(whole)

    def _append(self, message: bytes) -> None:
        self._messages.append(message)
        self._waiting_bytes += len(message)
        self._moved.set()

    def _let_go(self, size: int) -> None:
        self._held -= size
        self._connection.let_go(size)

    async def next_message(self) -> bytes | None:
        """Returns the next message, whether of text or binary; None at the end. The one before is done with."""
        self._let_go(self._taken)
        self._taken = 0
        while not self._over and not self._messages:
            self._moved.clear()
            await self._moved.wait()
        if self._over:
            return None
        message = self._messages.popleft()
        self._taken = len(message)
        self._waiting_bytes -= len(message)
        self._room.set()
        return message

    def stop(self) -> None:
        """Has no further message taken."""
        self._over = True
        self._moved.set()

    def forget(self) -> None:
        """Lets go of everything that was received: the connection is over."""
        self._let_go(self._held)

    # Sending

    async def send(self, texts: Iterable[bytes]) -> None:
        """Sends messages of text, and waits until the client has taken nearly everything; raises ClientGone when the
        client is gone."""
        self.send_soon(texts)
        await self._connection.write(b"")

    def send_soon(self, texts: Iterable[bytes]) -> None:
        """Sends messages of text, of which there must be few, without waiting for the client."""
        if self._protocol.state is not OPEN:
            raise ClientGone
        for text in texts:
            self._protocol.send_text(text)
        self._connection.write_soon(self._unsent())

    async def close(self, code: CloseCode, reason: str = "") -> None:
        """Says that the server closes, if nobody has said so before."""
        if self._protocol.state is OPEN:
            self._protocol.send_close(code, reason)
        await self._connection.write(self._unsent())

    def _unsent(self) -> bytes:
        return b"".join(self._protocol.data_to_send())


def _frame_bytes(payload: int) -> int:
    """Returns the length of a client's frame."""
    extended = 0 if payload <= _SHORT else 2 if payload <= _MEDIUM else 8
    return 2 + extended + _MASK_BYTES + payload
