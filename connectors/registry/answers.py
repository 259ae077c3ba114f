"""Sends requests to a Confluent schema registry over HTTP, and reads the answers."""

from __future__ import annotations

import base64
import http
import json

from connectors.http import HttpConnections
from connectors.unreachable import Unreachable

_NO_SUCH = (40401, 40402, 40403)
"""The registry's own words for a subject, a version or a schema that is not there."""


class AnsweredAbsent(Unreachable):
    """Raised when the registry itself answers that the requested thing does not exist. (Another server at the
    address, which knows no registry's error codes, raises Unreachable.)"""


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
    headers = {"Accept": "application/vnd.schemaregistry.v1+json, application/json"}
    if said is not None:
        headers["Content-Type"] = "application/vnd.schemaregistry.v1+json"
    if login is not None:
        token = base64.b64encode(":".join(login).encode()).decode()
        headers["Authorization"] = f"Basic {token}"
    client = HttpConnections(url, connect_s=timeout_s, answer_s=timeout_s, whole_s=timeout_s, authority=authority)
    try:
        answer = client.ask("GET" if said is None else "POST", f"/{path}", headers, said)
    finally:
        client.close()
    if answer.status == http.HTTPStatus.NOT_FOUND and _error_code(answer.body) in _NO_SUCH:
        raise AnsweredAbsent("there is none")
    if not http.HTTPStatus.OK <= answer.status < http.HTTPStatus.MULTIPLE_CHOICES:
        raise Unreachable(answer.line)
    if not answer.whole:
        raise Unreachable("the answer is too long")
    return answer.body


def _error_code(body: bytes) -> object:
    """Returns the registry's own error code, which stands in the body of an error; None where the body has none."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return answer.get("error_code") if isinstance(answer, dict) else None
