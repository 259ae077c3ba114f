"""Cancels what a connection waits for, however late a busy machine begins it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

_PATIENCE_S = 60.0


@contextmanager
def cancelled(connection: psycopg.Connection[Any], every_s: float = 0.2) -> Iterator[None]:
    """Asks the server every so many seconds to cancel the connection's statement, until the block ends: a request that
    comes before the statement has begun cancels nothing."""
    ended = threading.Event()

    def cancel() -> None:
        while not ended.wait(every_s):
            # Not cancel(), which holds the interpreter while a server in the same process should answer.
            connection.cancel_safe(timeout=_PATIENCE_S)

    canceller = threading.Thread(target=cancel)
    canceller.start()
    try:
        yield
    finally:
        ended.set()
        canceller.join()
