"""Expressions of many operators in each other over columns are answered as PostgreSQL answers them, errors too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.server_process import ServerProcess

_LENGTH = 120
_FAMILIES: dict[str, Callable[[int], str]] = {
    "integers": lambda n: "a" + "".join("-b" if i % 2 else "+a" for i in range(n)),
    "quotients": lambda n: "a" + "/nullif(b,0)" * n,
    "floats": lambda n: "f" + "+f" * n,
    "numerics": lambda n: "n" + "+n" * n,
    "texts": lambda n: "s" + "||s" * n,
    "disjunctions": lambda n: " or ".join(f"a+1={i}" for i in range(n)),
    "conjunctions": lambda n: " and ".join(f"a<>{i + 10}" for i in range(n)),
    "branches": lambda n: "case " + " ".join(f"when a+1={i} then b+{i}" for i in range(n)) + " end",
    "branches in branches": lambda n: "case when a=1 then 1 else " * n + "0" + " end" * n,
    "calls": lambda n: "abs(" * n + "a" + ")" * n,
    "negations": lambda n: "not " * n + "a=1",
    "first values": lambda n: "coalesce(" + ",".join(f"nullif(a,{i})" for i in range(n)) + ")",
    "timestamps": lambda n: "t" + "+interval '1 day'" * n,
    "casts": lambda n: "a" + "::int8::int4" * (n // 2),
}
_FAILING = {
    "an overflow": "a" + "+2000000000" * 30,
    "an overflow before a NULL": "a" + "+2000000000" * 30 + "+c",
    "a NULL before what would be an overflow": "c" + "+2000000000" * 30,
    "a division by zero": "a" + "+b" * 30 + "/(b-b)",
    "a guarded division": f"case when b = b{'+0' * 30} then 1 else a/(b-b) end",
}
_ROWS = """
create table long_rows (a int, b int, c int, f float8, n numeric(20, 4), s text, t timestamp);
insert into long_rows values (1, 2, null, 1.5, 2.25, 'x', '2020-01-01'), (null, 3, null, 2.5, 1, 'y', '2021-01-01'),
    (3, 4, null, 0.5, 2, 'z', null)
"""


@pytest.fixture(scope="module")
def headwater(headwater_server: ServerProcess) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with headwater_server.connect() as connection:
        connection.execute(_ROWS)
        yield connection
        connection.execute("drop table long_rows")


def _outcome(connection: psycopg.Connection[tuple[object, ...]], sql: str) -> object:
    try:
        return connection.execute(sql.encode()).fetchall()
    except psycopg.Error as error:
        return error.sqlstate, error.diag.message_primary


@pytest.mark.spark
def test_long_expressions_have_postgresqls_values_and_errors(
    headwater: psycopg.Connection[tuple[object, ...]], postgres: psycopg.Connection[tuple[object, ...]]
) -> None:
    postgres.execute(_ROWS)
    every = f"select {', '.join(family(_LENGTH) for family in _FAMILIES.values())} from long_rows order by b"
    assert _outcome(headwater, every) == _outcome(postgres, every)
    for family, expression in _FAILING.items():
        sql = f"select {expression} from long_rows order by b"
        assert _outcome(headwater, sql) == _outcome(postgres, sql), family
