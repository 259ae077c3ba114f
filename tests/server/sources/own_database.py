"""A database for one module's sources, which goes with it: they would be read on while others' tests run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from tests.server_process import ServerProcess


@contextmanager
def own_database(server: ServerProcess, name: str) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """A connection to it."""
    with server.connect() as first:
        first.execute(f"CREATE DATABASE {name}".encode())
    with psycopg.connect(f"{server.dsn()} dbname={name}", autocommit=True) as connection:
        yield connection
    with server.connect() as last:
        last.execute(f"DROP DATABASE {name}".encode())
