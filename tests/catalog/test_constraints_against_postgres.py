"""Statements about constraints through planner and catalog, beside PostgreSQL: what is said, the names that are made
up, and what pg_catalog and information_schema then show."""

from __future__ import annotations

import pytest

from tests.catalog.conversation import Connection, Conversation, conversation_of

_LONG = "long" * 15
_SCRIPT = (
    "CREATE TABLE t (a int PRIMARY KEY, b text UNIQUE, c numeric CHECK (c > 0), UNIQUE (b, c), CHECK (a < c))",
    "CREATE TABLE many (a int CHECK (a > 0) CHECK (a > 1), CHECK (1 < 2), CHECK (2 < 3), UNIQUE (a), b int UNIQUE)",
    f"CREATE TABLE {_LONG} ({_LONG} int PRIMARY KEY CHECK ({_LONG} > 0), a int, UNIQUE ({_LONG}, a))",
    "CREATE TABLE t_d_key (a int)",
    "CREATE TABLE other (d int CONSTRAINT t_d_check CHECK (d > 0))",
    'CREATE TABLE "T" ("A" int PRIMARY KEY, d int CONSTRAINT "C" CHECK (d > 0))',
    "CREATE TABLE bad (a int PRIMARY KEY, b int PRIMARY KEY)",
    "CREATE TABLE fine (a int PRIMARY KEY, CONSTRAINT t_pkey CHECK (a > 0))",
    "CREATE TABLE bad (a int, PRIMARY KEY (nothing))",
    "CREATE TABLE bad (a int, PRIMARY KEY (a, a))",
    "CREATE TABLE bad (a int, UNIQUE (a, a))",
    "CREATE TABLE bad (a json, UNIQUE (a))",
    "CREATE TABLE bad (a int CONSTRAINT x UNIQUE, b int CONSTRAINT x CHECK (b > 0))",
    "CREATE TABLE bad (a int CONSTRAINT x CHECK (a > 1), b int CONSTRAINT x CHECK (b > 0))",
    "CREATE TABLE bad (a int CONSTRAINT t UNIQUE)",
    "CREATE TABLE bad (a int CONSTRAINT bad UNIQUE)",
    "CREATE TABLE bad (a int CHECK (nothing > 0))",
    "CREATE TABLE bad (a int CHECK (a))",
    "CREATE TABLE bad (a int CHECK ((SELECT 1) = a))",
    "ALTER TABLE t ADD PRIMARY KEY (b)",
    "ALTER TABLE other ADD PRIMARY KEY (d)",
    "ALTER TABLE t ADD UNIQUE (c)",
    "ALTER TABLE t ADD UNIQUE (c)",
    "ALTER TABLE t ADD CONSTRAINT t_pkey UNIQUE (c)",
    "ALTER TABLE t ADD CONSTRAINT t_pkey CHECK (c > 0)",
    "ALTER TABLE t ADD CONSTRAINT t_c_check CHECK (c > 0)",
    "ALTER TABLE t ADD CONSTRAINT other UNIQUE (c)",
    "ALTER TABLE t ADD CHECK (c > 5)",
    "ALTER TABLE t ADD CONSTRAINT free CHECK (b <> 'x')",
    "ALTER TABLE nothing ADD CHECK (c > 5)",
    "ALTER TABLE t DROP CONSTRAINT nothing",
    "ALTER TABLE t DROP CONSTRAINT IF EXISTS nothing",
    "ALTER TABLE nothing DROP CONSTRAINT x",
    "ALTER TABLE IF EXISTS nothing DROP CONSTRAINT x",
    "ALTER TABLE t RENAME CONSTRAINT nothing TO x",
    "ALTER TABLE t RENAME CONSTRAINT t_check TO t_pkey",
    "ALTER TABLE t RENAME CONSTRAINT t_check TO t_c_check",
    "ALTER TABLE t RENAME CONSTRAINT t_b_key TO t_pkey",
    "ALTER TABLE t RENAME CONSTRAINT t_b_key TO other",
    "ALTER TABLE t RENAME CONSTRAINT t_check TO compared",
    "ALTER TABLE t RENAME CONSTRAINT t_b_key TO t_bee",
    "ALTER TABLE t RENAME COLUMN c TO cc",
    "ALTER INDEX t_b_c_key RENAME TO both",
    "DROP INDEX t_pkey",
    "DROP INDEX t_pkey CASCADE",
    'DROP INDEX "T_pkey"',
    "CREATE UNIQUE INDEX ON t (lower(b), a)",
    "CREATE UNIQUE INDEX ON t (a) NULLS NOT DISTINCT",
    "CREATE UNIQUE INDEX t_bee ON t (a)",
    "ALTER TABLE t DROP CONSTRAINT t_a_idx",
    "CREATE VIEW v AS SELECT a, b, cc FROM t GROUP BY a",
    "ALTER TABLE many DROP CONSTRAINT many_a_check1",
    "ALTER TABLE other DROP CONSTRAINT other_pkey",
    "DROP TABLE t",
    "DROP VIEW v",
    "DROP TABLE t",
    f"DROP TABLE {_LONG}",
)
_SHOWN = (
    (
        "SELECT conrelid::regclass, conname, contype, conkey, conindid::regclass, connoinherit, conislocal"
        " FROM pg_constraint WHERE connamespace = 2200 AND conrelid <> 0 ORDER BY conname, contype"
    ),
    (
        "SELECT conname, pg_get_constraintdef(oid), pg_get_constraintdef(oid, true) FROM pg_constraint"
        " WHERE connamespace = 2200 AND contype IN ('p', 'u') ORDER BY conname"
    ),
    (
        "SELECT indexrelid::regclass, indisunique, indnullsnotdistinct, indisprimary, indimmediate, indkey"
        " FROM pg_index i JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = 2200 ORDER BY c.relname"
    ),
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    "SELECT relname, relchecks, relhasindex FROM pg_class WHERE relnamespace = 2200 AND relkind = 'r' ORDER BY 1",
    (
        "SELECT attrelid::regclass, attname, attnotnull FROM pg_attribute JOIN pg_class c ON c.oid = attrelid"
        " WHERE relnamespace = 2200 AND relkind = 'r' AND attnum > 0 ORDER BY relname, attnum"
    ),
    (
        "SELECT constraint_name, table_name, constraint_type, is_deferrable, enforced, nulls_distinct"
        " FROM information_schema.table_constraints WHERE table_schema = 'public'"
        " AND constraint_name NOT LIKE '%not_null' ORDER BY 1"
    ),
    "SELECT * FROM information_schema.key_column_usage WHERE table_schema = 'public' ORDER BY 3, ordinal_position",
    "SELECT * FROM information_schema.constraint_column_usage WHERE table_schema = 'public' ORDER BY 3, 4, 7",
)
_SHOWN_AFTER = _SCRIPT.index("CREATE VIEW v AS SELECT a, b, cc FROM t GROUP BY a")


@pytest.fixture(scope="module")
def conversation(postgres: Connection) -> Conversation:
    return conversation_of(postgres, _SCRIPT, _SHOWN, _SHOWN_AFTER, f't, many, t_d_key, other, fine, "T", {_LONG}')


@pytest.mark.parametrize("sql", dict.fromkeys(_SCRIPT))
def test_a_statement_says_what_postgres_says(conversation: Conversation, sql: str) -> None:
    ours, theirs = conversation[sql]
    assert ours == theirs


@pytest.mark.parametrize("query", _SHOWN)
def test_the_catalog_shows_what_it_shows_of_postgres(conversation: Conversation, query: str) -> None:
    ours, theirs = conversation[query]
    assert ours == theirs
