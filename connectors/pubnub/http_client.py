"""Sends requests to PubNub, one after another; another thread may interrupt them."""

from __future__ import annotations

import http
import json

from connectors.http import HttpConnections
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_CONNECT_S = 10.0
_POLL_S = 330.0
"""PubNub answers a poll after 280 s if there is nothing to tell."""
_LATER = (http.HTTPStatus.REQUEST_TIMEOUT, http.HTTPStatus.TOO_MANY_REQUESTS)
_REFUSED_LENGTH_MAX = 300


class PubnubHttp:
    """Sends requests to PubNub over HTTP. `origin` is a scheme, a host, and perhaps a port. One thread asks at a
    time."""

    def __init__(self, origin: str) -> None:
        self._client = HttpConnections(origin, connect_s=_CONNECT_S, answer_s=_POLL_S)

    def get(self, path: str) -> bytes:
        """Returns the body of the answer. Raises Unreachable when there is none, or a temporary error; raises SqlError
        when PubNub refuses the client."""
        answer = self._client.ask("GET", path, {"Accept": "application/json"})
        if not answer.whole:
            raise Unreachable("the answer is too long")
        if answer.status == http.HTTPStatus.OK:
            return answer.body
        if 400 <= answer.status < 500 and answer.status not in _LATER:
            raise _refusal(answer.line, answer.body)
        raise Unreachable(answer.line)

    def interrupt(self) -> None:
        """Makes the current request fail, and all later ones; for use by another thread."""
        self._client.interrupt()

    def close(self) -> None:
        """Closes the connection; for use by the thread that sends requests."""
        self._client.close()


def _refusal(status: str, body: bytes) -> SqlError:
    try:
        told = json.loads(body)
        said = str(told["message"]) if isinstance(told, dict) and "message" in told else ""
    except (ValueError, RecursionError):
        said = ""
    reason = ": ".join(each for each in (status, " ".join(said.split())[:_REFUSED_LENGTH_MAX]) if each)
    return SqlError(
        Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION,
        f"PubNub refuses to be listened to: {reason}",
        hint="See whether the subscribe key is right, and may be used for the channel.",
    )
