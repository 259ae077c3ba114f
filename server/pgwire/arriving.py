"""Limits the bytes of incomplete messages over all connections.

One client may send a message of hundreds of megabytes, and so may a hundred clients: every byte is held until its
message is complete. Beyond the limit, the connection with the most bytes is ended.
"""

from __future__ import annotations

from typing import Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

ARRIVING_BYTES_MAX = 256 << 20
_NOTED_BYTES_MIN = 1 << 20
"""Less than that is not looked at: there are as many buffers of some size as connections."""


class _Ending(Protocol):
    def terminate(self, error: SqlError) -> None: ...


class Arriving:
    """The bytes that connections hold, where they are many."""

    def __init__(self, bytes_max: int = ARRIVING_BYTES_MAX) -> None:
        self._bytes_max = bytes_max
        self._held: dict[_Ending, int] = {}
        self._total = 0

    def note(self, connection: _Ending, held_bytes: int) -> None:
        """Notes that a connection holds so many bytes. Ends the connection with the most bytes when all are too many:
        with 54000 where its own message is too long, with 53200 where all are together."""
        known = self._held.get(connection, 0)
        if held_bytes < _NOTED_BYTES_MIN:
            if known:
                self.forget(connection)
            return
        self._held[connection] = held_bytes
        self._total += held_bytes - known
        if self._total > self._bytes_max:
            largest = max(self._held, key=lambda each: self._held[each])
            alone = self._held[largest] > self._bytes_max
            self.forget(largest)
            largest.terminate(_too_long(self._bytes_max) if alone else _too_much(self._bytes_max))

    def forget(self, connection: _Ending) -> None:
        """Notes that a connection holds no bytes any more."""
        self._total -= self._held.pop(connection, 0)


def _too_long(bytes_max: int) -> SqlError:
    return SqlError(
        Sqlstate.PROGRAM_LIMIT_EXCEEDED,
        f"the message is longer than {bytes_max} bytes",
        detail="A message is kept in memory until all of it has come.",
        hint="Send values of that size with COPY, or in parts.",
    )


def _too_much(bytes_max: int) -> SqlError:
    return SqlError(
        Sqlstate.OUT_OF_MEMORY,
        "the message is too large for what others are sending",
        detail=f"Messages that have not ended hold {bytes_max} bytes together at most.",
    )
