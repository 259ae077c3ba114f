"""Reads a request for SQL: statements in its body, a session's variables in its path.

{"query": "INSERT INTO t VALUES (1); SELECT * FROM t"}
{"queries": [{"query": "SELECT $1::int4 + $2", "params": ["1", null]}, {"query": "SELECT 2"}]}
"""

from __future__ import annotations

from urllib.parse import parse_qsl

import msgspec

from server.http.request import Refused, RequestHead
from server.settings.variables import VARIABLES

_JSON_TYPE = "application/json"
_DATABASE, _OPTIONS = "database", "options"


class SqlQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One statement, and the texts of its parameters; None is NULL."""

    query: str
    params: tuple[str | None, ...] = ()


class SqlRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Either the text of any number of statements, or statements with parameters."""

    query: str | None = None
    queries: tuple[SqlQuery, ...] | None = None


_decode = msgspec.json.Decoder(SqlRequest).decode
_decode_options = msgspec.json.Decoder(dict[str, str]).decode


def require_json(head: RequestHead) -> None:
    """Raises 415 for another content type, such as a form's, which a page of a foreign site can send."""
    if (head.headers.text("content-type") or "").partition(";")[0].strip().lower() != _JSON_TYPE:
        raise Refused(415, f"the body is to be {_JSON_TYPE}")


def read_request(body: bytes) -> SqlRequest:
    """Reads the body of a request to /api/sql. Refused (400) for a body that is no such request."""
    try:
        request = _decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(400, f"the body is no request for SQL: {error}") from None
    if (request.query is None) is (request.queries is None):
        raise Refused(400, 'the body is no request for SQL: it has either "query" or "queries"')
    texts = [request.query or "", *(each.query for each in request.queries or ())]
    if any("\0" in text for text in (*texts, *(p for each in request.queries or () for p in each.params if p))):
        raise Refused(400, "the body is no request for SQL: texts have no zero byte")
    return request


def read_options(head: RequestHead) -> tuple[str | None, dict[str, str]]:
    """Returns the database and the variables in the path: `?options={"application_name":"x"}`. Raises 400 for a
    variable that no session has."""
    try:
        given = parse_qsl(head.query, keep_blank_values=True, strict_parsing=bool(head.query), errors="strict")
        if any(name != _OPTIONS for name, _ in given) or len(given) > 1:
            raise Refused(400, f"the path takes one parameter, {_OPTIONS}")
        options = _decode_options(given[0][1]) if given else {}
    except (ValueError, msgspec.DecodeError) as error:
        raise Refused(400, f"the options are no object of strings in JSON: {error}") from None
    return checked_options(options)


def checked_options(options: dict[str, str]) -> tuple[str | None, dict[str, str]]:
    """Returns the database and the variables of a client's options; raises 400 for a variable that no session has."""
    database = options.pop(_DATABASE, None)
    for name in options:
        if name.lower() not in VARIABLES and "." not in name:
            raise Refused(400, f'unrecognized configuration parameter "{name}"')
    return database, options
