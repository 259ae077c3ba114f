"""Ports of the loopback for servers that must be told where to listen."""

from __future__ import annotations

import random
import socket

_PORTS = range(20_000, 32_000)
"""Beneath those that the system gives to connections that go out: such a port may be a connection's before its server
listens."""


def free_port() -> int:
    """Returns a port that nobody listens on; another process may still take it first, which is unlikely."""
    draw = random.SystemRandom()
    while True:
        port = draw.choice(_PORTS)
        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                taken.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
