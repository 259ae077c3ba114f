"""Upstream's tables and publication altered at random while they are followed: in the end each table has upstream's
rows, or says that it has stopped. What is compared is what somebody would compare: the table and the columns of these
names there, and where nobody has a name any more, what had it."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import psycopg
import pytest

from connectors.postgres.source import stream as stream_module
from connectors.postgres.source.looks import Looks
from connectors.postgres.source.publications import published_tables
from connectors.postgres.source.reader import PARTITION
from connectors.upstream import FetchedRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.publications import PublishedTable
from tests.connectors.sources.postgres.upstream import Follower, UpstreamDatabase, upstream_database
from tests.judge import Judge

pytestmark = pytest.mark.slow

_NAMES = iter(range(1_000))
_SETTLED = 400
"""So often it is looked whether a table agrees or has stopped."""
_LOOKS = 3
"""After so many looks at upstream one has begun later than the first of them was counted, and its result is there."""


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often readers have looked whether all is still published, which they do often."""
    looked: Counter[str] = Counter()
    changed = Looks.changed

    def counted(self: Looks) -> Mapping[str, SqlError] | None:
        found = changed(self)
        # None: somebody alters a table, and nothing was seen.
        looked["times"] += found is not None
        return found

    monkeypatch.setattr(Looks, "changed", counted)
    monkeypatch.setattr(stream_module, "_LOOKED_NS", 50_000_000)
    return looked


@pytest.fixture
def upstream(judge: Judge) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, f"altered{next(_NAMES)}") as database:
        database.run("CREATE SCHEMA s", "CREATE SCHEMA away", "CREATE TYPE mood AS ENUM ('sad', 'ok')")
        for table in ("s.a", "s.b"):
            database.run(
                f"CREATE TABLE {table} (id int, v int, w int, g int GENERATED ALWAYS AS (id + 1) STORED, m mood)",
                f"ALTER TABLE {table} REPLICA IDENTITY FULL",
                f"INSERT INTO {table} (id, v, w, m) SELECT i, i * 10, i * 100, 'ok' FROM generate_series(1, 5) i",
            )
        yield database


def _table_there(upstream: UpstreamDatabase, table: PublishedTable) -> str | None:
    by_name = "SELECT 's.' || quote_ident(relname) FROM pg_class WHERE relnamespace = 's'::regnamespace"
    found = upstream.rows(f"{by_name} AND relname = '{table.name}'")
    found = found or upstream.rows(f"SELECT oid::regclass::text FROM pg_class WHERE oid = {table.oid}")
    return str(found[0][0]) if found else None


def _rows_there(upstream: UpstreamDatabase, table: PublishedTable) -> Counter[tuple[Any, ...]] | None:
    """None where there are none of these columns."""
    relation = _table_there(upstream, table)
    if relation is None:
        return None
    listed = f"SELECT attname, attnum FROM pg_attribute WHERE attrelid = '{relation}'::regclass AND NOT attisdropped"
    there = dict(upstream.rows(f"{listed} AND attnum > 0"))
    numbers = {number: name for name, number in there.items()}
    names = [column.name if column.name in there else numbers.get(column.number) for column in table.columns]
    if None in names:
        return None
    columns = ", ".join(f'"{name}"{"::text" if name == "m" else ""}' for name in names)
    return Counter((*row, None) for row in upstream.rows(f"SELECT {columns} FROM {relation}"))


def _taken(follower: Follower) -> FetchedRange | None:
    """A source that fails as a whole goes on from what it has, as it does in a server."""
    try:
        return follower.take()
    except SqlError as failure:
        if failure.sqlstate is not Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE:
            raise
        follower.reader.begin(follower.frontier)
        return None


def _catch_up(follower: Follower, bound: int) -> None:
    """Up to there, or as far as it comes."""
    for _ in range(50):
        if follower.frontier.get(PARTITION, 0) >= bound:
            return
        if _taken(follower) is None:
            time.sleep(0.01)


def _settle(
    follower: Follower, upstream: UpstreamDatabase, table: PublishedTable, looked: Counter[str]
) -> SqlError | None:
    """Why it has stopped; None where it has upstream's rows, and has them still when it has been looked anew."""
    agreed_at: int | None = None
    for _ in range(_SETTLED):
        if table.full_name in follower.stopped:
            return follower.stopped[table.full_name]
        looks = looked["times"]
        taken = _taken(follower)
        if taken is None:
            upstream.run("SELECT pg_sleep(0.02)")
            if follower.contents[table.full_name] != _rows_there(upstream, table):
                agreed_at = None
            elif agreed_at is None:
                agreed_at = looked["times"]
            elif looks - agreed_at >= _LOOKS:
                return None
    raise AssertionError(
        f"{table.full_name} has {follower.contents[table.full_name]}, upstream {_rows_there(upstream, table)}"
    )


