"""The fields of errors that drivers look at, as PostgreSQL sends them: objects by name, and the routine."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import asyncpg
import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server

_FIELDS = (
    "sqlstate",
    "severity",
    "message_primary",
    "message_detail",
    "schema_name",
    "table_name",
    "column_name",
    "datatype_name",
    "constraint_name",
    "source_function",
    "source_file",
    "source_line",
)
_SCRIPT = """
    DROP SCHEMA IF EXISTS fields CASCADE
    CREATE SCHEMA fields
    SET search_path = fields
    CREATE TABLE p (id int PRIMARY KEY, n int NOT NULL, u text UNIQUE, CONSTRAINT pos CHECK (n > 0))
    CREATE TABLE c (id int PRIMARY KEY, p int CONSTRAINT fk REFERENCES p (id))
    CREATE DOMAIN d AS int CONSTRAINT dpos CHECK (VALUE > 0)
    CREATE DOMAIN dn AS int NOT NULL
    INSERT INTO p VALUES (1, 1, 'x')
    INSERT INTO p VALUES (1, 1, 'y')
    INSERT INTO p VALUES (2, 1, 'x')
    INSERT INTO p VALUES (2, NULL, 'y')
    UPDATE p SET n = NULL
    UPDATE p SET n = -1
    INSERT INTO p VALUES (2, -1, 'y')
    INSERT INTO c VALUES (1, 99)
    INSERT INTO c VALUES (1, 1)
    DELETE FROM p WHERE id = 1
    UPDATE p SET id = 5 WHERE id = 1
    SELECT (-1)::d
    SELECT NULL::dn
    ALTER TABLE p ADD CONSTRAINT large CHECK (n > 100)
    INSERT INTO p VALUES (7, 1, NULL), (8, 1, NULL)
    ALTER TABLE p ALTER u SET NOT NULL
    CREATE UNIQUE INDEX same ON p (n)
    PREPARE s AS SELECT * FROM p
    ALTER TABLE p ADD COLUMN extra int
    EXECUTE s
    CREATE SCHEMA "S s"
    CREATE DOMAIN "S s"."D d" AS d CONSTRAINT "C c" CHECK (VALUE <> 50)
    CREATE TABLE "S s"."T t" (id int REFERENCES p ON DELETE RESTRICT, "C c" d, e dn UNIQUE, f "S s"."D d")
    CREATE TYPE pair AS (x d, y dn)
    CREATE UNIQUE INDEX partial ON p ((n + id)) WHERE n > 500
    CREATE TABLE waiting (k int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, v int UNIQUE DEFERRABLE)
    CREATE TABLE child (p int CONSTRAINT late REFERENCES p DEFERRABLE INITIALLY DEFERRED)
    CREATE VIEW few AS SELECT * FROM p WHERE id < 10 WITH CHECK OPTION
    INSERT INTO p VALUES (3, 600, 'three'), (4, 4, 'four'), (9, 9, 'nine')
    INSERT INTO p VALUES (2, 601, 'q')
    INSERT INTO "S s"."T t" VALUES (4, 5, 1, 1)
    INSERT INTO "S s"."T t" VALUES (77, 5, 2, 1)
    INSERT INTO "S s"."T t" VALUES (4, 5, 1, 1)
    INSERT INTO "S s"."T t" VALUES (4, -5, 1, 1)
    INSERT INTO "S s"."T t" VALUES (4, 5, NULL, 1)
    INSERT INTO "S s"."T t" VALUES (4, 5, 2, 50)
    INSERT INTO "S s"."T t" VALUES (4, 5, 2, -50)
    DELETE FROM p WHERE id = 4
    UPDATE p SET id = 77 WHERE id = 4
    INSERT INTO few VALUES (20, 1, 'v')
    INSERT INTO waiting VALUES (1, 1), (1, 2)
    INSERT INTO waiting VALUES (1, 1), (2, 1)
    INSERT INTO waiting VALUES (1, 1) ON CONFLICT (k) DO NOTHING
    INSERT INTO child VALUES (77)
    SELECT 50::"S s"."D d"
    SELECT (-50)::"S s"."D d"
    SELECT ROW(-1, 1)::pair
    SELECT ROW(1, NULL)::pair
    MERGE INTO p USING (VALUES (4)) AS x (i) ON p.id = x.i WHEN MATCHED THEN UPDATE SET n = -5
    MERGE INTO p USING (VALUES (4)) AS x (i) ON p.id = x.i WHEN MATCHED THEN UPDATE SET n = NULL
    MERGE INTO p USING (VALUES (99)) AS x (i) ON p.id = x.i WHEN NOT MATCHED THEN INSERT VALUES (1, 4, 'dd')
    WITH x AS (INSERT INTO p VALUES (1, 3, 'xx') RETURNING *) SELECT * FROM x
    CREATE TABLE r (a int)
    INSERT INTO r VALUES (1), (1), (999)
    ALTER TABLE r ADD CONSTRAINT ru UNIQUE (a)
    ALTER TABLE r ADD PRIMARY KEY (a)
    ALTER TABLE r ADD CONSTRAINT rf FOREIGN KEY (a) REFERENCES p
    ALTER TABLE r ADD CONSTRAINT rf FOREIGN KEY (a) REFERENCES p NOT VALID
    ALTER TABLE r VALIDATE CONSTRAINT rf
    ALTER TABLE r ADD COLUMN w int NOT NULL
    ALTER TABLE r ADD COLUMN w int DEFAULT 0 CHECK (w > 0)
    DROP SCHEMA "S s" CASCADE
