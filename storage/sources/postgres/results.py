"""Results of libpq's, awaited by asking it again and again.

`get_result` would wait with Python's lock in its hands, and hold up everything else that the process does until the
server answers.
"""

from __future__ import annotations

import select
import time

import psycopg
from psycopg import pq

from storage.unreachable import Unreachable


def await_input(pg: pq.abc.PGconn, wait_s: float | None = None) -> None:
    """Takes in what has come, or comes within `wait_s`. psycopg.OperationalError when the connection is gone."""
    select.select([pg.socket], [], [], wait_s)
    pg.consume_input()


def await_result(pg: pq.abc.PGconn, wait_s: float | None = None) -> pq.abc.PGresult | None:
    """The next result, None behind the last one. Unreachable when it does not come within `wait_s`."""
    deadline = None if wait_s is None else time.monotonic() + wait_s
    pg.consume_input()
    while pg.is_busy():
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise Unreachable("the server does not answer")
        await_input(pg, left)
    return pg.get_result()


def require_status(result: pq.abc.PGresult | None, status: pq.ExecStatus) -> None:
    """psycopg's error for a result with another status, as the server has told it."""
    assert result is not None, "a command has a result"
    if result.status != status:
        raise psycopg.errors.error_from_result(result)
