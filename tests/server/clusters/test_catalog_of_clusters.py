"""The cluster that there is, and its replicas, in the catalog: shown, chosen by sessions, and with privileges."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.server.clusters.asking import Connection, all_rows, refusal
from tests.server.memory_server import MemoryServer, memory_server


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


def test_relations_name_one_cluster_by_one_id(admin: Connection) -> None:
    admin.execute("CREATE TABLE told (a int); CREATE VIEW w AS TABLE told; CREATE INDEX by_a ON w (a)")
    named = "SELECT c.name, o.name FROM mz_clusters c JOIN mz_indexes o ON o.cluster_id = c.id WHERE o.name = 'by_a'"
    assert all_rows(admin, named) == [("default", "by_a")]
    replicas = """SELECT c.name, r.name, s.status, p.cluster, p.name FROM mz_clusters c
        JOIN mz_catalog.mz_cluster_replicas r ON r.cluster_id = c.id
        JOIN mz_internal.mz_cluster_replica_statuses s ON s.replica_id = r.id
        JOIN mz_internal.mz_cluster_replicas p ON p.id = r.id"""
    assert all_rows(admin, replicas) == [("default", "r1", "ready", "default", "r1")]
    assert all_rows(admin, "SHOW INDEXES FROM public")[0][2] == "default"
    admin.execute("DROP TABLE told CASCADE")


def test_a_session_chooses_among_the_clusters_that_there_are(server: MemoryServer, admin: Connection) -> None:
    admin.execute("SET cluster = 'default'")
    unknown = ("22023", 'invalid value for parameter "cluster": "nope"')
    assert refusal(admin, "SET cluster = nope") == unknown
    assert refusal(admin, "SELECT set_config('cluster', 'nope', false)") == unknown
    assert all_rows(admin, "SHOW cluster") == [("default",)]


def test_queries_of_an_unknown_cluster_say_so(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE TABLE rows_of (a int)")
    with psycopg.connect(server.dsn(), autocommit=True, options="-c cluster=nope") as session:
        assert refusal(session, "TABLE rows_of") == ("42704", 'cluster "nope" does not exist')
        # What no cluster computes needs none.
        assert all_rows(session, "SELECT name FROM mz_clusters") == [("default",)]
        session.execute("INSERT INTO rows_of VALUES (1)")
        session.execute("SET cluster = 'default'")
        assert all_rows(session, "TABLE rows_of") == [(1,)]
    admin.execute("DROP TABLE rows_of")


def test_roles_need_usage_to_query_and_create_to_maintain(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE ROLE ada LOGIN; CREATE SCHEMA of_ada AUTHORIZATION ada; CREATE TABLE read_by_ada (a int)")
    admin.execute("GRANT SELECT ON read_by_ada TO ada")
    dsn = server.dsn().replace("user=headwater", "user=ada")
    denied = ("42501", "permission denied for cluster default")
    query, maintain = "TABLE read_by_ada", "CREATE MATERIALIZED VIEW of_ada.m AS SELECT 1 AS one"
    with psycopg.connect(dsn, autocommit=True) as session:
        session.execute(query)
        admin.execute('REVOKE ALL ON CLUSTER "default" FROM PUBLIC')
        assert refusal(session, query) == denied
        assert all_rows(session, "SELECT name FROM mz_clusters") == [("default",)]
        admin.execute('GRANT USAGE ON CLUSTER "default" TO ada')
        session.execute(query)
        assert refusal(session, maintain) == denied
        session.execute("CREATE TABLE of_ada.keyed (a int PRIMARY KEY)")
        admin.execute('GRANT CREATE ON CLUSTER "default" TO ada')
        session.execute(maintain)
    assert refusal(admin, "DROP ROLE ada")[0] == "2BP01"
    assert refusal(admin, 'GRANT SELECT ON CLUSTER "default" TO ada') == (
        "0LP01",
        "invalid privilege type SELECT for cluster",
    )
    assert refusal(admin, "GRANT USAGE ON CLUSTER nope TO ada") == ("42704", 'cluster "nope" does not exist')
    admin.execute('DROP OWNED BY ada; DROP ROLE ada; GRANT ALL ON CLUSTER "default" TO PUBLIC')


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("ALTER CLUSTER REPLICA x.r1 RENAME TO r3", "ALTER CLUSTER REPLICA"),
    ],
)
def test_statements_about_clusters_are_refused_by_name(admin: Connection, sql: str, words: str) -> None:
    sqlstate, message = refusal(admin, sql)
    assert sqlstate == "0A000" and words in message
