"""Counts authenticated clients of all protocols against `connections_max`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate


class AdmittedPlaces:
    """The places for sessions, of which the last `reserved` are for superusers."""

    def __init__(self, most: int, reserved: int) -> None:
        self._most = most
        self._reserved = reserved
        self.taken = 0

    def take(self, *, superuser: bool) -> None:
        """Takes a place. Raises SqlError FATAL 53300 when there is none."""
        free = self._most - self.taken
        if free <= 0:
            raise too_many_clients()
        if not superuser and free <= self._reserved:
            message = "remaining connection slots are reserved for roles with the SUPERUSER attribute"
            raise SqlError(Sqlstate.TOO_MANY_CONNECTIONS, message, severity=Severity.FATAL)
        self.taken += 1

    def give_back(self) -> None:
        """Gives back a place that was taken."""
        self.taken -= 1

    @contextlib.contextmanager
    def held(self, *, superuser: bool) -> Iterator[None]:
        """Holds a place while the block runs. Raises SqlError FATAL 53300 when there is none."""
        self.take(superuser=superuser)
        try:
            yield
        finally:
            self.give_back()


def too_many_clients() -> SqlError:
    """Returns the error 53300 for a client for whom there is no place."""
    return SqlError(Sqlstate.TOO_MANY_CONNECTIONS, "sorry, too many clients already", severity=Severity.FATAL)
