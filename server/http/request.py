"""A request's head, and a whole answer."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass

import h11

from model.types.maps import Map, map_from
from server.tls.session import Encryption

_ABSOLUTE = re.compile(r"\Ahttps?://[^/?#]+", re.IGNORECASE)
TEXT, JSON = "text/plain; charset=utf-8", "application/json"
METHOD_NOT_ALLOWED = 405


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer: `message`, a line of text for people, or `body`, of type `content_type`. `retry`: the request may
    be repeated in a second."""

    status: int
    message: str = ""
    retry: bool = False
    body: bytes | None = None
    content_type: str = TEXT
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def content(self) -> bytes:
        if self.body is not None:
            return self.body
        return f"{self.message}\n".encode() if self.message else b""


class Refused(Exception):
    """Raised to answer a request with a status other than 200."""

    def __init__(
        self, status: int, message: str, *, retry: bool = False, headers: tuple[tuple[str, str], ...] = ()
    ) -> None:
        super().__init__(message)
        self.answer = Answer(status, message, retry, headers=headers)


class ClientGone(Exception):
    """Raised when the client is gone or too slow: nobody waits for an answer."""


class RequestHeaders:
    """The headers by lower-case names; several with one name are joined by commas."""

    def __init__(self, headers: list[tuple[bytes, bytes]]) -> None:
        found: dict[str, list[bytes]] = {}
        for name, value in headers:
            found.setdefault(name.decode("ascii").lower(), []).append(value)
        self._values = {name: b", ".join(values) for name, values in found.items()}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._values)

    def value(self, name: str, *, as_bytes: bool) -> str | bytes | None:
        """Returns a header; raises 400 for one that is to be text and isn't UTF-8."""
        value = self._values.get(name)
        return value if value is None or as_bytes else _text(name, value)

    def text(self, name: str) -> str | None:
        """Returns a header as text; raises 400 for one that isn't UTF-8."""
        value = self._values.get(name)
        return None if value is None else _text(name, value)

    def as_map(self, names: list[str], *, as_bytes: bool) -> Map:
        """Returns the named headers as a map."""
        return map_from((name, self.value(name, as_bytes=as_bytes)) for name in names)


def _text(name: str, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise Refused(400, f"the header {name} is not UTF-8") from None


@dataclass(frozen=True, slots=True)
class RequestHead:
    """The head of a request. `path` and `query` are still encoded, without the `?` between."""

    method: str
    path: str
    query: str
    headers: RequestHeaders


def head_of(request: h11.Request) -> RequestHead:
    """Returns the head of a request. The target may be absolute, as clients of proxies write targets:
    `http://host:port/api/…`."""
    target = _ABSOLUTE.sub("", request.target.decode("latin-1"), count=1)
    path, _, query = target.partition("?")
    return RequestHead(request.method.decode("ascii"), path, query, RequestHeaders(list(request.headers)))


def require_method(head: RequestHead, *methods: str, of: str) -> None:
    """Raises 405 for another method; `of` says what requests are about."""
    if head.method not in methods:
        allowed = ", ".join(methods)
        raise Refused(METHOD_NOT_ALLOWED, f"requests {of} are {' or '.join(methods)}", headers=(("allow", allowed),))


@dataclass(frozen=True, slots=True)
class HttpPeer:
    """The client's end of a connection and ours, each an address and a port, and the connection's encryption."""

    there: tuple[str, int]
    here: tuple[str, int]
    socket: socket.socket | None = None
    encryption: Encryption | None = None
