"""CREATE, ALTER and DROP CLUSTER: indexes and materialized views are kept, and queries answered, where they are said to
be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest

from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from model.time.timestamp import Timestamp
from server.objects.maintained.collections import ItemNotMaintained
from tests.compute.in_process import InProcessHost
from tests.server.clusters.asking import Connection, all_rows, refusal, until
from tests.server.memory_server import InProcessPlaces, MemoryServer, memory_server
from tests.storage.memory import MemoryBlob, MemoryConsensus


@pytest.fixture
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


def _ready(connection: Connection) -> set[tuple[str, str]]:
    return {(cluster, name) for cluster, name, _, ready in all_rows(connection, "SHOW CLUSTER REPLICAS") if ready}


def _host(server: MemoryServer, name: str) -> InProcessHost:
    places = server.environment.replicas.places
    assert isinstance(places, InProcessPlaces)
    return places.hosts[name]


def _call(server: MemoryServer, work: Callable[[], None]) -> None:
    async def do() -> None:
        work()

    server.run(do())


def _kill(server: MemoryServer, host: InProcessHost) -> None:
    def work() -> None:
        host.available = False
        host.crash()

    _call(server, work)


def _peeks(server: MemoryServer) -> dict[int, int]:
    async def answered() -> dict[int, int]:
        return {each.cluster: each.peeks for each in server.environment.compute.leading()}

    return server.run(answered())


_SCHEMA = """
    CREATE TABLE t (a int, b int);
    INSERT INTO t VALUES (1, 1), (1, 2), (2, 3);
    CREATE VIEW v AS SELECT a, sum(b) AS s FROM t GROUP BY a;
    CREATE CLUSTER c REPLICAS (first (MEMORY '900m'));
    CREATE INDEX i IN CLUSTER c ON v (a);
    CREATE MATERIALIZED VIEW m IN CLUSTER c AS SELECT a, count(*) AS n FROM t GROUP BY a
"""
_KEPT = """
    SELECT o.name, c.name FROM (
        SELECT name, cluster_id FROM mz_indexes WHERE id LIKE 'u%'
        UNION ALL SELECT name, cluster_id FROM mz_materialized_views WHERE id LIKE 'u%'
    ) AS o (name, cluster_id) JOIN mz_clusters c ON c.id = o.cluster_id ORDER BY 1
