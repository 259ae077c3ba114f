"""Whatever statement a query stands in, its planning is counted: it is done or refused by name, and nobody waits."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.attack.loop_probe import unheld
from tests.planner.nested_queries import nested
from tests.server.memory_server import MemoryServer, memory_server

_STATEMENTS = (
    "EXPLAIN {q}",
    "CREATE VIEW made AS {q}",
    "CREATE MATERIALIZED VIEW made AS {q}",
    "EXPLAIN CREATE MATERIALIZED VIEW made AS {q}",
    "EXPLAIN PHYSICAL PLAN FOR CREATE MATERIALIZED VIEW made AS {q}",
    "CREATE VIEW made AS {q}; CREATE DEFAULT INDEX ON made",
    "CREATE TABLE made AS {q} WITH NO DATA",
    "DECLARE c CURSOR FOR {q}",
    "PREPARE p AS {q}",
    "INSERT INTO many SELECT count(*) FROM ({q}) AS q",
    "CREATE MATERIALIZED VIEW made AS {q}; ALTER TABLE t ADD COLUMN d int",
    "CREATE MATERIALIZED VIEW made AS {q}; ALTER TABLE t DROP COLUMN c",
)
_UNTIL_THE_BOUND = ("EXPLAIN {q}", "CREATE MATERIALIZED VIEW made AS {q}")
"""Those that plan what doubles: each counts seconds of the processor's time until it is refused."""

_DONE = "00000"
_TOO_COMPLEX = "54001"


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            connection.execute("CREATE TABLE t (a int, b int, c int); CREATE TABLE u (a int, b int)")
            connection.execute("CREATE TABLE many (n int8); CREATE VIEW v0 AS SELECT a, b FROM t")
            for level in range(1, 25):
                below = f"v{level - 1} x JOIN v{level - 1} y ON x.a = y.a"
                connection.execute(f"CREATE VIEW v{level} AS SELECT x.a, y.b FROM {below}".encode())
        yield running


def _cube(columns: int) -> str:
    keys = ", ".join(f"a + {number}" for number in range(columns))
    named = ", ".join(f"a + {number} AS c{number}" for number in range(columns))
    return f"SELECT {named}, sum(b) AS s FROM t GROUP BY CUBE ({keys})"


_QUERIES = {
    "views of 64": ("SELECT * FROM v6", _DONE),
    "views of 16 million": ("SELECT * FROM v24", _TOO_COMPLEX),
    "sets of keys": (_cube(9), _DONE),
    "nested": (f"SELECT count(*) AS n FROM ({nested('exists', 40)}) AS q", _DONE),
}
_DOUBLING = f"SELECT count(*) AS n FROM ({nested('nullif', 40)}) AS q"


def _planned(server: MemoryServer, statements: str) -> str:
    """Executes statements and returns the SQLSTATE of the last; nothing is committed, so that nothing is computed."""
    with server.connect() as connection:
        connection.autocommit = True
        connection.execute("BEGIN")
        try:
            for each in statements.split("; "):
                connection.execute(each.encode())
        except psycopg.Error as error:
            return error.sqlstate or ""
        finally:
            connection.execute("ROLLBACK")
    return _DONE


@pytest.mark.in_part(8)
@pytest.mark.parametrize("statement", _STATEMENTS)
@pytest.mark.parametrize("query", _QUERIES)
def test_planning_ends_and_nobody_waits(server: MemoryServer, query: str, statement: str) -> None:
    sql, state = _QUERIES[query]
    assert unheld(server.loop, lambda: _planned(server, statement.replace("{q}", sql))) in (_DONE, state)


@pytest.mark.parametrize("statement", _UNTIL_THE_BOUND)
def test_what_doubles_is_refused_and_nobody_waits(server: MemoryServer, statement: str) -> None:
    assert unheld(server.loop, lambda: _planned(server, statement.replace("{q}", _DOUBLING))) == _TOO_COMPLEX


def test_a_statement_of_many_changes_gives_others_their_turns(server: MemoryServer) -> None:
    columns = ", ".join(f"ADD COLUMN more{number} int" for number in range(500))
    assert unheld(server.loop, lambda: _planned(server, f"ALTER TABLE many {columns}")) == _DONE
