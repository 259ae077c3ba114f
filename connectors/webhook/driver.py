"""Posts documents to an HTTP endpoint, which cannot take them back.

    POST <url>
    Idempotency-Key: <sink>-<digest of the body>
    Headwater-Signature: t=<seconds since 1970>,v1=<HMAC-SHA-256 of "<t>.<body>">
    [{"key": {…}, "value": {…} or null}, …]         with a key
    [{…, "mz_timestamp": …, "mz_diff": …}, …]       changes

The recovery log says which transactions were accepted. After a crash between a post and the log, the documents are
posted again: with a key, every document that the endpoint may have seen of the unfinished transaction is posted as it
is now; without a key, the same changes are posted again, with the times they had.
"""

from __future__ import annotations

import email.utils
import hashlib
import hmac
import http
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

import msgspec
import pyarrow as pa

from connectors.http import HttpConnections
from connectors.sinks.description import SinkDescription
from connectors.sinks.message_parts import json_rows, message_keys, message_values
from connectors.sinks.messages import (
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
from connectors.unreachable import EndpointBusy, Unreachable
from connectors.webhook.endpoint import Endpoint
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import SinkEnvelope
from model.time.backing_off import BackOff
from model.time.clock import Clock, SystemClock

_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\xa0-\xff]*")
SIGNING, AUTHORIZATION = "SIGNING SECRET", "AUTHORIZATION"
_TIMEOUT_S = 30.0
_ATTEMPTS = 12
_BACK_OFF = BackOff(0.5, 60.0)
_WAIT_MAX_S = 3600.0
"""An endpoint that asks for more than an hour is asked then, all the same."""
_BUSY_S = 1.0
"""How long one is left alone at the least that says it is busy."""
_AT_ONCE = 1_000
_SAID_LENGTH_MAX = 200
_LATER = (http.HTTPStatus.REQUEST_TIMEOUT, http.HTTPStatus.TOO_MANY_REQUESTS)
_BUSY = (http.HTTPStatus.TOO_MANY_REQUESTS, http.HTTPStatus.SERVICE_UNAVAILABLE)


@dataclass(frozen=True, slots=True)
class _Refused:
    """Why documents were not taken. `lasting`: to ask again is of no use; `after_s`: not before so many seconds."""

    reason: str
    lasting: bool = False
    after_s: float = 0.0


class WebhookDriver:
    """A session with one endpoint."""

    def __init__(self, place: Endpoint, clock: Clock | None = None) -> None:
        self._place = place
        self._clock = SystemClock() if clock is None else clock
        self._sink: SinkDescription | None = None
        self._secrets: Mapping[str, str] = {}
        self._taken_any = False
        """Whether the endpoint has taken documents of this transaction, which would come again with another session."""
        self._ended = threading.Event()
        self._http = HttpConnections(place.url, connect_s=_TIMEOUT_S, answer_s=_TIMEOUT_S)

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        match request:
            case Open():
                self._sink, self._secrets, self._taken_any = request.sink, request.secrets, False
                self._require_header()
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
                self._taken_any = False
                yield StartedCommit()
            case _:
                assert_never(request)

    def abort(self) -> None:
        """Stops retries. A post that is under way ends by itself."""
        self._ended.set()

    def close(self) -> None:
        self._ended.set()

    def _post(self, documents: pa.Table) -> None:
        """Posts a batch, and raises EndpointBusy or SqlError when it was not taken. At once where nothing of the
        transaction was, since another session loses nothing by it; else after some attempts, ever longer apart, and
        not before the endpoint says."""
        assert self._sink is not None, "it is open"
        body = msgspec.json.encode(_messages(documents, self._sink))
        attempt = 1
        while (refused := self._refused(body, self._sink.name)) is not None:
            wait_s = max(_BACK_OFF.delay_s(attempt), refused.after_s)
            if refused.lasting or not self._taken_any or attempt == _ATTEMPTS or self._ended.wait(wait_s):
                break
            attempt += 1
        if refused is None:
            self._taken_any = True
            return
        message = f'endpoint "{self._place.url}" did not take documents: {refused.reason}'
        if refused.after_s:
            raise EndpointBusy(message, refused.after_s)
        raise SqlError(Sqlstate.CONNECTION_FAILURE, message)

    def _refused(self, body: bytes, sink: str) -> _Refused | None:
        """Posts a body, and returns why the endpoint refused it; None where it accepted."""
        try:
            answer = self._http.ask("POST", "", self._headers(body, sink), body, bytes_max=_SAID_LENGTH_MAX)
        except Unreachable as failure:
            return _Refused(failure.reason)
        if answer.status < http.HTTPStatus.MULTIPLE_CHOICES:
            return None
        said = " ".join(answer.body.decode(errors="replace").split())
        reason = answer.line + (f": {said}" if said else "")
        lasting = answer.status < http.HTTPStatus.INTERNAL_SERVER_ERROR and answer.status not in _LATER
        asked_s = _seconds_of(answer.headers.get("Retry-After"), self._clock)
        return _Refused(reason, lasting, max(asked_s, _BUSY_S if answer.status in _BUSY else 0.0))

    def _require_header(self) -> None:
        """Raises 22023 for a text that can't be a header's value."""
        told = self._authorization
        if told is not None and not _HEADER_VALUE.fullmatch(told):
            message = f"{AUTHORIZATION} can't be the value of a header"
            detail = "It has a line end, a control character or a character beyond Latin-1 within it."
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message, detail=detail)

    @property
    def _authorization(self) -> str | None:
        """The header's value, without the trailing line end of a secret that was made from a file."""
        told = self._secrets.get(AUTHORIZATION, self._place.authorization)
        return None if told is None else told.strip()

    def _headers(self, body: bytes, sink: str) -> dict[str, str]:
        digest = hashlib.sha256(body).hexdigest()
        headers = {"Content-Type": "application/json", "Idempotency-Key": f"{sink}-{digest}"}
        # A connection that is kept may be closed by the endpoint just as the next documents come.
        headers["Connection"] = "close"
        if (authorization := self._authorization) is not None:
            headers["Authorization"] = authorization
        if SIGNING in self._secrets:
            at = self._clock.now_ms() // 1000
            signed = hmac.new(self._secrets[SIGNING].encode(), f"{at}.".encode() + body, hashlib.sha256)
            headers["Headwater-Signature"] = f"t={at},v1={signed.hexdigest()}"
        return headers


def _seconds_of(told: str | None, clock: Clock) -> float:
    """Returns the seconds that a Retry-After header asks to wait, given as seconds or as a date; 0 where it is
    neither."""
    if told is None:
        return 0.0
    if told.strip().isascii() and told.strip().isdigit():
        seconds = float(told)
    else:
        try:
            seconds = email.utils.parsedate_to_datetime(told).timestamp() - clock.now_ms() / 1000
        except (ValueError, OverflowError):
            return 0.0
    return min(max(seconds, 0.0), _WAIT_MAX_S)


def _messages(documents: pa.Table, sink: SinkDescription) -> Sequence[Any]:
    if sink.key is None:
        return message_values(documents, sink, SinkEnvelope.CHANGES, json_rows)
    values = message_values(documents, sink, SinkEnvelope.UPSERT, json_rows)
    keys = message_keys(documents, sink, json_rows)
    return [{"key": key, "value": value} for key, value in zip(keys, values, strict=True)]