"""


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as found:
        yield found


def _errors(connect: Callable[[], psycopg.Connection[Any]]) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    with contextlib.closing(connect()) as connection:
        for sql in map(str.strip, _SCRIPT.strip().splitlines()):
            try:
                connection.execute(sql.encode())
                found.append((sql, None))
            except psycopg.Error as error:
                found.append((sql, [getattr(error.diag, field) for field in _FIELDS]))
    return found


def test_errors_name_objects_and_routines_as_postgres(judge: Judge, server: MemoryServer) -> None:
    assert _errors(server.connect) == _errors(judge.connect)


async def test_asyncpg_heals_a_statement_whose_plan_has_changed(server: MemoryServer) -> None:
    connection = await asyncpg.connect(server.dsn().replace(" ", "&").join(("postgresql://?", "")))
    try:
        await connection.execute("CREATE TABLE healed (a int); INSERT INTO healed VALUES (1)")
        assert [tuple(row) for row in await connection.fetch("SELECT * FROM healed")] == [(1,)]
        await connection.execute("ALTER TABLE healed ADD COLUMN b int DEFAULT 2")
        assert [tuple(row) for row in await connection.fetch("SELECT * FROM healed")] == [(1, 2)]
    finally:
        await connection.close()


_OPTIONS = (
    "-c nope=1",
    "-c nope",
    "--nope",
    "--search-path=a -cwork_mem=4MB",
    "-e -c my.own=1 -d5",
    "garbage",
    "-z",
    "-c",
    "-- x",
    "-c statement_timeout=x",
    "-c log_min_duration_statement=100",
    "-c 1x.y=2",
    "-c server_version=2",
    r"-c application_name=two\ words",
    "-c session_replication_role=replica -c deadlock_timeout=2s",
)


@pytest.mark.parametrize("options", _OPTIONS)
def test_what_is_set_at_the_start_is_taken_or_refused_as_by_postgres(
    judge: Judge, server: MemoryServer, options: str
) -> None:
    answers = []
    for dsn in (judge.dsn(), server.dsn()):
        try:
            with psycopg.connect(dsn, autocommit=True, options=options) as connection:
                shown = connection.execute("SELECT current_setting('search_path'), current_setting('application_name')")
                answers.append(repr(shown.fetchall()))
        except psycopg.OperationalError as error:
            answers.append(str(error).partition("FATAL:")[2].partition("HINT:")[0].strip())
    assert answers[0] == answers[1]


def test_what_materializes_adapter_of_dbt_sends_is_taken(server: MemoryServer) -> None:
    sent = ("auto_route_catalog_queries=on", "welcome_message=off", "current_object_missing_warnings=off")
    with psycopg.connect(server.dsn(), options=" ".join(f"--{each}" for each in sent)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


async def test_an_unknown_parameter_of_the_start_packet_is_refused(judge: Judge, server: MemoryServer) -> None:
    url = server.dsn().replace(" ", "&").join(("postgresql://?", ""))
    with pytest.raises(asyncpg.UndefinedObjectError):
        await asyncpg.connect(url, server_settings={"nope": "1"})
    connection = await asyncpg.connect(url, server_settings={"my.own": "1"})
    assert await connection.fetchval("SHOW my.own") == "1"
    await connection.close()
