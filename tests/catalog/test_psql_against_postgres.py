"""psql's own queries, as psql 16 sends them for its backslash commands, answered by Headwater and by PostgreSQL."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import psycopg
import pytest

from tests.catalog.miniature import Answer, Miniature
from tests.judge import Judge, psql

Connection = psycopg.Connection[tuple[object, ...]]

_SETUP = """
CREATE TABLE t (id int NOT NULL DEFAULT 3, name varchar(7), "Amount" numeric(9,2), tags text[], at timestamptz);
CREATE VIEW v AS SELECT id, name FROM t;
CREATE SCHEMA s;
CREATE TABLE s.t (x bigint);
CREATE TABLE s.hidden (d date, i interval, f float8, b bytea, u uuid, j jsonb);
CREATE VIEW s."V w" AS SELECT x FROM s.t;
CREATE INDEX ON t (id, name);
CREATE INDEX ON t (abs(id), (id + 1));
CREATE MATERIALIZED VIEW s.m AS SELECT x, count(*) AS n FROM s.t GROUP BY x;
CREATE INDEX "M x" ON s.m (n);
CREATE TABLE s.keyed (
    a int PRIMARY KEY, b text UNIQUE, "C c" int, UNIQUE NULLS NOT DISTINCT ("C c", a), CONSTRAINT named UNIQUE (b, a),
    CONSTRAINT given CHECK (true), CHECK (false)
);
CREATE UNIQUE INDEX ON s.keyed (lower(b));
"""
_SAME = (
    *(
        r"\d",
        r"\dt",
        r"\dv",
        r"\di",
        r"\ds",
        r"\dm",
        r"\dn public",
        r"\du",
        r"\dg",
        r"\d t",
        r"\d v",
        r"\d s.*",
        r"\dt s.*",
        r"\dm s.*",
        r"\di s.*",
        r"\d s.m",
        r"\d t_id_name_idx",
        r"\d s.keyed",
        r"\d s.keyed_pkey",
    ),
    *(r"\dv s.*", r"\d nothing", r"\dt *.hidden", r"\d+ s.hidden", r"\dT", r"\dT+", r"\df", r"\da", r"\dD"),
    *(r"\dp", r"\z t", r"\ddp", r"\dc", r"\do", r"\dP", r"\dRp", r"\dRs", r"\dy", r"\drds", r"\des", r"\dew"),
    *(r"\deu", r"\det", r"\dX", r"\dE", r"\dn s", r"\dA"),
)
_ANSWERED = (
    *(r"\l", r"\l+", r"\d+", r"\dt+", r"\dv+", r"\dn", r"\dn+", r"\du+", r"\dT+ int*", r"\df abs"),
    *(r"\db", r"\dO", r"\dx", r"\dF"),
)
_QUERY = re.compile(r"/\*+ QUERY \*+/\n(.*?)\n/\*+/|\*+ QUERY \*+\n(.*?)\n\*+\n", re.DOTALL)


@pytest.fixture(scope="module")
def ours() -> Miniature:
    miniature = Miniature()
    miniature.execute(_SETUP)
    return miniature


@pytest.fixture(scope="module")
def theirs(judge: Judge) -> Iterator[Connection]:
    with judge.connect() as connection:
        connection.execute(_SETUP)
        yield connection
        connection.execute("DROP TABLE t CASCADE; DROP SCHEMA s CASCADE")


def _queries(judge: Judge, command: str) -> list[str]:
    """What psql sends for a backslash command."""
    result = subprocess.run(
        [psql(), "-X", "-E", "-d", judge.dsn(), "-c", command], capture_output=True, text=True, check=False
    )
    queries = [first or second for first, second in _QUERY.findall(result.stdout)]
    assert queries, result
    return queries


def _asked(connection: Connection, sql: str) -> Answer:
    result = connection.pgconn.exec_(sql.encode())
    assert not result.error_message, result.error_message
    columns = tuple((result.fname(i) or b"").decode() for i in range(result.nfields))
    rows = tuple(
        tuple(None if (v := result.get_value(row, i)) is None else v.decode() for i in range(result.nfields))
        for row in range(result.ntuples)
    )
    return Answer(columns, rows)


def _oids(connection: Connection, ours: Miniature) -> dict[str, str]:
    """PostgreSQL's oid of each relation to ours."""
    sql = "SELECT n.nspname, relname, c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE {}"
    where = "nspname IN ('public', 's')"
    mine = {row[:2]: row[2] for row in ours.execute(sql.format(where))[0].rows}
    return {str(row[2]): str(mine[row[:2]]) for row in _asked(connection, sql.format(where)).rows if row[:2] in mine}


def _translated(sql: str, oids: dict[str, str]) -> str:
    for theirs_, ours_ in oids.items():
        sql = sql.replace(f"'{theirs_}'", f"'{ours_}'")
    return sql


def _sorted(rows: tuple[tuple[str | None, ...], ...]) -> list[tuple[str, ...]]:
    return sorted(tuple("\0" if value is None else value for value in row) for row in rows)


@pytest.mark.parametrize("command", _SAME)
def test_psql_shows_what_it_shows_of_postgres(judge: Judge, ours: Miniature, theirs: Connection, command: str) -> None:
    oids = _oids(theirs, ours)
    for query in _queries(judge, command):
        expected = _asked(theirs, query)
        (answer,) = ours.execute(_translated(query, oids))
        assert answer.columns == expected.columns
        translated = [tuple(oids.get(v, v) if v else v for v in row) for row in expected.rows]
        assert _sorted(answer.rows) == _sorted(tuple(translated)), query


@pytest.mark.parametrize("command", _ANSWERED)
def test_psql_gets_the_same_columns(judge: Judge, ours: Miniature, theirs: Connection, command: str) -> None:
    """Where contents differ: sizes, other databases, comments on PostgreSQL's own objects."""
    for query in _queries(judge, command):
        (answer,) = ours.execute(_translated(query, _oids(theirs, ours)))
        assert answer.columns == _asked(theirs, query).columns
