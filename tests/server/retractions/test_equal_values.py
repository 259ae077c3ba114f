"""What transactions take away, of values that are equal but not the same, as PostgreSQL takes it away.

Without `--whole` each table sees one transaction instead of two, and of each type there is either a table with a key or
one without.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import psycopg
import pytest

from tests.server_process import ServerProcess

pytestmark = [pytest.mark.spark, pytest.mark.slow]

EQUAL = {
    "float8": ("'-0'", "'0'", "'NaN'", "'1'"),
    "float4": ("'-0'", "'0'", "'NaN'", "'1'"),
    "numeric": ("'1.5'", "'0'", "'-0'"),
    "interval": ("'1 mon'", "'30 days'", "'720:00'", "'1 day'", "'24:00'"),
    "bpchar": ("'a'", "'a  '", "''", "' '"),
    "char(4)": ("'a'", "'a  '", "'b'"),
    "text": ("'a'", "'a '", "'A'"),
    "timetz": ("'10:00+00'", "'11:00+01'"),
    "timestamptz": ("'2020-01-01 10:00+00'", "'2020-01-01 11:00+01'"),
    "jsonb": ("'1'", "'1.0'", """'{"a": 1.0}'""", """'{"a": 1}'""", "'[-0, 0.0]'", "'[0, 0]'"),
    "float8[]": ("'{-0}'", "'{0}'", "'{NaN,NULL}'", "'[0:0]={0}'"),
    "interval[]": ("'{1 mon}'", "'{30 days}'"),
    "bpchar[]": ("""'{"a"}'""", """'{"a "}'"""),
    "retracted": ("ROW('-0', 1, 'a')", "ROW('0', 1, 'a')", "ROW('0', 1, 'a ')", "ROW(NULL, 1, 'b')"),
    "inet": ("'10.0.0.1/32'", "'10.0.0.1/8'"),
}
"""Of each type, values of which some are equal, and told apart all the same by how they are written."""
TYPE = "CREATE TYPE retracted AS (f float8, n numeric, b bpchar)"


def _statement(draw: random.Random, type_: str, table: str) -> str:
    """A change of the table; rows that look alike are changed together, since PostgreSQL picks any of them else."""
    one, other, n = (*draw.choices(EQUAL[type_], k=2), draw.randrange(3))
    same = f"v::text = {one}::{type_}::text"
    equal = same if type_ in ("retracted", "bpchar[]") else f"v = {one}::{type_}"
    return draw.choice(
        (
            f"INSERT INTO {table} VALUES ({one}::{type_}, {n}), ({other}::{type_}, {n})",
            f"INSERT INTO {table} SELECT v, n + 1 FROM {table} WHERE n < 2 AND {same}",
            f"DELETE FROM {table} WHERE {equal}",
            f"DELETE FROM {table} WHERE n = {n}",
            f"DELETE FROM {table} WHERE {same} AND n = {n}",
            f"UPDATE {table} SET v = {other}::{type_} WHERE {equal}",
            f"UPDATE {table} SET n = n + 1 WHERE n = {n}",
            f"UPDATE {table} SET n = o.k FROM (VALUES (1, 2), (2, 0)) AS o (n, k) WHERE o.n = {table}.n",
            f"DELETE FROM {table} WHERE n IN (SELECT count(*) FROM {table} o WHERE o.n = {table}.n)",
        )
    )


def _run(connection: psycopg.Connection[tuple[object, ...]], text: str) -> list[tuple[object, ...]]:
    cursor = connection.execute(text.encode())
    return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def both(
    headwater_server: ServerProcess, postgres: psycopg.Connection[tuple[object, ...]]
) -> Iterator[list[psycopg.Connection[tuple[object, ...]]]]:
    with headwater_server.connect() as connection:
        for each in (connection, postgres):
            _run(each, TYPE)
        yield [connection, postgres]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    whole = metafunc.config.getoption("--whole")
    tables = [
        pytest.param(type_, keyed, id=f"{type_}-{'keyed' if keyed else 'rows'}")
        for at, type_ in enumerate(EQUAL)
        for keyed in (False, True)
        if whole or keyed == at % 2
    ]
    metafunc.parametrize(("type_", "keyed"), tables)


def test_transactions_leave_the_rows_that_postgresql_leaves(
    both: list[psycopg.Connection[tuple[object, ...]]], request: pytest.FixtureRequest, type_: str, keyed: bool
) -> None:
    draw = random.Random(f"{type_} {keyed}")
    table = f"equal_{list(EQUAL).index(type_)}_{keyed}".lower()
    key = ", id serial PRIMARY KEY" if keyed else ""
    script = [f"CREATE TABLE {table} (v {type_}, n int{key})"]
    for _ in range(2 if request.config.getoption("--whole") else 1):
        script.append(
            f"INSERT INTO {table} VALUES {', '.join(f'({v}::{type_}, {at % 3})' for at, v in enumerate(EQUAL[type_]))}"
        )
        script += ["BEGIN", *(_statement(draw, type_, table) for _ in range(draw.randrange(2, 5))), "COMMIT"]
    rows = f"SELECT v::text, n, count(*) FROM {table} GROUP BY 1, 2 ORDER BY 1, 2"
    for text in script:
        ours, theirs = (_run(each, text) for each in both)
        assert ours == theirs
        if text == "COMMIT":
            ours, theirs = (_run(each, rows) for each in both)
            assert ours == theirs, script
