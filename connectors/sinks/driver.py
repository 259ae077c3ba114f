"""The interface of a sink's driver, which answers requests in order, one at a time, in a thread of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from connectors.sinks.messages import DriverResponse, Request


class Driver(Protocol):
    """One session with a destination. A method may block for long, but not beyond `close`.

    An exception from `answer` ends the session; nothing of the open transaction may then be visible in the destination,
    as far as the destination can guarantee that.
    """

    def answer(self, request: Request) -> Iterable[DriverResponse]:
        """Yields the responses to a request, possibly none. Raises SqlError for an error of the destination."""
        ...

    def abort(self) -> None:
        """Ends the session from another thread, while `answer` may hang; `answer` should return soon after."""
        ...

    def close(self) -> None:
        """Ends the session. Idempotent; called in the driver's thread."""
        ...
