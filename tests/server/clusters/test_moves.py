"""ALTER INDEX, MATERIALIZED VIEW and SINK … SET CLUSTER: the former cluster answers until the new one has caught up."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from catalog.nouns.items import Computed, Item
from server.writes import rebuilding
from server.writes.rebuilding import Rebuilding
from tests.compute.in_process import InProcessHost
from tests.server.clusters.asking import Connection, all_rows, refusal, until
from tests.server.memory_server import InProcessPlaces, MemoryServer, memory_server
from tests.storage.memory import MemoryBlob, MemoryConsensus

_SCHEMA = """
    CREATE TABLE t (a int, b int);
    INSERT INTO t VALUES (1, 1), (1, 2), (2, 3);
    CREATE VIEW v AS SELECT a, sum(b) AS s FROM t GROUP BY a;
    CREATE CLUSTER c REPLICAS (of_c ());
    CREATE CLUSTER d REPLICAS (of_d ());
    CREATE INDEX i IN CLUSTER c ON v (a);
    CREATE MATERIALIZED VIEW m IN CLUSTER c AS SELECT a, count(*) AS n FROM t GROUP BY a;
    CREATE MATERIALIZED VIEW over_m IN CLUSTER c AS SELECT sum(n) AS n FROM m
"""
_KEPT = """
    SELECT o.name, c.name FROM (
        SELECT name, cluster_id FROM mz_indexes WHERE id LIKE 'u%'
        UNION ALL SELECT name, cluster_id FROM mz_materialized_views WHERE id LIKE 'u%'
        UNION ALL SELECT name, cluster_id FROM mz_sinks
    ) AS o (name, cluster_id) JOIN mz_clusters c ON c.id = o.cluster_id ORDER BY 1
"""
_MOVES = """
    SELECT o.name, old.name, new.name, status FROM mz_internal.mz_moves m JOIN mz_objects o ON o.id = m.object_id
        JOIN mz_clusters old ON old.id = m.old_cluster_id JOIN mz_clusters new ON new.id = m.new_cluster_id
