"""Deep, wide and long texts: what PostgreSQL takes is answered, what nests too deeply is refused, and nobody waits.

`--attack-bytes N` makes them N bytes long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.attack.loop_probe import unheld
from tests.server.memory_server import MemoryServer, memory_server

_PARAMETERS_MAX = 65_535


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            connection.execute("CREATE TABLE n (a int)")
        yield running


@pytest.fixture
def length(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--attack-bytes"))


_DEEP: dict[str, Callable[[int], str]] = {
    "a chain of operators": lambda length: "SELECT " + "1+" * (length // 2) + "1",
    "parentheses": lambda length: "SELECT " + "(" * (length // 2) + "1" + ")" * (length // 2),
    "parentheses that never close": lambda length: "SELECT " + "(" * length,
    "calls": lambda length: "SELECT " + "abs(" * (length // 5) + "1" + ")" * (length // 5),
    "subqueries": lambda length: "SELECT " + "(SELECT " * (length // 9) + "1" + ")" * (length // 9),
    "negations": lambda length: "SELECT " + "NOT " * (length // 4) + "true",
    "casts": lambda length: "SELECT 1" + "::int" * (length // 5),
    "conditions": lambda length: "SELECT " + "CASE WHEN true THEN " * (length // 20) + "1",
    "unions": lambda length: "SELECT 1" + " UNION SELECT 1" * (length // 15),
    "chains side by side": lambda length: "SELECT " + ", ".join(["1+" * 3000 + "1"] * (length // 6000)),
}


@pytest.mark.parametrize("family", _DEEP)
def test_what_nests_too_deeply_is_refused_and_nobody_waits(server: MemoryServer, length: int, family: str) -> None:
    with server.connect() as connection:

        def refused() -> psycopg.Error:
            with pytest.raises((psycopg.errors.StatementTooComplex, psycopg.errors.SyntaxError)) as found:
                connection.execute(_DEEP[family](length).encode())
            connection.rollback()
            return found.value

        error = unheld(server.loop, refused)
    if isinstance(error, psycopg.errors.SyntaxError):
        # PostgreSQL's own words, where its grammar holds no more.
        assert "memory exhausted at or near" in str(error)


def _rows(length: int) -> int:
    return length // 15


_WIDE: dict[str, tuple[Callable[[int], str], Callable[[int], object]]] = {
    "a list of constants": (lambda n: f"SELECT 1 IN ({', '.join(map(str, range(_rows(n))))})", lambda n: True),
    "a list of operators": (lambda n: f"SELECT true{' AND 1 = 1' * (n // 10)}", lambda n: True),
    "rows": (
        lambda n: f"SELECT count(*) FROM (VALUES {', '.join(f'({i}, 0)' for i in range(_rows(n)))}) v(a, b)",
        _rows,
    ),
    "a long constant": (lambda n: f"SELECT length('{'x' * n}')", lambda n: n),
    "a long comment": (lambda n: f"SELECT 1 /*{'(+' * (n // 2)}*/", lambda n: 1),
    "a long name": (lambda n: f"SELECT 1 AS {'x' * n}", lambda n: 1),
    "operators in a long text": (lambda n: f"SELECT length({'chr(65)||' * 60}'x') /*{'p' * n}*/", lambda n: 61),
    "parentheses in a long text": (lambda n: f"SELECT {'(' * 2000}1{')' * 2000} /*{'p' * n}*/", lambda n: 1),
}


@pytest.mark.parametrize("family", _WIDE)
def test_what_is_long_is_answered_and_nobody_waits(server: MemoryServer, length: int, family: str) -> None:
    text, answer = _WIDE[family]
    with server.connect() as connection:
        found = unheld(server.loop, lambda: connection.execute(text(length).encode()).fetchone())
    assert found == (answer(length),)


def test_many_parameters_are_taken_and_nobody_waits(server: MemoryServer, length: int) -> None:
    # Some are widened: psycopg sends the smallest integers that do.
    count = min(length // 12, _PARAMETERS_MAX)
    marks, rows = ", ".join(["%s"] * count), ", ".join(["(%s)"] * count)
    with server.connect() as connection:

        def taken() -> None:
            assert connection.execute(f"SELECT 1 IN ({marks})", tuple(range(count))).fetchone() == (True,)
            assert connection.execute(f"INSERT INTO n VALUES {rows}", tuple(range(count))).rowcount == count

        unheld(server.loop, taken)
