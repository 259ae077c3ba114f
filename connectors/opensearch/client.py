"""Sends requests to OpenSearch over HTTP, and reads the answers.

A request that the server is too busy for (429, 502, 503, 504) is sent again, ever later, and then given up.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from connectors.http import HttpConnections
from connectors.opensearch.index import AUTHORITY, PASSWORD, URL, USER
from connectors.unreachable import Unreachable
from model.time.backing_off import BackOff

Form = TypeVar("Form")

BUSY = frozenset(
    (
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    )
)
"""The statuses of requests, and of items of a bulk request, that may succeed later."""
ATTEMPTS = 10
BACK_OFF = BackOff(0.1, 20.0)
_ASKED_S, _CONNECT_S, _ANSWER_S = 10.0, 10.0, 60.0
_ANSWER_BYTES_MAX = 64 << 20
_SAID_LENGTH_MAX = 300


class OpensearchFailure(Exception):
    """A request failed, for the given reason. `status` is that of the answer; 0 without an answer."""

    def __init__(self, reason: str, status: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status


@dataclass(frozen=True, slots=True)
class OpensearchAnswer:
    """An answer with a status below 300, or another status that the asker expects."""

    status: int
    text: bytes

    def read(self, form: type[Form]) -> Form:
        """Returns the answer's body; raises OpensearchFailure for one of another form."""
        try:
            return msgspec.json.decode(self.text, type=form)
        except (msgspec.DecodeError, RecursionError):
            raise OpensearchFailure(f"an answer can't be read: {_shown(self.text)}", self.status) from None

    @property
    def reason(self) -> str:
        """The reason that the server gives for an error."""
        try:
            return reason_of(msgspec.json.decode(self.text))
        except (msgspec.DecodeError, RecursionError):
            return _shown(self.text)


class OpensearchClient:
    """The connections to one server."""

    def __init__(self, settings: Mapping[str, str], answer_s: float = _ANSWER_S) -> None:
        self.ended = threading.Event()
        self._headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if USER in settings:
            login = f"{settings[USER]}:{settings[PASSWORD]}".encode()
            self._headers["Authorization"] = f"Basic {base64.b64encode(login).decode()}"
        try:
            self._http = HttpConnections(
                settings[URL],
                connect_s=min(_CONNECT_S, answer_s),
                answer_s=answer_s,
                authority=settings.get(AUTHORITY),
            )
        except Unreachable as failure:
            raise OpensearchFailure(failure.reason) from None

    def ask(
        self, method: str, *path: str, body: Any = None, expected: tuple[int, ...] = (), **fields: str | int
    ) -> OpensearchAnswer:
        """Sends a request with a body, JSON or what is to become JSON, and returns the answer. Raises OpensearchFailure
        for a status that is neither below 300 nor `expected`."""
        if body is not None and not isinstance(body, bytes):
            body = msgspec.json.encode(body)
        attempt = 1
        while True:
            answer = self._sent(method, path, fields, body)
            if answer.status < HTTPStatus.MULTIPLE_CHOICES or answer.status in expected:
                return answer
            if answer.status not in BUSY or attempt == ATTEMPTS or self.ended.wait(BACK_OFF.delay_s(attempt)):
                raise OpensearchFailure(f"HTTP {answer.status}: {answer.reason}", answer.status)
            attempt += 1

    def close(self) -> None:
        """Ends the connections. Idempotent."""
        self._http.close()

    def _sent(
        self, method: str, path: tuple[str, ...], fields: Mapping[str, str | int], body: bytes | None
    ) -> OpensearchAnswer:
        query = f"?{urlencode(fields)}" if fields else ""
        place = f"/{'/'.join(quote(part, safe='') for part in path)}{query}"
        try:
            answer = self._http.ask(method, place, self._headers, body, bytes_max=_ANSWER_BYTES_MAX)
        except Unreachable as failure:
            raise OpensearchFailure(_shown(failure.reason.encode())) from None
        if not answer.whole:
            raise OpensearchFailure(f"an answer has more than {_ANSWER_BYTES_MAX} bytes")
        return OpensearchAnswer(answer.status, answer.body)


class _Server(msgspec.Struct):
    """The answer of a server that is asked who it is."""

    version: dict[str, Any]


def ask_opensearch(settings: Mapping[str, str]) -> None:
    """Asks whether a server of OpenSearch answers, and takes the login. Raises Unreachable. Blocks."""
    try:
        client = OpensearchClient(settings, _ASKED_S)
        try:
            # A busy server answers, too: nobody is to wait for it here.
            client.ended.set()
            client.ask("GET").read(_Server)
        finally:
            client.close()
    except OpensearchFailure as failure:
        raise Unreachable(failure.reason) from None


def reason_of(told: Any) -> str:
    """Returns the reason that the body of an answer, or an item of a bulk answer, gives for an error."""
    error = told.get("error", told) if isinstance(told, dict) else told
    if isinstance(error, dict):
        cause = error.get("caused_by")
        parts = [error.get("type"), error.get("reason"), cause.get("reason") if isinstance(cause, dict) else None]
        error = ": ".join(str(part) for part in parts if part)
    return _shown(str(error).encode()) or "no reason is given"


def _shown(text: bytes) -> str:
    return " ".join(text[:_SAID_LENGTH_MAX].decode(errors="replace").split())