"""


def test_a_cluster_keeps_what_is_made_in_it_and_answers_its_sessions(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SCHEMA)
    assert all_rows(admin, "SHOW CLUSTERS") == [("c", "first"), ("default", "r1")]
    assert all_rows(admin, _KEPT) == [("i", "c"), ("m", "c")]
    until(lambda: _ready(admin) == {("c", "first"), ("default", "r1")})
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 1)], "a view is read through its shard"
    lookup = "SELECT s FROM v WHERE a = 1"
    assert all_rows(admin, lookup) == [(3,)]
    plan = str(all_rows(admin, f"EXPLAIN PHYSICAL PLAN FOR {lookup}"))
    assert "Index lookup" not in plan and "i (u3): not used, since it is in the cluster c" in plan
    admin.execute("SET cluster = c")
    until(lambda: "Index lookup" in str(all_rows(admin, f"EXPLAIN PHYSICAL PLAN FOR {lookup}")))
    (oid,) = (int(each) for (each,) in all_rows(admin, "SELECT id FROM mz_clusters WHERE name = 'c'"))
    before = _peeks(server)
    assert all_rows(admin, lookup) == [(3,)]
    admin.execute("INSERT INTO t VALUES (1, 10)")
    assert all_rows(admin, lookup) == [(13,)]
    assert all_rows(admin, "SELECT sum(b) FROM t") == [(16,)]
    after = _peeks(server)
    assert after[oid] > before[oid] and after.keys() == before.keys()
    assert all(after[each] == before[each] for each in before if each != oid), "the session's cluster answers"
    admin.execute("CREATE INDEX own ON v (s); CREATE UNIQUE INDEX key ON t (b)")
    assert all_rows(admin, _KEPT) == [("i", "c"), ("key", "default"), ("m", "c"), ("own", "c")]


def test_show_create_names_the_cluster(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SCHEMA)
    for shown in ("INDEX i", "MATERIALIZED VIEW m"):
        ((_, sql),) = all_rows(admin, f"SHOW CREATE {shown}")
        assert " IN CLUSTER c " in sql
        admin.execute(f"DROP {shown}")
        admin.execute(sql)
    assert all_rows(admin, _KEPT) == [("i", "c"), ("m", "c")]


def test_a_replica_lost_leaves_other_clusters_alone(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SCHEMA)
    until(lambda: _ready(admin) == {("c", "first"), ("default", "r1")})
    host = _host(server, "first")
    _kill(server, host)
    admin.execute("INSERT INTO t VALUES (2, 4)")
    assert sorted(all_rows(admin, "SELECT a, s FROM v")) == [(1, 3), (2, 7)]
    _call(server, lambda: setattr(host, "available", True))
    until(lambda: _ready(admin) == {("c", "first"), ("default", "r1")})
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)]
    admin.execute("SET cluster = c")
    assert all_rows(admin, "SELECT s FROM v WHERE a = 2") == [(7,)]


def test_queries_of_others_wait_for_no_replica_that_is_lost(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SCHEMA)
    admin.execute("CREATE MATERIALIZED VIEW over_m AS SELECT sum(n) AS n FROM m; SET statement_timeout = '60s'")
    until(lambda: _ready(admin) == {("c", "first"), ("default", "r1")})
    host = _host(server, "first")
    until(lambda: "computed" not in str(all_rows(admin, "EXPLAIN PHYSICAL PLAN FOR TABLE m")))
    until(lambda: "computed" not in str(all_rows(admin, "EXPLAIN PHYSICAL PLAN FOR TABLE over_m")))
    _kill(server, host)
    until(lambda: ("c", "first") not in _ready(admin))
    admin.execute("INSERT INTO t VALUES (2, 4)")
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)]
    assert all_rows(admin, "TABLE over_m") == [(4,)]
    _call(server, lambda: setattr(host, "available", True))
    until(lambda: _ready(admin) == {("c", "first"), ("default", "r1")})
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)]


def test_a_reader_who_waits_does_not_wait_on_when_the_replica_is_lost(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SCHEMA)
    until(lambda: _ready(admin) == {("c", "first"), ("default", "r1")})
    until(lambda: "computed" not in str(all_rows(admin, "EXPLAIN PHYSICAL PLAN FOR TABLE m")))
    host = _host(server, "first")
    collections, dataflows = server.environment.collections, server.environment.dataflows
    (item,) = (each for each in server.environment.catalog.state.items.values() if each.name == "m")

    async def wait_and_lose() -> str:
        upper = dataflows.bounds(collections.of(item.id)).upper.time
        assert upper is not None
        time = Timestamp(upper + 3_600_000)
        reading = asyncio.ensure_future(collections.wait_for_upper(item.id, time, instead=DEFAULT_CLUSTER_OID))
        await asyncio.sleep(0.1)
        assert not reading.done()
        host.available = False
        host.crash()
        with pytest.raises(ItemNotMaintained) as raised:
            await asyncio.wait_for(reading, 30)
        return str(raised.value.detail)

    assert server.run(wait_and_lose()).startswith("no replica of the cluster of u")


def test_a_cluster_of_its_own_transaction_answers_nothing_yet(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
    for query in (
        "TABLE t",
        "ALTER TABLE t ADD CHECK (a > 0)",
        "DECLARE s CURSOR FOR SUBSCRIBE (SELECT sum(a) FROM t); FETCH 1 s",
    ):
        admin.execute("BEGIN; CREATE CLUSTER c; SET LOCAL cluster = c")
        assert refusal(admin, query) == ("0A000", "the cluster has no replica to answer"), query
        admin.execute("ROLLBACK")
    admin.execute(
        "BEGIN; CREATE CLUSTER c; CREATE MATERIALIZED VIEW m IN CLUSTER c AS TABLE t; COMMIT; SET cluster = c"
    )
    assert all_rows(admin, "TABLE m") == [(1,)]


def test_a_cluster_without_replicas_keeps_its_definitions(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SCHEMA)
    until(lambda: _ready(admin) == {("c", "first"), ("default", "r1")})
    admin.execute("DROP CLUSTER REPLICA c.first; INSERT INTO t VALUES (2, 4)")
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)], "computed from the table, by this session's cluster"
    admin.execute("SET cluster = c")
    words = 'CLUSTER "c" has no replicas available to service request'
    assert refusal(admin, "SELECT * FROM v") == ("0A000", words)
    assert all_rows(admin, "SELECT count(*) FROM mz_clusters") == [(2,)]
    admin.execute("CREATE CLUSTER REPLICA c.second")
    assert all_rows(admin, "SELECT s FROM v WHERE a = 2") == [(7,)]
    assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 2)]


def test_swapped_clusters_keep_what_they_run(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SCHEMA)
    admin.execute("CREATE CLUSTER green REPLICAS (own ()); CREATE INDEX beside IN CLUSTER green ON v (s)")
    oids = dict(all_rows(admin, "SELECT name, id FROM mz_clusters"))
    with server.connect() as reader:
        reader.execute("SET cluster = c")
        assert all_rows(reader, "SELECT s FROM v WHERE a = 1") == [(3,)]
        admin.execute("ALTER CLUSTER c SWAP WITH green; ALTER CLUSTER c SWAP WITH c")
        assert all_rows(reader, "SELECT s FROM v WHERE a = 1") == [(3,)]
        (lookup, *_), *_ = all_rows(reader, "EXPLAIN PHYSICAL PLAN FOR SELECT a FROM v WHERE s = 3")
        assert "by public.beside" in lookup
        plan = all_rows(reader, "EXPLAIN PHYSICAL PLAN FOR SELECT s FROM v WHERE a = 1")
        assert "by public.beside" in plan[-1][0]
    swapped = dict(all_rows(admin, "SELECT name, id FROM mz_clusters"))
    assert (swapped["c"], swapped["green"]) == (oids["green"], oids["c"])
    assert _ready(admin) == {("c", "own"), ("green", "first"), ("default", "r1")}
    names = "details ->> 'old_name', details ->> 'new_name'"
    told = all_rows(admin, f"SELECT {names} FROM mz_audit_events WHERE event_type = 'alter' ORDER BY id")
    assert told[-2:] == [("c", "green"), ("green", "c")]


def test_clusters_are_there_again_after_a_restart() -> None:
    places = MemoryConsensus(), MemoryBlob()
    with memory_server(*places) as server, server.connect() as admin:
        admin.execute(_SCHEMA)
        admin.execute("ALTER CLUSTER c RENAME TO d")
        ids = all_rows(admin, "SELECT id, name FROM mz_clusters ORDER BY name")
    with memory_server(*places) as server, server.connect() as admin:
        until(lambda: _ready(admin) == {("d", "first"), ("default", "r1")})
        assert all_rows(admin, "SELECT id, name FROM mz_clusters ORDER BY name") == ids
        assert all_rows(admin, _KEPT) == [("i", "d"), ("m", "d")]
        admin.execute("INSERT INTO t VALUES (3, 5); SET cluster = d")
        assert all_rows(admin, "SELECT s FROM v WHERE a = 3") == [(5,)]
        assert sorted(all_rows(admin, "TABLE m")) == [(1, 2), (2, 1), (3, 1)]


def test_a_dropped_cluster_takes_what_it_kept_along(server: MemoryServer, admin: Connection) -> None:
    admin.execute(_SCHEMA)
    words = 'cannot drop cluster "c" because other objects depend on it'
    assert refusal(admin, "DROP CLUSTER c") == ("2BP01", words)
    assert refusal(admin, "BEGIN; DROP CLUSTER c RESTRICT") == ("2BP01", words)
    admin.execute("ROLLBACK; COMMENT ON TABLE t IS 'kept'")
    admin.execute("GRANT USAGE ON CLUSTER c TO PUBLIC; DROP CLUSTER c CASCADE")
    assert all_rows(admin, "SHOW CLUSTERS") == [("default", "r1")]
    assert all_rows(admin, _KEPT) == []
    assert all_rows(admin, "SELECT s FROM v WHERE a = 1") == [(3,)]
    places = server.environment.replicas.places
    assert isinstance(places, InProcessPlaces)
    until(lambda: places.cleared == ["first"])
    admin.execute(
        "CREATE CLUSTER c (SIZE '1g', REPLICATION FACTOR 0); DROP CLUSTER c; BEGIN; CREATE CLUSTER c; ROLLBACK"
    )
    assert all_rows(admin, "SHOW CLUSTERS") == [("default", "r1")]
    told = "SELECT event_type FROM mz_audit_events WHERE object_type = 'cluster' ORDER BY id"
    assert [event for (event,) in all_rows(admin, told)][:3] == ["create", "grant", "drop"]


def test_an_address_must_be_one_and_free(server: MemoryServer, admin: Connection) -> None:
    for sql, expected in {
        "CREATE CLUSTER c REPLICAS (a (ADDRESS 'h'))": (
            "22023",
            "a replica's address is HOST:PORT or unix:/PATH, not 'h'",
        ),
        "CREATE CLUSTER c REPLICAS (a (ADDRESS 'h:1', MEMORY '1g'))": (
            "42601",
            "a replica with an ADDRESS has no MEMORY",
        ),
        "CREATE CLUSTER c REPLICAS (a (ADDRESS 'h:1'), b (ADDRESS 'h:1'))": (
            "42710",
            "address h:1 specified more than once",
        ),
        "CREATE CLUSTER c (ADDRESS 'h:1')": ("42601", 'option "ADDRESS" not recognized'),
    }.items():
        assert refusal(admin, sql) == expected, sql


def test_what_can_not_be_is_refused(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE TABLE t (a int)")
    for sql, expected in {
        'CREATE CLUSTER "default"': ("42710", 'cluster "default" already exists'),
        "CREATE CLUSTER mz_own": ("42939", 'unacceptable cluster name "mz_own"'),
        "CREATE CLUSTER c (REPLICATION FACTOR 17)": ("22023", "REPLICATION FACTOR must be between 0 and 16"),
        "CREATE CLUSTER c (REPLICATION FACTOR -1)": ("22023", "REPLICATION FACTOR must be between 0 and 16"),
        "CREATE CLUSTER c (REPLICATION FACTOR 'x')": ("22023", "REPLICATION FACTOR must be between 0 and 16"),
        "CREATE CLUSTER c (PARTITIONS 1025)": ("22023", "PARTITIONS must be between 0 and 1024"),
        "CREATE CLUSTER c (PARTITIONS '2')": ("22023", "PARTITIONS must be between 0 and 1024"),
        "CREATE CLUSTER c (PARTITIONS 2, PARTITIONS 2)": ("42601", 'option "PARTITIONS" specified more than once'),
        "CREATE CLUSTER c REPLICAS (a (PARTITIONS 2))": ("42601", 'option "PARTITIONS" not recognized'),
        "ALTER CLUSTER nope SET (PARTITIONS 2)": ("42704", 'cluster "nope" does not exist'),
        "ALTER CLUSTER nope SET (PARTITIONS -1)": ("22023", "PARTITIONS must be between 0 and 1024"),
        "CREATE CLUSTER c (SIZE '2g', MEMORY '1g')": (
            "42601",
            "SIZE and MEMORY say the same: one of them is enough",
        ),
        "CREATE CLUSTER c (SIZE 'medium')": (
            "22023",
            "an amount of memory is a number and its unit, such as 4g or 512m, not 'medium'",
        ),
        "CREATE CLUSTER c (SIZE '99999999999999999999g')": ("22023", "an amount of memory is 16384g at most"),
        "CREATE CLUSTER c (SIZE '16385g')": ("22023", "an amount of memory is 16384g at most"),
        f"CREATE CLUSTER c (SIZE '{'9' * 5000}g')": ("22023", "an amount of memory is 16384g at most"),
        "CREATE CLUSTER c (SCHEDULE 'manual')": ("0A000", "SCHEDULE of a cluster is not supported"),
        "CREATE CLUSTER c REPLICAS (a, a ())": ("42710", 'cluster replica "c.a" specified more than once'),
        "CREATE CLUSTER c REPLICAS (": ("42601", "syntax error at end of input"),
        "CREATE CLUSTER": ("42601", "syntax error at end of input"),
        "ALTER CLUSTER c SET (SIZE '2g')": ("0A000", "SIZE of ALTER CLUSTER is not supported"),
        "ALTER CLUSTER c SET (SCHEDULE 'manual')": ("0A000", "SCHEDULE of ALTER CLUSTER is not supported"),
        "ALTER CLUSTER c SET (COLOUR 'red')": ("42601", 'option "COLOUR" not recognized'),
        "ALTER CLUSTER c RESET (SIZE)": ("0A000", "ALTER CLUSTER … RESET is not supported"),
        "ALTER CLUSTER nope SET (REPLICATION FACTOR 1)": ("42704", 'cluster "nope" does not exist'),
        "ALTER CLUSTER nope SET (REPLICATION FACTOR 17)": ("22023", "REPLICATION FACTOR must be between 0 and 16"),
        'ALTER CLUSTER "default" SET (REPLICATION FACTOR 2)': (
            "55000",
            'the replicas of cluster "default" are not those of a REPLICATION FACTOR',
        ),
        "ALTER CLUSTER nope OWNER TO headwater": ("42704", 'cluster "nope" does not exist'),
        "COMMENT ON CLUSTER nope IS 'x'": ("42704", 'cluster "nope" does not exist'),
        "COMMENT ON CLUSTER nope": ("42601", "syntax error at end of input"),
        'ALTER CLUSTER "default" SWAP WITH "default"': (
            "55000",
            'cannot rename cluster "default", in which sessions begin',
        ),
        'ALTER CLUSTER "default" SWAP WITH nope': ("42704", 'cluster "nope" does not exist'),
        "ALTER CLUSTER c SWAP": ("42601", "syntax error at end of input"),
        "ALTER CLUSTER nope RENAME TO c": ("42704", 'cluster "nope" does not exist'),
        "DROP CLUSTER nope": ("42704", 'cluster "nope" does not exist'),
        'DROP CLUSTER "default" CASCADE': (
            "2BP01",
            'cannot drop cluster "default" because it is required by the database system',
        ),
        "CREATE INDEX IN CLUSTER nope ON t (a)": ("42704", 'cluster "nope" does not exist'),
    }.items():
        assert refusal(admin, sql) == expected, sql
    notices: list[str] = []
    admin.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
    admin.execute('CREATE CLUSTER IF NOT EXISTS "default"; DROP CLUSTER IF EXISTS nope')
    assert notices == ['cluster "default" already exists, skipping', 'cluster "nope" does not exist, skipping']


def test_clusters_of_others_are_refused(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE TABLE t (a int)")
    admin.execute("CREATE CLUSTER c REPLICATION FACTOR 0; CREATE CLUSTER c2 REPLICATION FACTOR 0")
    admin.execute("CREATE ROLE bob; GRANT ALL ON TABLE t TO bob; SET ROLE bob")
    assert refusal(admin, "CREATE CLUSTER d") == ("42501", "permission denied to create cluster")
    assert refusal(admin, "DROP CLUSTER c") == ("42501", "must be owner of cluster c")
    assert refusal(admin, "ALTER CLUSTER c RENAME TO d") == ("42501", "must be owner of cluster c")
    assert refusal(admin, "ALTER CLUSTER c SWAP WITH c2") == ("42501", "must be owner of cluster c")
    view = "CREATE MATERIALIZED VIEW m IN CLUSTER c AS SELECT a FROM t"
    assert refusal(admin, f"SET cluster = c; {view}")[0] == "42501"
    assert refusal(admin, "SET cluster = c; SELECT * FROM t") == ("42501", "permission denied for cluster c")


def test_a_key_stays_where_constraints_are_looked_up(server: MemoryServer, admin: Connection) -> None:
    admin.execute("CREATE CLUSTER c REPLICAS (first ()); SET cluster = c; CREATE TABLE t (a int PRIMARY KEY, b int)")
    admin.execute("INSERT INTO t VALUES (1, 1), (2, 2)")
    assert refusal(admin, "INSERT INTO t VALUES (1, 3)")[0] == "23505"
    admin.execute("UPDATE t SET b = 5 WHERE a = 2; DELETE FROM t WHERE a = 1")
    assert all_rows(admin, "TABLE t") == [(2, 5)]
    assert refusal(admin, "CREATE UNIQUE INDEX u IN CLUSTER c ON t (b)")[0] == "0A000"


def test_a_replication_factor_adds_and_drops_replicas(server: MemoryServer, admin: Connection) -> None:
    def replicas() -> list[tuple[str, str]]:
        return [(name, size) for cluster, name, size, _ in all_rows(admin, "SHOW CLUSTER REPLICAS") if cluster == "c"]

    admin.execute("CREATE CLUSTER c (REPLICATION FACTOR 1, MEMORY '900m'); CREATE TABLE t (a int)")
    admin.execute("CREATE MATERIALIZED VIEW m IN CLUSTER c AS SELECT count(*) AS n FROM t")
    admin.execute("ALTER CLUSTER c SET (REPLICATION FACTOR 3)")
    assert replicas() == [("r1", "900m"), ("r2", "900m"), ("r3", "900m")]
    until(lambda: _ready(admin) == {("c", "r1"), ("c", "r2"), ("c", "r3"), ("default", "r1")})
    admin.execute("DROP CLUSTER REPLICA c.r1; ALTER CLUSTER c SET (REPLICATION FACTOR = 1)")
    assert replicas() == [("r2", "900m")]
    admin.execute("INSERT INTO t VALUES (1); SET cluster = c")
    assert all_rows(admin, "TABLE m") == [(1,)]
    admin.execute("ALTER CLUSTER c SET (REPLICATION FACTOR 0)")
    assert replicas() == [] and refusal(admin, "TABLE m")[0] == "0A000"
    admin.execute("ALTER CLUSTER IF EXISTS c SET (REPLICATION FACTOR 2)")
    assert [name for name, _ in replicas()] == ["r1", "r2"] and all_rows(admin, "TABLE m") == [(1,)]
    admin.execute("CREATE CLUSTER REPLICA c.own")
    words = 'the replicas of cluster "c" are not those of a REPLICATION FACTOR'
    assert refusal(admin, "ALTER CLUSTER c SET (REPLICATION FACTOR 1)") == ("55000", words)
    admin.execute("CREATE ROLE bob; SET ROLE bob")
    assert refusal(admin, "ALTER CLUSTER c SET (REPLICATION FACTOR 1)") == ("42501", "must be owner of cluster c")


def test_a_cluster_has_an_owner_and_a_comment() -> None:
    places = MemoryConsensus(), MemoryBlob()
    comments = "SELECT object_type, comment FROM mz_internal.mz_comments"
    with memory_server(*places) as server, server.connect() as admin:
        admin.execute("CREATE CLUSTER c (REPLICATION FACTOR 0); CREATE ROLE bob; CREATE ROLE eve")
        admin.execute("ALTER CLUSTER c OWNER TO bob; COMMENT ON CLUSTER c IS 'for reports'; SET ROLE eve")
        assert refusal(admin, "ALTER CLUSTER c OWNER TO eve") == ("42501", "must be owner of cluster c")
        assert refusal(admin, "COMMENT ON CLUSTER c IS NULL") == ("42501", "must be owner of cluster c")
        admin.execute("SET ROLE bob")
        assert refusal(admin, "ALTER CLUSTER c OWNER TO eve")[0] == "42501"
        admin.execute("ALTER CLUSTER c RENAME TO d; ALTER CLUSTER d OWNER TO CURRENT_USER; RESET ROLE")
        assert refusal(admin, "DROP ROLE bob")[0] == "2BP01"
        admin.execute("ALTER CLUSTER IF EXISTS nope OWNER TO bob")
        assert all_rows(admin, comments) == [("cluster", "for reports")]
        assert all_rows(admin, "SELECT description FROM pg_description") == [("for reports",)]
    with memory_server(*places) as server, server.connect() as admin:
        assert all_rows(admin, comments) == [("cluster", "for reports")]
        owner = "SELECT r.rolname FROM mz_clusters c JOIN pg_roles r ON r.oid::text = c.owner_id WHERE name = 'd'"
        assert all_rows(admin, owner) == [("bob",)]
        admin.execute("COMMENT ON CLUSTER d IS NULL")
        assert all_rows(admin, comments) == []
        admin.execute("COMMENT ON CLUSTER d IS 'gone'; DROP CLUSTER d")
        assert all_rows(admin, comments) == []


def test_partitions_are_kept_and_told_by_the_audit_log() -> None:
    places = MemoryConsensus(), MemoryBlob()
    told = "SELECT details ->> 'partitions' FROM mz_audit_events WHERE event_type = 'alter' ORDER BY id"

    def partitions(server: MemoryServer) -> list[int | None]:
        clusters = server.environment.catalog.state.clusters.values()
        return [each.partitions for each in sorted(clusters, key=lambda each: each.oid)]

    with memory_server(*places) as server, server.connect() as admin:
        admin.execute("CREATE CLUSTER c (REPLICATION FACTOR 0, PARTITIONS 3)")
        assert partitions(server) == [None, 3]
        admin.execute(
            'ALTER CLUSTER c SET (PARTITIONS = 64, REPLICATION FACTOR 0); ALTER CLUSTER "default" SET (PARTITIONS 5)'
        )
        admin.execute("CREATE ROLE bob; SET ROLE bob")
        assert refusal(admin, "ALTER CLUSTER c SET (PARTITIONS 1)") == ("42501", "must be owner of cluster c")
    with memory_server(*places) as server, server.connect() as admin:
        assert partitions(server) == [5, 64]
        assert all_rows(admin, "SELECT name, partitions FROM mz_clusters ORDER BY 1") == [("c", 64), ("default", 5)]
        admin.execute("ALTER CLUSTER c SET (PARTITIONS 0); ALTER CLUSTER IF EXISTS nope SET (PARTITIONS 1)")
        assert partitions(server) == [5, None]
        assert all_rows(admin, told) == [("64",), ("5",), (None,)]