_PUBLICATIONS = (
    "FOR ALL TABLES",
    "FOR TABLE s.a, s.b",
    "FOR TABLE s.a WHERE (id >= 0), s.b (id, v, m)",
    "FOR TABLES IN SCHEMA s",
)
_DML = (
    "INSERT INTO {t} (id, m) VALUES ({n}, 'ok')",
    "INSERT INTO {t} (id) SELECT {n} + i FROM generate_series(1, 3) i",
    "UPDATE {t} SET id = id + {n} WHERE id % 3 = 1",
    "DELETE FROM {t} WHERE id % 5 = {n} % 5",
    "TRUNCATE {t}",
)
_TABLE_DDL = (
    "ALTER TABLE {t} RENAME COLUMN v TO v_old",
    "ALTER TABLE {t} RENAME COLUMN v_old TO v",
    "ALTER TABLE {t} RENAME COLUMN w TO v",
    "ALTER TABLE {t} RENAME COLUMN v TO w",
    "ALTER TABLE {t} ADD COLUMN v int DEFAULT 5",
    "ALTER TABLE {t} ADD COLUMN x int DEFAULT 7",
    "ALTER TABLE {t} ADD COLUMN r float8 DEFAULT random()",
    "ALTER TABLE {t} ADD COLUMN y int GENERATED ALWAYS AS (id * 2) STORED",
    "ALTER TABLE {t} DROP COLUMN x",
    "ALTER TABLE {t} DROP COLUMN v",
    "ALTER TABLE {t} DROP COLUMN w",
    "ALTER TABLE {t} ALTER COLUMN g DROP EXPRESSION",
    "ALTER TABLE {t} DROP COLUMN g",
    "ALTER TABLE {t} ALTER COLUMN v TYPE bigint",
    "ALTER TABLE {t} ALTER COLUMN v TYPE int USING (v * 2)::int",
    "ALTER TABLE {t} ALTER COLUMN v SET DEFAULT 3",
    "ALTER TABLE {t} REPLICA IDENTITY DEFAULT",
    "ALTER TABLE {t} REPLICA IDENTITY FULL",
    "ANALYZE {t}",
    "ALTER TYPE mood ADD VALUE IF NOT EXISTS 'new'",
)
_NAMES_DDL = (
    "ALTER TABLE s.a RENAME TO o",
    "ALTER TABLE s.o RENAME TO a",
    "ALTER TABLE s.a SET SCHEMA away",
    "ALTER TABLE away.a SET SCHEMA s",
    "ALTER TABLE s.b RENAME TO a",
    "ALTER TABLE s.a RENAME TO b",
    "ALTER SCHEMA s RENAME TO z",
    "ALTER SCHEMA z RENAME TO s",
    "CREATE TABLE s.a (id int, v int, w int, m mood)",
    "DROP TABLE s.a",
)
_PUBLICATION_DDL = (
    "ALTER PUBLICATION p SET (publish = 'insert')",
    "ALTER PUBLICATION p SET (publish = 'insert, update, delete')",
    "ALTER PUBLICATION p SET (publish = 'insert, update, delete, truncate')",
    "ALTER PUBLICATION p DROP TABLE s.a",
    "ALTER PUBLICATION p ADD TABLE s.a",
    "ALTER PUBLICATION p SET TABLE s.a WHERE (id > 3), s.b",
    "ALTER PUBLICATION p DROP TABLES IN SCHEMA s",
    "ALTER PUBLICATION p ADD TABLES IN SCHEMA s",
)


def _step(source: random.Random, upstream: UpstreamDatabase) -> list[str]:
    """Statements that go together; one that upstream refuses does nothing."""
    there = [
        f"{schema}.{name}"
        for schema, name in upstream.rows(
            "SELECT n.nspname, relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
            "WHERE relkind = 'r' AND nspname IN ('s', 'away', 'z')"
        )
    ]
    table, number = source.choice(there or ["s.a"]), source.randrange(50)
    kinds = source.choices((_DML, _TABLE_DDL, _NAMES_DDL, _PUBLICATION_DDL), (60, 20, 12, 8))
    said = [source.choice(kinds[0]).format(t=table, n=number)]
    if source.random() < 0.3:
        said.append(source.choice(_DML).format(t=table, n=number))
    return said


