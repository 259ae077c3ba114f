"""The connections over which upstream is asked something that may take long: the end of a reader interrupts them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from connectors.postgres.probe import Upstream, connected

_CANCEL_S = 5.0


class AskedConnections:
    """The connections of one reader. `require_stay` raises once the reader is to leave upstream."""

    def __init__(self, settings: Mapping[str, str], require_stay: Callable[[], None]) -> None:
        self._settings = settings
        self._require_stay = require_stay
        self._lock = threading.Lock()
        self._asking: set[Upstream] = set()

    @contextmanager
    def connecting(self) -> Iterator[Upstream]:
        """Opens a connection that may be interrupted."""
        with connected(self._settings) as upstream, self.asked(upstream):
            yield upstream

    @contextmanager
    def asked(self, connection: Upstream) -> Iterator[None]:
        """Lets a connection be interrupted."""
        with self._lock:
            self._asking.add(connection)
        try:
            # Only now: whoever ends the reader first says so, and then interrupts the connections known by then.
            self._require_stay()
            yield
        finally:
            with self._lock:
                self._asking.discard(connection)

    def interrupt(self) -> None:
        """Interrupts what is asked: a slot waits for all transactions that are open, a copy for disks."""
        with self._lock:
            asking = tuple(self._asking)
        for connection in asking:
            connection.cancel_safe(timeout=_CANCEL_S)
