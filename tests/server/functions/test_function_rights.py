"""Who may call a function, and what it reads for whom: as PostgreSQL says."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import memory_server
from tests.server.roles.outcomes import Connection, on_both, outcome

_ROLES = ("f_owner", "f_caller", "f_reader", "f_none")
_SETUP = """
CREATE ROLE f_owner;
CREATE ROLE f_caller;
CREATE ROLE f_reader;
CREATE ROLE f_none;
CREATE SCHEMA s;
GRANT ALL ON SCHEMA s TO PUBLIC;
SET ROLE f_owner;
CREATE TABLE s.t (a int, b text);
INSERT INTO s.t VALUES (1, 'one'), (2, 'two');
GRANT SELECT (a) ON s.t TO f_reader;
CREATE FUNCTION s.plus(n int) RETURNS int LANGUAGE sql AS 'SELECT n + 1';
CREATE FUNCTION s.own(n int) RETURNS int LANGUAGE sql AS 'SELECT n - 1';
CREATE FUNCTION s.total() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT sum(a) FROM s.t';
CREATE FUNCTION s.texts() RETURNS text LANGUAGE sql STABLE AS 'SELECT string_agg(b, '','' ORDER BY b) FROM s.t';
REVOKE EXECUTE ON FUNCTION s.own(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION s.own TO f_caller;
CREATE VIEW s.v AS SELECT s.own(1) AS own, s.plus(1) AS plus;
CREATE VIEW s.w AS SELECT s.total() AS total;
GRANT SELECT ON s.v, s.w TO PUBLIC;
CREATE FUNCTION s.twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n * 2';
REVOKE EXECUTE ON FUNCTION s.twice(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION s.twice TO f_caller;
CREATE TABLE s.given (a int DEFAULT s.twice(2), b int);
CREATE TABLE s.checked (a int CHECK (s.twice(a) > 0));
CREATE TABLE s.made (a int, b int GENERATED ALWAYS AS (s.twice(a)) STORED);
INSERT INTO s.checked VALUES (1);
GRANT ALL ON s.given, s.checked, s.made TO PUBLIC;
RESET ROLE;
"""
_STATEMENTS = (
    "SELECT s.plus(1)",
    "SELECT s.own(1)",
    "SELECT s.total()",
    "SELECT s.texts()",
    "SELECT * FROM s.v",
    "SELECT * FROM s.w",
    "ALTER FUNCTION s.total() OWNER TO f_none",
    "ALTER FUNCTION s.texts() RENAME TO texts2",
    "CREATE OR REPLACE FUNCTION s.plus(n int) RETURNS int LANGUAGE sql AS 'SELECT 0'",
    "CREATE FUNCTION s.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "GRANT EXECUTE ON FUNCTION s.own(int) TO f_none",
    "INSERT INTO s.given (b) VALUES (1) RETURNING a",
    "INSERT INTO s.given VALUES (1, 1)",
    "INSERT INTO s.checked VALUES (1)",
    "INSERT INTO s.made VALUES (1) RETURNING b",
    "UPDATE s.checked SET a = 2",
    "MERGE INTO s.checked USING (SELECT 1) AS one ON true WHEN MATCHED THEN UPDATE SET a = 3",
    "DELETE FROM s.checked",
    "SELECT has_function_privilege('s.own(int)', 'EXECUTE'), has_function_privilege('s.plus(int)', 'EXECUTE')",
)
_SHOWN = "SELECT proname, proacl FROM pg_proc WHERE pronamespace = 's'::regnamespace ORDER BY 1"


@pytest.fixture(scope="module")
def both(judge: Judge) -> Iterator[tuple[Connection, Connection]]:
    with on_both(judge, _SETUP, _ROLES) as connections:
        yield connections


@pytest.mark.parametrize("sql", _STATEMENTS)
def test_each_role_may_what_postgres_lets_it(both: tuple[Connection, Connection], sql: str) -> None:
    ours, theirs = both
    for role in (*_ROLES, "headwater"):
        assert outcome(ours, role, sql, seen=_SHOWN) == outcome(theirs, role, sql, seen=_SHOWN), role


def test_a_function_in_a_view_reads_no_secured_table_as_the_views_owner() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute(
            "CREATE ROLE maker; CREATE ROLE reader; GRANT ALL ON SCHEMA public TO PUBLIC;"
            "CREATE TABLE t (a int); INSERT INTO t VALUES (1), (2); GRANT SELECT ON t TO PUBLIC;"
            "ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON t FOR SELECT USING (a = 1);"
            "CREATE FUNCTION f() RETURNS bigint LANGUAGE sql AS 'SELECT sum(a) FROM t';"
            "CREATE VIEW v AS SELECT f() AS n; GRANT SELECT ON v TO PUBLIC"
        )
        assert admin.execute("SELECT f(), n FROM v").fetchall() == [(3, 3)]
        admin.execute("SET ROLE reader")
        assert admin.execute("SELECT f()").fetchall() == [(1,)]
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="row-level security"):
            admin.execute("SELECT * FROM v")


def test_a_transaction_that_calls_a_function_as_it_was_asks_for_what_it_read() -> None:
    with memory_server() as server, server.connect() as admin, server.connect() as caller:
        admin.execute(
            "CREATE ROLE caller; CREATE TABLE t (a int); CREATE TABLE u (a int); INSERT INTO t VALUES (1);"
            "GRANT SELECT ON t, u TO caller; CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT max(a) FROM t'"
        )
        caller.execute("SET ROLE caller")
        caller.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        assert caller.execute("SELECT f() FROM (SELECT count(*) FROM u) AS q").fetchall() == [(1,)]
        admin.execute("REVOKE SELECT ON t FROM caller")
        admin.execute("CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 0'")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            caller.execute("SELECT f()")
