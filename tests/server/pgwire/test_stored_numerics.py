"""Numerics of columns without a modifier keep the decimals that they were given: letter by letter what PostgreSQL
shows, whichever way the rows came and however they are read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import memory_server
from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(300)

Connection = psycopg.Connection[tuple[object, ...]]

_WAYS = """
    CREATE TABLE kept (id int PRIMARY KEY, n numeric, m numeric(6,2), t text)
    CREATE TABLE free (id int, n numeric, other numeric)
    INSERT INTO kept VALUES (1, 1.50, 1.5, 'a'), (2, 2, 2, 'b'), (3, NULL, NULL, 'c'), (4, 100.000, 3, 'd')
    INSERT INTO kept VALUES (5, -0.00, 4, 'e')
    INSERT INTO free SELECT id, n, n * 2.00 FROM kept
    INSERT INTO free VALUES (6, 7.10, 1), (6, 7.1, 1.0)
    SELECT * FROM kept ORDER BY id
    SELECT * FROM free ORDER BY id, n, other, n::text
    SELECT n FROM kept WHERE id = 1
    SELECT n, n * 2.0, n + 1, n::text, round(n, 1), scale(n), trim_scale(n), abs(n), -n FROM kept ORDER BY id
    SELECT other, other * 2.0, other + 1, other::text, round(other, 1), scale(other) FROM free ORDER BY id, other::text
    SELECT sum(n), min(m), avg(n) FROM kept
    SELECT sum(n), sum(other), count(n) FROM free
    SELECT coalesce(n, 0), CASE WHEN id > 2 THEN n ELSE 0 END, nullif(n, 2) FROM free ORDER BY id, n::text
    SELECT kept.n, free.n, kept.n + free.n FROM kept JOIN free USING (id) ORDER BY id
    SELECT kept.n, free.n FROM kept LEFT JOIN free ON free.id = kept.id + 1 ORDER BY kept.id, free.n::text
    SELECT x FROM (SELECT id, n AS x FROM free WHERE n > 1) q ORDER BY x, x::text LIMIT 3
    SELECT id, n FROM free WHERE n = 7.1 ORDER BY n::text
    SELECT id FROM free WHERE n IN (SELECT n FROM kept) ORDER BY id
    SELECT other, count(*), min(n), max(n), sum(n), avg(other) FROM free WHERE id < 6 GROUP BY other ORDER BY other
    SELECT DISTINCT other FROM free WHERE id < 6 ORDER BY other
    SELECT n, n::text AS t FROM (SELECT n FROM kept UNION ALL SELECT n FROM free) q ORDER BY n, t
    SELECT x, x::text t FROM (SELECT n FROM kept UNION ALL SELECT m FROM kept UNION ALL SELECT 3.0) q(x) ORDER BY x, t
    SELECT DISTINCT ON (id) id, n FROM free ORDER BY id, n::text
    SELECT id FROM free WHERE n::text = '7.10'
    SELECT concat(n, '!'), to_jsonb(n), format('%s', other) FROM free ORDER BY id, n::text
    CREATE UNIQUE INDEX by_text ON free ((n::text), id)
    CREATE INDEX by_decimals ON free (scale(n), id)
    SELECT id FROM free WHERE n::text = '7.10' AND id = 6
    SELECT id, n FROM free WHERE scale(n) = 2 ORDER BY id
    INSERT INTO free VALUES (8, 1.0, 1), (8, 1.00, 1)
    SELECT n FROM free WHERE n::text = '1.00'
    DELETE FROM free WHERE id = 8
    DROP INDEX by_text, by_decimals
    CREATE TABLE texts AS SELECT n::text AS t FROM free
    SELECT t FROM texts ORDER BY t
    DELETE FROM free WHERE other::text = '1.0' RETURNING id
    UPDATE kept SET t = 'x' WHERE id = 1 RETURNING *
    UPDATE kept SET n = n * 1.10 WHERE id = 1
    UPDATE kept SET m = 7
    UPDATE free SET other = other + 1
    SELECT * FROM kept ORDER BY id
    SELECT * FROM free ORDER BY id, n::text
    DELETE FROM free WHERE n = 7.1 RETURNING n
    DELETE FROM kept WHERE n = 1.65 RETURNING *
    INSERT INTO kept (id, n) VALUES (2, 1.000), (9, 9.0) ON CONFLICT (id) DO UPDATE SET n = excluded.n + kept.n
    INSERT INTO kept (id, n) VALUES (9, 9.00) ON CONFLICT (id) DO NOTHING
    MERGE INTO kept USING free ON free.id = kept.id WHEN MATCHED THEN UPDATE SET n = kept.n + free.n
    MERGE INTO kept USING free ON free.id = kept.id WHEN NOT MATCHED THEN INSERT (id, n) VALUES (free.id, free.n)
    SELECT id, n FROM kept ORDER BY id
    CREATE TABLE made AS SELECT id, n, n / 3 AS third, n * 1.00 AS scaled FROM kept
    SELECT id, n, scaled FROM made ORDER BY id
    BEGIN
    INSERT INTO kept (id, n) VALUES (20, 5.500)
    SELECT n FROM kept WHERE id = 20
    SELECT n FROM kept ORDER BY id
    UPDATE kept SET t = 'own' WHERE id = 20
    SELECT n, t FROM kept WHERE id = 20
    ROLLBACK
    ALTER TABLE kept RENAME n TO price
    SELECT price FROM kept ORDER BY id
    ALTER TABLE kept ADD COLUMN z numeric DEFAULT 1.50, ADD COLUMN k numeric CHECK (k <> 5)
    INSERT INTO kept (id, z, k) VALUES (30, 2.500, 3.0)
    SELECT z, k FROM kept ORDER BY id
    ALTER TABLE kept DROP COLUMN price
    SELECT * FROM kept ORDER BY id
    ALTER TABLE kept ALTER z TYPE numeric(8,3)
    SELECT z, k FROM kept ORDER BY id
    CREATE TABLE twin (LIKE kept)
    INSERT INTO twin (id, k, t) VALUES (1, 0.10, 'a')
    SELECT * FROM twin
    CREATE TABLE parent (n numeric PRIMARY KEY)
    CREATE TABLE child (n numeric REFERENCES parent ON UPDATE CASCADE, other numeric)
    INSERT INTO parent VALUES (1.0), (2)
    INSERT INTO child VALUES (1.00, 3.0), (2.0, 4)
    UPDATE parent SET n = 5.000 WHERE n = 1
    SELECT * FROM child ORDER BY n
    UPDATE free SET n = 1, other = 2.50 WHERE id = 1
    CREATE TABLE narrow (id int, d numeric(8,2), n numeric, twice numeric GENERATED ALWAYS AS (n * 2.0) STORED)
    INSERT INTO narrow (id, d, n) VALUES (1, 1, 1.50), (2, 2, 2)
    SELECT * FROM narrow ORDER BY id
    UPDATE narrow SET n = d WHERE id = 1 RETURNING id, d, n, twice
    UPDATE narrow SET n = d
    INSERT INTO narrow (id, n) SELECT id + 2, d FROM narrow
    SELECT * FROM narrow ORDER BY id
    ALTER TABLE narrow ALTER d TYPE numeric USING d * 1.0
    INSERT INTO narrow (id, d, n) VALUES (9, 1.1000, 2.0)
    SELECT id, d FROM narrow ORDER BY id, d::text
    ALTER TABLE narrow ALTER d TYPE text
    ALTER TABLE narrow ALTER d TYPE numeric USING d::numeric
    SELECT id, d FROM narrow ORDER BY id, d::text
    UPDATE parent SET n = 5.00 WHERE n = 5
    SELECT * FROM child ORDER BY n
    CREATE VIEW seen AS SELECT id, n, n::text AS t FROM narrow
    CREATE VIEW above AS SELECT n, t FROM seen
    SELECT * FROM seen ORDER BY id, t
    CREATE OR REPLACE VIEW seen AS SELECT id, n, n::text AS t, n * 1.0 AS more FROM narrow
    SELECT * FROM seen ORDER BY id, t
    SELECT * FROM above ORDER BY n, t
    SELECT column_name FROM information_schema.columns WHERE table_name = 'seen' ORDER BY ordinal_position
    SELECT relnatts FROM pg_class WHERE relname = 'seen'
    CREATE VIEW through AS SELECT id, n FROM narrow
    UPDATE through SET n = n + 0.0000 WHERE id = 2
    INSERT INTO through VALUES (10, 7.70)
    DELETE FROM through WHERE n::text = '7.70' RETURNING n
    ALTER VIEW through RENAME n TO price
    SELECT price FROM through ORDER BY price, price::text
    SELECT id, max(n) OVER (PARTITION BY id), sum(n) OVER (ORDER BY id) FROM narrow WHERE id < 9 ORDER BY id
    CREATE DOMAIN positive AS numeric CHECK (VALUE > 0)
    CREATE TABLE of_domain (p positive)
    INSERT INTO of_domain VALUES (1.50), (2.000)
    SELECT p, p * 2 FROM of_domain ORDER BY p
    SELECT attname, attnum, atttypmod FROM pg_attribute WHERE attrelid = 'made'::regclass AND attnum > 0 ORDER BY attnum
    SELECT column_name FROM information_schema.columns WHERE table_name = 'made' ORDER BY ordinal_position
    TRUNCATE kept
    SELECT * FROM kept
    DROP VIEW through, above, seen
    DROP TABLE kept, free, texts, made, twin, child, parent, narrow, of_domain
    DROP DOMAIN positive
