"""Sources and sinks run in the cluster that is named for them, and nowhere else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from catalog.nouns.items import Item
from catalog.nouns.sinks import ViewSink
from tests.compute.in_process import InProcessHost
from tests.server.clusters.asking import Connection, all_rows, refusal, until
from tests.server.memory_server import InProcessPlaces, MemoryServer, memory_server
from tests.storage.memory import MemoryBlob, MemoryConsensus


@pytest.fixture
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


_SOURCES = """
    CREATE CLUSTER c REPLICAS (first ());
    CREATE SOURCE counted IN CLUSTER c FROM LOAD GENERATOR COUNTER (TICK INTERVAL '50 ms');
    CREATE SOURCE house IN CLUSTER c FROM LOAD GENERATOR AUCTION (TICK INTERVAL '50 ms') FOR TABLES (bids);
    CREATE TABLE users FROM SOURCE house (REFERENCE users)
"""
_RUN_BY = """
    SELECT o.name, c.name FROM (
        SELECT name, cluster_id FROM mz_sources UNION ALL SELECT name, cluster_id FROM mz_sinks
    ) AS o (name, cluster_id) JOIN mz_clusters c ON c.id = o.cluster_id ORDER BY 1
"""


def _item(server: MemoryServer, name: str) -> Item:
    (item,) = (each for each in server.environment.catalog.state.items.values() if each.name == name)
    return item


def _runs(server: MemoryServer, name: str) -> int:
    """Returns the cluster that has been told to run a source or a sink."""
    return server.environment.compute.dataflows.cluster_of(_item(server, name).id)


def _oid(connection: Connection, cluster: str) -> int:
    ((oid,),) = all_rows(connection, f"SELECT id FROM mz_clusters WHERE name = '{cluster}'")
    return int(oid)


def _count(connection: Connection, relation: str) -> int:
    ((count,),) = all_rows(connection, f"SELECT count(*) FROM {relation}")
    return int(count)


def _host(server: MemoryServer, name: str) -> InProcessHost:
    places = server.environment.replicas.places
    assert isinstance(places, InProcessPlaces)
    return places.hosts[name]


def _written(path: Path) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT a, b FROM t ORDER BY a").fetchall()


def _sink(connection: Connection, path: Path, of: str = "t") -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)")
    connection.execute(f"CREATE SINK s IN CLUSTER c FROM {of} INTO SQLITE (PATH '{path}', TABLE 't') KEY (a)".encode())


def test_a_source_runs_in_its_cluster(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SOURCES)
    expected = [("bids", "c"), ("counted", "c"), ("house", "c"), ("users", "c")]
    assert all_rows(admin, _RUN_BY) == expected
    oid = _oid(admin, "c")
    assert _runs(server, "counted") == oid == _runs(server, "house")
    for relation in ("counted", "bids", "users"):
        until(lambda each=relation: _count(admin, each) > 3)  # type: ignore[misc]
    assert [(name, cluster) for name, _, cluster, _ in all_rows(admin, "SHOW SOURCES")] == expected
    ((details,),) = all_rows(
        admin, "SELECT details FROM mz_audit_events WHERE object_type = 'source' AND details ->> 'item' = 'counted'"
    )
    assert details["cluster_id"] == str(oid)
    _kill(server, "first")
    admin.execute("CREATE SOURCE beside IN CLUSTER \"default\" FROM LOAD GENERATOR COUNTER (TICK INTERVAL '50 ms')")
    until(lambda: _count(admin, "beside") > 3)


def _kill(server: MemoryServer, name: str) -> None:
    host = _host(server, name)

    async def do() -> None:
        host.available = False
        host.crash()

    server.run(do())


def test_a_sink_runs_in_its_cluster_with_the_view_that_it_keeps(
    server: MemoryServer, admin: Connection, tmp_path: Path
) -> None:
    path = tmp_path / "written"
    admin.execute("CREATE TABLE u (a int, b int); INSERT INTO u VALUES (1, 1), (1, 2), (2, 3)")
    admin.execute("CREATE VIEW v AS SELECT a, sum(b)::int AS b FROM u GROUP BY a; CREATE CLUSTER c REPLICAS (first ())")
    _sink(admin, path, "v")
    assert all_rows(admin, _RUN_BY) == [("s", "c")]
    until(lambda: _written(path) == [(1, 3), (2, 3)])
    oid, sink = _oid(admin, "c"), _item(server, "s")
    assert isinstance(sink.definition, ViewSink)
    assert _runs(server, "s") == oid
    assert server.environment.compute.dataflows.cluster_of(sink.definition.collection) == oid
    ((details,),) = all_rows(admin, "SELECT details FROM mz_audit_events WHERE object_type = 'sink'")
    assert details["cluster_id"] == str(oid)
    _kill(server, "first")
    admin.execute("INSERT INTO u VALUES (3, 4)")
    assert sorted(all_rows(admin, "TABLE v")) == [(1, 3), (2, 3), (3, 4)]
    assert _written(path) == [(1, 3), (2, 3)], "no other cluster writes it"
    _revive(server, "first")
    until(lambda: _written(path) == [(1, 3), (2, 3), (3, 4)])


def test_without_in_cluster_it_is_the_sessions(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE CLUSTER c REPLICAS (first ()); CREATE TABLE t (a int)")
    admin.execute("SET cluster = c; CREATE SOURCE own FROM LOAD GENERATOR COUNTER")
    admin.execute("CREATE SINK away FROM t INTO FILES (PATH '/tmp/away')")
    admin.execute('CREATE SOURCE beside (n) IN CLUSTER "default" FROM LOAD GENERATOR COUNTER')
    assert all_rows(admin, _RUN_BY) == [("away", "c"), ("beside", "default"), ("own", "c")]


def test_show_create_names_the_cluster_as_it_is_called_now(
    server: MemoryServer, admin: Connection, tmp_path: Path
) -> None:
    admin.execute(_SOURCES)
    admin.execute('CREATE CLUSTER "Two words" REPLICAS (second ()); CREATE TABLE t (a int PRIMARY KEY, b int)')
    _sink(admin, tmp_path / "written")
    admin.execute('ALTER CLUSTER c SWAP WITH "Two words"; ALTER CLUSTER "Two words" RENAME TO d')
    for kind, name in (("SOURCE", "counted"), ("SOURCE", "house"), ("SINK", "s")):
        ((_, sql),) = all_rows(admin, f"SHOW CREATE {kind} {name}")
        assert sql.startswith(f"CREATE {kind} public.{name} IN CLUSTER d FROM "), sql
        admin.execute(f"DROP {kind} {name} CASCADE")
        admin.execute(sql)
        assert all_rows(admin, f"SHOW CREATE {kind} {name}")[0][1] == sql
    assert {cluster for _, cluster in all_rows(admin, _RUN_BY)} == {"d"}


def test_they_run_there_again_after_a_restart(tmp_path: Path) -> None:
    places, path = (MemoryConsensus(), MemoryBlob()), tmp_path / "written"
    with memory_server(*places) as server, server.connect() as admin:
        admin.execute(_SOURCES)
        admin.execute("CREATE TABLE t (a int PRIMARY KEY, b int); INSERT INTO t VALUES (1, 1)")
        _sink(admin, path)
        until(lambda: _written(path) == [(1, 1)] and _count(admin, "counted") > 3)
        before, run_by = _count(admin, "counted"), all_rows(admin, _RUN_BY)
    with memory_server(*places) as server, server.connect() as admin:
        assert all_rows(admin, _RUN_BY) == run_by
        assert _oid(admin, "c") == _runs(server, "counted") == _runs(server, "house") == _runs(server, "s")
        admin.execute("INSERT INTO t VALUES (2, 2)")
        until(lambda: _written(path) == [(1, 1), (2, 2)] and _count(admin, "counted") > before)
        assert all_rows(admin, "SELECT count(*) - max(counter) FROM counted") == [(0,)]


def test_a_cluster_without_replicas_keeps_them_until_it_has_one(
    server: MemoryServer, admin: Connection, tmp_path: Path
) -> None:
    path = tmp_path / "written"
    admin.execute("CREATE CLUSTER c (REPLICATION FACTOR 0); CREATE TABLE t (a int PRIMARY KEY, b int)")
    admin.execute("CREATE SOURCE counted IN CLUSTER c FROM LOAD GENERATOR COUNTER (TICK INTERVAL '50 ms')")
    _sink(admin, path)
    admin.execute("INSERT INTO t VALUES (1, 1)")
    assert _written(path) == []
    admin.execute("CREATE CLUSTER REPLICA c.late")
    until(lambda: _written(path) == [(1, 1)] and _count(admin, "counted") > 3)


def test_a_dropped_cluster_takes_them_along(server: MemoryServer, admin: Connection, tmp_path: Path) -> None:
    admin.execute(_SOURCES)
    admin.execute("CREATE TABLE t (a int PRIMARY KEY, b int); INSERT INTO t VALUES (1, 1)")
    _sink(admin, tmp_path / "written")
    until(lambda: _count(admin, "users") > 3)
    with pytest.raises(psycopg.errors.DependentObjectsStillExist) as raised:
        admin.execute("DROP CLUSTER c")
    assert raised.value.diag.message_detail == "\n".join(
        f"{what} depends on cluster c" for what in ("source counted", "source house", "sink s")
    )
    admin.execute("DROP CLUSTER c CASCADE")
    assert all_rows(admin, _RUN_BY) == [] and all_rows(admin, "SHOW CLUSTERS") == [("default", "r1")]
    assert all_rows(admin, "SELECT name FROM mz_objects WHERE id LIKE 'u%' AND type <> 'index'") == [("t",)]
    admin.execute("INSERT INTO t VALUES (2, 2)")
    assert _written(tmp_path / "written") in ([], [(1, 1)])


def test_what_can_not_be_is_refused(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE CLUSTER c (REPLICATION FACTOR 0); CREATE TABLE t (a int)")
    admin.execute("CREATE SOURCE tx IN CLUSTER c FROM KAFKA BROKER 'localhost:1' TOPIC 'tx' FORMAT JSON")
    follower = (
        "CREATE SOURCE d {} FROM KAFKA BROKER 'localhost:1' TOPIC 'd' FORMAT JSON "
        "ENVELOPE DEBEZIUM (TRANSACTION METADATA (SOURCE tx, COLLECTION 'd'))"
    )
    for sql, expected in {
        "CREATE SOURCE s IN CLUSTER nope FROM LOAD GENERATOR COUNTER": ("42704", 'cluster "nope" does not exist'),
        "CREATE SINK s IN CLUSTER nope FROM t INTO FILES (PATH '/tmp/x')": ("42704", 'cluster "nope" does not exist'),
        "CREATE SOURCE s IN CLUSTER c FROM WEBHOOK BODY FORMAT TEXT": (
            "0A000",
            'a webhook source in the cluster "c" is not supported',
        ),
        "CREATE SOURCE s IN CLUSTER nope FROM WEBHOOK BODY FORMAT TEXT": ("42704", 'cluster "nope" does not exist'),
        "CREATE SOURCE s (a) IN CLUSTER c (a) FROM LOAD GENERATOR COUNTER": (
            "42601",
            'syntax error at or near "("',
        ),
        follower.format('IN CLUSTER "default"'): ("0A000", "sources that are bound together run in one cluster"),
    }.items():
        assert refusal(admin, sql) == expected, sql
    admin.execute(follower.format("").encode())
    assert all_rows(admin, _RUN_BY) == [("d", "c"), ("tx", "c")], "it follows the one that tells of its transactions"
    admin.execute("CREATE ROLE bob; GRANT ALL ON TABLE t TO bob; GRANT ALL ON SCHEMA public TO bob; SET ROLE bob")
    words = "permission denied for cluster c"
    assert refusal(admin, "CREATE SOURCE s IN CLUSTER c FROM LOAD GENERATOR COUNTER") == ("42501", words)


def _revive(server: MemoryServer, name: str) -> None:
    host = _host(server, name)

    async def do() -> None:
        host.available = True

    server.run(do())


def test_a_source_moves_and_goes_on_where_it_was(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SOURCES)
    admin.execute("CREATE CLUSTER d REPLICAS (second ())")
    for cluster in ("d", "default", "c", "d"):
        before = _count(admin, "counted")
        until(lambda least=before: _count(admin, "counted") > least)  # type: ignore[misc]
        admin.execute(f'ALTER SOURCE counted SET CLUSTER "{cluster}"'.encode())
        assert _runs(server, "counted") == _oid(admin, cluster)
        assert dict(all_rows(admin, _RUN_BY))["counted"] == cluster
    before = _count(admin, "counted")
    _kill(server, "first")
    until(lambda: _count(admin, "counted") > before + 3)
    assert all_rows(admin, "SELECT count(*) - max(counter), count(*) - count(DISTINCT counter) FROM counted") == [
        (0, 0)
    ]
    admin.execute("ALTER SOURCE house SET CLUSTER d")
    assert set(all_rows(admin, _RUN_BY)) == {(name, "d") for name in ("bids", "counted", "house", "users")}
    before = _count(admin, "bids")
    until(lambda: _count(admin, "bids") > before)
    orphans = "SELECT count(*) FROM bids b WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = b.buyer)"
    until(lambda: _count(admin, "users") > 3)
    assert all_rows(admin, orphans) == [(0,)], "the tables of a source are at one step"
    admin.execute("DROP CLUSTER c")


def test_a_sink_moves_and_one_cluster_writes(server: MemoryServer, admin: Connection, tmp_path: Path) -> None:
    path = tmp_path / "written"
    admin.execute("CREATE TABLE t (a int, b int); CREATE CLUSTER c REPLICAS (first ())")
    admin.execute("CREATE CLUSTER d REPLICAS (second ())")
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (a INTEGER, b INTEGER, mz_timestamp INTEGER, mz_diff INTEGER)")
    admin.execute(f"CREATE SINK s IN CLUSTER c FROM t INTO SQLITE (PATH '{path}', TABLE 't')".encode())
    expected = []
    for number in range(24):
        admin.execute(f"INSERT INTO t VALUES ({number}, {number})".encode())
        expected.append((number, number))
        if number % 3 == 0:
            cluster = ("d", "default", "c")[number // 3 % 3]
            admin.execute(f'ALTER SINK s SET CLUSTER "{cluster}"'.encode())
            assert _runs(server, "s") == _oid(admin, cluster)
    until(lambda: len(_written(path)) >= len(expected))
    assert _written(path) == expected, "each change is written once, by whichever cluster it is"
    admin.execute("ALTER SINK s SET CLUSTER d")
    _kill(server, "second")
    admin.execute("INSERT INTO t VALUES (24, 24); ALTER SINK s SET CLUSTER c")
    until(lambda: len(_written(path)) > len(expected))
    _revive(server, "second")
    admin.execute("INSERT INTO t VALUES (25, 25)")
    until(lambda: len(_written(path)) >= len(expected) + 2)
    assert _written(path) == [*expected, (24, 24), (25, 25)]


def test_moves_that_can_not_be_are_refused(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SOURCES)
    admin.execute("CREATE TABLE t (a int); CREATE VIEW v AS SELECT a FROM t; CREATE CLUSTER d (REPLICATION FACTOR 0)")
    admin.execute(
        "CREATE SINK kept FROM v INTO FILES (PATH '/tmp/kept'); CREATE SOURCE w FROM WEBHOOK BODY FORMAT TEXT"
    )
    own = "is not run by a cluster of its own"
    for sql, expected in {
        "ALTER SOURCE nope SET CLUSTER c": ("42P01", 'relation "nope" does not exist'),
        "ALTER SOURCE t SET CLUSTER c": ("42809", '"t" is not a source'),
        "ALTER SOURCE counted SET CLUSTER nope": ("42704", 'cluster "nope" does not exist'),
        "ALTER SOURCE bids SET CLUSTER d": ("0A000", f'"bids" {own}'),
        "ALTER SOURCE w SET CLUSTER d": ("0A000", f'"w" {own}'),
        "ALTER SINK nope SET CLUSTER c": ("42704", 'sink "nope" does not exist'),
        "ALTER SOURCE counted SET CLUSTER": ("42601", "syntax error at end of input"),
    }.items():
        assert refusal(admin, sql) == expected, sql
    words = '"kept" can\'t move to cluster "d", which has no replicas'
    assert refusal(admin, "ALTER SINK kept SET CLUSTER d") == ("55000", words)
    admin.execute("ALTER SOURCE IF EXISTS nope SET CLUSTER c; ALTER SINK IF EXISTS nope SET CLUSTER c")
    admin.execute("CREATE ROLE bob; ALTER SOURCE counted OWNER TO bob; SET ROLE bob")
    words = "permission denied for cluster d"
    assert refusal(admin, "ALTER SOURCE counted SET CLUSTER d") == ("42501", words)
    admin.execute("RESET ROLE; GRANT CREATE ON CLUSTER d TO bob; SET ROLE bob; ALTER SOURCE counted SET CLUSTER d")
    assert refusal(admin, "ALTER SOURCE house SET CLUSTER d")[0] == "42501"
