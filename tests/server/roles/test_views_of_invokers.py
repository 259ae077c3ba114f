"""Views WITH (security_invoker): whose rights are asked, what the catalogs tell, and what is maintained over them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import psycopg
import pytest

from catalog.durable.rows import load, rows
from tests.judge import Judge, psql
from tests.server.memory_server import memory_server
from tests.server.roles.outcomes import Connection, on_both, outcome

_ROLES = ("v_owner", "v_maker", "v_both", "v_view", "v_table", "v_column", "v_none")
_SETUP = """
CREATE ROLE v_owner;
CREATE ROLE v_maker;
CREATE ROLE v_both;
CREATE ROLE v_view;
CREATE ROLE v_table;
CREATE ROLE v_column;
CREATE ROLE v_none;
CREATE SCHEMA s;
GRANT ALL ON SCHEMA s TO PUBLIC;
SET ROLE v_owner;
CREATE TABLE s.t (a int, b text);
INSERT INTO s.t VALUES (1, 'one'), (2, 'two');
GRANT SELECT ON s.t TO v_both, v_table;
GRANT SELECT (a) ON s.t TO v_column;
SET ROLE v_maker;
CREATE VIEW s.own WITH (security_invoker) AS SELECT * FROM s.t;
CREATE VIEW s.off WITH (security_invoker = off) AS SELECT * FROM s.t;
CREATE VIEW s.plain AS SELECT * FROM s.t;
CREATE VIEW s.over_own AS SELECT * FROM s.own;
CREATE VIEW s.own_over_own WITH (security_invoker = 'TRUE', security_barrier = 0) AS SELECT * FROM s.own;
GRANT SELECT ON s.own, s.off, s.plain, s.over_own, s.own_over_own TO v_both, v_view, v_column;
SET ROLE v_both;
CREATE VIEW s.readable WITH (security_barrier) AS SELECT * FROM s.t;
CREATE VIEW s.own_over_plain WITH (security_invoker = yes) AS SELECT * FROM s.readable;
GRANT SELECT ON s.readable, s.own_over_plain TO PUBLIC;
RESET ROLE;
"""
_VIEWS = ("own", "off", "plain", "over_own", "own_over_own", "readable", "own_over_plain")
_READS = (
    "SELECT * FROM s.{}",
    "SELECT a FROM s.{}",
    "SELECT count(*) FROM s.{}",
    "EXPLAIN (COSTS OFF) SELECT 1 WHERE EXISTS (SELECT FROM s.{} WHERE b = 'x')",
    "LOCK TABLE s.{} IN ACCESS SHARE MODE",
    "LOCK TABLE s.{}",
)
_OPTIONS = (
    "CREATE VIEW s.z WITH (security_invoker = 2) AS SELECT 1",
    "CREATE VIEW s.z WITH (security_invoker = tru) AS SELECT 1",
    "CREATE VIEW s.z WITH (security_invoker, security_invoker) AS SELECT 1",
    "CREATE VIEW s.z WITH (Security_Invoker = TRUE) AS SELECT 1",
    "CREATE VIEW s.z WITH (fillfactor = 10) AS SELECT 1",
    "CREATE VIEW s.z WITH (toast.security_invoker) AS SELECT 1",
    "ALTER VIEW s.readable SET (security_invoker = off)",
    "ALTER VIEW s.readable SET (security_invoker = on, security_barrier = off)",
    "ALTER VIEW s.readable RESET (security_barrier)",
    "ALTER VIEW s.readable RESET (nothing)",
    "ALTER VIEW s.readable RESET (security_barrier = on)",
    "ALTER VIEW s.readable SET (nothing = 1)",
    "ALTER VIEW IF EXISTS s.missing SET (security_invoker)",
    "ALTER VIEW s.missing SET (security_invoker)",
    "CREATE OR REPLACE VIEW s.readable AS SELECT * FROM s.t",
)
_SHOWN = "SELECT relname, reloptions FROM pg_class WHERE relnamespace = 's'::regnamespace AND relkind = 'v'"


@pytest.fixture(scope="module")
def both(judge: Judge) -> Iterator[tuple[Connection, Connection]]:
    with on_both(judge, _SETUP, _ROLES) as connections:
        yield connections


def _shown(found: list[object]) -> list[object]:
    """Leaves a plan out, which is each server's own."""
    return [entry[0] if isinstance(entry, tuple) and entry[0] == "EXPLAIN" else entry for entry in found]


