"""Partial indexes beside PostgreSQL's: unique among the rows of their condition, whatever moves in and out of it; and
covering ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import memory_server
from tests.server.world import World, fails, simulated

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def both(judge: Judge) -> Iterator[tuple[Connection, Connection]]:
    with memory_server() as server, server.connect() as ours, judge.connect() as theirs:
        yield ours, theirs
    judge.empty()


def _answer(connection: Connection, sql: str) -> object:
    try:
        cursor = connection.execute(sql.encode(), prepare=False)
    except psycopg.Error as error:
        diag = error.diag
        return error.sqlstate, diag.message_primary, diag.message_detail, diag.constraint_name
    return cursor.statusmessage, sorted(map(repr, cursor.fetchall())) if cursor.description else None


def _alike(both: tuple[Connection, Connection], *statements: str) -> None:
    for sql in statements:
        ours, theirs = (_answer(each, sql) for each in both)
        assert ours == theirs, sql


_SCRIPT = (
    "DROP TABLE IF EXISTS child, t",
    "CREATE TABLE t (id int PRIMARY KEY, who text, live boolean, n int)",
    "INSERT INTO t VALUES (1, 'a', true, 1), (2, 'a', false, 2), (3, 'a', false, 3), (4, 'b', NULL, 4)",
    "CREATE UNIQUE INDEX one_live ON t (who) WHERE live",
    "INSERT INTO t VALUES (5, 'a', true, 5)",
    "INSERT INTO t VALUES (5, 'a', false, 5)",
    "INSERT INTO t VALUES (6, 'b', true, 6), (7, 'b', true, 7)",
    "INSERT INTO t VALUES (6, 'b', true, 6)",
    "UPDATE t SET live = true WHERE id = 2",
    "UPDATE t SET live = NOT live WHERE id IN (1, 2)",
    "TABLE t",
    "UPDATE t SET who = 'b' WHERE id = 2",
    "UPDATE t SET who = 'b' WHERE id = 3",
    "UPDATE t SET live = true",
    "INSERT INTO t VALUES (8, NULL, true, 8), (9, NULL, true, 9)",
    "INSERT INTO t VALUES (10, 'b', true, 10) ON CONFLICT DO NOTHING",
    "INSERT INTO t VALUES (10, 'b', true, 10) ON CONFLICT (who) DO NOTHING",
    "INSERT INTO t VALUES (10, 'b', true, 10) ON CONFLICT (who) WHERE live DO UPDATE SET n = 77 RETURNING id, n",
    "INSERT INTO t VALUES (10, 'b', true, 10) ON CONFLICT (who) WHERE live AND n > 1 DO UPDATE SET n = 78",
    "INSERT INTO t VALUES (10, 'b', true, 10) ON CONFLICT (who) WHERE n > 1 DO NOTHING",
    "INSERT INTO t VALUES (10, 'b', false, 10) ON CONFLICT (who) WHERE live DO UPDATE SET n = 79",
    "INSERT INTO t VALUES (10, 'x', true, 10) ON CONFLICT ON CONSTRAINT one_live DO NOTHING",
    "TABLE t",
    "CREATE UNIQUE INDEX ON t ((n / 10)) WHERE id > 8 AND who IS NOT NULL",
    "SELECT pg_get_indexdef('one_live'::regclass)",
    "SELECT indisunique, pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = 'one_live'::regclass",
    "ALTER TABLE t RENAME COLUMN live TO alive",
    "SELECT pg_get_indexdef('one_live'::regclass)",
    "INSERT INTO t VALUES (11, 'b', true, 11)",
    "CREATE TABLE child (who text REFERENCES t (who))",
    "ALTER TABLE t DROP COLUMN alive",
    "INSERT INTO t VALUES (11, 'b', 11)",
    "CREATE UNIQUE INDEX ON t (who) WHERE n > 5",
    "CREATE UNIQUE INDEX twice ON t (who) WHERE id IN (10, 11)",
    "CREATE UNIQUE INDEX alone ON t (who) NULLS NOT DISTINCT WHERE id > 11",
    "INSERT INTO t VALUES (12, NULL, 1)",
    "INSERT INTO t VALUES (13, NULL, 1)",
    "CREATE INDEX some ON t (n) WHERE n > 5",
    "SELECT id FROM t WHERE n = 11",
    "SELECT id FROM t WHERE n = 4",
    "CREATE INDEX ON t (n) WHERE n",
    "CREATE INDEX ON t (n) WHERE now() > '2020-01-01'",
    "CREATE INDEX ON t (n) WHERE n > (SELECT 1)",
    "CREATE INDEX ON t (n) WHERE count(*) > 1",
    "CREATE INDEX ON t (n) WHERE sum(n) OVER () > 1",
    "CREATE INDEX ON t (n) WHERE missing",
)


_TOLD = (
    "SELECT conname, pg_get_constraintdef(oid), conkey::text FROM pg_constraint"
    " WHERE conrelid = 't'::regclass AND contype IN ('p', 'u')"
)
_COVERING = (
    "DROP TABLE IF EXISTS child, t",
    'CREATE TABLE t (a int, b text, "C" int)',
    "INSERT INTO t VALUES (1, 'x', 1)",
    'CREATE UNIQUE INDEX u ON t (a) INCLUDE (b, "C") WHERE a > 0',
    "CREATE INDEX ON t (a DESC) INCLUDE (b)",
    "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 't'",
    "SELECT indnatts, indnkeyatts, indkey::text FROM pg_index WHERE indexrelid = 'u'::regclass",
    "SELECT n, pg_get_indexdef('u'::regclass, n, true) FROM generate_series(1, 4) n",
    "SELECT attname, attnum, atttypid::regtype FROM pg_attribute WHERE attrelid = 'u'::regclass",
    "INSERT INTO t VALUES (1, 'y', 2)",
    "INSERT INTO t VALUES (1, 'y', 2) ON CONFLICT (a) WHERE a > 0 DO UPDATE SET b = excluded.b RETURNING b",
    "ALTER TABLE t RENAME COLUMN b TO d",
    "SELECT pg_get_indexdef('u'::regclass)",
    "CREATE INDEX ON t (a) INCLUDE (lower(d))",
    "CREATE INDEX ON t (a) INCLUDE (d DESC)",
    "CREATE INDEX ON t (a) INCLUDE (d NULLS FIRST)",
    "CREATE INDEX ON t (a) INCLUDE (missing)",
    "ALTER TABLE t DROP COLUMN d",
    "SELECT count(*) FROM pg_indexes WHERE tablename = 't'",
)


_COVERING_KEYS = (
    "DROP TABLE IF EXISTS child, t",
    "CREATE TABLE t (a int, b int, c int, j json, PRIMARY KEY (a) INCLUDE (b, j), UNIQUE (c) INCLUDE (b, a))",
    _TOLD,
    (
        "SELECT pg_get_indexdef(indexrelid), indnatts, indnkeyatts, indkey::text, indisprimary FROM pg_index"
        " WHERE indrelid = 't'::regclass"
    ),
    "SELECT attname, attnotnull FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0",
    "INSERT INTO t VALUES (1, 1, 1)",
    "INSERT INTO t VALUES (1, 2, 2)",
    "INSERT INTO t VALUES (2, 2, 1)",
    "INSERT INTO t VALUES (2, NULL, 2)",
    "INSERT INTO t VALUES (1, 9, 9) ON CONFLICT (a) DO UPDATE SET b = 7 RETURNING b",
    "INSERT INTO t VALUES (1, 9, 9) ON CONFLICT (a, b) DO NOTHING",
    "INSERT INTO t VALUES (1, 9, 9) ON CONFLICT ON CONSTRAINT t_pkey DO NOTHING",
    "CREATE TABLE child (a int REFERENCES t, b int)",
    "INSERT INTO child VALUES (9, 9)",
    "CREATE TABLE wrong (a int, b int, FOREIGN KEY (a, b) REFERENCES t (a, b))",
    "CREATE TABLE wrong (a int, UNIQUE (a) INCLUDE (missing))",
    "ALTER TABLE t RENAME COLUMN b TO d",
    _TOLD,
    "DROP TABLE child",
    "ALTER TABLE t DROP COLUMN d",
    _TOLD,
    "DROP TABLE t",
    (
        "CREATE TABLE t (a int, b int, UNIQUE (a) INCLUDE (a, b, b), UNIQUE (b) INCLUDE (a), UNIQUE (b),"
        " CONSTRAINT named UNIQUE (b) INCLUDE (a))"
    ),
    "ALTER TABLE t ADD CONSTRAINT more UNIQUE NULLS NOT DISTINCT (b) INCLUDE (a)",
    "ALTER TABLE t ADD PRIMARY KEY (a) INCLUDE (b)",
    _TOLD,
    "ALTER TABLE t ALTER COLUMN b TYPE bigint",
    _TOLD,
)


def test_keys_with_further_columns_are_told_and_held_as_by_postgres(both: tuple[Connection, Connection]) -> None:
    _alike(both, *_COVERING_KEYS)


def test_a_script_of_covering_indexes_is_answered_as_by_postgres(both: tuple[Connection, Connection]) -> None:
    _alike(both, *_COVERING)


def test_a_script_is_answered_as_by_postgres(both: tuple[Connection, Connection]) -> None:
    _alike(both, *_SCRIPT)


@pytest.mark.parametrize("seed", range(6))
def test_random_changes_break_it_exactly_when_postgres_says_so(both: tuple[Connection, Connection], seed: int) -> None:
    source = random.Random(seed)
    _alike(
        both,
        "DROP TABLE IF EXISTS child, t",
        "CREATE TABLE t (id int PRIMARY KEY, k int, live bool)",
        "CREATE UNIQUE INDEX u ON t (k) WHERE live",
    )

    def one() -> str:
        id_, k, live = source.randrange(8), source.randrange(3), source.choice(("true", "false", "NULL"))
        return source.choice(
            (
                f"INSERT INTO t VALUES ({id_}, {k}, {live})",
                f"INSERT INTO t VALUES ({id_}, {k}, {live}) ON CONFLICT DO NOTHING",
                f"INSERT INTO t VALUES ({id_ + 50}, {k}, true) ON CONFLICT (k) WHERE live DO UPDATE SET k = t.k + 1",
                f"UPDATE t SET live = {live} WHERE id = {id_}",
                f"UPDATE t SET k = {k} WHERE id = {id_}",
                f"UPDATE t SET live = false WHERE k = {k}",
                f"DELETE FROM t WHERE id = {id_}",
            )
        )

    for _ in range(40):
        if source.random() < 0.3:
            _alike(both, "BEGIN", one(), one(), "COMMIT")
        else:
            _alike(both, one())
    _alike(both, "TABLE t")


@simulated
async def test_it_holds_after_kill_9_and_between_sessions(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("CREATE UNIQUE INDEX one ON t (a) WHERE b = 'x'")
    await client.query("INSERT INTO t VALUES (1, 'x'), (1, 'y'), (1, 'y')")
    await client.query("BEGIN; INSERT INTO t VALUES (2, 'x')")
    await other.query("INSERT INTO t VALUES (2, 'x')")
    assert await fails(client, "COMMIT") == "40001"
    await world.restart()
    client = world.client()
    assert await fails(client, "INSERT INTO t VALUES (1, 'x')") == "23505"
    assert await fails(client, "UPDATE t SET b = 'x' WHERE a = 1") == "23505"
    await client.query("INSERT INTO t VALUES (1, 'y')")
    assert await client.query("SELECT pg_get_indexdef('one'::regclass)") == [
        ("CREATE UNIQUE INDEX one ON public.t USING btree (a) WHERE (b = 'x')",)
    ]


def test_a_parameter_of_on_conflict_means_an_index_by_its_value(both: tuple[Connection, Connection]) -> None:
    _alike(
        both,
        "CREATE TABLE parted (a int, b int, c text)",
        "CREATE UNIQUE INDEX parted_five ON parted (a) WHERE b = 5",
        "CREATE UNIQUE INDEX parted_more ON parted (c) WHERE b > 5",
        "PREPARE five(int) AS INSERT INTO parted VALUES (1, 5, 'x') ON CONFLICT (a) WHERE b = $1 DO NOTHING",
        "PREPARE more(int) AS INSERT INTO parted VALUES (1, 9, 'x')"
        " ON CONFLICT (c) WHERE b > $1 DO UPDATE SET c = excluded.c || 'y'",
        *(f"EXECUTE five({value})" for value in ("5", "6", "NULL", "5")),
        *(f"EXECUTE more({value})" for value in ("5", "6", "4", "NULL")),
        "TABLE parted",
        "DROP TABLE parted",
    )
