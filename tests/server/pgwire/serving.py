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
) -> Iterator[int]:
    """The port; shut down, and waited for, at the end."""
    loop = new_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = WireServer(backend, options or ServerOptions())
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(10)
        yield server.port
        asyncio.run_coroutine_threadsafe(server.shut_down(1), loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
