"""What a driver of a sink is: it answers requests in order, one at a time, in a thread of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from connectors.sinks.messages import DriverResponse, Request


class Driver(Protocol):
    """One session with a destination. It may take its time; it must not outlive `close`.

    Whatever `answer` raises ends the session, and nothing of the transaction that was under way may show in the
    destination, as far as that can be had there.
    """

    def answer(self, request: Request) -> Iterable[DriverResponse]:
        """The responses to a request, which may come to none. SqlError for what the destination makes of it."""
        ...

    def abort(self) -> None:
        """Ends the session from outside its thread, which may hang in `answer` and should not for much longer."""
        ...

    def close(self) -> None:
        """Ends the session. Idempotent; called in the driver's thread."""
        ...
