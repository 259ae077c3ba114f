"""Generated columns hold their expression over the row, whoever writes it; what they answer is in
`tests/slt/generated_columns.slt`."""

from __future__ import annotations

import random
from collections.abc import Iterator

import psycopg
import pytest

from tests.server.memory_server import MemoryServer, memory_server
from tests.server.world import World, fails, simulated

_WRITTEN = 60
_FALSE = """
    SELECT * FROM child
    WHERE total IS DISTINCT FROM price * amount OR told IS DISTINCT FROM coalesce(parent::text, 'none') || ':' || id
"""


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


def test_copy_computes_generated_columns_and_leaves_them_out(server: MemoryServer) -> None:
    with server.connect() as connection:
        connection.execute("CREATE TABLE c (a int, b int GENERATED ALWAYS AS (a * 2) STORED CHECK (b < 50), d text)")
        with connection.cursor() as cursor:
            with cursor.copy("COPY c FROM STDIN") as copy:
                copy.write(b"1\tx\n2\ty\n")
            with cursor.copy("COPY c (d) FROM STDIN (FORMAT csv)") as copy:
                copy.write(b"z\n")
            with cursor.copy("COPY c TO STDOUT") as copy:
                assert sorted(b"".join(copy).splitlines()) == [b"1\tx", b"2\ty", b"\\N\tz"]
            for refused in ("COPY c (b) TO STDOUT", "COPY c (a, b) FROM STDIN"):
                with pytest.raises(psycopg.errors.InvalidColumnReference), cursor.copy(refused.encode()):
                    pass
            with pytest.raises(psycopg.errors.CheckViolation), cursor.copy("COPY c (a) FROM STDIN") as copy:
                copy.write(b"3\n30\n")
        assert sorted(connection.execute("SELECT * FROM c WHERE a > 0").fetchall()) == [(1, 2, "x"), (2, 4, "y")]


def _statement(random_: random.Random) -> str:
    id_, parent, price = random_.randrange(20), random_.choice(("1", "2", "3", "NULL")), random_.randrange(100)
    inserted = f"INSERT INTO child (id, parent, price, amount) VALUES ({id_}, {parent}, {price}, 2)"
    neighbour = f"FROM child AS other WHERE child.id = other.id + 1 AND other.id = {id_}"
    gone = f"WITH gone AS (DELETE FROM child WHERE id = {id_} RETURNING *)"
    again = "INSERT INTO parent VALUES (1), (2), (3) ON CONFLICT DO NOTHING"
    statements = (
        f"{inserted} ON CONFLICT DO NOTHING",
        f"{inserted} ON CONFLICT (id) DO UPDATE SET price = excluded.price + child.amount, parent = excluded.parent",
        f"UPDATE child SET amount = amount + 1, total = DEFAULT WHERE id < {id_}",
        f"UPDATE child SET price = other.price {neighbour}",
        f"{gone} INSERT INTO child (id, price, amount) SELECT {random_.getrandbits(30)}, price, amount FROM gone",
        f"DELETE FROM parent WHERE id = {parent}; {again}",
        f"UPDATE parent SET id = id + 10 WHERE id = {parent}; UPDATE parent SET id = id - 10 WHERE id > 10",
        f"DELETE FROM child WHERE id = {id_}",
    )
    return random_.choice(statements)


@pytest.mark.parametrize("seed", range(2))
def test_whoever_writes_a_row_its_generated_columns_are_those_of_the_row(server: MemoryServer, seed: int) -> None:
    random_ = random.Random(seed)
    with server.connect() as connection:
        connection.execute("""
            DROP TABLE IF EXISTS child, parent;
            CREATE TABLE parent (id int PRIMARY KEY);
            INSERT INTO parent VALUES (1), (2), (3);
            CREATE TABLE child (
                id int PRIMARY KEY,
                parent int REFERENCES parent ON DELETE SET NULL ON UPDATE CASCADE,
                price numeric(10, 2),
                amount int,
                total numeric(12, 2) GENERATED ALWAYS AS (price * amount) STORED,
                told text GENERATED ALWAYS AS (coalesce(parent::text, 'none') || ':' || id) STORED
            );
            CREATE INDEX ON child (total);
        """)
        for _ in range(_WRITTEN):
            statement = _statement(random_)
            connection.execute(statement.encode())
            assert connection.execute(_FALSE).fetchall() == [], statement
        assert connection.execute("SELECT count(*) > 5, count(DISTINCT told) > 5 FROM child").fetchone() == (True, True)


@simulated
async def test_generated_columns_outlive_a_restart(world: World) -> None:
    client = world.client()
    await client.query("ALTER TABLE t ADD c int GENERATED ALWAYS AS (a + 1) STORED; INSERT INTO t VALUES (1, 'x')")
    await client.query('ALTER TABLE t RENAME a TO "the A"; CREATE MATERIALIZED VIEW m AS SELECT sum(c) AS c FROM t')
    await world.restart()
    client = world.client()
    assert await fails(client, "INSERT INTO t VALUES (2, 'y', 5)") == "428C9"
    await client.query("INSERT INTO t VALUES (2, 'y')")
    assert sorted(await client.query("SELECT * FROM t")) == [(1, "x", 2), (2, "y", 3)]
    assert await client.query("SELECT * FROM m") == [(5,)]
    assert await fails(client, 'ALTER TABLE t DROP "the A"') == "2BP01"
    await client.query('ALTER TABLE t DROP "the A" CASCADE')
    assert sorted(await client.query("SELECT * FROM t")) == [("x",), ("y",)]
