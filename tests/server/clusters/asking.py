"""What is asked about clusters, and what is refused."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

Connection = psycopg.Connection[tuple[Any, ...]]


def all_rows(connection: Connection, sql: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql.encode()).fetchall()


def refusal(connection: Connection, sql: str) -> tuple[str | None, str]:
    """Returns the SQLSTATE and the words with which a statement is refused."""
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(sql.encode())
    return raised.value.sqlstate, str(raised.value.diag.message_primary)
