"""Functions drawn at random, which call each other, and queries over them: rows and errors as PostgreSQL's."""

from __future__ import annotations

import random
from typing import Any

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import memory_server

_FUNCTIONS, _QUERIES = 14, 4
_TABLE = (
    "CREATE TABLE t (a int, b int)",
    "INSERT INTO t VALUES (1, 2), (2, 1), (3, NULL), (NULL, 0), (2, 2)",
)
_VALUES = (
    "({x} + {x})",
    "({x} * {x})",
    "coalesce({x}, {x})",
    "nullif({x}, {x})",
    "CASE WHEN {x} > {x} THEN {x} ELSE {x} END",
    "(SELECT q.z FROM (SELECT {x} AS z) AS q)",
    "(SELECT sum(v.c)::int FROM (VALUES ({x}), ({x})) AS v(c))",
    "(SELECT max(t.a + {x}) FROM t WHERE t.b <> {x})",
    "(SELECT count(*)::int FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.a = t.b AND u.b >= {x}))",
    "(SELECT t.a FROM t ORDER BY t.a * {x} DESC NULLS LAST, t.a, t.b LIMIT 1 OFFSET 1)",
    "{f}({x}, {x})",
    "{f}({x}, b => {x})",
)
_BODIES = ("AS $$SELECT {}$$", "RETURN {}", "BEGIN ATOMIC SELECT {}; END", "AS $$SELECT {} FROM (SELECT 1) AS one$$")
_CALLS = (
    "SELECT t.a, t.b, {x} FROM t",
    "SELECT {f}(t.a, {x}) FROM t",
    "SELECT sum({x}), t.b FROM t GROUP BY t.b",
    "SELECT t.a FROM t WHERE {f}({x}, t.b) > 1",
    "SELECT count(*) FROM t JOIN t AS u ON {f}(t.a, u.b) = {f}(u.a, t.b)",
    "SELECT {f}(sum(t.a)::int, count(*)::int) FROM t GROUP BY {f}(t.b, t.b)",
    "SELECT DISTINCT {f}(t.a, t.b) FROM t UNION SELECT {f}(1, 2)",
    "SELECT t.a, x.* FROM t, {f}(t.a, t.b) AS x",
    "SELECT t.a, (SELECT {f}(t.a, u.b) FROM t AS u WHERE u.a = t.a ORDER BY u.b LIMIT 1) FROM t",
)


def _value(source: random.Random, depth: int, names: list[str], functions: list[str]) -> str:
    if depth == 0:
        return source.choice([*names, str(source.randrange(4)), "NULL::int"])
    form = source.choice(_VALUES if functions else _VALUES[:-2])
    return _filled(source, form, depth - 1, names, functions)


def _filled(source: random.Random, form: str, depth: int, names: list[str], functions: list[str]) -> str:
    while "{x}" in form:
        form = form.replace("{x}", _value(source, depth, names, functions), 1)
    while "{f}" in form:
        form = form.replace("{f}", source.choice(functions), 1)
    return form


def _outcome(connection: psycopg.Connection[tuple[Any, ...]], sql: str) -> object:
    try:
        cursor = connection.execute(sql.encode())
    except psycopg.Error as error:
        return error.sqlstate
    return sorted(map(repr, cursor.fetchall())) if cursor.description else "done"


@pytest.mark.parametrize("seed", range(2))
def test_calls_of_drawn_functions_give_what_postgres_gives(judge: Judge, seed: int) -> None:
    source, functions = random.Random(seed), list[str]()
    with memory_server() as server, server.connect() as ours, judge.connect() as theirs:
        try:
            for sql in _TABLE:
                assert _outcome(ours, sql) == _outcome(theirs, sql) == "done"
            for number in range(_FUNCTIONS):
                name = f"drawn{number}"
                body = _value(source, source.choice((1, 2, 2)), ["a", "b", "$1", "$2", f"{name}.a"], functions)
                words = source.choice(("", "STABLE", "STRICT")) + " " + source.choice(_BODIES).format(body)
                create = f"CREATE FUNCTION {name}(a int, b int) RETURNS int LANGUAGE sql {words}"
                assert _outcome(ours, create) == _outcome(theirs, create) == "done", create
                functions.append(name)
                for _ in range(_QUERIES):
                    query = _filled(source, source.choice(_CALLS), 2, ["t.a", "t.b"], functions)
                    assert _outcome(ours, query) == _outcome(theirs, query), query
        finally:
            judge.empty()
