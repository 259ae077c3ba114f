"""Reads a request that has come whole, and of which every reader makes the same; h11 reads all others.

POST target HTTP/1.1, one Host and one Content-Length, other headers of printable ASCII, none of which changes how the
connection goes on, and a body of just that length with nothing behind it. h11 takes three times as long, for what such
requests don't need.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from server.http.request import Answer, RequestHead, RequestHeaders, head_of_target

_HEAD = re.compile(rb"POST ([!-~]+) HTTP/1\.1\r\n((?:[-!#$%&'*+.^_`|~0-9A-Za-z]+:[ -~]*\r\n)+)\r\n")
_LENGTH = re.compile(r"[0-9]{1,9}")
_FOR_H11 = frozenset(("transfer-encoding", "connection", "upgrade", "expect", "te", "trailer"))
_ONCE = ("host", "content-length")


@dataclass(frozen=True, slots=True)
class PlainHead:
    """The bytes of a head, up to the body, what they tell, and the body's length."""

    told: bytes
    head: RequestHead
    length: int


@dataclass(frozen=True, slots=True)
class PlainRequest:
    """A whole request. `received` is all of it."""

    head: PlainHead
    received: bytes

    @property
    def body(self) -> bytes:
        return self.received[len(self.head.told) :]


def read_plain(received: bytes, before: PlainHead | None, head_bytes_max: int) -> PlainRequest | None:
    """Returns the request that `received` is; None where it is for h11. `before` is the connection's last head: a
    client that stays sends the same again and again."""
    if before is not None and received.startswith(before.told):
        head = before
    else:
        match = _HEAD.match(received)
        found = None if match is None or match.end() > head_bytes_max else _plain_head(match)
        if found is None:
            return None
        head = found
    return PlainRequest(head, received) if len(received) == len(head.told) + head.length else None


def _plain_head(match: re.Match[bytes]) -> PlainHead | None:
    named = [line.partition(b":") for line in match[2].split(b"\r\n")[:-1]]
    headers = RequestHeaders([(name, value.strip(b" ")) for name, _, value in named])
    counts = Counter(name.lower().decode("ascii") for name, _, _ in named)
    length = headers.text("content-length") or ""
    if any(counts[name] != 1 for name in _ONCE) or not _FOR_H11.isdisjoint(counts) or not _LENGTH.fullmatch(length):
        return None
    return PlainHead(match[0], head_of_target("POST", match[1], headers), int(length))


def whole_answer(answer: Answer) -> bytes:
    """Returns the bytes of an answer to a plain request, after which the connection goes on."""
    content = answer.content
    headers = [("content-type", answer.content_type), ("content-length", str(len(content))), *answer.headers]
    if answer.retry:
        headers.append(("retry-after", "1"))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {answer.status} \r\n{lines}\r\n".encode("ascii") + content
