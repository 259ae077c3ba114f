"""Requests whose head is known again are read without h11: of whatever is read so, h11 reads the same."""

from __future__ import annotations

import random

import h11
import pytest

from server.http.heads import require_plain_head
from server.http.repeated import KnownHead, RepeatedRequest, known_head, read_repeated, whole_answer
from server.http.request import Answer, head_of

_BODY = b'{"query": "SELECT 1"}'
_REQUEST = (
    b"POST /api/sql?options=%7B%7D HTTP/1.1\r\nHost: 127.0.0.1:6876\r\nAuthorization: Basic aGVhZHdhdGVyOg==\r\n"
    b"Content-Type: application/json\r\nContent-Length: 21\r\nAccept:  */* \r\nAccept: text/html\r\n\r\n" + _BODY
)
_PIECES = (
    b"\r\n", b"\n", b"\r", b" ", b"\t", b":", b",", b"\0", b"\xff", b"0", b"21", b"-1", b"+21", b"HTTP/1.0", b"GET",
    b"Content-Length: 21\r\n", b"content-length:21\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: x\r\n",
    b"Connection: close\r\n", b"Expect: 100-continue\r\n", b" folded\r\n", b"Host", b"//", b"http://x:1", b"\r\n\r\n",
)  # fmt: skip


def read_by_h11(received: bytes) -> tuple[h11.Request, bytes, bool]:
    """Returns what h11 reads of a whole request, and whether the connection goes on after it, with nothing left."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=16 << 10)
    connection.receive_data(received)
    require_plain_head(received)
    request, body = connection.next_event(), b""
    if not isinstance(request, h11.Request):
        raise h11.RemoteProtocolError("no head")
    while isinstance(event := connection.next_event(), h11.Data):
        body += event.data
    whole = isinstance(event, h11.EndOfMessage) and connection.trailing_data == (b"", False)
    return request, body, whole and connection.their_state is h11.DONE


def known_of(received: bytes) -> KnownHead | None:
    return known_head(received, read_by_h11(received)[0])


def require_same(repeated: RepeatedRequest, received: bytes) -> None:
    request, body, goes_on = read_by_h11(received)
    assert goes_on
    found, wanted = repeated.known.head, head_of(request)
    assert (found.method, found.path, found.query) == (wanted.method, wanted.path, wanted.query)
    names = wanted.headers.names
    assert found.headers.names == names
    assert found.headers.as_map(list(names), as_bytes=True) == wanted.headers.as_map(list(names), as_bytes=True)
    assert repeated.body == body


def test_a_head_is_known_again_before_another_body() -> None:
    known = known_of(_REQUEST)
    assert known is not None
    other = _REQUEST[:-2] + b'2"'
    repeated = read_repeated(other, known)
    assert repeated is not None
    require_same(repeated, other)
    for others in (b"", _REQUEST[:-1], _REQUEST + b"P", _REQUEST + _REQUEST, _REQUEST.replace(b"6876", b"6877")):
        assert read_repeated(others, known) is None
    assert read_repeated(_REQUEST, None) is None


@pytest.mark.parametrize("seed", range(4))
def test_damaged_requests_are_read_alike_or_by_h11(seed: int) -> None:
    drawn, read = random.Random(seed), 0
    for _ in range(3_000):
        damaged = bytearray(_REQUEST)
        for _ in range(drawn.randint(1, 3)):
            at = drawn.randrange(len(damaged))
            damaged[at : at + drawn.choice((0, 0, 1, 4, 20))] = drawn.choice(_PIECES)
        try:
            known = known_of(bytes(damaged))
        except h11.RemoteProtocolError:
            continue
        if known is None:
            continue
        body = drawn.choice((_BODY, b"", b"\r\n\r\n" + _BODY, b"GET / HTTP/1.1\r\n\r\n", bytes(known.length)))
        again = known.told + body
        repeated = read_repeated(again, known)
        if repeated is not None:
            require_same(repeated, again)
            read += 1
    assert read > 100, "some heads are still known"


@pytest.mark.parametrize(
    "line", [b"Connection: close", b"Connection: keep-alive", b"Expect: 100-continue", b"Upgrade: websocket"]
)
def test_heads_that_tell_more_of_the_connection_are_for_h11(line: bytes) -> None:
    assert known_of(_REQUEST.replace(b"\r\n\r\n", b"\r\n" + line + b"\r\n\r\n")) is None


@pytest.mark.parametrize(
    "other",
    [
        _REQUEST.replace(b"POST", b"PUT"),
        _REQUEST.replace(b"HTTP/1.1", b"HTTP/1.0"),
        _REQUEST.replace(b"Content-Length: 21", b"Transfer-Encoding: chunked").replace(_BODY, b"0\r\n\r\n"),
    ],
)
def test_only_a_post_with_a_length_is_known_again(other: bytes) -> None:
    assert known_of(other) is None


def test_answers_are_those_of_h11() -> None:
    for answer in (Answer(200, "ok"), Answer(429, "wait", retry=True), Answer(401, headers=(("a", "b"),))):
        client = h11.Connection(h11.CLIENT)
        client.send(h11.Request(method="POST", target="/", headers=[("host", "x"), ("content-length", "0")]))
        client.send(h11.EndOfMessage())
        client.receive_data(whole_answer(answer))
        response = client.next_event()
        assert isinstance(response, h11.Response)
        assert response.status_code == answer.status
        headers = dict(response.headers.raw_items())
        assert headers.pop(b"content-type") == answer.content_type.encode()
        assert headers.pop(b"content-length") == str(len(answer.content)).encode()
        extra = dict(answer.headers) | ({"retry-after": "1"} if answer.retry else {})
        assert {name.decode(): value.decode() for name, value in headers.items()} == extra
        if answer.content:
            data = client.next_event()
            assert isinstance(data, h11.Data)
            assert bytes(data.data) == answer.content
        assert isinstance(client.next_event(), h11.EndOfMessage)
        assert client.their_state is h11.DONE
