"""Connects to a PostgreSQL server to read from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg

from connectors.unreachable import Unreachable

Upstream = psycopg.Connection[tuple[Any, ...]]


def connected(settings: Mapping[str, str], *, replication: bool = False) -> Upstream:
    """Opens a connection in autocommit mode. Raises Unreachable when that fails. Blocks, with a time limit."""
    extra: dict[str, Any] = {"replication": "database"} if replication else {}
    try:
        return psycopg.connect("", autocommit=True, **{**settings, **extra})
    except psycopg.OperationalError as failure:
        raise Unreachable(reason_of(failure)) from None


def reason_of(failure: psycopg.Error) -> str:
    """Returns an error's message, the server's or libpq's, as one line."""
    text = failure.diag.message_primary or str(failure)
    return " ".join(text.split())


def ask_postgres(settings: Mapping[str, str]) -> None:
    """Raises Unreachable when it does not answer, or does not let us in."""
    connected(settings).close()
