"""What is told of an upstream system that does not answer."""

from __future__ import annotations


class Unreachable(Exception):
    """`reason` is the system's, or the library's that asked it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
