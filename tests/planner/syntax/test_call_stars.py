"""`f(x).*`: the columns of a function's rows, without the parentheses that PostgreSQL's grammar asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from planner.syntax.call_stars import take_call_stars
from tests.server.memory_server import memory_server

Session = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (a jsonb)")
        connection.execute("""INSERT INTO t VALUES ('{"x": 1}'), ('{"(y).*": 2}')""")
        yield connection


@pytest.mark.parametrize(
    "query",
    [
        "SELECT {f(jsonb_each(a))} FROM t",
        "SELECT 1, {f(pg_catalog.jsonb_each(a))}, '(x).*' AS z FROM t",
        "WITH w AS (SELECT {f(jsonb_each(t.a))} FROM t) SELECT key FROM w WHERE value = '1'",
        "SELECT * FROM (SELECT {f(jsonb_each(jsonb_build_object('(a)', 1)))}) AS s",
        "SELECT a, {f(jsonb_each(a))} FROM t; SELECT {f(jsonb_each(a))} FROM t",
        "/* é */ SELECT {f(jsonb_each(a))}, 'é' AS last FROM t",
        "SELECT (jsonb_each(a)).*, {f(jsonb_each(a))} FROM t",
        "SELECT {f(jsonb_each(a))} FROM t; SELECT DISTINCT (jsonb_each(a)).* FROM t",
    ],
)
def test_a_star_behind_a_call_means_what_it_means_behind_parentheses(session: Session, query: str) -> None:
    def answered(before: str, after: str) -> list[tuple[Any, ...]]:
        cursor = session.execute(query.replace("{f(", before).replace(")}", after).encode())
        columns = [(column.name, column.type_code) for column in cursor.description or ()]
        return [*columns, *sorted(cursor.fetchall(), key=repr)]

    assert answered("", ".*") == answered("(", ").*")


@pytest.mark.parametrize(
    ("query", "sqlstate", "place"),
    [
        ("SELECT abs(1).*", "42809", "abs"),
        ("SELECT 1 + abs(2).*", "42601", "abs"),
        ("SELECT count(*) FILTER (WHERE true).*", "42601", "FILTER"),
        ("SELECT row(1, 2).*", "42601", "row"),
        ("SELECT jsonb_each('{}').* FROM nothing", "42P01", "nothing"),
        ("SELECT a FROM t WHERE jsonb_each(a).*", "42601", ""),
        ("SELECT count(jsonb_each(a).*) FROM t", "42601", ""),
    ],
)
def test_elsewhere_it_is_refused_at_its_place(session: Session, query: str, sqlstate: str, place: str) -> None:
    with pytest.raises(psycopg.Error) as failure:
        session.execute(query.encode())
    assert failure.value.sqlstate == sqlstate
    if place:
        assert failure.value.diag.statement_position == str(query.index(place) + 1)


def test_views_keep_what_the_star_meant(session: Session) -> None:
    session.execute("CREATE VIEW v AS SELECT jsonb_each(a).* FROM t")
    session.execute("ALTER TABLE t RENAME TO t2")
    assert session.execute("SELECT key FROM v ORDER BY 1").fetchall() == [("(y).*",), ("x",)]
    session.execute("ALTER TABLE t2 RENAME TO t")
    session.execute("DROP VIEW v")


@pytest.mark.parametrize(
    "sql", ["", ").*", "f().*", "((.*", "$$f(x).*$$", "'", 'f"(".*', "]).*", "a.b.c(1) . *", "SELECT (f(x)).*"]
)
def test_places_stay_and_nothing_else_is_touched(sql: str) -> None:
    taken = take_call_stars(sql)
    if taken is not None:
        text, places = taken
        assert len(text.encode()) == len(sql.encode()) and places
        assert text.replace("_", "*").replace(" ", ".").replace(".", "") == sql.replace(" ", "").replace(".", "")


def test_privileges_are_exploded_with_the_ids_of_roles(session: Session) -> None:
    session.execute("CREATE ROLE reader")
    session.execute("CREATE SCHEMA shown")
    session.execute("GRANT USAGE ON SCHEMA shown TO reader, PUBLIC")
    exploded = "SELECT mz_internal.mz_aclexplode(s.privileges).* FROM mz_schemas s WHERE s.name = 'shown'"
    rows = session.execute(
        f"SELECT r.name, e.privilege_type FROM ({exploded}) e LEFT JOIN mz_roles r ON r.id = e.grantee ORDER BY 1, 2"
    )
    assert rows.fetchall() == [("headwater", "CREATE"), ("headwater", "USAGE"), ("reader", "USAGE"), (None, "USAGE")]
    public = session.execute(f"SELECT grantee FROM ({exploded}) e WHERE grantee LIKE 'p%'")
    assert public.fetchall() == [("p",)]


def test_the_users_words_may_be_called_as_functions(session: Session) -> None:
    query = "SELECT current_user(), Current_Role ( ), session_user (), 'current_user()', 'é' AS e"
    assert session.execute(query.encode()).fetchall() == [("headwater",) * 3 + ("current_user()", "é")]
    for refused in ("SELECT current_user(1)", "SELECT current_user()()", "SELECT current_user(), FROM"):
        with pytest.raises(psycopg.errors.SyntaxError):
            session.execute(refused.encode())
