"""Puts TLS between a socket's transport and a protocol; to each side it looks like the other.

Written data is kept as it is and encrypted in pieces, at the client's pace: a value of a gigabyte neither delays other
clients while it is encrypted, nor exists twice.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, cast

import structlog

from server.tls.session import Encryption, TlsSession

_PIECE_BYTES = 1 << 17
_TURN_BYTES = 1 << 20
"""So much is encrypted until others have their turn: a millisecond's work."""
_LOG_EVERY_S = 1.0
_log = structlog.get_logger()


class _Told:
    """The time when a failed handshake was last logged: clients that only knock must not fill the log."""

    at = 0.0


class TlsTransport(asyncio.Transport, asyncio.Protocol):
    """A transport that encrypts, above a plain transport. A protocol may have its plain transport already (pgwire,
    after a request for TLS), or get a `TlsTransport` after the handshake as its first transport (HTTP).
    """

    def __init__(
        self,
        context: ssl.SSLContext,
        protocol: asyncio.Protocol,
        *,
        connected: bool,
        needs_protocol: bool = False,
        handshake_over: Callable[[TlsTransport], None] = lambda transport: None,
    ) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._context = context
        self._session = TlsSession(context, needs_protocol=needs_protocol)
        self._protocol = protocol
        self._connected = connected
        self._handshake_over = handshake_over
        self._raw: asyncio.Transport | None = None
        self._waiting: deque[memoryview] = deque()
        self._waiting_bytes = 0
        self._raw_paused = False
        self._told_to_pause = False
        self._turn_planned = False
        self._ended = False
        self._closing = False

    # The socket's side: a protocol.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not checked: uvloop's transports don't inherit from asyncio's.
        self._raw = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self._ended:
            return
        established = self._session.established
        try:
            said = self._session.receive(data)
        except ssl.SSLError as error:
            self._fail(error)
            return
        self._send_output()
        if self._session.established and not established:
            self._handshake_over(self)
            if not self._connected:
                self._connected = True
                self._protocol.connection_made(self)
        if said:
            self._protocol.data_received(said)
        if self._session.ended and not self._protocol.eof_received():
            self.close()

    def eof_received(self) -> bool | None:
        return self._protocol.eof_received() if self._connected else None

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = self._closing = True
        self._waiting.clear()
        self._waiting_bytes = 0
        self._handshake_over(self)
        if self._connected:
            self._protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        self._raw_paused = True
        self._tell()

    def resume_writing(self) -> None:
        self._raw_paused = False
        self._pump()

    # The protocol's side: a transport.

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        if name == "sslcontext":
            return self._context
        if name == "ssl_object":
            return self._session.object
        return default if self._raw is None else self._raw.get_extra_info(name, default)

    def encryption(self, end_point: bytes | None) -> Encryption:
        """Returns the result of the finished handshake."""
        return self._session.encryption(end_point)

    def is_closing(self) -> bool:
        return self._closing

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Queues data to be encrypted; drops data before the end of the handshake, when nothing can be sent yet."""
        if self._session.established and not self._closing and not self._ended:
            self._waiting.append(memoryview(data))
            self._waiting_bytes += len(data)
            self._pump()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        """Ends the output; data that still arrives is dropped."""
        if self._session.established and not self._ended and not self._waiting:
            self._ended = True
            self._session.end()
            self._send_output()

    def get_write_buffer_size(self) -> int:
        return self._waiting_bytes + (0 if self._raw is None else self._raw.get_write_buffer_size())

    def pause_reading(self) -> None:
        if self._raw is not None:
            self._raw.pause_reading()

    def resume_reading(self) -> None:
        if self._raw is not None:
            self._raw.resume_reading()

    def close(self) -> None:
        """Closes the socket once everything written has been sent."""
        if not self._closing:
            self._closing = True
            self._pump()

    def abort(self) -> None:
        self._closing = True
        if self._raw is not None:
            self._raw.abort()

    # Between the two.

    def _pump(self) -> None:
        """Encrypts waiting data, as much as the socket takes and fairness to other clients allows."""
        left = 0 if self._turn_planned else _TURN_BYTES
        try:
            while self._waiting and left > 0 and not self._raw_paused:
                piece = self._waiting.popleft()
                if len(piece) > _PIECE_BYTES:
                    self._waiting.appendleft(piece[_PIECE_BYTES:])
                    piece = piece[:_PIECE_BYTES]
                self._waiting_bytes -= len(piece)
                left -= len(piece)
                self._session.encrypt(piece)
                self._send_output()
        except ssl.SSLError as error:
            self._fail(error)
            return
        if self._waiting and not self._raw_paused and not self._turn_planned:
            self._turn_planned = True
            self._loop.call_soon(self._next_turn)
        self._tell()
        if self._closing and not self._waiting and self._raw is not None:
            if self._session.established and not self._ended:
                self._session.end()
                self._send_output()
            self._ended = True
            self._raw.close()

    def _next_turn(self) -> None:
        self._turn_planned = False
        self._pump()

    def _tell(self) -> None:
        """Has the protocol pause while written data waits, or go on when no data waits."""
        pause = self._raw_paused or bool(self._waiting)
        if self._connected and pause is not self._told_to_pause:
            self._told_to_pause = pause
            if pause:
                self._protocol.pause_writing()
            else:
                self._protocol.resume_writing()

    def _send_output(self) -> None:
        data = self._session.take_output()
        if data and self._raw is not None and not self._raw.is_closing():
            self._raw.write(data)

    def _fail(self, error: ssl.SSLError) -> None:
        """Sends the client the TLS alert, logs the reason of the failed handshake or broken record, and closes the
        socket."""
        self._ended = self._closing = True
        now = self._loop.time()
        if now - _Told.at >= _LOG_EVERY_S:
            _Told.at = now
            peer = self.get_extra_info("peername")
            address = peer[0] if isinstance(peer, tuple) else ""
            _log.info("TLS could not be spoken with a client", client=address, error=_reason(error))
        self._send_output()
        if self._raw is not None:
            self._raw.close()


def _reason(error: ssl.SSLError) -> str:
    """Returns the reason that OpenSSL gives; an error of our own has only a text."""
    return str(getattr(error, "reason", None) or error.args[0]).lower().replace("_", " ")
