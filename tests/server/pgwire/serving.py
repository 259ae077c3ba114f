"""A WireServer on a free port of the loopback, in a thread of its own, for clients that block."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.pgwire.server import ServerOptions, WireServer
from tests.server.pgwire.toy import ToyBackend


@contextmanager
def serving(
    backend: ToyBackend,
    options: ServerOptions | None = None,
    new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
    grace_s: float = 1,
) -> Iterator[int]:
    """The port; shut down at the end, and waited for: statements that run then have `grace_s` to end."""
    loop = new_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = WireServer(backend, options or ServerOptions())
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
        yield server.port
        asyncio.run_coroutine_threadsafe(server.shut_down(grace_s), loop).result(60)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()
