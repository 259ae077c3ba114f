"""Tells the log of refused clients and the reasons: a few a second, lest knocking fills the disk."""

from __future__ import annotations

import structlog

from model.errors.sql_error import SqlError

_A_SECOND = 10
_log = structlog.get_logger()


class Refusals:
    """Refusals of the present second. The next refusal that is told tells how many were left out before."""

    def __init__(self) -> None:
        self._since = float("-inf")
        self._told = self._left_out = 0

    def tell(self, now: float, client: str, user: str, error: SqlError) -> None:
        """Tells of a refusal; `now` is seconds of a clock that only goes forward; `user` is empty before the client
        has named a user."""
        if now - self._since >= 1:
            self._since, self._told = now, 0
        if self._told >= _A_SECOND:
            self._left_out += 1
            return
        self._told += 1
        more = {"left_out": self._left_out} if self._left_out else {}
        self._left_out = 0
        _log.info("client refused", client=client, user=user, error=error.message, sqlstate=str(error.sqlstate), **more)


REFUSALS = Refusals()
"""The refusals of this process."""
