"""What users of Materialize write and look at: EXPLAIN's forms, SHOW, its catalog by bare names, its functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import errors

from tests.server.memory_server import memory_server

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE lines (l text); CREATE VIEW v AS SELECT l FROM lines; CREATE INDEX i ON v (l)")
        connection.execute("CREATE MATERIALIZED VIEW m AS SELECT l FROM lines; CREATE TYPE letter AS ENUM ('x')")
        yield connection


def _first(connection: Connection, sql: str) -> list[Any]:
    return [row[0] for row in connection.execute(sql.encode())]


@pytest.mark.parametrize(
    "words",
    [
        "PLAN FOR",
        "OPTIMIZED PLAN FOR",
        "LOCALLY OPTIMIZED PLAN FOR",
        "OPTIMIZED PLAN WITH (arity, humanized expressions) AS TEXT FOR",
        "PLAN AS VERBOSE TEXT FOR",
        "WITH (keys)",
        "AS TEXT FOR",
        "",
    ],
)
def test_all_words_for_the_optimized_plan_give_it(connection: Connection, words: str) -> None:
    assert _first(connection, f"EXPLAIN {words} SELECT l FROM lines") == ["Read public.lines (u1)"]


@pytest.mark.parametrize("words", ["", "OPTIMIZED PLAN FOR ", "PLAN AS TEXT FOR "])
def test_what_is_created_is_explained_by_its_name(connection: Connection, words: str) -> None:
    for name in ("VIEW v", "MATERIALIZED VIEW m", "INDEX i"):
        assert "Read public.lines (u1)" in _first(connection, f"EXPLAIN {words}{name}")[-1]


def test_plans_that_there_are_not_are_refused(connection: Connection) -> None:
    with pytest.raises(errors.FeatureNotSupported):
        connection.execute("EXPLAIN DECORRELATED PLAN FOR SELECT 1")


def test_a_cte_and_an_unknown_option_are_postgresqls_to_read(connection: Connection) -> None:
    assert _first(connection, "EXPLAIN WITH x AS (SELECT 1) SELECT * FROM x")
    with pytest.raises(errors.SyntaxError):
        connection.execute("EXPLAIN PLAN WITH (nonsense) FOR SELECT 1")


def test_objects_are_shown(connection: Connection) -> None:
    assert _first(connection, "SHOW TYPES") == ["letter"]
    assert _first(connection, "SHOW CLUSTERS") == ["default"]
    assert connection.execute("SHOW CLUSTER REPLICAS").fetchall() == [("default", "r1", None, True)]
    assert _first(connection, "SHOW ROLES LIKE 'head%'") == ["headwater"]
    assert _first(connection, "SHOW SECRETS") == _first(connection, "SHOW CONNECTIONS") == []


def test_the_catalog_is_found_by_bare_names_behind_users_own(connection: Connection) -> None:
    assert _first(connection, "SELECT name FROM mz_tables WHERE id LIKE 'u%'") == ["lines"]
    assert _first(connection, "SELECT c.name FROM mz_indexes i JOIN mz_clusters c ON c.id = i.cluster_id") == [
        "default"
    ]
    types = "SELECT category, id LIKE 'u%' FROM mz_types WHERE name IN ('letter', '_letter', 'int4', 'anyelement')"
    assert sorted(connection.execute(types.encode()).fetchall()) == [
        ("base", False),
        ("base", True),
        ("pseudo", False),
    ]
    lower = (
        "SELECT DISTINCT t.name FROM mz_functions f JOIN mz_types t ON t.id = f.return_type_id WHERE f.name = 'sqrt'"
    )
    assert sorted(_first(connection, lower)) == ["float8", "numeric"]
    assert _first(connection, "SELECT id FROM mz_sources UNION ALL SELECT id FROM mz_sinks") == []
    connection.execute("CREATE TABLE mz_sources (mine int)")
    assert _first(connection, "SELECT mine FROM mz_sources") == []
    connection.execute("DROP TABLE mz_sources")


def test_columns_are_extracted_from_text(connection: Connection) -> None:
    rows = connection.execute(r"""SELECT * FROM csv_extract(2, E'a,b\n"c,d",e\nx\n1,2,3')""").fetchall()
    assert rows == [("a", "b"), ("c,d", "e")]
    cursor = connection.execute("SELECT * FROM regexp_extract('(a)(?P<x>[(b]+)(c)?(?:d|e)', 'za(be')")
    assert cursor.description is not None
    assert [column.name for column in cursor.description] == ["column1", "x", "column3"]
    assert cursor.fetchall() == [("a", "(b", None)]
    assert _first(connection, "SELECT column1 FROM regexp_extract('(q)', 'za')") == []
    assert _first(connection, "SELECT mz_version()") == [connection.info.parameter_status("mz_version")]


@pytest.mark.parametrize(
    ("call", "sqlstate"),
    [
        ("csv_extract(0, 'a')", "22023"),
        ("(VALUES (1)) v (n), csv_extract(n, 'a')", "22023"),
        ("regexp_extract('a', 'a')", "22023"),
        ("regexp_extract('(a', 'a')", "2201B"),
    ],
)
def test_what_describes_no_columns_is_refused(connection: Connection, call: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(f"SELECT * FROM {call}".encode())
    assert refused.value.sqlstate == sqlstate