@pytest.mark.in_part(6)
@pytest.mark.parametrize("seed", range(24))
def test_whatever_is_altered_a_table_agrees_or_says_that_it_has_stopped(
    upstream: UpstreamDatabase, looked: Counter[str], seed: int
) -> None:
    source = random.Random(seed)
    upstream.run(f"CREATE PUBLICATION p {source.choice(_PUBLICATIONS)}")
    done: list[str] = []
    with Follower(upstream.place()) as follower:
        if source.random() < 0.8:
            follower.follow(lambda: bool(follower.frontier))
        for _ in range(source.randint(2, 12)):
            said = _step(source, upstream)
            try:
                with upstream.connection.transaction():
                    upstream.run(*said)
            except psycopg.Error:
                continue
            done += said
            if source.random() < 0.4:
                _catch_up(follower, upstream.wal_end())
            if source.random() < 0.1:
                done.append("again")
                follower.durable()
                follower.again()
        # What does not heal by itself would hide what is lost.
        if upstream.rows(
            "SELECT FROM pg_publication WHERE NOT (pubinsert AND pubupdate AND pubdelete AND pubtruncate)"
        ):
            upstream.run(_PUBLICATION_DDL[2])
        if upstream.rows("SELECT FROM pg_namespace WHERE nspname = 'z'"):
            upstream.run("ALTER SCHEMA z RENAME TO s")
        for table in follower.place.tables:
            try:
                _settle(follower, upstream, table, looked)
            except AssertionError as wrong:
                raise AssertionError(f"{wrong} after\n" + "\n".join(done)) from None


_LOST = {
    "deletes left out for a moment": (
        "ALTER PUBLICATION p SET (publish = 'insert')",
        "DELETE FROM s.a WHERE id = 1",
        "ALTER PUBLICATION p SET (publish = 'insert, update, delete, truncate')",
    ),
    "a column in place of another": ("ALTER TABLE s.a DROP COLUMN v", "ALTER TABLE s.a ADD COLUMN v int DEFAULT 5"),
    "a column that was renamed, and another one": (
        "ALTER TABLE s.a RENAME COLUMN v TO v_old",
        "ALTER TABLE s.a ADD COLUMN v int",
        "UPDATE s.a SET id = id + 1",
    ),
    "values of the same type": ("ALTER TABLE s.a ALTER COLUMN v TYPE int USING v + 1",),
    "a table in place of another": (
        "ALTER TABLE s.a RENAME TO o",
        "CREATE TABLE s.a (id int, v int, w int, m mood)",
        "INSERT INTO s.o (id) VALUES (6)",
    ),
    "labels": ("ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'",),
    "a column that is no longer generated": ("ALTER TABLE s.a ALTER COLUMN g DROP EXPRESSION",),
}


@pytest.mark.in_part(4)
@pytest.mark.parametrize("lost", _LOST)
@pytest.mark.parametrize("seen", [False, True])
def test_what_nothing_in_the_stream_tells_stops_the_table_alone(
    upstream: UpstreamDatabase, looked: Counter[str], lost: str, seen: bool
) -> None:
    """Whether something is changed behind it, or it is only looked at."""
    upstream.run("CREATE TABLE s.alone (id int)", "ALTER TABLE s.alone REPLICA IDENTITY FULL")
    upstream.run("CREATE PUBLICATION p FOR ALL TABLES")
    with Follower(upstream.place()) as follower:
        follower.follow(lambda: bool(follower.frontier))
        upstream.run(*_LOST[lost])
        if seen:
            upstream.run("INSERT INTO s.a (id) VALUES (7)", "INSERT INTO s.alone VALUES (1)")
        assert follower.stop_of("s.a").hint is not None
        assert not any(row[0] in (6, 7) for row in follower.contents["s.a"]), "nothing behind it is bound"
        if "publi" not in " ".join(_LOST[lost]).lower():
            assert "s.alone" not in follower.stopped
            (alone,) = (table for table in follower.place.tables if table.name == "alone")
            assert _settle(follower, upstream, alone, looked) is None


