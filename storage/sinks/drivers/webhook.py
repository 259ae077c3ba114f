"""Somebody's HTTP endpoint: documents are posted as they come, and can't be taken back.

    POST <url>
    Idempotency-Key: <sink>-<digest of the body>
    Headwater-Signature: t=<seconds since 1970>,v1=<HMAC-SHA-256 of "<t>.<body>">
    [{"key": {…}, "value": {…} or null}, …]         with a key
    [{…, "mz_timestamp": …, "mz_diff": …}, …]       changes

The recovery log says what was taken. Whatever ends between a post and the log is posted again: with a key all that the
endpoint may have seen of a transaction that never ended is told as it is now; without one its changes come again, with
the times that they had.
"""

from __future__ import annotations

import hashlib
import hmac
import http
import http.client
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

import msgspec
import pyarrow as pa

from model.backing_off import BackOff
from model.clock import Clock, SystemClock
from model.errors import SqlError
from model.sinks import SinkEnvelope
from model.sqlstate import Sqlstate
from storage.sinks.description import Endpoint, SinkDescription
from storage.sinks.message_parts import json_rows, message_keys, message_values
from storage.sinks.messages import (
    Acknowledge,
    Acknowledged,
    DriverResponse,
    Flushed,
    FlushLoads,
    Load,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)

SIGNING, AUTHORIZATION = "SIGNING SECRET", "AUTHORIZATION"
_TIMEOUT_S = 30.0
_ATTEMPTS = 4
_BACK_OFF = BackOff(0.1, 2.0)
_AT_ONCE = 1_000
_SAID_LENGTH_MAX = 200
_LATER = (http.HTTPStatus.REQUEST_TIMEOUT, http.HTTPStatus.TOO_MANY_REQUESTS)


class _Refusal(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: what is posted is for this place alone."""

    def redirect_request(self, *_arguments: object) -> None:
        return None


class WebhookDriver:
    """A session with one endpoint."""

    def __init__(self, place: Endpoint, clock: Clock | None = None) -> None:
        self._place = place
        self._clock = SystemClock() if clock is None else clock
        self._sink: SinkDescription | None = None
        self._secrets: Mapping[str, str] = {}
        self._ended = threading.Event()
        handlers = (_Refusal(), urllib.request.HTTPSHandler(context=ssl.create_default_context()))
        self._opener = urllib.request.build_opener(*handlers)

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        match request:
            case Open():
                self._sink, self._secrets = request.sink, request.secrets
                yield Opened(None, partial=request.frontier > 0 and request.sink.key is not None)
            case Acknowledge():
                yield Acknowledged()
            case Load():
                raise AssertionError("nothing is loaded from an endpoint")
            case FlushLoads():
                yield Flushed()
            case Store(documents):
                for start in range(0, documents.num_rows, _AT_ONCE):
                    self._post(documents.slice(start, _AT_ONCE))
            case StartCommit():
                yield StartedCommit()
            case _:
                assert_never(request)

    def abort(self) -> None:
        """What is being posted ends by itself; it is not tried again."""
        self._ended.set()

    def close(self) -> None:
        self._ended.set()

    def _post(self, documents: pa.Table) -> None:
        """SqlError when it was not taken, after some attempts."""
        assert self._sink is not None, "it is open"
        body = msgspec.json.encode(_messages(documents, self._sink))
        for attempt in range(1, _ATTEMPTS + 1):
            reason, lasting = self._refused(body, self._sink.name)
            if reason is None:
                return
            if lasting or attempt == _ATTEMPTS or self._ended.wait(_BACK_OFF.delay_s(attempt)):
                break
        raise SqlError(Sqlstate.CONNECTION_FAILURE, f'endpoint "{self._place.url}" did not take documents: {reason}')

    def _refused(self, body: bytes, sink: str) -> tuple[str | None, bool]:
        """Why it was not taken, None if it was; whether to ask again is of no use."""
        request = urllib.request.Request(self._place.url, data=body, headers=self._headers(body, sink), method="POST")
        try:
            with self._opener.open(request, timeout=_TIMEOUT_S) as answer:
                answer.read(_SAID_LENGTH_MAX)
                return None, False
        except urllib.error.HTTPError as error:
            with error:
                said = " ".join(error.read(_SAID_LENGTH_MAX).decode(errors="replace").split())
            reason = f"HTTP {error.code} {error.reason}" + (f": {said}" if said else "")
            return reason, error.code < http.HTTPStatus.INTERNAL_SERVER_ERROR and error.code not in _LATER
        except urllib.error.URLError as error:
            return str(error.reason), False
        except (OSError, http.client.HTTPException) as error:
            return str(error) or type(error).__name__, False

    def _headers(self, body: bytes, sink: str) -> dict[str, str]:
        digest = hashlib.sha256(body).hexdigest()
        headers = {"Content-Type": "application/json", "Idempotency-Key": f"{sink}-{digest}"}
        if AUTHORIZATION in self._secrets or self._place.authorization is not None:
            headers["Authorization"] = self._secrets.get(AUTHORIZATION, self._place.authorization or "")
        if SIGNING in self._secrets:
            at = self._clock.now_ms() // 1000
            signed = hmac.new(self._secrets[SIGNING].encode(), f"{at}.".encode() + body, hashlib.sha256)
            headers["Headwater-Signature"] = f"t={at},v1={signed.hexdigest()}"
        return headers


def _messages(documents: pa.Table, sink: SinkDescription) -> Sequence[Any]:
    if sink.key is None:
        return message_values(documents, sink, SinkEnvelope.CHANGES, json_rows)
    values = message_values(documents, sink, SinkEnvelope.UPSERT, json_rows)
    keys = message_keys(documents, sink, json_rows)
    return [{"key": key, "value": value} for key, value in zip(keys, values, strict=True)]
