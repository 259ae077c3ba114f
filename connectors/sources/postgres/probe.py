"""Connections to a PostgreSQL server that is read from, and whether it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg

from connectors.unreachable import Unreachable

Upstream = psycopg.Connection[tuple[Any, ...]]


def connected(settings: Mapping[str, str], *, replication: bool = False) -> Upstream:
    """A connection in autocommit mode. Unreachable when there is none to be had. It blocks, for a bounded time."""
    extra: dict[str, Any] = {"replication": "database"} if replication else {}
    try:
        return psycopg.connect("", autocommit=True, **{**settings, **extra})
    except psycopg.OperationalError as failure:
        raise Unreachable(reason_of(failure)) from None


def reason_of(failure: psycopg.Error) -> str:
    """A server's words, or libpq's, in one line."""
    text = failure.diag.message_primary or str(failure)
    return " ".join(text.split())


def ask_postgres(settings: Mapping[str, str]) -> None:
    """Unreachable when it does not answer, or does not let us in."""
    connected(settings).close()
