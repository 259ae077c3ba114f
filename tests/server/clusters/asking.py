"""What is asked about clusters, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from tests.polling import polls

Connection = psycopg.Connection[tuple[Any, ...]]


def all_rows(connection: Connection, sql: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql.encode()).fetchall()


def until(condition: Callable[[], bool]) -> None:
    """Returns once the condition holds; AssertionError where it does not come to that within a minute."""
    for _ in polls(60.0):
        if condition():
            return
    raise AssertionError("it did not come to that")


def refusal(connection: Connection, sql: str) -> tuple[str | None, str]:
    """Returns the SQLSTATE and the words with which a statement is refused."""
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(sql.encode())
    return raised.value.sqlstate, str(raised.value.diag.message_primary)
