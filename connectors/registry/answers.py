"""Sends requests to a Confluent schema registry over HTTP, and reads the answers."""

from __future__ import annotations

import base64
import http
import http.client
import json
import ssl
import urllib.error
import urllib.request
from typing import Any

from connectors.unreachable import Unreachable
from model.time.clock import SystemClock

_ANSWER_BYTES_MAX = 16 << 20
_CHUNK_BYTES = 1 << 16
_NO_SUCH = (40401, 40402, 40403)
"""The registry's own words for a subject, a version or a schema that is not there."""


class AnsweredAbsent(Unreachable):
    """Raised when the registry itself answers that the requested thing does not exist. (Another server at the
    address, which knows no registry's error codes, raises Unreachable.)"""


class _Refusal(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the credentials in a request are meant for this server only."""

    def redirect_request(self, *_arguments: object) -> None:
        return None


def ask_registry(
    url: str,
    login: tuple[str, str] | None,
    authority: str | None,
    path: str,
    timeout_s: float,
    said: bytes | None = None,
) -> bytes:
    """Sends a request and returns the body of the answer. Raises Unreachable for a status other than 200, and when
    there is no answer. `authority` is the certificate (PEM) that signs the server's. With a body `said` (JSON) the
    request is a POST, otherwise a GET.

    Blocks: never call this on the event loop.
    """
    request = urllib.request.Request(f"{url.rstrip('/')}/{path}", data=said)
    if said is not None:
        request.add_header("Content-Type", "application/vnd.schemaregistry.v1+json")
    request.add_header("Accept", "application/vnd.schemaregistry.v1+json, application/json")
    if login is not None:
        token = base64.b64encode(":".join(login).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {token}")
    try:
        context = ssl.create_default_context(cadata=authority)
        opener = urllib.request.build_opener(_Refusal(), urllib.request.HTTPSHandler(context=context))
        with opener.open(request, timeout=timeout_s) as answer:
            return _read(answer, timeout_s)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == http.HTTPStatus.NOT_FOUND and _error_code(error) in _NO_SUCH:
                raise AnsweredAbsent("there is none") from None
            raise Unreachable(f"HTTP {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise Unreachable(str(error.reason)) from None
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(str(error) or type(error).__name__) from None


def _read(answer: Any, timeout_s: float) -> bytes:
    """Returns the body, if it comes in time, and not byte by byte for ever."""
    clock = SystemClock()
    deadline_ns = clock.elapsed_ns() + int(timeout_s * 1e9)
    parts: list[bytes] = []
    size = 0
    while part := answer.read1(_CHUNK_BYTES):
        parts.append(part)
        size += len(part)
        if size > _ANSWER_BYTES_MAX:
            raise Unreachable("the answer is too long")
        if clock.elapsed_ns() > deadline_ns:
            raise Unreachable("the answer takes too long")
    return b"".join(parts)


def _error_code(error: urllib.error.HTTPError) -> object:
    """Returns the registry's own error code, which stands in the body of an error; None where the body has none."""
    try:
        answer = json.loads(error.read(_CHUNK_BYTES))
    except (ValueError, RecursionError, OSError, http.client.HTTPException):
        return None
    return answer.get("error_code") if isinstance(answer, dict) else None
