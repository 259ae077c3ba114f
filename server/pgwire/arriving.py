"""How many bytes of messages that have not ended all connections hold together.

One client may send a message of hundreds of megabytes, and so may a hundred: each byte is kept until the message is
whole. Where that is too much, the connection goes that holds the most.
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
    """What connections hold, as far as it is much."""

    def __init__(self, bytes_max: int = ARRIVING_BYTES_MAX) -> None:
        self._bytes_max = bytes_max
        self._held: dict[_Ending, int] = {}
        self._total = 0

    def note(self, connection: _Ending, held_bytes: int) -> None:
        """The connection holds so many bytes now. Ends the one that holds the most, with 53200, when that is too
        much."""
        known = self._held.get(connection, 0)
        if held_bytes < _NOTED_BYTES_MIN:
            if known:
                self.forget(connection)
            return
        self._held[connection] = held_bytes
        self._total += held_bytes - known
        if self._total > self._bytes_max:
            largest = max(self._held, key=lambda each: self._held[each])
            self.forget(largest)
            largest.terminate(_too_much(self._bytes_max))

    def forget(self, connection: _Ending) -> None:
        """It holds nothing any more."""
        self._total -= self._held.pop(connection, 0)


def _too_much(bytes_max: int) -> SqlError:
    return SqlError(
        Sqlstate.OUT_OF_MEMORY,
        "the message is too large for what others are sending",
        detail=f"Messages that have not ended hold {bytes_max} bytes together at most.",
    )
