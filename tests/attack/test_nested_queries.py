"""What nests in itself, however deeply: it is answered, or refused by name, and nobody waits; what is given up ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import psycopg
import pytest

from tests.attack.loop_probe import unheld
from tests.planner.nested_queries import DOUBLING, GROWING, nested
from tests.server.memory_server import MemoryServer, memory_server


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            connection.execute("CREATE TABLE t (a int, b int); CREATE TABLE u (a int, b int)")
        yield running


def _explain(server: MemoryServer, sql: str) -> str:
    """The SQLSTATE of its planning; 00000 when it is planned."""
    with server.connect() as connection:
        try:
            connection.execute(f"EXPLAIN {sql}".encode())
        except psycopg.Error as error:
            return error.sqlstate or ""
    return "00000"


@pytest.mark.parametrize("kind", ["exists", "not in", "scalar case", "lateral left", "derived full join", "case else"])
def test_deep_queries_are_planned_and_nobody_waits(server: MemoryServer, kind: str) -> None:
    assert kind in GROWING
    assert unheld(server.loop, lambda: _explain(server, nested(kind, 30))) == "00000"


@pytest.mark.parametrize("kind", DOUBLING)
def test_what_doubles_by_level_is_ended_by_its_timeout_and_nobody_waits(server: MemoryServer, kind: str) -> None:
    with server.connect() as connection:
        connection.execute("SET statement_timeout = 300")
        with pytest.raises(psycopg.errors.QueryCanceled):
            unheld(server.loop, lambda: connection.execute(f"EXPLAIN {nested(kind, 40)}".encode()))
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_long_texts_of_two_keep_a_third_from_nothing(server: MemoryServer) -> None:
    long = f"SELECT 1 IN ({', '.join(map(str, range(20_000)))})".encode()
    answers: list[object] = []

    def ask() -> None:
        with server.connect() as connection:
            answers.append(connection.execute(long).fetchone())

    others = [threading.Thread(target=ask) for _ in range(4)]
    for each in others:
        each.start()
    with server.connect() as connection:
        small = f"SELECT 1 IN ({', '.join(map(str, range(2_000)))})".encode()
        assert connection.execute(small).fetchone() == (True,)
        before = len(answers)
    for each in others:
        each.join()
    assert answers == [(True,)] * 4 and before < 4
