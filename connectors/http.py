"""The one HTTP client for all systems that are asked over HTTP, on urllib3.

    registry = HttpConnections("https://registry:8081", connect_s=10, answer_s=10)
    registry.ask("GET", "/subjects").body                   b'["orders-value"]'

The client follows no redirect, because logins and documents are meant for the server that was named; it goes through
the proxies of the environment, reads no more of an answer than it is told to, and gives reasons for failures that say
the same of the same failure. It asks once: what is asked again, and when, its caller knows.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakSet

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from connectors.unreachable import Unreachable
from model.time.clock import SystemClock

ANSWER_BYTES_MAX = 16 << 20
_CHUNK_BYTES = 1 << 16
_ALIVE = (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer of any status. `whole`: the body was read to its end."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes
    whole: bool

    @property
    def line(self) -> str:
        """Returns status and reason: `HTTP 404 Not Found`."""
        return f"HTTP {self.status} {self.reason}".rstrip()


class HttpConnections:
    """The connections to the server of one URL, kept between requests.

    `connect_s`, `answer_s`: how long to connect, and to wait for the next bytes of an answer
    `whole_s`: how long a whole answer may take once it has begun; None without a limit
    `authority`: the certificate (PEM) that signs the server's, instead of those that the machine trusts
    """

    def __init__(
        self,
        url: str,
        *,
        connect_s: float,
        answer_s: float,
        whole_s: float | None = None,
        authority: str | None = None,
    ) -> None:
        self._url = url
        self._whole_s = whole_s
        self._lock = threading.Lock()
        self._sockets: WeakSet[socket.socket] = WeakSet()
        self._interrupted = False
        parts = urlsplit(url)
        # A context reads all authorities that the machine trusts: tens of milliseconds that only https is worth.
        context = _context(authority) if parts.scheme == "https" or authority is not None else None
        timeout = urllib3.Timeout(connect=connect_s, read=answer_s)
        options = [*HTTPConnection.default_socket_options, _ALIVE]
        settings: dict[str, Any] = {"retries": False, "timeout": timeout, "socket_options": options}
        proxy = _proxy_of(parts.scheme, parts.netloc.rpartition("@")[2])
        self._pools = (
            urllib3.PoolManager(ssl_context=context, **settings)
            if proxy is None
            else urllib3.ProxyManager(proxy, ssl_context=context, **settings)
        )
        self._pools.pool_classes_by_scheme = _watched_pools(self._connected)

    def ask(
        self,
        method: str,
        path: str = "",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        *,
        bytes_max: int = ANSWER_BYTES_MAX,
    ) -> HttpAnswer:
        """Sends a request, and returns the answer with the first `bytes_max` bytes of its body. `path` stands behind
        the URL, with its query. Raises Unreachable without an answer. Blocks: never call this on the event loop."""
        target = f"{self._url.rstrip('/')}{path}" if path else self._url
        try:
            if self._interrupted:
                raise OSError("interrupted")
            answer = self._pools.request(
                method, target, body=body, headers=headers, redirect=False, preload_content=False
            )
            try:
                body = self._read(answer, bytes_max)
            except BaseException:
                answer.close()
                raise
        except (urllib3.exceptions.HTTPError, http.client.HTTPException, OSError, ValueError) as error:
            raise Unreachable(_reason_of(error)) from None
        whole = len(body) <= bytes_max
        # The connection of an answer that was not read to its end is of no more use.
        answer.release_conn() if whole else answer.close()
        return HttpAnswer(answer.status, answer.reason or "", answer.headers, body[:bytes_max], whole)

    def interrupt(self) -> None:
        """Makes the request under way fail, and all later ones; for use by another thread."""
        with self._lock:
            self._interrupted = True
            for each in self._sockets:
                _end(each)

    def close(self) -> None:
        """Closes the connections. Idempotent."""
        self._pools.clear()

    def _connected(self, connection: socket.socket) -> None:
        with self._lock:
            self._sockets.add(connection)
            if self._interrupted:
                raise OSError("interrupted")

    def _read(self, answer: urllib3.BaseHTTPResponse, bytes_max: int) -> bytes:
        """Returns the body, at most a byte more than `bytes_max`, if it comes in time, and not byte by byte for
        ever."""
        clock = SystemClock()
        limit_ns = None if self._whole_s is None else clock.elapsed_ns() + int(self._whole_s * 1e9)
        read = bytearray()
        while len(read) <= bytes_max:
            part = answer.read1(min(_CHUNK_BYTES, bytes_max + 1 - len(read)), decode_content=True)
            if not part:
                break
            read += part
            if limit_ns is not None and clock.elapsed_ns() > limit_ns:
                raise OSError("the answer takes too long")
        return bytes(read)


def _watched_pools(connected: Callable[[socket.socket], None]) -> dict[str, Any]:
    """Returns urllib3's pools by scheme, which tell of each socket that they connect."""

    class Plain(HTTPConnection):
        def connect(self) -> None:
            super().connect()
            connected(self.sock)

    class Encrypted(HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            connected(self.sock)

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class EncryptedPool(HTTPSConnectionPool):
        ConnectionCls = Encrypted

    return {"http": PlainPool, "https": EncryptedPool}


def _end(connection: socket.socket) -> None:
    try:
        # Not TLS's own, which takes away what the other thread reads with.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:
        return  # it has ended by itself


def _proxy_of(scheme: str, host: str) -> str | None:
    """Returns the URL of the proxy that the environment names for a server; None for none."""
    proxies = urllib.request.getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    if not proxy or urllib.request.proxy_bypass(host):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _context(authority: str | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cadata=authority)
    except (ssl.SSLError, ValueError):
        raise Unreachable("the certificate authority is no certificate (PEM)") from None


def _reason_of(error: Exception) -> str:
    """Returns what went wrong. What urllib3 says around it differs from one attempt to the next."""
    within = error.__cause__ if isinstance(error.__cause__, OSError | http.client.HTTPException) else error
    return str(within) or type(within).__name__