_KEPT = {
    "a table that had another name for a while": (
        "ALTER TABLE s.a RENAME TO o",
        "INSERT INTO s.o (id) VALUES (6)",
        "ALTER TABLE s.o RENAME TO a",
    ),
    "a table that has another name": ("ALTER TABLE s.a RENAME TO o", "UPDATE s.o SET v = v + 1"),
    "columns that have each other's names for a while": (
        "ALTER TABLE s.a RENAME COLUMN v TO t",
        "ALTER TABLE s.a RENAME COLUMN w TO v",
        "UPDATE s.a SET v = v + 1",
        "ALTER TABLE s.a RENAME COLUMN v TO w",
        "ALTER TABLE s.a RENAME COLUMN t TO v",
    ),
    "a column that has another name": ("ALTER TABLE s.a RENAME COLUMN v TO t", "UPDATE s.a SET t = t + 1"),
    "what changes no value": (
        "ALTER TABLE s.a ALTER COLUMN v SET DEFAULT 4",
        "ALTER TABLE s.a ADD COLUMN n int DEFAULT 7",
        "ALTER TYPE mood ADD VALUE 'new'",
        "VACUUM FULL s.b",
        "INSERT INTO s.a (id, m) VALUES (6, 'new')",
    ),
}


@pytest.mark.parametrize("kept", _KEPT)
def test_what_can_be_followed_is(upstream: UpstreamDatabase, looked: Counter[str], kept: str) -> None:
    upstream.run("CREATE PUBLICATION p FOR ALL TABLES")
    with Follower(upstream.place()) as follower:
        follower.follow(lambda: bool(follower.frontier))
        upstream.run(*_KEPT[kept])
        for table in follower.place.tables:
            assert _settle(follower, upstream, table, looked) is None
        follower.durable()
        follower.again()
        for table in follower.place.tables:
            assert _settle(follower, upstream, table, looked) is None


def test_a_large_transaction_that_alters_a_table_is_looked_at_once_it_has_ended(
    upstream: UpstreamDatabase, looked: Counter[str]
) -> None:
    """Until then it keeps whoever looks from looking."""
    upstream.run(f"ALTER DATABASE {upstream.name} SET logical_decoding_work_mem = '64kB'")
    upstream.run("CREATE PUBLICATION p FOR ALL TABLES")
    many = "INSERT INTO s.a (id) SELECT generate_series(1, 5000)"
    with Follower(upstream.place()) as follower, upstream.judge.connect(upstream.name) as other:
        follower.follow(lambda: bool(follower.frontier))
        for ending in ("ROLLBACK", "COMMIT"):
            for said in ("BEGIN", "ALTER TABLE s.a DROP COLUMN v", "ALTER TABLE s.a ADD COLUMN v int", many):
                other.execute(said.encode())
            upstream.run("INSERT INTO s.b (id) VALUES (6)")
            follower.reach(upstream.wal_end())
            assert not follower.stopped
            other.execute(ending.encode())
            if ending == "ROLLBACK":
                assert _settle(follower, upstream, follower.place.tables[0], looked) is None
        assert "another one has its name" in follower.stop_of("s.a").message
        assert sum(follower.contents["s.a"].values()) == 5


_PUBLISHED = """
    SELECT schemaname, tablename, rowfilter, attnames::text[] FROM pg_publication_tables WHERE pubname = 'p'
    ORDER BY 1, 2
"""


@pytest.mark.in_part(4)
@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize(
    "members",
    [
        *_PUBLICATIONS,
        "FOR TABLE s.whole",
        "FOR TABLE s.whole, s.part",
        "FOR TABLE s.deep (id)",
        "FOR TABLE s.part WHERE (id > 2), TABLES IN SCHEMA away",
        "FOR TABLE s.a WHERE (id > 2), TABLES IN SCHEMA s",
    ],
)
def test_what_is_published_is_what_postgresql_says(upstream: UpstreamDatabase, members: str, root: bool) -> None:
    upstream.run(
        "CREATE TABLE s.whole (id int, v int) PARTITION BY RANGE (id)",
        "CREATE TABLE s.part PARTITION OF s.whole FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE away.sub PARTITION OF s.whole FOR VALUES FROM (10) TO (20) PARTITION BY RANGE (id)",
        "CREATE TABLE s.deep PARTITION OF away.sub FOR VALUES FROM (10) TO (15)",
        "CREATE UNLOGGED TABLE s.unlogged (id int)",
        "CREATE TABLE away.child (x int) INHERITS (s.a)",
        "CREATE VIEW s.view AS SELECT 1",
        f"CREATE PUBLICATION p {members} WITH (publish_via_partition_root = {root})",
    )
    found = published_tables(upstream.connection, "p")
    assert [
        (table.schema, table.name, table.row_filter, [column.name for column in table.columns]) for table in found
    ] == upstream.rows(_PUBLISHED)
