"""Finds out whether a server listens where documents are to be posted, without posting anything."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from connectors.unreachable import Unreachable

_PORTS = {"http": 80, "https": 443}


def ask_endpoint(url: str, timeout_s: float) -> None:
    """Connects and closes; raises Unreachable when nothing listens. Blocks."""
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname or "", parts.port or _PORTS[parts.scheme]), timeout_s).close()
    except OSError as error:
        raise Unreachable(error.strerror or str(error)) from None
