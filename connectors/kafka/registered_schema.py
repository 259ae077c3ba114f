"""Registers the schemas of messages in a schema registry."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Mapping

from connectors.registry.answers import ask_registry
from connectors.registry.schemas import registry_access
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_TIMEOUT_S = 10.0


def registered_schema(options: Mapping[str, str], subject: str, schema: str) -> int:
    """Registers a schema and returns its number; the same schema always gets the same number. `options` are those of a
    connection. Raises SqlError when the registry refuses, as it does when existing readers could not read the new
    schema.

    Blocks.
    """
    access = registry_access(options)
    path = f"subjects/{urllib.parse.quote(subject, safe='')}/versions"
    body = json.dumps({"schema": schema}).encode()
    try:
        answer = json.loads(ask_registry(access.url, access.login, access.authority, path, _TIMEOUT_S, body))
        number = answer["id"]
    except Unreachable as failure:
        message = f'the schema of the subject "{subject}" was not registered'
        raise SqlError(Sqlstate.CONNECTION_FAILURE, message, detail=failure.reason) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        number = None
    if not isinstance(number, int):
        raise SqlError(Sqlstate.CONNECTION_FAILURE, "the answer is none of a schema registry")
    return number
