"""moto, in a process of its own, for what is measured beside bare clients of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import psycopg

_BEGINNING = 4_096
_LISTENS = re.compile(rb"Running on (http://127\.0\.0\.1:\d+)")


@contextmanager
def moto() -> Iterator[str]:
    """Its endpoint."""
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    # It tells of each request, which would fill a pipe that nobody reads.
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, stderr=told, stdout=subprocess.DEVNULL)
        try:
            while (found := _LISTENS.search(os.pread(told.fileno(), _BEGINNING, 0))) is None:
                time.sleep(0.05)
            yield found[1].decode()
        finally:
            process.kill()
            process.wait()


def client_of(service: str, endpoint: str) -> Any:
    """A bare client."""
    session: Any = boto3.session.Session("k", "s", region_name="us-east-1")
    return session.client(service, endpoint_url=endpoint)


def connect_aws(connection: psycopg.Connection[tuple[Any, ...]], endpoint: str) -> None:
    """Makes the connection `aws`."""
    options = f"ENDPOINT '{endpoint}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET aws_key"
    connection.execute(b"CREATE SECRET aws_key AS 's'")
    connection.execute(f"CREATE CONNECTION aws TO AWS ({options})".encode())
