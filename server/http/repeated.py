"""Knows the head of a connection's last request again: a client that stays sends the same bytes before each body.

    POST /api/sql HTTP/1.1 …        read by h11, and its head remembered
    the same bytes, another body    the head that h11 has read; only the body is new

h11 takes three times as long to read a small request, and all that it finds in the same bytes is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import h11

from server.http.request import Answer, RequestHead, head_of

_BEGIN, _END, _VERSION = b"POST ", b"\r\n\r\n", b"1.1"
_CHANGING = frozenset((b"transfer-encoding", b"connection", b"upgrade", b"expect"))
"""Headers by which more than the body's length hangs on the head."""


@dataclass(frozen=True, slots=True)
class KnownHead:
    """The bytes of a head, up to the body, what h11 has read in them, and the body's length. A login is among them."""

    told: bytes = field(repr=False)
    head: RequestHead
    length: int


@dataclass(frozen=True, slots=True)
class RepeatedRequest:
    """A whole request whose head is known. `received` is all of it."""

    known: KnownHead
    received: bytes = field(repr=False)

    @property
    def body(self) -> bytes:
        return self.received[len(self.known.told) :]


def known_head(received: bytes, request: h11.Request) -> KnownHead | None:
    """Returns the head of `request`, which h11 has read at the beginning of `received`; None for a head that is not
    whole in these bytes, or that tells more of the connection than the length of a body."""
    told, end, _ = received.partition(_END)
    names = [name for name, _ in request.headers]
    plain = request.http_version == _VERSION and names.count(b"content-length") == 1 and _CHANGING.isdisjoint(names)
    if not end or not plain or not told.startswith(_BEGIN):
        return None
    length = next(value for name, value in request.headers if name == b"content-length")
    return KnownHead(told + end, head_of(request), int(length))


def read_repeated(received: bytes, known: KnownHead | None) -> RepeatedRequest | None:
    """Returns the request that `received` is, where its head is the known one and its body is whole."""
    if known is None or len(received) != len(known.told) + known.length or not received.startswith(known.told):
        return None
    return RepeatedRequest(known, received)


def whole_answer(answer: Answer) -> bytes:
    """Returns the bytes of an answer to a repeated request, after which the connection goes on."""
    content = answer.content
    headers = [("content-type", answer.content_type), ("content-length", str(len(content))), *answer.headers]
    if answer.retry:
        headers.append(("retry-after", "1"))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {answer.status} \r\n{lines}\r\n".encode("ascii") + content