"""


def _statements() -> list[str]:
    return [line.strip() for line in _WAYS.strip().splitlines()]


def _told(connection: Connection, statement: str) -> object:
    """Returns the letters that a statement answers."""
    result = connection.execute(statement.encode()).pgresult
    assert result is not None
    return [[result.get_value(row, at) for at in range(result.nfields)] for row in range(result.ntuples)]


def _differences(ours: Connection, theirs: Connection) -> list[object]:
    answers = [(each, _told(ours, each), _told(theirs, each)) for each in _statements()]
    return [answer for answer in answers if answer[1] != answer[2]]


def _copied(connection: Connection, data: str, options: str) -> list[tuple[object, ...]]:
    connection.execute(b"CREATE TABLE copied (id int, n numeric, m numeric)")
    try:
        with connection.cursor().copy(f"COPY copied FROM STDIN {options}".encode()) as copy:
            copy.write(data)
        return connection.execute("SELECT id, n::text, m::text FROM copied ORDER BY id").fetchall()
    finally:
        connection.execute(b"DROP TABLE copied")


@pytest.fixture(scope="module")
def in_memory() -> Iterator[Connection]:
    with memory_server() as server, server.connect() as connection:
        yield connection


@pytest.fixture
def theirs(judge: Judge) -> Iterator[Connection]:
    with judge.connect() as connection:
        connection.autocommit = True
        yield connection


def test_stored_numerics_keep_their_decimals(in_memory: Connection, theirs: Connection) -> None:
    assert _differences(in_memory, theirs) == []


def test_of_equal_numerics_the_one_with_the_most_decimals_is_shown(in_memory: Connection) -> None:
    in_memory.execute(b"CREATE TABLE equal (n numeric)")
    in_memory.execute(b"INSERT INTO equal VALUES (1.0), (1.00), (1), (2.000), (2)")
    for query, expected in (
        ("SELECT DISTINCT n FROM equal ORDER BY n", ["1.00", "2.000"]),
        ("SELECT n FROM equal GROUP BY n ORDER BY n", ["1.00", "2.000"]),
        ("SELECT min(n) FROM equal UNION ALL SELECT max(n) FROM equal", ["1.00", "2.000"]),
        ("SELECT sum(n) FROM equal", ["7.000"]),
    ):
        assert [str(value) for (value,) in in_memory.execute(query.encode())] == expected
    in_memory.execute(b"DROP TABLE equal")


def test_columns_of_decimals_are_nobodys_to_name(in_memory: Connection) -> None:
    in_memory.execute(b"CREATE TABLE hiding (n numeric, a int)")
    hidden = "........decimals.2.0........"
    for statement, sqlstate in (
        (f'CREATE SEQUENCE of_hidden OWNED BY hiding."{hidden}"', "42703"),
        (f'ALTER TABLE hiding RENAME COLUMN "{hidden}" TO shown', "42703"),
        (f'ALTER TABLE hiding RENAME COLUMN a TO "{hidden}"', "42939"),
        (f'ALTER TABLE hiding ADD COLUMN "{hidden}" int', "42939"),
        (f'CREATE TABLE taken (n numeric, "{hidden}" int)', "42939"),
        (f'SELECT "{hidden}" FROM hiding', "42703"),
        (f'CREATE TABLE taken AS SELECT 1 AS "{hidden}"', "42939"),
        (f'CREATE TABLE taken AS SELECT 1.5 AS n, 2 AS a, 3 AS "{hidden}"', "42939"),
        (f'SELECT 1.5 AS n, 2 AS a, 3 AS "{hidden}" INTO taken', "42939"),
        (f'CREATE TABLE taken (n, a, "{hidden}") AS SELECT 1.5, 2, 3', "42939"),
        (f'CREATE MATERIALIZED VIEW taken AS SELECT 1.5 AS n, 2 AS a, 3 AS "{hidden}"', "42939"),
        (f"CREATE SOURCE taken FROM WEBHOOK BODY FORMAT TEXT INCLUDE HEADER 'x' AS \"{hidden}\"", "42939"),
    ):
        with pytest.raises(psycopg.Error) as refused:
            in_memory.execute(statement.encode())
        assert refused.value.sqlstate == sqlstate, statement
    in_memory.execute(f'CREATE TABLE named (n, a, b) AS SELECT 1.50, 2, 3 AS "{hidden}"'.encode())
    assert [str(n) for (n, *_) in in_memory.execute(b"TABLE named")] == ["1.50"]
    in_memory.execute(b"DROP TABLE hiding, named")


@pytest.mark.spark
def test_stored_numerics_keep_their_decimals_through_spark(headwater_server: ServerProcess, theirs: Connection) -> None:
    with headwater_server.connect() as ours:
        ours.autocommit = True
        assert not _differences(ours, theirs)


@pytest.mark.parametrize("rows", [3, 400])
@pytest.mark.parametrize("options", ["", "(FORMAT csv)"])
@pytest.mark.parametrize(
    "numbers",
    [
        ("1.50", "2", "-0.0", "+3.10", ".5", "5.", "100.000000", "0"),
        ("1e2", "1.50e1", " 2.50 ", "1_000.50"),
        ("123456789012345678.123456789012345670", "-1.000000000000000000"),
    ],
)
def test_copied_numerics_keep_their_decimals(
    in_memory: Connection, theirs: Connection, rows: int, options: str, numbers: tuple[str, ...]
) -> None:
    """Blocks that Arrow reads and lines that are read one by one say the same."""
    texts = itertools.cycle(numbers)
    mark = "," if options else "\t"
    data = "".join(f"{at}{mark}{next(texts)}{mark}{next(texts)}\n" for at in range(rows))
    try:
        expected: object = _copied(theirs, data, options)
    except psycopg.Error as refused:
        with pytest.raises(type(refused)):
            _copied(in_memory, data, options)
        return
    assert _copied(in_memory, data, options) == expected