"""
_LOOKUP = "SELECT s FROM v WHERE a = 1"


@pytest.fixture
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


@pytest.fixture
def filled(server: MemoryServer, admin: Connection) -> MemoryServer:
    admin.execute(_SCHEMA)
    until(lambda: _stored(admin, "m") and _stored(admin, "over_m"))
    return server


def _stored(connection: Connection, view: str) -> bool:
    return "computed" not in str(all_rows(connection, f"EXPLAIN PHYSICAL PLAN FOR TABLE {view}"))


def _looked_up(connection: Connection) -> bool:
    return "Index lookup" in str(all_rows(connection, f"EXPLAIN PHYSICAL PLAN FOR {_LOOKUP}"))


def _kept(connection: Connection, name: str) -> str:
    return str(dict(all_rows(connection, _KEPT))[name])


def _item(server: MemoryServer, name: str) -> Item:
    (item,) = (each for each in server.environment.catalog.state.items.values() if each.name == name)
    return item


def _collection(server: MemoryServer, name: str) -> str:
    definition = _item(server, name).definition
    assert isinstance(definition, Computed)
    return str(definition.collection)


def _host(server: MemoryServer, name: str) -> InProcessHost:
    places = server.environment.replicas.places
    assert isinstance(places, InProcessPlaces)
    return places.hosts[name]


def _call(server: MemoryServer, work: Callable[[], None]) -> None:
    async def do() -> None:
        work()

    server.run(do())


def _kill(server: MemoryServer, name: str) -> None:
    host = _host(server, name)

    def work() -> None:
        host.available = False
        host.crash()

    _call(server, work)


def _revive(server: MemoryServer, name: str) -> None:
    _call(server, lambda: setattr(_host(server, name), "available", True))


def _cluster_told(server: MemoryServer, name: str) -> str:
    """Returns the name of the cluster whose replicas are told to maintain it."""
    definition = _item(server, name).definition
    assert isinstance(definition, Computed)
    oid = server.environment.compute.dataflows.cluster_of(definition.collection)
    return server.environment.catalog.state.clusters[oid].name


def _arriving(server: MemoryServer) -> int:
    return len(server.environment.dataflows.controller.arriving)


class _Statement:
    """A statement under way in a session of its own."""

    def __init__(self, server: MemoryServer, sql: str) -> None:
        self.connection = server.connect()
        self.error: psycopg.Error | None = None
        self._thread = threading.Thread(target=self._run, args=(sql,), daemon=True)
        self._thread.start()

    def _run(self, sql: str) -> None:
        try:
            self.connection.execute(sql.encode())
        except psycopg.Error as error:
            self.error = error

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def end(self) -> psycopg.Error | None:
        """Returns the error, if any, with which the statement has ended."""
        self._thread.join(60)
        assert self.done, "the statement does not end"
        self.connection.close()
        return self.error


def test_an_index_moves(filled: MemoryServer, admin: Connection) -> None:
    before = _collection(filled, "i")
    admin.execute("SET cluster = c")
    until(lambda: _looked_up(admin))
    admin.execute("ALTER INDEX i SET CLUSTER d")
    assert _kept(admin, "i") == "d" == _cluster_told(filled, "i") and _collection(filled, "i") != before
    assert not _looked_up(admin) and all_rows(admin, _LOOKUP) == [(3,)]
    admin.execute("SET cluster = d")
    assert _looked_up(admin), "it has hydrated before the change-over"
    admin.execute("INSERT INTO t VALUES (1, 10)")
    assert all_rows(admin, _LOOKUP) == [(13,)]
    ((_, sql),) = all_rows(admin, "SHOW CREATE INDEX i")
    assert " IN CLUSTER d " in sql
    ((details,),) = all_rows(
        admin, "SELECT details FROM mz_audit_events WHERE event_type = 'alter' AND object_type = 'index'"
    )
    oids = dict(all_rows(admin, "SELECT name, id FROM mz_clusters"))
    assert (details["old_cluster_id"], details["new_cluster_id"]) == (oids["c"], oids["d"])


def test_a_view_moves_with_its_shard_and_its_history(filled: MemoryServer, admin: Connection) -> None:
    before, over = _collection(filled, "m"), _collection(filled, "over_m")
    ((then,),) = all_rows(admin, "SELECT mz_now()")
    admin.execute("INSERT INTO t VALUES (3, 1)")
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 1), (3, 1)]
    admin.execute("ALTER MATERIALIZED VIEW m SET CLUSTER d")
    assert _kept(admin, "m") == "d" == _cluster_told(filled, "m")
    assert (_collection(filled, "m"), _collection(filled, "over_m")) == (before, over)
    assert _stored(admin, "m") and _stored(admin, "over_m") and _arriving(filled) == 0
    assert sorted(all_rows(admin, f"SELECT * FROM m AS OF {then}")) == [(1, 2), (2, 1)]
    _kill(filled, "of_c")
    admin.execute("INSERT INTO t VALUES (3, 1)")
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 1), (3, 2)]
    assert _stored(admin, "m"), "the former cluster has no part in it"
    _revive(filled, "of_c")
    assert all_rows(admin, "TABLE over_m") == [(5,)]
    admin.execute("CHECK MATERIALIZED VIEW m")


def test_a_view_moves_to_and_fro(filled: MemoryServer, admin: Connection) -> None:
    for number, cluster in enumerate(("d", "c", "default", "d", "d", "c"), start=1):
        admin.execute(
            f'ALTER MATERIALIZED VIEW m SET CLUSTER "{cluster}"; ALTER INDEX i SET CLUSTER "{cluster}"'.encode()
        )
        admin.execute("INSERT INTO t VALUES (4, 1)")
        assert (_cluster_told(filled, "m"), _cluster_told(filled, "i")) == (cluster, cluster)
        admin.execute(f'SET cluster = "{cluster}"'.encode())
        assert _stored(admin, "m") and _looked_up(admin)
        assert all_rows(admin, "SELECT n FROM m WHERE a = 4") == [(number,)]
        assert all_rows(admin, "SELECT s FROM v WHERE a = 4") == [(number,)]
        assert all_rows(admin, "TABLE over_m") == [(3 + number,)]
    assert all_rows(admin, "CHECK MATERIALIZED VIEW m") == []


def test_reads_go_on_from_the_former_cluster_until_the_new_one_has_hydrated(
    filled: MemoryServer, admin: Connection
) -> None:
    _kill(filled, "of_d")
    moves = [_Statement(filled, f"ALTER {what} SET CLUSTER d") for what in ("MATERIALIZED VIEW m", "INDEX i")]
    until(lambda: _arriving(filled) == 1)
    admin.execute("SET cluster = c; INSERT INTO t VALUES (1, 10)")
    assert _stored(admin, "m") and _looked_up(admin)
    assert all_rows(admin, _LOOKUP) == [(13,)] and sorted(all_rows(admin, "TABLE m")) == [(1, 3), (2, 1)]
    assert (_kept(admin, "m"), _kept(admin, "i")) == ("c", "c") and not any(each.done for each in moves)
    until(lambda: len(all_rows(admin, _MOVES)) == 2)
    assert sorted(all_rows(admin, _MOVES)) == [("i", "c", "d", "created"), ("m", "c", "d", "created")]
    _revive(filled, "of_d")
    assert [each.end() for each in moves] == [None, None]
    assert all_rows(admin, _MOVES) == []
    admin.execute("SET cluster = d")
    assert _stored(admin, "m") and _looked_up(admin)
    assert all_rows(admin, _LOOKUP) == [(13,)] and sorted(all_rows(admin, "TABLE m")) == [(1, 3), (2, 1)]


def test_the_former_replica_may_die_meanwhile(filled: MemoryServer, admin: Connection) -> None:
    _kill(filled, "of_d")
    move = _Statement(filled, "ALTER MATERIALIZED VIEW m SET CLUSTER d")
    until(lambda: _arriving(filled) == 1)
    _kill(filled, "of_c")
    admin.execute("INSERT INTO t VALUES (2, 1)")
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)]
    _revive(filled, "of_d")
    assert move.end() is None
    assert _stored(admin, "m") and sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)]


@pytest.mark.parametrize("what", ["MATERIALIZED VIEW m", "INDEX i"])
def test_a_cancelled_move_leaves_all_as_it_was(filled: MemoryServer, admin: Connection, what: str) -> None:
    _kill(filled, "of_d")
    known = len(list(filled.environment.dataflows))
    move = _Statement(filled, f"ALTER {what} SET CLUSTER d")
    until(lambda: _arriving(filled) == 1 or len(list(filled.environment.dataflows)) > known)
    move.connection.cancel_safe(timeout=60)
    error = move.end()
    assert error is not None and error.sqlstate == "57014"
    until(lambda: _arriving(filled) == 0 and len(list(filled.environment.dataflows)) == known)
    assert all_rows(admin, _MOVES) == []
    assert (_kept(admin, "m"), _kept(admin, "i")) == ("c", "c")
    _revive(filled, "of_d")
    admin.execute("INSERT INTO t VALUES (2, 1)")
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)]
    admin.execute(f"ALTER {what} SET CLUSTER d".encode())
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)] and all_rows(admin, _LOOKUP) == [(3,)]


@pytest.mark.parametrize(
    ("what", "meanwhile", "expected"),
    [
        ("MATERIALIZED VIEW m", "DROP MATERIALIZED VIEW m CASCADE", "42704"),
        ("MATERIALIZED VIEW m", "DROP TABLE t CASCADE", "42704"),
        ("MATERIALIZED VIEW m", "DROP CLUSTER d", "42704"),
        ("MATERIALIZED VIEW m", "DROP CLUSTER REPLICA d.of_d", "55000"),
        (
            "MATERIALIZED VIEW m",
            "CREATE OR REPLACE MATERIALIZED VIEW m IN CLUSTER c AS SELECT a, 7::int8 n FROM t",
            "40001",
        ),
        ("INDEX i", "DROP INDEX i", "42704"),
        ("INDEX i", "DROP VIEW v CASCADE", "42704"),
        ("INDEX i", "DROP CLUSTER d", "42704"),
        ("INDEX i", "DROP CLUSTER REPLICA d.of_d", "55000"),
    ],
)
def test_what_is_dropped_meanwhile_ends_the_move(
    filled: MemoryServer, admin: Connection, what: str, meanwhile: str, expected: str
) -> None:
    _kill(filled, "of_d")
    known = set(filled.environment.dataflows)
    move = _Statement(filled, f"ALTER {what} SET CLUSTER d")
    until(lambda: _arriving(filled) == 1 or len(list(filled.environment.dataflows)) > len(known))
    admin.execute(meanwhile.encode())
    if "REPLACE" in meanwhile:
        _revive(filled, "of_d")
    error = move.end()
    assert error is not None and error.sqlstate == expected, error
    assert _arriving(filled) == 0
    kept = {
        each.definition.collection
        for each in filled.environment.catalog.state.items.values()
        if isinstance(each.definition, Computed)
    }
    until(lambda: set(filled.environment.dataflows) == kept)


def test_two_moves_of_one_view_at_once(filled: MemoryServer, admin: Connection) -> None:
    _kill(filled, "of_d")
    move = _Statement(filled, "ALTER MATERIALIZED VIEW m SET CLUSTER d")
    until(lambda: _arriving(filled) == 1)
    words = 'materialized view "m" is being moved to another cluster already'
    assert refusal(admin, 'ALTER MATERIALIZED VIEW m SET CLUSTER "default"') == ("55006", words)
    _revive(filled, "of_d")
    assert move.end() is None and _kept(admin, "m") == "d"


def test_a_server_that_dies_in_the_midst_leaves_nothing_half_moved() -> None:
    places = MemoryConsensus(), MemoryBlob()
    with memory_server(*places) as server, server.connect() as admin:
        admin.execute(_SCHEMA)
        until(lambda: _stored(admin, "m"))
        _kill(server, "of_d")
        moves = [_Statement(server, f"ALTER {what} SET CLUSTER d") for what in ("MATERIALIZED VIEW m", "INDEX i")]
        until(lambda: _arriving(server) == 1)
    assert all(move.end() is not None for move in moves)
    with memory_server(*places) as server, server.connect() as admin:
        assert (
            (_kept(admin, "m"), _kept(admin, "i"))
            == ("c", "c")
            == (_cluster_told(server, "m"), _cluster_told(server, "i"))
        )
        assert _arriving(server) == 0
        admin.execute("INSERT INTO t VALUES (2, 1)")
        assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)]
        admin.execute("ALTER MATERIALIZED VIEW m SET CLUSTER d; ALTER INDEX i SET CLUSTER d")
    with memory_server(*places) as server, server.connect() as admin:
        assert (_cluster_told(server, "m"), _cluster_told(server, "i")) == ("d", "d")
        assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)]
        until(lambda: _stored(admin, "m"))


def test_a_sink_moves_with_the_view_that_it_keeps(filled: MemoryServer, admin: Connection, tmp_path: Path) -> None:
    path = tmp_path / "written"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, s INTEGER)")
    admin.execute("CREATE VIEW w AS SELECT a, sum(b)::int AS s FROM t GROUP BY a")
    admin.execute(f"CREATE SINK k IN CLUSTER c FROM w INTO SQLITE (PATH '{path}', TABLE 't') KEY (a)".encode())

    def written() -> list[tuple[int, int]]:
        with closing(sqlite3.connect(path)) as database:
            return database.execute("SELECT a, s FROM t ORDER BY a").fetchall()

    until(lambda: written() == [(1, 3), (2, 3)])
    before = _collection(filled, "k")
    admin.execute("ALTER SINK k SET CLUSTER d")
    assert _kept(admin, "k") == "d" == _cluster_told(filled, "k") and _collection(filled, "k") == before
    _kill(filled, "of_c")
    admin.execute("INSERT INTO t VALUES (2, 4)")
    until(lambda: written() == [(1, 3), (2, 7)])


def test_several_move_in_one_transaction_or_none(filled: MemoryServer, admin: Connection) -> None:
    together = "ALTER MATERIALIZED VIEW m SET CLUSTER d; ALTER MATERIALIZED VIEW over_m SET CLUSTER d"
    admin.execute(f"BEGIN; {together}; ALTER INDEX i SET CLUSTER d; ROLLBACK".encode())
    assert {cluster for _, cluster in all_rows(admin, _KEPT)} == {"c"}
    admin.execute(f"BEGIN; {together}; ALTER INDEX i SET CLUSTER d; COMMIT; DROP CLUSTER c".encode())
    assert {cluster for _, cluster in all_rows(admin, _KEPT)} == {"d"}
    assert _stored(admin, "m") and _stored(admin, "over_m")
    admin.execute("INSERT INTO t VALUES (1, 10); SET cluster = d")
    assert all_rows(admin, "TABLE over_m") == [(4,)] and all_rows(admin, _LOOKUP) == [(13,)]


def test_what_is_dropped_before_the_first_wait_ends_the_move(
    filled: MemoryServer, admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    _kill(filled, "of_d")
    catalog, catch_up, reached = filled.environment.catalog, Rebuilding._catch_up, threading.Event()

    async def delayed(self: Rebuilding) -> None:
        reached.set()
        while any(each.name == "i" for each in catalog.state.items.values()):
            await asyncio.sleep(0.01)
        await catch_up(self)

    monkeypatch.setattr(rebuilding, "_LOOK_S", 3600.0)
    monkeypatch.setattr(Rebuilding, "_catch_up", delayed)
    move = _Statement(filled, "ALTER INDEX i SET CLUSTER d")
    assert reached.wait(60)
    admin.execute("DROP INDEX i")
    error = move.end()
    assert error is not None and error.sqlstate == "42704", error


def test_what_can_not_move_is_refused(filled: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE TABLE k (a int PRIMARY KEY); CREATE CLUSTER empty (REPLICATION FACTOR 0)")
    none = 'can\'t move to cluster "{}", which has no replicas'
    for sql, expected in {
        "ALTER INDEX k_pkey SET CLUSTER d": ("0A000", 'SET CLUSTER of the UNIQUE index "k_pkey" is not supported'),
        "ALTER INDEX nope SET CLUSTER d": ("42P01", 'relation "nope" does not exist'),
        "ALTER INDEX m SET CLUSTER d": ("42809", '"m" is not an index'),
        "ALTER MATERIALIZED VIEW v SET CLUSTER d": ("42809", '"v" is not a materialized view'),
        "ALTER MATERIALIZED VIEW m SET CLUSTER nope": ("42704", 'cluster "nope" does not exist'),
        "ALTER MATERIALIZED VIEW m SET CLUSTER": ("42601", "syntax error at end of input"),
        "ALTER MATERIALIZED VIEW m SET CLUSTER d e": ("42601", 'syntax error at or near "e"'),
        "ALTER MATERIALIZED VIEW m SET CLUSTER empty": ("55000", f'"m" {none.format("empty")}'),
        "ALTER INDEX i SET CLUSTER empty": ("55000", f'"i" {none.format("empty")}'),
        "BEGIN; CREATE CLUSTER n; ALTER INDEX i SET CLUSTER n; COMMIT": ("55000", f'"i" {none.format("n")}'),
        "BEGIN; ALTER TABLE t ADD COLUMN z int; ALTER MATERIALIZED VIEW m SET CLUSTER d; COMMIT": (
            "0A000",
            'SET CLUSTER of "m" in the transaction that alters what it reads is not supported',
        ),
    }.items():
        assert refusal(admin, sql) == expected, sql
        admin.execute("ROLLBACK")
    admin.execute("ALTER INDEX IF EXISTS nope SET CLUSTER d; ALTER MATERIALIZED VIEW IF EXISTS nope SET CLUSTER d")
    admin.execute("BEGIN; CREATE CLUSTER n; CREATE OR REPLACE MATERIALIZED VIEW over_m IN CLUSTER n AS TABLE m; COMMIT")
    assert _kept(admin, "over_m") == "n" and sorted(all_rows(admin, "TABLE over_m")) == [(1, 2), (2, 1)]
    admin.execute("CREATE ROLE bob; SET ROLE bob")
    assert refusal(admin, "ALTER INDEX i SET CLUSTER d")[0] == "42501"
    assert refusal(admin, "ALTER MATERIALIZED VIEW m SET CLUSTER d")[0] == "42501"
    admin.execute("RESET ROLE; ALTER MATERIALIZED VIEW m OWNER TO bob; SET ROLE bob")
    assert refusal(admin, "ALTER MATERIALIZED VIEW m SET CLUSTER d") == ("42501", "permission denied for cluster d")
