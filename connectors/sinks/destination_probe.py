"""Asks a destination, before a sink is made, whether the table that stands there fits it.

The probe makes and changes nothing: the sink looks again on opening, and only then creates or changes the table.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from connectors.sinks.description import SinkDescription
from connectors.unreachable import Unreachable


class Examining(Protocol):
    """A driver that can look without changing anything."""

    @property
    def failures(self) -> Any:
        """The client's errors for a server that does not answer."""

    def examine(self, sink: SinkDescription, secrets: Mapping[str, str], timeout_s: int) -> None:
        """Looks for at most some seconds; raises SqlError as opening the sink would."""

    def close(self) -> None:
        """Ends the session."""


def examine(
    driver: Examining, sink: SinkDescription, secrets: Mapping[str, str], timeout_s: int, told: Callable[[Any], str]
) -> None:
    """Examines with the driver, and closes it; raises Unreachable, with the reason that `told` finds in the client's
    error. Blocks, for a bounded time."""
    with contextlib.closing(driver):
        try:
            driver.examine(sink, secrets, timeout_s)
        except driver.failures as failure:
            raise Unreachable(told(failure)) from None
