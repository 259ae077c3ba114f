"""CREATE and DROP CLUSTER REPLICA: replicas come and go beside those of the options, while reads and writes go on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from tests.compute.in_process import InProcessHost
from tests.server.clusters.asking import Connection, all_rows, refusal, until
from tests.server.memory_server import InProcessPlaces, MemoryServer, memory_server
from tests.storage.memory import MemoryBlob, MemoryConsensus


@pytest.fixture
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


def _replicas(connection: Connection) -> dict[str, bool]:
    return {name: ready for _, name, _, ready in all_rows(connection, "SHOW CLUSTER REPLICAS")}


def _places(server: MemoryServer) -> InProcessPlaces:
    places = server.environment.replicas.places
    assert isinstance(places, InProcessPlaces)
    return places


def _leads(server: MemoryServer, admin: Connection, name: str) -> bool:
    async def leader() -> str | None:
        return server.environment.compute.leading()[0].name

    return server.run(leader()) == name


def _kill(server: MemoryServer, host: InProcessHost) -> None:
    async def work() -> None:
        host.available = False
        host.crash()

    server.run(work())


def test_a_replica_of_sql_takes_over_and_gives_back(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE TABLE t (a int, b int); CREATE VIEW v AS SELECT a, sum(b) AS s FROM t GROUP BY a")
    admin.execute("CREATE INDEX i ON v (a); CREATE MATERIALIZED VIEW m AS SELECT a, count(*) AS n FROM t GROUP BY a")
    admin.execute("INSERT INTO t VALUES (1, 1), (1, 2), (2, 3)")
    admin.execute('CREATE CLUSTER REPLICA "default".second')
    until(lambda: _replicas(admin) == {"r1": True, "second": True})
    hosts = _places(server).hosts
    _kill(server, hosts["r1"])
    until(lambda: _leads(server, admin, "second"))
    admin.execute("INSERT INTO t VALUES (2, 4), (3, 5)")
    assert all_rows(admin, "SELECT s FROM v WHERE a = 2") == [(7,)]
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2), (3, 1)]
    hosts["r1"].available = True
    until(lambda: _replicas(admin) == {"r1": True, "second": True})
    assert _leads(server, admin, "second")
    admin.execute('DROP CLUSTER REPLICA "default".second')
    assert list(_replicas(admin)) == ["r1"]
    admin.execute("INSERT INTO t VALUES (3, 6)")
    assert all_rows(admin, "SELECT s FROM v WHERE a = 3") == [(11,)]
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2), (3, 2)]
    assert _leads(server, admin, "r1")
    until(lambda: _places(server).cleared == ["second"])
    told = "SELECT event_type, details->>'replica_name' FROM mz_audit_events WHERE object_type = 'cluster-replica'"
    assert all_rows(admin, f"{told} ORDER BY id") == [("create", "second"), ("drop", "second")]


def test_each_replica_tells_of_its_own_dataflows(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE TABLE t (a int, b int); CREATE VIEW v AS SELECT a, sum(b) AS s FROM t GROUP BY a")
    admin.execute("CREATE INDEX i ON v (a); INSERT INTO t VALUES (1, 1), (1, 2), (2, 3); CREATE CLUSTER c")
    admin.execute('CREATE CLUSTER REPLICA "default".second')
    told = """SELECT r.name, d.status, d.records > 0, d.size = d.memory_size + d.file_size, d.ticks > 0
        FROM mz_internal.mz_cluster_replica_dataflows d JOIN mz_internal.mz_cluster_replicas r ON r.id = d.replica_id
        JOIN mz_catalog.mz_objects o ON o.id = d.object_id WHERE o.name = 'i' ORDER BY 1"""
    both = [(name, "running", True, True, True) for name in ("r1", "second")]
    until(lambda: all_rows(admin, told) == both)
    frontiers = """SELECT r.name FROM mz_internal.mz_cluster_replica_frontiers f
        JOIN mz_internal.mz_cluster_replicas r ON r.id = f.replica_id
        JOIN mz_catalog.mz_objects o ON o.id = f.object_id WHERE o.name = 'i' ORDER BY 1"""
    assert all_rows(admin, frontiers) == [("r1",), ("second",)]
    admin.execute("ALTER INDEX i SET CLUSTER c")
    until(lambda: all_rows(admin, told) == [both[0]] and all_rows(admin, frontiers) == [("r1",)])
    _kill(server, _places(server).hosts["second"])
    was = """SELECT h.status FROM mz_internal.mz_cluster_replica_status_history h
        JOIN mz_internal.mz_cluster_replicas r ON r.id = h.replica_id WHERE r.name = 'second' ORDER BY h.occurred_at"""
    until(lambda: all_rows(admin, was)[-2:] == [("ready",), ("not-ready",)])
    admin.execute("DROP TABLE t CASCADE")
    until(lambda: all_rows(admin, told) == [])


def test_a_dropped_replica_holds_back_no_history(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE TABLE t (a int); CREATE MATERIALIZED VIEW m AS SELECT a FROM t")
    admin.execute('CREATE CLUSTER REPLICA "default".second')
    until(lambda: _replicas(admin)["second"])
    _kill(server, _places(server).hosts["second"])

    async def durable() -> int:
        (collection,) = server.environment.dataflows
        return server.environment.compute.dataflows.frontiers(collection).durable.time or 0

    admin.execute("INSERT INTO t VALUES (1)")
    all_rows(admin, "TABLE m")
    before, written = server.run(durable()), int(all_rows(admin, "SELECT mz_now()")[0][0])
    assert before < written
    admin.execute('DROP CLUSTER REPLICA "default".second; INSERT INTO t VALUES (2)')
    all_rows(admin, "TABLE m")
    until(lambda: server.run(durable()) >= written)


def test_a_transaction_makes_them_when_it_commits(server: MemoryServer, admin: Connection) -> None:
    admin.execute('BEGIN; CREATE CLUSTER REPLICA "default".second')
    names = all_rows(admin, "SELECT name FROM mz_catalog.mz_cluster_replicas ORDER BY name")
    assert names == [("r1",), ("second",)]
    assert list(_places(server).hosts) == ["r1"]
    admin.execute("ROLLBACK")
    assert list(_replicas(admin)) == ["r1"] and list(_places(server).hosts) == ["r1"]
    admin.execute('BEGIN; CREATE CLUSTER REPLICA "default".second; CREATE TABLE t (a int); COMMIT')
    until(lambda: _replicas(admin) == {"r1": True, "second": True})
    former = _places(server).hosts["second"]
    admin.execute('BEGIN; DROP CLUSTER REPLICA "default".second; CREATE CLUSTER REPLICA "default".second; COMMIT')
    until(lambda: _replicas(admin) == {"r1": True, "second": True} and _places(server).cleared == ["second"])
    assert _places(server).hosts["second"] is not former


def test_replicas_are_there_again_after_a_restart() -> None:
    places = MemoryConsensus(), MemoryBlob()
    with memory_server(*places) as server, server.connect() as admin:
        admin.execute("CREATE CLUSTER REPLICA \"default\".big (MEMORY = '8g', SPARK MASTER 'local[2]')")
        admin.execute('CREATE CLUSTER REPLICA "default".gone; DROP CLUSTER REPLICA "default".gone')
        ids = all_rows(admin, "SELECT id, name FROM mz_catalog.mz_cluster_replicas ORDER BY name")
    with memory_server(*places) as server, server.connect() as admin:
        until(lambda: _replicas(admin) == {"big": True, "r1": True})
        assert all_rows(admin, "SELECT id, name FROM mz_catalog.mz_cluster_replicas ORDER BY name") == ids

        async def kept() -> tuple[str | None, str | None]:
            replica = server.environment.catalog.state.clusters[DEFAULT_CLUSTER_OID].replica_named("big")
            assert replica is not None
            return replica.memory, replica.master

        assert server.run(kept()) == ("8g", "local[2]")


def test_what_can_not_be_is_refused(server: MemoryServer, admin: Connection) -> None:
    notices: list[str] = []
    admin.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
    admin.execute('CREATE CLUSTER REPLICA IF NOT EXISTS "default".r1; DROP CLUSTER REPLICA IF EXISTS "default".r9')
    assert notices == [
        'cluster replica "default.r1" already exists, skipping',
        'cluster replica "default.r9" does not exist, skipping',
    ]
    for sql, expected in {
        'CREATE CLUSTER REPLICA "default".r1': ("42710", 'cluster replica "default.r1" already exists'),
        'CREATE CLUSTER REPLICA "default".r16': ("42939", 'replica name "r16" is reserved'),
        "CREATE CLUSTER REPLICA nope.r1": ("42704", 'cluster "nope" does not exist'),
        "CREATE CLUSTER REPLICA second": ("42601", "a replica is named by its cluster: cluster.replica"),
        'DROP CLUSTER REPLICA "default".r9': ("42704", 'cluster replica "default.r9" does not exist'),
        "CREATE CLUSTER REPLICA \"default\".second (MEMORY 'much')": (
            "22023",
            "an amount of memory is a number and its unit, such as 4g or 512m, not 'much'",
        ),
        "CREATE CLUSTER REPLICA \"default\".second (SIZE 'small')": (
            "22023",
            "an amount of memory is a number and its unit, such as 4g or 512m, not 'small'",
        ),
        "CREATE CLUSTER REPLICA \"default\".second (SIZE '2g', MEMORY '1g')": (
            "42601",
            "SIZE and MEMORY say the same: one of them is enough",
        ),
        'CREATE CLUSTER REPLICA "default".second (NONSENSE 1)': ("42601", 'option "NONSENSE" not recognized'),
        "CREATE CLUSTER REPLICA \"default\".second MEMORY '2g' x y": ("42601", 'syntax error at or near "x"'),
    }.items():
        assert refusal(admin, sql) == expected, sql
    assert refusal(admin, 'DROP CLUSTER REPLICA "default".r1')[0] == "55000"
    admin.execute("BEGIN")
    for number in range(2, 17):
        admin.execute(f'CREATE CLUSTER REPLICA "default".n{number}')
    assert refusal(admin, 'CREATE CLUSTER REPLICA "default".n17')[0] == "53400"
    admin.execute("ROLLBACK; CREATE ROLE bob; SET ROLE bob")
    assert refusal(admin, 'CREATE CLUSTER REPLICA "default".second') == ("42501", "must be owner of cluster default")
