"""Whether anybody listens where documents are to be posted: nothing is posted for that."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from connectors.unreachable import Unreachable

_PORTS = {"http": 80, "https": 443}


def ask_endpoint(url: str, timeout_s: float) -> None:
    """Unreachable when nobody does. It blocks."""
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname or "", parts.port or _PORTS[parts.scheme]), timeout_s).close()
    except OSError as error:
        raise Unreachable(error.strerror or str(error)) from None
