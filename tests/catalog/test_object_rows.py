"""mz_internal's relations about objects of all kinds, as SQL reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.server.memory_server import memory_server


@pytest.fixture(scope="module")
def session() -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    with memory_server() as server, server.connect() as connection:
        for statement in (
            "CREATE SCHEMA s",
            "CREATE TABLE s.t (a int, b text)",
            "CREATE VIEW v AS SELECT a FROM s.t",
            "CREATE VIEW w AS SELECT v.a FROM v, s.t",
            "CREATE INDEX i ON w (a)",
            "COMMENT ON TABLE s.t IS 'all'",
            "COMMENT ON COLUMN s.t.b IS 'one'",
            "COMMENT ON VIEW v IS 'a view'",
        ):
            connection.execute(statement)
        yield connection


def rows(session: psycopg.Connection[tuple[Any, ...]], query: str) -> list[tuple[Any, ...]]:
    return session.execute(query.encode()).fetchall()


def test_objects_have_full_names(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    columns = "database_name, schema_name, name, object_type, cluster_id"
    names = f"SELECT {columns} FROM mz_internal.mz_object_fully_qualified_names"
    assert rows(session, f"{names} WHERE id LIKE 'u%' ORDER BY name") == [
        ("headwater", "public", "i", "index", "16385"),
        ("headwater", "s", "t", "table", None),
        ("headwater", "public", "v", "view", None),
        ("headwater", "public", "w", "view", None),
    ]
    assert rows(session, f"{names} WHERE name = 'mz_objects'") == [(None, "mz_catalog", "mz_objects", "view", None)]
    joined = "SELECT count(*) FROM mz_objects o FULL JOIN mz_internal.mz_object_fully_qualified_names n ON o.id = n.id"
    assert rows(session, f"{joined} WHERE o.name IS DISTINCT FROM n.name OR o.type IS DISTINCT FROM n.object_type") == [
        (0,)
    ]


def test_what_an_object_needs_is_told_by_way_of_others(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    named = "SELECT name FROM mz_objects WHERE id ="
    found = rows(
        session,
        f"SELECT ({named} object_id), ({named} referenced_object_id)"
        " FROM mz_internal.mz_object_transitive_dependencies ORDER BY 1, 2",
    )
    assert found == [("i", "t"), ("i", "v"), ("i", "w"), ("v", "t"), ("w", "t"), ("w", "v")]


def test_comments_are_told_of_objects_and_columns(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    columns = "o.name, c.object_type, object_sub_id, comment"
    query = f"SELECT {columns} FROM mz_internal.mz_comments c JOIN mz_objects o USING (id)"
    assert rows(session, f"{query} ORDER BY 1, 3 NULLS FIRST") == [
        ("t", "table", None, "all"),
        ("t", "table", 2, "one"),
        ("v", "view", None, "a view"),
    ]


def test_beginnings_are_told(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    query = "SELECT count(*), bool_and(occurred_at BETWEEN now() - '1 hour'::interval AND now()), min(event_type)"
    assert rows(session, f"{query} FROM mz_internal.mz_object_lifetimes") == [(4, True, "create")]


def test_default_privileges_are_told_by_names(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    for statement in (
        "CREATE ROLE reader",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA s GRANT SELECT, INSERT ON TABLES TO reader",
        "ALTER DEFAULT PRIVILEGES GRANT USAGE ON SEQUENCES TO PUBLIC",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA s GRANT DELETE ON TABLES TO pg_monitor",
    ):
        session.execute(statement)
    told = rows(
        session, "SELECT * FROM mz_internal.mz_show_default_privileges WHERE grantee <> object_owner ORDER BY 4, 6"
    )
    assert told == [
        ("headwater", None, None, "sequence", "PUBLIC", "USAGE"),
        ("headwater", "headwater", "s", "table", "pg_monitor", "DELETE"),
        ("headwater", "headwater", "s", "table", "reader", "INSERT"),
        ("headwater", "headwater", "s", "table", "reader", "SELECT"),
    ]
