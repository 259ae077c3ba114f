"""The superuser's session of a server in memory, whose life each file decides."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.clusters.asking import Connection
from tests.server.memory_server import MemoryServer


@pytest.fixture
def admin(server: MemoryServer) -> Iterator[Connection]:
    with server.connect() as connection:
        yield connection
