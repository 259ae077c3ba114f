"""Waits for libpq's results by polling.

`get_result` would block while holding Python's lock, and so stop the whole process until the server answers.
"""

from __future__ import annotations

import select

import psycopg
from psycopg import pq

from connectors.unreachable import Unreachable


def await_input(pg: pq.abc.PGconn, wait_s: float | None = None) -> None:
    """Takes in what has come. Raises Unreachable when nothing comes for `wait_s`, psycopg.OperationalError when the
    connection is gone."""
    if not has_input(pg, wait_s):
        raise Unreachable("the server does not answer")
    pg.consume_input()


def has_input(pg: pq.abc.PGconn, wait_s: float | None) -> bool:
    """Tells whether input is there, or arrives within `wait_s`."""
    waiting = select.poll()
    waiting.register(pg.socket, select.POLLIN)
    return bool(waiting.poll(None if wait_s is None else wait_s * 1000))


def await_result(pg: pq.abc.PGconn, wait_s: float | None = None) -> pq.abc.PGresult | None:
    """Returns the next result, None behind the last one; raises as `await_input` does."""
    # What has come is looked at first: the reason of a server that has hung up meanwhile is there, and its end is not
    # to hide the reason.
    while pg.is_busy():
        await_input(pg, wait_s)
    return pg.get_result()


def require_status(result: pq.abc.PGresult | None, status: pq.ExecStatus) -> None:
    """Raises psycopg's error for a result with another status, as the server has told it."""
    assert result is not None, "a command has a result"
    if result.status != status:
        raise psycopg.errors.error_from_result(result)
