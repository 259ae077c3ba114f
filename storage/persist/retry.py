"""Reads of a consensus store that may fail for a moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from model.errors import SqlError
from model.sqlstate import Sqlstate
from storage.persist.location import Indeterminate

T = TypeVar("T")

ATTEMPTS_MAX = 64


async def retried(read: Callable[[], Awaitable[T]]) -> T:
    """What `read` gives, as soon as it does; SqlError (io_error) after ATTEMPTS_MAX failures. `read` is idempotent."""
    for _ in range(ATTEMPTS_MAX):
        try:
            return await read()
        except Indeterminate as error:
            last = error
    raise SqlError(Sqlstate.IO_ERROR, "the consensus store does not answer", detail=str(last))