def test_each_role_reads_what_postgres_lets_it_read(both: tuple[Connection, Connection]) -> None:
    ours, theirs = both
    differing = []
    for role in (*_ROLES, "headwater"):
        for view in _VIEWS:
            for read in _READS:
                sql = read.format(view)
                found, wanted = (_shown(outcome(each, role, sql)) for each in (ours, theirs))
                if found != wanted:
                    differing.append(f"{role}: {sql}: {found}, and PostgreSQL says {wanted}")
    assert not differing, "\n".join(differing)


@pytest.mark.parametrize("sql", _OPTIONS)
def test_options_are_taken_and_shown_as_postgres_does(both: tuple[Connection, Connection], sql: str) -> None:
    found, wanted = (outcome(each, "headwater", sql, _SHOWN) for each in both)
    assert found == wanted


def test_an_option_of_a_view_is_its_owners_to_set(both: tuple[Connection, Connection]) -> None:
    for role in _ROLES:
        found, wanted = (outcome(each, role, "ALTER VIEW s.own SET (security_invoker = off)") for each in both)
        assert found == wanted


def test_psql_shows_the_options() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute("CREATE VIEW v WITH (security_invoker = true, security_barrier) AS SELECT 1 AS a")
        told = subprocess.run(
            [psql(), "-X", "-d", server.dsn(), "-c", r"\d+ v"], capture_output=True, check=True, text=True
        )
        assert "Options: security_invoker=true, security_barrier=true" in told.stdout
        (created,) = admin.execute("SHOW CREATE VIEW v").fetchall()
        assert "WITH (security_invoker=true, security_barrier=true) AS SELECT 1 AS a" in created[1]
        state = server.environment.catalog.state
        assert load(rows(state)).items == state.items


def test_check_option_of_views_with_subqueries_is_refused_by_name() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute("CREATE TABLE t (a int); CREATE VIEW v AS SELECT * FROM t WHERE a IN (SELECT a FROM t)")
        for sql in (
            "CREATE VIEW w AS SELECT * FROM t WHERE EXISTS (SELECT FROM t) WITH CHECK OPTION",
            "CREATE VIEW w WITH (check_option = local) AS SELECT * FROM t WHERE a = (SELECT min(a) FROM t)",
            "ALTER VIEW v SET (check_option = cascaded)",
            "CREATE VIEW w AS SELECT * FROM v WITH CHECK OPTION; INSERT INTO w VALUES (1)",
        ):
            with pytest.raises(psycopg.errors.FeatureNotSupported, match="WITH CHECK OPTION"):
                admin.execute(sql)


def test_what_is_maintained_over_one_reads_as_its_owner() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute(
            "CREATE ROLE keeper; CREATE ROLE maker; CREATE ROLE reader; GRANT ALL ON SCHEMA public TO PUBLIC;"
            "CREATE TABLE t (a int); CREATE TABLE u (a int); GRANT SELECT ON t TO keeper; GRANT SELECT ON u TO maker"
        )
        admin.execute("SET ROLE maker; CREATE VIEW v WITH (security_invoker) AS SELECT a FROM t")
        admin.execute("GRANT SELECT ON v TO PUBLIC")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="table t"):
            admin.execute("CREATE MATERIALIZED VIEW m AS SELECT * FROM v")
        admin.execute("SET ROLE keeper; CREATE MATERIALIZED VIEW m AS SELECT * FROM v; GRANT SELECT ON m TO reader")
        admin.execute("SET ROLE reader; SELECT * FROM m")
        # Neither may its maker show what its keeper may not read, nor what its maker may not.
        admin.execute("SET ROLE maker")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="table u"):
            admin.execute("CREATE OR REPLACE VIEW v WITH (security_invoker) AS SELECT a FROM u")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="table t"):
            admin.execute("CREATE OR REPLACE VIEW v WITH (security_invoker) AS SELECT a + 1 AS a FROM t")


def test_a_kept_plan_asks_anew_when_the_option_changes() -> None:
    with memory_server() as server, server.connect() as admin:
        admin.execute("CREATE ROLE reader; CREATE TABLE t (a int); CREATE VIEW v AS SELECT a FROM t")
        admin.execute("GRANT SELECT ON v TO reader; SET ROLE reader; PREPARE p AS SELECT * FROM v; EXECUTE p")
        admin.execute("RESET ROLE; ALTER VIEW v SET (security_invoker); SET ROLE reader")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="table t"):
            admin.execute("EXECUTE p")
        admin.execute("RESET ROLE; ALTER VIEW v RESET (security_invoker); SET ROLE reader; EXECUTE p")
