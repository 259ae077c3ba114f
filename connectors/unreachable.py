"""Errors for an upstream system that does not answer, or refuses for now."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


class Unreachable(Exception):
    """The system can't be reached; `reason` comes from the system or from the library that asked."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class EndpointBusy(SqlError):
    """The endpoint takes nothing now, and wants to be left alone for at least `after_s` seconds."""

    def __init__(self, message: str, after_s: float) -> None:
        hint = f"The endpoint is asked again in {after_s:.0f} s."
        super().__init__(Sqlstate.CONNECTION_FAILURE, message, hint=hint)
        self.after_s = after_s
