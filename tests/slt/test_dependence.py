"""What is needed of a file for a query to answer as in the whole file."""

from __future__ import annotations

import pytest

from tests.slt.dependence import Dependence
from tests.slt.records import Query, Record, Statement

_SHARED = [
    "CREATE TYPE mood AS ENUM ('good')",
    "CREATE TABLE t (m mood)",
    "CREATE TABLE u (m mood)",
    "INSERT INTO u VALUES ('good')",
    "CREATE VIEW v AS SELECT m FROM t",
    "INSERT INTO v VALUES ('good')",
    "SELECT * FROM u",
    "SELECT * FROM v",
]


def needed(*sqls: str, refused: str = "") -> list[str]:
    """Returns the statements that the last one needs, without it."""
    kept = Dependence(_records(*sqls, refused=refused)).needed({len(sqls) - 1})
    return [sqls[number] for number in sorted(kept)][:-1]


def _records(*sqls: str, refused: str = "") -> list[Record]:
    return [
        Query(sql, 0) if sql.startswith("SELECT") else Statement(sql, 0, error="23505" if sql == refused else None)
        for sql in sqls
    ]


def test_what_a_view_reads_and_what_writes_through_it_is_needed() -> None:
    assert needed(*_SHARED) == [_SHARED[0], _SHARED[1], _SHARED[4], _SHARED[5]]


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE t ADD b int",
        "DROP TABLE t",
        "TRUNCATE t",
        "WITH d AS (DELETE FROM t RETURNING a) INSERT INTO u SELECT a FROM d",
        "SELECT f()",
        "CALL p()",
        "SET TIME ZONE 'UTC'",
        "DROP INDEX t_a_idx",
        "UPDATE renamed SET a = 1",
    ],
)
def test_what_changes_a_table_by_any_way_is_needed(change: str) -> None:
    made = (
        "CREATE TABLE t (a int)",
        "CREATE TABLE u (a int)",
        "CREATE INDEX ON t (a)",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'DELETE FROM t RETURNING a'",
        "CREATE PROCEDURE p() LANGUAGE sql AS 'INSERT INTO t VALUES (1)'",
        "ALTER TABLE t RENAME TO renamed",
    )
    assert change in needed(*made, change, "SELECT * FROM renamed, t")


def test_what_reads_or_is_refused_changes_nothing() -> None:
    wrong = "INSERT INTO t VALUES (1), (1)"
    made = "CREATE TABLE t (a int PRIMARY KEY)"
    assert needed(made, "SELECT a FROM t", wrong, "SELECT * FROM t", refused=wrong) == [made]


def test_refused_rows_of_a_table_that_numbers_them_are_needed() -> None:
    wrong, made = "INSERT INTO t VALUES (DEFAULT)", "CREATE TABLE t (a serial CHECK (a > 1))"
    assert needed(made, wrong, "SELECT * FROM t", refused=wrong) == [made, wrong]


def test_large_objects_are_needed_though_they_have_no_names() -> None:
    made = ["SELECT lo_create(500)", "ALTER LARGE OBJECT 500 OWNER TO CURRENT_USER"]
    assert needed("CREATE TABLE t ()", *made, "COMMENT ON LARGE OBJECT 500 IS 'one'") == made


def test_a_transaction_is_asked_whole_or_not_at_all() -> None:
    other = ("BEGIN", "CREATE TABLE u (a int)", "COMMIT")
    own = ("BEGIN", "CREATE TABLE t (a int)", "SELECT 1", "COMMIT")
    assert needed(*other, *own, "SELECT * FROM t") == list(own)


def test_a_table_that_was_needed_is_dropped_before_its_type() -> None:
    sqls = (
        "CREATE DOMAIN d AS int",
        "CREATE TABLE t (a d)",
        "SELECT * FROM t",
        "DROP TABLE t",
        "DROP DOMAIN d",
        "CREATE DOMAIN d AS text",
        "SELECT ''::d",
    )
    assert Dependence(_records(*sqls)).needed({2, 6}) == frozenset(range(len(sqls)))
