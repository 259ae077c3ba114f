"""Percentiles and modes of more text than a replica holds: answered, while others are answered too.

What others waited is printed (`-s`); how long that is hangs on the machine.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.server_process import ServerProcess, await_spark, java_of, start_server

_HEAP, _TEXTS, _LENGTH = "512m", 72, 1 << 20
_TAKEN = {"mode() {}": 0, "percentile_disc(0.5) {}": 33, "(percentile_disc(ARRAY[0.25, 1]) {})[2]": 69}
"""Numbers of the texts, of which 0 and 1 come twice."""


@pytest.mark.spark
@pytest.mark.slow
def test_ordered_sets_of_more_than_a_heap_holds_are_answered_beside_others(tmp_path: Path) -> None:
    server = start_server(tmp_path, "--replica-memory", _HEAP)
    try:
        await_spark(tmp_path)
        with server.connect() as connection:
            connection.execute("CREATE TABLE small AS SELECT i AS a FROM generate_series(1, 50000) AS s(i)")
            connection.execute("CREATE TABLE texts (number int, text text)")
            with connection.cursor().copy("COPY texts FROM STDIN") as copy:
                for number in range(_TEXTS):
                    copy.write(f"{number}\t{number % 70:08}{'x' * (_LENGTH - 8)}\n".encode())
            before = java_of(tmp_path)
            with _others(server):
                for taken, number in _TAKEN.items():
                    asked = taken.format("WITHIN GROUP (ORDER BY text)")
                    (found,) = connection.execute(f"SELECT left({asked}, 8) FROM texts").fetchone() or ()
                    assert found == f"{number:08}"
            assert java_of(tmp_path) == before, "the JVM was ended"
    finally:
        server.stop()


@contextmanager
def _others(server: ServerProcess) -> Iterator[None]:
    """Has another client ask Spark all the while; all that it asks must be answered."""
    waits: list[float] = []
    failures: list[psycopg.Error] = []
    ended = threading.Event()

    def ask() -> None:
        try:
            with server.connect() as connection:
                while not ended.is_set():
                    began = time.monotonic()
                    connection.execute("SELECT sum(a), count(DISTINCT a) FROM small").fetchone()
                    waits.append(time.monotonic() - began)
                    ended.wait(0.05)
        except psycopg.Error as failure:
            failures.append(failure)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    print(f"\n{len(waits)} statements of others, which waited {max(waits):.1f} s at most")
    assert not failures, failures
