"""What is told of an upstream system that does not answer."""

from __future__ import annotations

from model.errors import SqlError
from model.sqlstate import Sqlstate


class Unreachable(Exception):
    """`reason` is the system's, or the library's that asked it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class EndpointBusy(SqlError):
    """An endpoint answers that it takes nothing now: it is to be left alone for `after_s` seconds at least."""

    def __init__(self, message: str, after_s: float) -> None:
        hint = f"The endpoint is asked again in {after_s:.0f} s."
        super().__init__(Sqlstate.CONNECTION_FAILURE, message, hint=hint)
        self.after_s = after_s
