"""Statements about indexes and materialized views through planner and catalog, beside PostgreSQL: what is said, the
names that are made up, and what pg_catalog then shows."""

from __future__ import annotations

import pytest

from tests.catalog.conversation import Connection, Conversation, conversation_of

_LONG = "long" * 15
_SCRIPT = (
    "CREATE TABLE t (a int, b text, c numeric)",
    f"CREATE TABLE {_LONG} ({_LONG} int, a int)",
    "CREATE INDEX ON t (a)",
    "CREATE INDEX ON t (a)",
    "CREATE INDEX ON t (a, b, a)",
    "CREATE INDEX ON t (lower(b), (a + 1), (a + 2), upper(b))",
    "CREATE INDEX ON t ((a))",
    f"CREATE INDEX ON {_LONG} ({_LONG})",
    f"CREATE INDEX ON {_LONG} ({_LONG}, a)",
    "CREATE INDEX named ON t (b)",
    "CREATE INDEX named ON t (b)",
    "CREATE INDEX IF NOT EXISTS named ON t (b)",
    "CREATE INDEX t ON t (b)",
    'CREATE INDEX "Odd" ON t (b)',
    "CREATE INDEX ON named (b)",
    "CREATE INDEX ON nothing (b)",
    "CREATE INDEX ON t (nothing)",
    "CREATE INDEX ON t ((a + nothing))",
    "CREATE INDEX ON t (random())",
    "CREATE MATERIALIZED VIEW m AS SELECT a, count(*) AS n FROM t GROUP BY a",
    "CREATE MATERIALIZED VIEW m AS SELECT 1",
    "CREATE MATERIALIZED VIEW IF NOT EXISTS m AS SELECT 1",
    "CREATE MATERIALIZED VIEW wide (a, b) AS SELECT 1",
    "CREATE MATERIALIZED VIEW twice (a, a) AS SELECT 1, 2",
    "CREATE MATERIALIZED VIEW on_m AS SELECT n FROM m",
    "CREATE VIEW v AS SELECT a FROM m",
    "CREATE INDEX ON m (a)",
    "DROP TABLE m",
    "DROP VIEW m",
    "DROP INDEX m",
    "DROP INDEX t",
    "DROP INDEX v",
    "DROP TABLE named",
    "DROP MATERIALIZED VIEW t",
    "DROP MATERIALIZED VIEW v",
    "DROP MATERIALIZED VIEW m",
    "DROP INDEX nothing",
    "DROP INDEX IF EXISTS nothing, named",
    "DROP MATERIALIZED VIEW nothing",
    "DROP MATERIALIZED VIEW IF EXISTS nothing",
    "DROP TABLE t",
    "ALTER INDEX t_a_idx RENAME TO t_a_idx1",
    "ALTER INDEX t_a_idx RENAME TO short",
    "ALTER INDEX nothing RENAME TO short",
    "ALTER INDEX IF EXISTS nothing RENAME TO short",
    "ALTER MATERIALIZED VIEW t RENAME TO u",
    "ALTER VIEW m RENAME TO u",
    "ALTER MATERIALIZED VIEW m RENAME COLUMN n TO many",
    "ALTER MATERIALIZED VIEW m RENAME COLUMN none TO many",
    "ALTER MATERIALIZED VIEW m RENAME TO m2",
    "ALTER TABLE t RENAME COLUMN a TO a2",
    'ALTER TABLE t RENAME COLUMN b TO "B"',
    "DROP MATERIALIZED VIEW m2 CASCADE",
    f"DROP TABLE {_LONG}",
)
_SHOWN = (
    "SELECT indexname, tablename, schemaname FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname",
    (
        "SELECT c.relname, i.indnatts, i.indkey, i.indisunique, i.indisvalid, i.indoption, i.indclass, i.indcollation"
        " FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 2200 ORDER BY 1"
    ),
    (
        "SELECT relname, relkind, relhasindex, relam, relispopulated, relreplident FROM pg_class"
        " WHERE relnamespace = 2200 AND relname NOT LIKE 'pg_%' ORDER BY 1"
    ),
    "SELECT matviewname, hasindexes, ispopulated FROM pg_matviews WHERE schemaname = 'public' ORDER BY 1",
    "SELECT tablename, hasindexes FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
    (
        "SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a"
        " JOIN pg_class c ON c.oid = a.attrelid WHERE c.relname = 'm' AND attnum > 0 ORDER BY attnum"
    ),
    (
        "SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a"
        " JOIN pg_class c ON c.oid = a.attrelid WHERE c.relname = 't_a_b_a1_idx' AND attnum > 0 ORDER BY attnum"
    ),
    (
        "SELECT c.relname, d.refobjsubid, d.deptype FROM pg_depend d JOIN pg_class c ON c.oid = d.objid"
        " WHERE d.refobjid = 't'::regclass AND c.relname NOT LIKE '%expr%' AND c.relkind = 'i' ORDER BY 1, 2"
    ),
    "SELECT pg_get_indexdef('t_lower_expr_expr1_upper_idx'::regclass, k, true) FROM generate_series(0, 5) k",
    "SELECT pg_get_indexdef('t_lower_expr_expr1_upper_idx'::regclass, k, false) FROM generate_series(1, 2) k",
)
_SHOWN_AFTER = _SCRIPT.index("CREATE INDEX ON m (a)")


@pytest.fixture(scope="module")
def conversation(postgres: Connection) -> Conversation:
    return conversation_of(postgres, _SCRIPT, _SHOWN, _SHOWN_AFTER, f"t, {_LONG}")


@pytest.mark.parametrize("sql", dict.fromkeys(_SCRIPT))
def test_a_statement_says_what_postgres_says(conversation: Conversation, sql: str) -> None:
    ours, theirs = conversation[sql]
    assert ours == theirs


@pytest.mark.parametrize("query", _SHOWN)
def test_pg_catalog_shows_what_it_shows_of_postgres(conversation: Conversation, query: str) -> None:
    ours, theirs = conversation[query]
    assert ours == theirs
