"""Requests that come whole are read without h11: of whatever is read so, h11 reads the same."""

from __future__ import annotations

import random

import h11
import pytest

from server.http.heads import require_plain_head
from server.http.plain import PlainRequest, read_plain, whole_answer
from server.http.request import Answer, head_of

_MAX = 16 << 10
_PLAIN = (
    b"POST /api/sql?options=%7B%7D HTTP/1.1\r\nHost: 127.0.0.1:6876\r\nAuthorization: Basic aGVhZHdhdGVyOg==\r\n"
    b"Content-Type: application/json\r\nContent-Length: 21\r\nAccept:  */* \r\nAccept: text/html\r\n\r\n"
    b'{"query": "SELECT 1"}'
)
_PIECES = (
    b"\r\n", b"\n", b"\r", b" ", b"\t", b":", b",", b"\0", b"\xff", b"0", b"21", b"-1", b"+21", b"HTTP/1.0", b"GET",
    b"Content-Length: 21\r\n", b"content-length:21\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: x\r\n",
    b"Connection: close\r\n", b"Expect: 100-continue\r\n", b" folded\r\n", b"Host", b"//", b"http://x:1",
)  # fmt: skip


def by_h11(received: bytes) -> tuple[h11.Request, bytes]:
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=_MAX)
    connection.receive_data(received)
    require_plain_head(received)
    request, body = connection.next_event(), b""
    assert isinstance(request, h11.Request)
    while isinstance(event := connection.next_event(), h11.Data):
        body += event.data
    assert isinstance(event, h11.EndOfMessage)
    assert connection.trailing_data == (b"", False)
    assert connection.their_state is h11.DONE, "the connection goes on"
    return request, body


def require_same(plain: PlainRequest, received: bytes) -> None:
    request, body = by_h11(received)
    found, wanted = plain.head.head, head_of(request)
    assert (found.method, found.path, found.query) == (wanted.method, wanted.path, wanted.query)
    names = wanted.headers.names
    assert found.headers.names == names
    assert found.headers.as_map(list(names), as_bytes=True) == wanted.headers.as_map(list(names), as_bytes=True)
    assert plain.body == body


def test_a_plain_request_is_read_whole_and_its_head_once() -> None:
    plain = read_plain(_PLAIN, None, _MAX)
    assert plain is not None
    require_same(plain, _PLAIN)
    again = read_plain(_PLAIN[:-2] + b'2"', plain.head, _MAX)
    assert again is not None
    assert again.head is plain.head
    assert again.body == _PLAIN[-21:-2] + b'2"'
    for others in (_PLAIN[:-1], _PLAIN + b"P", _PLAIN + _PLAIN):
        assert read_plain(others, plain.head, _MAX) is read_plain(others, None, _MAX) is None
    assert read_plain(_PLAIN, None, 100) is None


@pytest.mark.parametrize("seed", range(4))
def test_damaged_requests_are_read_alike_or_by_h11(seed: int) -> None:
    drawn, read = random.Random(seed), 0
    for _ in range(3_000):
        damaged = bytearray(_PLAIN)
        for _ in range(drawn.randint(1, 3)):
            at = drawn.randrange(len(damaged))
            damaged[at : at + drawn.choice((0, 0, 1, 4, 20))] = drawn.choice(_PIECES)
        if (plain := read_plain(bytes(damaged), None, _MAX)) is not None:
            require_same(plain, bytes(damaged))
            read += 1
    assert read > 20, "some are still plain"


@pytest.mark.parametrize(
    "line",
    [
        b"Connection: close", b"Connection: keep-alive", b"Transfer-Encoding: chunked", b"Expect: 100-continue",
        b"Upgrade: websocket", b"Content-Length: 21", b"Host: other", b"A: \xe4", b" folded", b"A : b", b"TE: trailers",
    ],
)  # fmt: skip
def test_what_changes_the_connection_or_is_told_twice_is_for_h11(line: bytes) -> None:
    assert read_plain(_PLAIN.replace(b"\r\n\r\n", b"\r\n" + line + b"\r\n\r\n"), None, _MAX) is None


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
