"""Roles on a whole server: who comes in, with which settings, and what ends when a right goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from catalog.durable.rows import initial_state, load, rows
from tests.server.memory_server import MemoryServer, memory_server

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


@pytest.fixture
def admin(server: MemoryServer) -> Iterator[Connection]:
    with server.connect() as connection:
        yield connection


def _connect(server: MemoryServer, user: str, **options: Any) -> Connection:
    dsn = server.dsn().replace("user=headwater", f"user={user}")
    return psycopg.connect(dsn, autocommit=True, **options)


def _refused(server: MemoryServer, user: str, **options: Any) -> str:
    with pytest.raises(psycopg.OperationalError) as raised:
        _connect(server, user, **options).close()
    return str(raised.value).rpartition("FATAL:  ")[2]


def _fails(connection: Connection, sql: str) -> str | None:
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(sql)
    return raised.value.sqlstate


def _all(connection: Connection, sql: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql).fetchall()


def test_only_roles_that_may_log_in_come_in(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; CREATE ROLE bob; CREATE ROLE carol LOGIN CONNECTION LIMIT 1")
    _connect(server, "alice").close()
    assert _refused(server, "bob") == 'role "bob" is not permitted to log in'
    assert _refused(server, "dave") == 'role "dave" does not exist'
    with _connect(server, "carol"):
        assert _refused(server, "carol") == 'too many connections for role "carol"'
    admin.execute("REVOKE CONNECT ON DATABASE headwater FROM PUBLIC")
    assert _refused(server, "alice").startswith('permission denied for database "headwater"')


def test_a_password_is_asked_of_who_has_one_until_it_expires(server: MemoryServer, admin: Connection) -> None:
    admin.execute(
        "CREATE ROLE alice LOGIN PASSWORD 'wonder'; CREATE ROLE bob LOGIN PASSWORD 'x' VALID UNTIL '2020-01-01'"
    )
    assert "no password supplied" in _refused(server, "alice")
    assert _refused(server, "alice", password="land") == 'password authentication failed for user "alice"'
    assert _refused(server, "bob", password="x") == 'password authentication failed for user "bob"'
    with _connect(server, "alice", password="wonder") as alice:
        assert _all(alice, "SELECT current_user, session_user") == [("alice", "alice")]
        alice.execute("ALTER ROLE alice PASSWORD 'mirror'")
    _connect(server, "alice", password="mirror").close()
    admin.execute("ALTER ROLE alice PASSWORD NULL; ALTER ROLE bob VALID UNTIL 'infinity'")
    _connect(server, "alice").close()
    _connect(server, "bob", password="x").close()


def test_the_catalog_keeps_verifiers_and_shows_them_to_superusers_alone(
    server: MemoryServer, admin: Connection
) -> None:
    admin.execute("CREATE ROLE alice LOGIN PASSWORD 'wonder'")
    ((kept,),) = _all(admin, "SELECT rolpassword FROM pg_authid WHERE rolname = 'alice'")
    assert kept.startswith("SCRAM-SHA-256$4096:") and "wonder" not in kept
    admin.execute(f"CREATE ROLE bob LOGIN PASSWORD '{kept}'")
    with _connect(server, "bob", password="wonder") as bob:
        assert _fails(bob, "SELECT rolpassword FROM pg_authid") == "42501"
        assert _fails(bob, "SELECT passwd FROM pg_shadow") == "42501"
        shown = _all(bob, "SELECT rolpassword FROM pg_roles UNION SELECT passwd FROM pg_user")
        assert shown == [("********",)]


def test_nobody_is_shown_a_password_that_somebody_sets(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; ALTER ROLE alice LOGIN PASSWORD 'wonder' CREATEDB")
    with server.connect() as other:
        texts = [text for (text,) in _all(other, "SELECT query FROM pg_stat_activity")]
    assert "ALTER ROLE alice LOGIN PASSWORD '…'" in " ".join(texts) and not any("wonder" in text for text in texts)


def test_a_session_begins_with_the_settings_of_its_role_and_database(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN")
    admin.execute("ALTER ROLE ALL SET timezone TO 'Asia/Tokyo'")
    admin.execute("ALTER DATABASE headwater SET datestyle TO 'German'")
    admin.execute("ALTER ROLE alice SET datestyle TO 'SQL'; ALTER ROLE alice SET search_path TO a, b")
    admin.execute("ALTER ROLE alice IN DATABASE headwater SET search_path TO c")
    with _connect(server, "alice") as alice:
        shown = [_all(alice, f"SHOW {name}")[0][0] for name in ("timezone", "datestyle", "search_path")]
        assert shown == ["Asia/Tokyo", "SQL, DMY", "c"] or shown == ["Asia/Tokyo", "SQL, MDY", "c"]
        alice.execute("SET search_path TO z; RESET search_path")
        assert _all(alice, "SHOW search_path") == [("c",)]
    with _connect(server, "alice", options="-c search_path=d") as alice:
        assert _all(alice, "SHOW search_path") == [("d",)]
    admin.execute("ALTER ROLE alice IN DATABASE headwater RESET ALL")
    with _connect(server, "alice") as alice:
        assert _all(alice, "SHOW search_path") == [("a, b",)]


def test_set_role_ends_with_its_transaction_or_with_reset(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; CREATE ROLE staff; GRANT staff TO alice; CREATE ROLE boss SUPERUSER")
    with _connect(server, "alice") as alice:
        now = "SELECT current_user, session_user, current_setting('is_superuser'), current_setting('role')"
        alice.execute("SET ROLE staff")
        assert _all(alice, now) == [("staff", "alice", "off", "staff")]
        alice.execute("RESET ROLE")
        alice.execute("BEGIN; SET LOCAL ROLE staff")
        assert _all(alice, now) == [("staff", "alice", "off", "staff")]
        alice.execute("ROLLBACK")
        assert _all(alice, now) == [("alice", "alice", "off", "none")]
        assert _fails(alice, "SET ROLE boss") == "42501"
        assert _fails(alice, "SET SESSION AUTHORIZATION staff") == "42501"
    admin.execute("SET SESSION AUTHORIZATION alice")
    assert _all(admin, "SELECT current_user, session_user") == [("alice", "alice")]
    admin.execute("RESET SESSION AUTHORIZATION")
    assert _all(admin, "SELECT current_user, session_user") == [("headwater", "headwater")]


def test_a_renamed_role_stays_itself_and_its_old_name_is_another(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; CREATE TABLE t (a int); GRANT SELECT ON t TO alice")
    with _connect(server, "alice") as alice:
        admin.execute("ALTER ROLE alice RENAME TO alicia; CREATE ROLE alice SUPERUSER")
        assert _all(alice, "SELECT current_user, session_user") == [("alicia", "alicia")]
        assert _all(alice, "SELECT a FROM t") == [] and _fails(alice, "INSERT INTO t VALUES (1)") == "42501"


def test_prepared_statements_and_cursors_ask_each_time(server: MemoryServer, admin: Connection) -> None:
    admin.execute(
        "CREATE ROLE alice LOGIN; CREATE TABLE t (a int); GRANT SELECT ON t TO alice; CREATE VIEW v AS TABLE t"
    )
    with _connect(server, "alice") as alice:
        alice.execute("PREPARE p AS SELECT a FROM t; PREPARE q AS SELECT a FROM v")
        assert _all(alice, "EXECUTE p") == [] and _fails(alice, "EXECUTE q") == "42501"
        admin.execute("REVOKE SELECT ON t FROM alice; GRANT SELECT ON v TO alice")
        assert _fails(alice, "EXECUTE p") == "42501" and _all(alice, "EXECUTE q") == []
        assert _fails(alice, "BEGIN; DECLARE c CURSOR FOR SELECT a FROM t") == "42501"
        alice.execute("ROLLBACK")


def test_a_view_reads_as_its_owner_whoever_reads_it(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; CREATE TABLE t (a int); GRANT SELECT ON t TO alice")
    admin.execute("GRANT CREATE ON SCHEMA public TO alice")
    with _connect(server, "alice") as alice:
        alice.execute("CREATE VIEW v AS SELECT * FROM t; CREATE VIEW w AS SELECT * FROM v")
    assert _all(admin, "SELECT * FROM w") == []
    admin.execute("REVOKE SELECT ON t FROM alice")
    assert _fails(admin, "SELECT * FROM w") == "42501", "a superuser reads another's view with that one's rights"


def test_a_subscribe_ends_when_its_right_goes(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; CREATE TABLE t (a int); GRANT SELECT ON t TO alice")
    with _connect(server, "alice") as alice, alice.cursor() as cursor:
        rows = cursor.stream("SUBSCRIBE TO t")
        admin.execute("INSERT INTO t VALUES (1)")
        assert next(rows)[2] == 1
        admin.execute("REVOKE SELECT ON t FROM alice; INSERT INTO t VALUES (2)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            next(rows)


def test_what_postgres_has_not_needs_what_the_table_says(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; CREATE TABLE t (a int); CREATE VIEW v AS TABLE t")
    admin.execute("CREATE SECRET s AS 'x'; GRANT CREATE ON SCHEMA public TO alice")
    admin.execute("CREATE MATERIALIZED VIEW made AS TABLE t; GRANT ALL ON made TO alice")
    with _connect(server, "alice") as alice:
        for sql in (
            "SUBSCRIBE TO t",
            "CREATE READ HOLD h ON t",
            "CHECK VIEW v",
            "EXPLAIN VIEW v",
            "SELECT * FROM t AS OF AT LEAST 0",
            "CREATE MATERIALIZED VIEW m AS SELECT a FROM t",
            "ALTER TABLE t REPAIR",
            "ALTER MATERIALIZED VIEW made REPAIR",
            "DROP SECRET s",
            "ALTER SECRET s AS 'y'",
            "COPY t TO '/tmp/never'",
            "CREATE SINK k FROM t INTO SQLITE (PATH '/tmp/never', TABLE t)",
        ):
            assert _fails(alice, sql) == "42501", sql


def test_others_are_told_nothing_of_what_a_session_runs(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; CREATE ROLE bob LOGIN IN ROLE pg_monitor")
    with _connect(server, "alice") as alice, _connect(server, "bob") as bob:
        query = "SELECT query FROM pg_stat_activity WHERE usename = 'headwater'"
        assert _all(alice, query) == [("<insufficient privilege>",)]
        assert _all(bob, query)[0][0].startswith("CREATE ROLE alice")
        ((pid,),) = _all(admin, "SELECT pg_backend_pid()")
        assert _fails(alice, f"SELECT pg_terminate_backend({pid})") == "42501"
        assert _fails(bob, f"SELECT pg_cancel_backend({pid})") == "42501"


def test_only_superusers_have_files_of_the_server_read_again(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN")
    with _connect(server, "alice") as alice:
        assert _fails(alice, "SELECT pg_reload_conf()") == "42501"
    assert _all(admin, "SELECT pg_reload_conf()") == [(True,)]


def test_errors_of_constraints_show_no_row_to_who_may_not_read(server: MemoryServer, admin: Connection) -> None:
    admin.execute(
        "CREATE TABLE t (a int PRIMARY KEY, b text NOT NULL CHECK (b <> 'no')); INSERT INTO t VALUES (1, 'x')"
    )
    admin.execute("CREATE ROLE alice LOGIN; GRANT INSERT, UPDATE (b) ON t TO alice")
    broken = ("INSERT INTO t VALUES (1, 'y')", "UPDATE t SET b = NULL", "UPDATE t SET b = 'no'")
    with _connect(server, "alice") as alice:
        for sql in broken:
            with pytest.raises(psycopg.errors.IntegrityError) as refused:
                alice.execute(sql)
            assert refused.value.diag.message_detail is None
        admin.execute("GRANT SELECT ON t TO alice")
        for sql in broken:
            with pytest.raises(psycopg.errors.IntegrityError) as refused:
                alice.execute(sql)
            assert refused.value.diag.message_detail is not None


def test_connections_and_secrets_are_granted_and_given_to_others(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; GRANT CREATE ON SCHEMA public TO alice; CREATE SECRET s AS 'x'")
    made = "CREATE CONNECTION c TO POSTGRES (HOST 'h', DATABASE d, USER u, PASSWORD SECRET s) WITH (VALIDATE = false)"
    with _connect(server, "alice") as alice:
        assert _fails(alice, made) == "42501"
        admin.execute("GRANT USAGE ON SECRET s TO alice")
        alice.execute(made)
        assert _fails(alice, "ALTER SECRET s AS 'y'") == "42501"
        admin.execute("ALTER SECRET s OWNER TO alice")
        alice.execute("ALTER SECRET s AS 'y'; ALTER SECRET s OWNER TO CURRENT_USER")
        alice.execute("GRANT USAGE ON CONNECTION c TO PUBLIC; REVOKE USAGE ON CONNECTION c FROM PUBLIC")
        assert _fails(alice, "GRANT SELECT ON CONNECTION c TO PUBLIC") == "0LP01"
        assert _fails(alice, "GRANT USAGE ON CONNECTION nothing TO PUBLIC") == "42704"


def test_a_new_catalog_may_call_its_superuser_otherwise() -> None:
    state = initial_state("boss")
    assert [(role.name, role.superuser) for role in state.roles.values()] == [("boss", True)]
    assert load(rows(state)) == state


def test_what_is_maintained_reads_no_more_than_its_views_may(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; GRANT CREATE ON SCHEMA public TO alice; CREATE TABLE t (a int)")
    with _connect(server, "alice") as alice:
        alice.execute("CREATE VIEW below AS SELECT 1 AS a; CREATE VIEW v AS TABLE below")
        alice.execute("CREATE MATERIALIZED VIEW m AS TABLE v; CREATE VIEW shut AS TABLE t")
        for replaced in ("v AS TABLE t", "below AS TABLE t", "below AS TABLE shut"):
            assert _fails(alice, f"CREATE OR REPLACE VIEW {replaced}") == "42501"
        alice.execute("CREATE OR REPLACE VIEW below AS SELECT 2 AS a")
        assert _all(alice, "TABLE m") == [(2,)]
        admin.execute("GRANT SELECT ON t TO alice")
        alice.execute("CREATE OR REPLACE VIEW below AS TABLE t")
        assert _all(alice, "TABLE m") == []


def test_nothing_comes_to_be_over_a_view_that_was_replaced_meanwhile(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; GRANT CREATE ON SCHEMA public TO alice; CREATE TABLE t (a int)")
    with _connect(server, "alice") as alice, _connect(server, "alice") as again:
        alice.execute("CREATE VIEW below AS SELECT 1 AS a; CREATE VIEW v AS TABLE below")
        alice.execute("BEGIN; CREATE MATERIALIZED VIEW m AS TABLE v")
        again.execute("CREATE OR REPLACE VIEW below AS TABLE t")
        assert _fails(alice, "COMMIT") == "40001"


def test_a_transaction_reads_no_replaced_view_by_the_rights_of_the_new_one(
    server: MemoryServer, admin: Connection
) -> None:
    admin.execute("CREATE ROLE alice LOGIN; GRANT CREATE ON SCHEMA public TO alice; CREATE TABLE t (a int)")
    admin.execute("CREATE TABLE free (a int); GRANT SELECT ON free, t TO alice")
    with _connect(server, "alice") as alice, _connect(server, "alice") as again:
        alice.execute("CREATE VIEW v AS TABLE t")
        admin.execute("REVOKE SELECT ON t FROM alice; INSERT INTO t VALUES (42)")
        alice.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; TABLE free")
        again.execute("CREATE OR REPLACE VIEW v AS TABLE free")
        assert _fails(alice, "TABLE v") == "42501"


def test_a_session_goes_on_when_its_role_is_dropped(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN; CREATE ROLE bob CREATEDB; GRANT bob TO alice; CREATE TABLE t (a int)")
    admin.execute("GRANT SELECT ON t TO PUBLIC")
    with _connect(server, "alice") as alice:
        alice.execute("SET ROLE bob")
        admin.execute("DROP ROLE bob")
        assert _all(alice, "TABLE t") == []
        for sql in ("CREATE DATABASE d", "CREATE ROLE r", "CREATE SCHEMA s", "CREATE TABLE u (a int)"):
            assert _fails(alice, sql) == "42704", sql
        alice.execute("RESET ROLE")
        assert _all(alice, "SELECT current_user") == [("alice",)]
        assert _fails(alice, "SET ROLE bob") == "22023"


def test_a_database_belongs_to_whom_it_is_made_for(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE alice LOGIN CREATEDB; CREATE ROLE bob; CREATE ROLE carol; GRANT carol TO alice")
    admin.execute("CREATE DATABASE d OWNER alice")
    with _connect(server, "alice") as alice:
        assert _fails(alice, "CREATE DATABASE e OWNER bob") == "42501"
        assert _fails(alice, "CREATE DATABASE e OWNER nobody") == "42704"
        alice.execute("CREATE DATABASE e OWNER carol; CREATE DATABASE f OWNER DEFAULT")
        owners = "SELECT datname, datdba::regrole::text FROM pg_database WHERE datname IN ('d', 'e', 'f') ORDER BY 1"
        assert _all(alice, owners) == [("d", "alice"), ("e", "carol"), ("f", "alice")]
        alice.execute("DROP DATABASE d; DROP DATABASE e")
