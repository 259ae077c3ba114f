"""Sends requests to PubNub over one connection, one after another; another thread may interrupt them."""

from __future__ import annotations

import http
import http.client
import json
import socket
import ssl
import threading
from urllib.parse import urlsplit

from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_CONNECT_S = 10.0
_POLL_S = 330.0
"""PubNub answers a poll after 280 s if there is nothing to tell."""
_ANSWER_BYTES_MAX = 16 << 20
_LATER = (http.HTTPStatus.REQUEST_TIMEOUT, http.HTTPStatus.TOO_MANY_REQUESTS)
_REFUSED_LENGTH_MAX = 300


class PubnubHttp:
    """Sends requests to PubNub over HTTP. `origin` is a scheme, a host, and perhaps a port. One thread asks at a
    time."""

    def __init__(self, origin: str) -> None:
        parts = urlsplit(origin)
        assert parts.hostname is not None, "it was checked when the source was created"
        self._connection: http.client.HTTPConnection
        if parts.scheme == "https":
            context = ssl.create_default_context()
            self._connection = http.client.HTTPSConnection(
                parts.hostname, parts.port, timeout=_CONNECT_S, context=context
            )
        else:
            self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=_CONNECT_S)
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._interrupted = False

    def get(self, path: str) -> bytes:
        """Returns the body of the answer. Raises Unreachable when there is none, or a temporary error; raises SqlError
        when PubNub refuses the client."""
        try:
            self._connect()
            self._connection.request("GET", path, headers={"Accept": "application/json"})
            answer = self._connection.getresponse()
            body = answer.read(_ANSWER_BYTES_MAX + 1)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._disconnect()
            raise Unreachable(str(error) or type(error).__name__) from None
        if len(body) > _ANSWER_BYTES_MAX:
            self._disconnect()
            raise Unreachable("the answer is too long")
        if answer.status == http.HTTPStatus.OK:
            return body
        self._disconnect()
        refused = f"HTTP {answer.status} {answer.reason}"
        if 400 <= answer.status < 500 and answer.status not in _LATER:
            raise _refusal(refused, body)
        raise Unreachable(refused)

    def interrupt(self) -> None:
        """Makes the current request fail, and all later ones; for use by another thread."""
        with self._lock:
            self._interrupted = True
            if self._socket is not None:
                _end(self._socket)

    def close(self) -> None:
        """Closes the connection; for use by the thread that sends requests."""
        self._disconnect()

    def _connect(self) -> None:
        if self._connection.sock is None:
            _open(self._connection)
        with self._lock:
            self._socket = self._connection.sock
            if self._interrupted:
                raise OSError("interrupted")

    def _disconnect(self) -> None:
        with self._lock:
            self._socket = None
        self._connection.close()


def _open(connection: http.client.HTTPConnection) -> None:
    connection.connect()
    connection.sock.settimeout(_POLL_S)
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


def _end(connection: socket.socket) -> None:
    try:
        # Not TLS's own, which takes away what the other thread reads with.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:
        return  # it has ended by itself


def _refusal(status: str, body: bytes) -> SqlError:
    try:
        told = json.loads(body)
        said = str(told["message"]) if isinstance(told, dict) and "message" in told else ""
    except (ValueError, RecursionError):
        said = ""
    reason = ": ".join(each for each in (status, " ".join(said.split())[:_REFUSED_LENGTH_MAX]) if each)
    return SqlError(
        Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION,
        f"PubNub refuses to be listened to: {reason}",
        hint="See whether the subscribe key is right, and may be used for the channel.",
    )
