"""What speaks as Amazon's services do, on a free port of the loopback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from moto.server import ThreadedMotoServer


@contextmanager
def run_amazon() -> Iterator[str]:
    """Its endpoint, as http://host:port. All of one process share what is kept there."""
    services = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    services.start()
    try:
        host, port = services.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        services.stop()
