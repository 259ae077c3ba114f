"""SECURITY DEFINER: whose rights a body has, and that none of them can be had by others. PostgreSQL tells what each
statement comes to, in the order of the attack."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.judge import Judge
from tests.server.functions.definer_attacks import ATTACKS, ROLES
from tests.server.memory_server import memory_server
from tests.server.roles.outcomes import Connection, on_both


def _come_to(connection: Connection, statement: str) -> Any:
    """Returns the rows of a statement, or its error."""
    try:
        cursor = connection.execute(statement)
        return sorted(map(repr, cursor.fetchall())) if cursor.description else cursor.statusmessage
    except psycopg.Error as error:
        return error.sqlstate, error.diag.message_primary, error.diag.message_detail


@pytest.mark.parametrize("name", ATTACKS)
def test_each_statement_of_an_attack_comes_to_what_postgres_says(judge: Judge, name: str) -> None:
    with on_both(judge, ATTACKS[name].setup, ROLES) as (ours, theirs):
        for statement in filter(None, map(str.strip, ATTACKS[name].statements.split(";\n"))):
            assert _come_to(ours, statement) == _come_to(theirs, statement), statement


def test_a_temporary_table_takes_the_place_of_none_that_a_definer_reads() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute(
            "CREATE ROLE mallory; CREATE TABLE t (a int); INSERT INTO t VALUES (1);"
            "CREATE FUNCTION read() RETURNS int LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT max(a) FROM t';"
            "CREATE PROCEDURE write() LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp"
            " AS 'INSERT INTO t VALUES (2)'"
        )
        admin.execute("SET ROLE mallory; CREATE TEMP TABLE t (a int); INSERT INTO t VALUES (100)")
        assert admin.execute("SELECT read()").fetchall() == [(1,)]
        admin.execute("CALL write()")
        assert admin.execute("SELECT read()").fetchall() == [(2,)]
        assert admin.execute("SELECT a FROM t").fetchall() == [(100,)]


def test_what_a_definer_of_another_role_reads_is_not_counted() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute(
            "CREATE ROLE mallory; CREATE TABLE t (a int); INSERT INTO t VALUES (1), (2);"
            "CREATE FUNCTION first() RETURNS int LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT min(a) FROM t';"
            "CREATE VIEW v AS SELECT first() AS a; GRANT SELECT ON v TO mallory"
        )
        admin.execute("EXPLAIN ANALYZE SELECT a FROM v")
        admin.execute("SET ROLE mallory")
        for query in ("SELECT first()", "SELECT a FROM v"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="measure function first"):
                admin.execute(f"EXPLAIN ANALYZE {query}".encode())
        assert admin.execute("SELECT a FROM v").fetchall() == [(1,)]


def test_a_body_asks_the_server_as_its_owner() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute(
            "CREATE ROLE mallory; CREATE TABLE t (a int);"
            "CREATE FUNCTION seen() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER AS"
            " 'SELECT count(*) FROM information_schema.tables WHERE table_name = ''t''';"
            "CREATE FUNCTION may() RETURNS bool LANGUAGE sql STABLE SECURITY DEFINER AS"
            " 'SELECT has_table_privilege(''t'', ''SELECT'')'"
        )
        admin.execute("SET ROLE mallory")
        assert admin.execute("SELECT seen(), may()").fetchall() == [(1, True)]
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="in this place"):
            admin.execute("SELECT seen() FROM generate_series(1, 2)")


def test_the_owners_new_name_is_the_current_user_of_views_that_call() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute(
            "CREATE ROLE before; CREATE FUNCTION who() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER"
            " AS 'SELECT current_user::text'; ALTER FUNCTION who() OWNER TO before; CREATE VIEW v AS SELECT who()"
        )
        assert admin.execute("SELECT * FROM v").fetchall() == [("before",)]
        admin.execute("ALTER ROLE before RENAME TO after")
        assert admin.execute("SELECT * FROM v").fetchall() == [("after",)]
        admin.execute("ALTER FUNCTION who() OWNER TO headwater")
        assert admin.execute("SELECT * FROM v").fetchall() == [("headwater",)]


def test_a_materialized_view_keeps_no_rows_that_policies_hide_from_a_caller() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute(
            "CREATE ROLE maker; GRANT ALL ON SCHEMA public TO maker;"
            "CREATE TABLE t (a int); GRANT SELECT ON t TO maker;"
            "ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON t FOR SELECT USING (a = 1);"
            "CREATE FUNCTION mine() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT a FROM t';"
            "CREATE FUNCTION all_of() RETURNS SETOF int LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT a FROM t'"
        )
        admin.execute("SET ROLE maker")
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="row-level security"):
            admin.execute("CREATE MATERIALIZED VIEW m AS SELECT * FROM mine()")
        admin.execute("CREATE MATERIALIZED VIEW m AS SELECT * FROM all_of()")
        admin.execute("RESET ROLE")
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="row-level security"):
            admin.execute("ALTER FUNCTION all_of() OWNER TO maker")
        with pytest.raises(psycopg.errors.DependentObjectsStillExist):
            admin.execute("ALTER FUNCTION all_of() SECURITY INVOKER")


def test_an_error_of_a_definer_tells_the_caller_of_no_row() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute(
            "CREATE ROLE mallory; CREATE TABLE t (a int PRIMARY KEY, secret text CHECK (length(secret) < 9));"
            "INSERT INTO t VALUES (1, 'top');"
            "CREATE PROCEDURE copy(a int, n int) LANGUAGE sql SECURITY DEFINER AS"
            " 'INSERT INTO t SELECT copy.a, repeat(secret, n) FROM t'"
        )
        admin.execute("SET ROLE mallory")
        for call in ("CALL copy(1, 1)", "CALL copy(2, 9)"):
            with pytest.raises(psycopg.errors.IntegrityError) as caught:
                admin.execute(call.encode())
            assert caught.value.diag.message_detail is None
            assert "top" not in str(caught.value)
