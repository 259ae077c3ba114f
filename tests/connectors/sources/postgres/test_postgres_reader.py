"""A reader of a publication against the real server: what it gives amounts to upstream's tables, whatever happens."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest

from connectors.postgres.source import session as session_module
from connectors.postgres.source import stream as stream_module
from connectors.postgres.source.session import ReplicationSession
from connectors.postgres.source.slots import drop_slot, forget_slot
from connectors.unreachable import Unreachable
from model.errors.sqlstate import Sqlstate
from model.external.publications import UpstreamSystem
from tests.connectors.sinks.cut_connection import cutting
from tests.connectors.sources.postgres.upstream import Follower, UpstreamDatabase, bag, upstream_database
from tests.judge import Judge
from tests.polling import await_that

_NAMES = iter(range(1_000))


@pytest.fixture
def upstream(judge: Judge) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, f"followed{next(_NAMES)}") as database:
        database.run("CREATE PUBLICATION p FOR ALL TABLES")
        yield database


def _table(upstream: UpstreamDatabase, name: str, columns: str) -> None:
    upstream.run(f"CREATE TABLE {name} ({columns})", f"ALTER TABLE {name} REPLICA IDENTITY FULL")


def _transfers(upstream: UpstreamDatabase, stop: threading.Event, seed: int) -> None:
    """Money goes from a to b and back; some of it is called off."""
    source = random.Random(seed)
    with psycopg.connect(upstream.judge.dsn(upstream.name)) as connection:
        while not stop.is_set():
            amount, at = source.randint(-9, 9), source.randrange(50)
            connection.execute("UPDATE a SET v = v - %s WHERE k = %s", (amount, at))
            connection.execute("UPDATE b SET v = v + %s WHERE k = %s", (amount, 49 - at))
            connection.execute("INSERT INTO log VALUES (%s)", (amount,))
            if source.random() < 0.2:
                connection.rollback()
            connection.commit()


def test_every_range_ends_between_two_transactions_whatever_is_killed(upstream: UpstreamDatabase) -> None:
    for name in ("a", "b"):
        _table(upstream, name, "k int, v int")
        upstream.run(f"INSERT INTO {name} SELECT i, 100 FROM generate_series(0, 49) i")
    _table(upstream, "log", "v int")
    stop = threading.Event()
    writers = [threading.Thread(target=_transfers, args=(upstream, stop, seed)) for seed in range(3)]
    for writer in writers:
        writer.start()
    source, ranges = random.Random(5), 0
    with Follower(upstream.place()) as follower:
        while ranges < 60:
            if follower.take(records_max=source.choice([1, 20, 1000])) is None:
                continue
            ranges += 1
            a, b = (
                sum(row[1] * count for row, count in follower.contents[name].items())
                for name in ("public.a", "public.b")
            )
            moved = sum(row[0] * count for row, count in follower.contents["public.log"].items())
            assert (a + b, b) == (10_000, 5_000 + moved), "a transaction was torn"
            if source.random() < 0.7:
                follower.durable()
            if source.random() < 0.05:
                follower.again()
        stop.set()
        for writer in writers:
            writer.join()
        follower.reach(upstream.wal_end())
        for name in ("a", "b", "log"):
            assert follower.contents[f"public.{name}"] == bag(upstream.rows(f"SELECT * FROM {name}"))


_VALUES = """
    (1, '', 1.5, 2.25, 'ok', '{sad,ok}', '{{1,2},{3,NULL}}', '2026-11-23 10:00:00.5+02', '2026-11-23 10:00',
     '{"b": 1, "a": [2]}', 'cfcb9a0c-8b95-4dd4-9a8b-97962852011d', '2020-01-01', true, '(1,2)', '\\x00ff',
     '1 mon -2 days 02:00:00.25',
     '10.0.0.1/8', 'ab', 1.1, 1e300, '10:00:00.5', '[1,5)', '101', '{"a b",NULL,""}', 'n', 7, 'x,"y"' || chr(10), 12.5),
    (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
     NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (2, repeat('long', 20000), 0, -0.01, 'sad', '{}', '{}', 'epoch', '0044-03-15 BC', 'null', NULL, 'infinity', false,
     NULL, '', '0', '::1', '', 'NaN', '-Infinity', '24:00', 'empty', '', '{}', NULL, -1, '\\.', NULL),
    (3, repeat('longer', 2000000), 'NaN', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
     NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
"""
_COLUMNS = """
    i int, t text, n numeric, d dollars, m mood, ms mood[], arr int[], z timestamptz, s timestamp, j jsonb, u uuid,
    dt date, bo bool, p point, by bytea, iv interval, ip inet, bc char(5), f4 float4, f8 float8, tm time, r int4range,
    bi varbit, ta text[], nm name, sm smallint, js varchar(20), money2 numeric(10, 3)
"""


def test_the_stream_tells_a_row_as_the_copy_does(upstream: UpstreamDatabase) -> None:
    upstream.run(
        "CREATE TYPE mood AS ENUM ('sad', 'ok')", "CREATE DOMAIN dollars AS numeric(10, 2) CHECK (value < 1000)"
    )
    _table(upstream, "t", _COLUMNS)
    upstream.run(f"INSERT INTO t VALUES {_VALUES}")
    with Follower(upstream.place()) as follower:
        follower.follow(lambda: bool(follower.contents["public.t"]))
        copied = follower.contents["public.t"].copy()
        assert sorted(error[:5] for *_, error in copied if error is not None) == ["0A000"]
        upstream.run(f"INSERT INTO t VALUES {_VALUES}")
        follower.follow(lambda: follower.contents["public.t"] == copied + copied)
        upstream.run("UPDATE t SET i = i WHERE i = 3", "DELETE FROM t WHERE i = 2 OR i IS NULL")
        upstream.run("UPDATE t SET dt = NULL, s = NULL, n = NULL, i = i + 10")
        follower.reach(upstream.wal_end())
        left = follower.contents["public.t"]
        assert sum(left.values()) == 4 and all(row[-1] is None for row in left), "values that go take errors along"


def test_a_table_that_is_emptied_keeps_what_comes_behind(upstream: UpstreamDatabase) -> None:
    _table(upstream, "t", "k int")
    _table(upstream, "other", "k int")
    upstream.run("INSERT INTO t VALUES (1), (2)", "INSERT INTO other VALUES (1)")
    with Follower(upstream.place()) as follower:
        follower.follow(lambda: bool(follower.contents["public.t"]))
        upstream.run("BEGIN", "INSERT INTO t VALUES (3)", "TRUNCATE t, other", "INSERT INTO t VALUES (4)", "COMMIT")
        upstream.run("INSERT INTO t VALUES (5)")
        follower.reach(upstream.wal_end())
        assert follower.contents == {"public.t": bag([(4,), (5,)]), "public.other": bag([])}


def test_a_transaction_that_is_too_large_for_memory_is_one_range(
    upstream: UpstreamDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_module, "SPILL_BYTES", 10_000)
    _table(upstream, "t", "k int, v text")
    upstream.run("INSERT INTO t VALUES (0, 'gone')")
    with Follower(upstream.place()) as follower:
        follower.follow(lambda: bool(follower.contents["public.t"]))
        upstream.run(
            "BEGIN",
            "INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(1, 3000) i",
            "TRUNCATE t",
            "INSERT INTO t SELECT i, repeat('y', 100) FROM generate_series(1, 3000) i",
            "UPDATE t SET v = 'z' WHERE k % 3 = 0",
            "COMMIT",
        )
        follower.follow(lambda: len(follower.contents["public.t"]) != 1)
        assert follower.contents["public.t"] == bag(upstream.rows("SELECT * FROM t"))


def test_large_transactions_are_whole_through_restarts_in_their_midst(
    upstream: UpstreamDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_module, "SPILL_BYTES", 100_000)
    upstream.run(f"ALTER DATABASE {upstream.name} SET logical_decoding_work_mem = '64kB'")
    _table(upstream, "t", "k int, v text")
    _table(upstream, "u", "k int")
    source = random.Random(5)
    many = "INSERT INTO {0} SELECT i, repeat('x', 100) FROM generate_series(1, {1}) i"
    few = "INSERT INTO u SELECT i FROM generate_series(1, {0}) i"
    place = upstream.place()
    with Follower(place) as follower, upstream.judge.connect(upstream.name) as other:
        follower.follow(lambda: bool(follower.frontier))
        for _ in range(15):
            each = source.choice([upstream.connection, other])
            upstream.run("BEGIN")
            other.execute("BEGIN")
            for _ in range(source.randint(2, 5)):
                each = source.choice([upstream.connection, other])
                rows = source.choice([1, 500, 3000])
                each.execute(many.format("t", rows).encode())
                each.execute(few.format(rows).encode())
                if source.random() < 0.5:
                    each.execute("SAVEPOINT s")
                    each.execute(many.format("t", 2000).encode())
                    each.execute("ROLLBACK TO s")
                if source.random() < 0.3:
                    follower.again()
                while follower.take() is not None:
                    counts = [sum(rows.values()) for rows in follower.contents.values()]
                    assert counts[0] == counts[1], "a transaction is torn"
                if source.random() < 0.3:
                    follower.durable()
            for each in (upstream.connection, other):
                each.execute(source.choice([b"COMMIT", b"COMMIT", b"ROLLBACK"]))
        follower.reach(upstream.wal_end())
        for name in ("t", "u"):
            assert follower.contents[f"public.{name}"] == bag(upstream.rows(f"SELECT * FROM {name}")), name
        assert follower.contents["public.u"], "something was committed"


def test_a_table_that_is_emptied_in_a_savepoint_is_not_where_that_is_rolled_back(upstream: UpstreamDatabase) -> None:
    """Seen as it happens: of what was rolled back before it is decoded nothing is sent."""
    upstream.run(f"ALTER DATABASE {upstream.name} SET logical_decoding_work_mem = '64kB'")
    _table(upstream, "t", "k int, v text")
    many = b"INSERT INTO t SELECT i, repeat('x', 300) FROM generate_series(1, 1000) i"
    with Follower(upstream.place()) as follower, upstream.judge.connect(upstream.name) as other:
        follower.follow(lambda: bool(follower.frontier))
        streamed = f"SELECT stream_bytes FROM pg_stat_replication_slots WHERE slot_name = '{follower.place.slot}'"
        for ending in (b"ROLLBACK TO s", b"RELEASE s"):
            (before,) = upstream.rows(streamed)
            for statement in (b"BEGIN", many, b"SAVEPOINT s", b"TRUNCATE t", many):
                other.execute(statement)
            for _ in range(600):
                (now,) = upstream.rows(streamed)
                if now[0] - before[0] > 450_000:
                    break
                upstream.run("SELECT pg_sleep(0.05)")
            else:
                raise AssertionError(f"it is not streamed: {before}, {now}")
            for statement in (ending, b"INSERT INTO t VALUES (0)", b"COMMIT"):
                other.execute(statement)
            follower.reach(upstream.wal_end())
            assert follower.contents["public.t"] == bag(upstream.rows("SELECT * FROM t")), ending


def test_an_idle_source_moves_along_and_lets_wal_go(upstream: UpstreamDatabase) -> None:
    _table(upstream, "t", "k int")
    with Follower(upstream.place()) as follower, upstream.judge.connect() as elsewhere:
        elsewhere.execute("CREATE TABLE IF NOT EXISTS unrelated AS SELECT i FROM generate_series(1, 10000) i")
        end = upstream.wal_end()
        follower.reach(end)
        follower.durable()
        confirmed = "SELECT confirmed_flush_lsn - '0/0'::pg_lsn >= %s FROM pg_replication_slots WHERE slot_name = %s"
        for _ in range(600):
            if upstream.connection.execute(confirmed, (end, follower.place.slot)).fetchall() == [(True,)]:
                break
            upstream.run("SELECT pg_sleep(0.05)")
        else:
            raise AssertionError("nothing was acknowledged")
        elsewhere.execute("DROP TABLE unrelated")


def test_what_was_added_upstream_is_not_shown_and_what_is_gone_is_told(upstream: UpstreamDatabase) -> None:
    _table(upstream, "t", "k int, v varchar(5), w int")
    _table(upstream, "other", "k int")
    with Follower(upstream.place()) as follower:
        upstream.run("ALTER TABLE t ADD COLUMN n int DEFAULT 7", "ALTER TABLE t ALTER COLUMN v TYPE varchar(50)")
        upstream.run("INSERT INTO t VALUES (1, 'longer than 5', 2)")
        follower.follow(lambda: bool(follower.contents["public.t"]))
        assert follower.contents["public.t"] == bag([(1, "longer than 5", 2)])
        upstream.run("BEGIN", "INSERT INTO t VALUES (2)", "INSERT INTO other VALUES (1)")
        upstream.run("ALTER TABLE t DROP COLUMN w", "INSERT INTO t VALUES (3)", "COMMIT")
        error = follower.stop_of("public.t")
        assert (error.sqlstate, error.message) == (
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            'column "w" of upstream\'s table "public.t" is gone',
        )
        upstream.run("INSERT INTO t VALUES (4)", "INSERT INTO other VALUES (2)")
        follower.follow(lambda: follower.contents["public.other"] == bag([(1,), (2,)]))
        assert follower.contents["public.t"] == bag([(1, "longer than 5", 2)]), "nothing of it counts any more"
        follower.again()
        follower.stopped.clear()
        upstream.run("INSERT INTO other VALUES (3)")
        assert follower.stop_of("public.t").message == error.message, "another reader tells it again"
        follower.follow(lambda: follower.contents["public.other"] == bag([(1,), (2,), (3,)]))


def test_changes_without_old_rows_are_refused(upstream: UpstreamDatabase) -> None:
    _table(upstream, "t", "k int PRIMARY KEY, v int")
    with Follower(upstream.place()) as follower:
        upstream.run("INSERT INTO t VALUES (1, 2)")
        follower.follow(lambda: bool(follower.contents["public.t"]))
        upstream.run("ALTER TABLE t REPLICA IDENTITY DEFAULT", "UPDATE t SET v = 3")
        assert "REPLICA IDENTITY FULL" in (follower.stop_of("public.t").hint or "")
        assert follower.contents["public.t"] == bag([(1, 2)])


_LOST_WHOLE = ["dropped", "moved", "another system", "restored"]
_LOST_TABLES = ["unpublished", "published again", "column", "another table"]


def _await_free(upstream: UpstreamDatabase, slot: str) -> None:
    """A reader that has hung up is noticed by its walsender a moment later."""
    while upstream.rows(f"SELECT active FROM pg_replication_slots WHERE slot_name = '{slot}'") == [(True,)]:
        time.sleep(0.02)


@pytest.mark.parametrize("lost", _LOST_WHOLE + _LOST_TABLES)
def test_what_is_lost_is_told_and_nothing_is_read(upstream: UpstreamDatabase, lost: str) -> None:
    _table(upstream, "t", "k int")
    upstream.run("DROP PUBLICATION p", "CREATE PUBLICATION p FOR TABLE t")
    with Follower(upstream.place()) as follower:
        upstream.run("INSERT INTO t VALUES (1)")
        follower.reach(upstream.wal_end())
        follower.durable()
        follower.reader.close()
        slot, system = follower.place.slot, follower.place.system
        match lost:
            case "dropped":
                drop_slot(upstream.connection, slot)
            case "moved":
                upstream.run("INSERT INTO t VALUES (2)")
                _await_free(upstream, slot)
                upstream.run(f"SELECT pg_replication_slot_advance('{slot}', pg_current_wal_lsn())")
            case "another system":
                follower.place = replace(follower.place, system=UpstreamSystem("17", system.timeline))
            case "restored":
                follower.frontier = {0: upstream.wal_end() + 1_000_000}
            case "unpublished":
                upstream.run("DROP PUBLICATION p", "CREATE PUBLICATION p")
            case "published again":
                upstream.run("ALTER PUBLICATION p DROP TABLE t", "INSERT INTO t VALUES (3)")
                upstream.run("ALTER PUBLICATION p ADD TABLE t")
            case "another table":
                upstream.run("DROP TABLE t")
                _table(upstream, "t", "k int")
                upstream.run("ALTER PUBLICATION p ADD TABLE t")
            case _:
                upstream.run("ALTER TABLE t ALTER COLUMN k TYPE text")
        follower.again()
        told = follower.failure() if lost in _LOST_WHOLE else follower.stop_of("public.t")
        assert told.sqlstate is Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE
        assert follower.contents["public.t"] == bag([(1,)])


def test_a_second_reader_ends_the_first(upstream: UpstreamDatabase) -> None:
    _table(upstream, "t", "k int")
    place = upstream.place()
    with Follower(place) as shadow:
        upstream.run("INSERT INTO t VALUES (1)")
        shadow.reach(upstream.wal_end())
        shadow.durable()
        with Follower(place) as newest:
            assert shadow.failure().sqlstate is Sqlstate.OBJECT_IN_USE
            upstream.run("INSERT INTO t VALUES (2)")
            newest.follow(lambda: newest.contents["public.t"] == bag([(1,), (2,)]))


def test_a_reader_that_waits_for_a_slot_can_be_closed(upstream: UpstreamDatabase) -> None:
    _table(upstream, "t", "k int")
    place = upstream.place()
    upstream.run("BEGIN", "INSERT INTO t VALUES (1)")  # a slot waits for it
    waiting = (
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'CREATE_REPLICATION_SLOT%' AND wait_event IS NOT NULL"
    )
    with Follower(place), upstream.judge.connect() as other:
        await_that(lambda: other.execute(waiting.encode()).fetchall() == [(1,)])
    upstream.run("ROLLBACK")


def test_a_table_that_is_made_again_while_it_is_followed_is_told(upstream: UpstreamDatabase) -> None:
    _table(upstream, "t", "k int")
    with Follower(upstream.place()) as follower:
        upstream.run("INSERT INTO t VALUES (1)")
        follower.reach(upstream.wal_end())
        upstream.run("DROP TABLE t")
        _table(upstream, "t", "k int")
        upstream.run("INSERT INTO t VALUES (2)")
        assert "is not the one" in follower.stop_of("public.t").message
        assert follower.contents["public.t"] == bag([(1,)])


def test_a_slot_is_dropped_where_it_was_and_nowhere_else(upstream: UpstreamDatabase) -> None:
    place = upstream.place()
    with Follower(place) as follower:
        follower.follow(lambda: bool(follower.frontier))
    slots = f"SELECT count(*)::int FROM pg_replication_slots WHERE slot_name = '{place.slot}'"
    with pytest.raises(Unreachable, match="another database system answers"):
        forget_slot(upstream.settings, place.slot, f"{place.system.identifier}0")
    assert upstream.rows(slots) == [(1,)]
    forget_slot(upstream.settings, place.slot, place.system.identifier)
    assert upstream.rows(slots) == [(0,)]
    forget_slot(upstream.settings, place.slot, place.system.identifier)


def test_a_server_that_says_nothing_more_holds_nobody_up(
    upstream: UpstreamDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connection stays open: libpq would wait for as long as it does, with Python's lock in its hands."""
    monkeypatch.setattr(session_module, "_ANSWER_S", 2.0)
    _table(upstream, "t", "id int")
    place = upstream.place()
    turns = 0
    stop = threading.Event()

    def take_turns() -> None:
        nonlocal turns
        while not stop.wait(0.01):
            turns += 1

    with cutting(upstream.judge.host, upstream.judge.port) as proxy:
        session = ReplicationSession({**upstream.settings, "host": "127.0.0.1", "port": str(proxy.port)})
        other = threading.Thread(target=take_turns)
        other.start()
        try:
            proxy.arm(b"START_REPLICATION", heard=False, silent=True)
            with pytest.raises(Unreachable, match="does not answer"):
                session.start(place.slot, place.publication, 0)
            assert proxy.fired and turns > 20, turns
        finally:
            stop.set()
            other.join()
            session.close()
