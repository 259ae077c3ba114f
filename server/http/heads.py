"""Refuses heads of requests that two readers may understand differently (RFC 9112, 2.2, 6.1 and 6.3).

A proxy in front of the server might read an ambiguous head differently, and pass on as a body the bytes that the server
takes for the next request. h11 is lenient about ambiguous heads, so the bytes are checked before h11 reads them.
"""

from __future__ import annotations

import re

import h11

_END = re.compile(rb"\r?\n\r?\n")
_BARE = re.compile(rb"(?<!\r)\n")
_LENGTH = re.compile(rb"\n(?i:content-length)[ \t]*:([^\r\n]*)")
_CODING = re.compile(rb"\n(?i:transfer-encoding)[ \t]*:")
_OLD = re.compile(rb"[^\r\n]* HTTP/1\.0\r\n")
_BAD_REQUEST = 400


def require_plain_head(received: bytes) -> None:
    """Raises h11.RemoteProtocolError (400) for a head, at the beginning of what was received, that has a line end of
    LF alone, several lengths, a length beside Transfer-Encoding, or that coding in HTTP/1.0, which has none.

    >>> require_plain_head(b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n")
    Traceback (most recent call last):
    h11._util.RemoteProtocolError: the length is told twice: by Content-Length and by Transfer-Encoding
    """
    end = _END.search(received)
    if end is None:
        return
    head = received[: end.end()]
    lengths, coded = _LENGTH.findall(head), _CODING.search(head) is not None
    if _BARE.search(head):
        raise _refusal("a line of the head ends with LF alone")
    if len(lengths) > 1 or any(b"," in length for length in lengths):
        raise _refusal("there are several Content-Lengths")
    if lengths and coded:
        raise _refusal("the length is told twice: by Content-Length and by Transfer-Encoding")
    if coded and _OLD.match(head):
        raise _refusal("HTTP/1.0 has no Transfer-Encoding")


def _refusal(why: str) -> h11.RemoteProtocolError:
    return h11.RemoteProtocolError(why, error_status_hint=_BAD_REQUEST)
