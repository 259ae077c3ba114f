"""DDL beneath a definition: views, materialized views and indexes then show what PostgreSQL shows in a view."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from model.errors.sql_error import SqlError
from tests.judge import Judge
from tests.server.world import World, simulated
from tests.simulation.incarnation import SimClient

Answer = tuple[str, tuple[str, ...]]
"""The SQLSTATE of an error, and rows."""

SETUP = """
CREATE TYPE mood AS ENUM ('bad', 'good');
CREATE DOMAIN felt AS mood;
CREATE TYPE pair AS (left_ mood, right_ int);
CREATE DOMAIN small AS int CHECK (VALUE < 100);
CREATE DOMAIN tiny AS small;
CREATE TABLE t (id int NOT NULL, m mood, f felt, ms mood[], p pair, n int);
INSERT INTO t VALUES (1, 'bad', 'good', '{bad,good}', ('good', 1), 5), (2, 'good', 'bad', '{good}', ('bad', 2), 50);
"""

QUERIES = {
    "shown": "SELECT id, m FROM t",
    "texts": "SELECT id, m::text AS m, f::text AS f, ms::text AS ms, p::text AS p FROM t",
    "least": "SELECT min(m) AS low, max(m)::text AS high, count(*) FILTER (WHERE m >= 'good') AS fine FROM t",
    "fields": "SELECT id, (p).left_::text AS l, (p).right_ AS r FROM t",
    "sorted": "SELECT id, row_number() OVER (ORDER BY m, id) AS place FROM t",
    "made": "SELECT id, ('(' || m::text || ',7)')::pair::text AS made FROM t",
    "checked": "SELECT id, (n + 40)::small AS n FROM t WHERE n IS NOT NULL",
    "nested": "SELECT id, (n + 40)::tiny AS n FROM t",
    "ranged": "SELECT id, enum_range(m)::text AS all_of FROM t",
    "above": "SELECT m, count(*) AS n FROM shown GROUP BY m",
}

STEPS = (
    ("ALTER TYPE mood ADD VALUE 'best'", "INSERT INTO t VALUES (3, 'best', 'best', '{best,bad}', ('best', 3), 1)"),
    ("ALTER TYPE mood ADD VALUE 'so-so' BEFORE 'good'", "INSERT INTO t VALUES (4, 'so-so', NULL, '{}', NULL, NULL)"),
    ("ALTER TYPE mood RENAME VALUE 'best' TO 'top'", "UPDATE t SET f = 'top' WHERE id = 4"),
    ("ALTER TYPE mood RENAME TO temper", "INSERT INTO t VALUES (5, 'top', 'bad', NULL, ('top', 1), 2)"),
    ("ALTER TYPE pair RENAME TO couple", "DELETE FROM t WHERE id = 5"),
    ("ALTER DOMAIN felt RENAME TO feeling", "UPDATE t SET m = 'top' WHERE id = 1"),
    ("ALTER TABLE t RENAME COLUMN m TO mm", "UPDATE t SET mm = 'bad' WHERE id = 1"),
    ("ALTER TABLE t RENAME TO tt", "INSERT INTO tt VALUES (6, 'bad', 'bad', '{top}', ('bad', 6), 44)"),
    ("ALTER DOMAIN small DROP CONSTRAINT small_check", "INSERT INTO tt (id, n) VALUES (7, 70)"),
    ("ALTER DOMAIN small ADD CONSTRAINT short CHECK (VALUE < 100) NOT VALID", "UPDATE tt SET n = 61 WHERE id = 7"),
    ("ALTER DOMAIN small RENAME CONSTRAINT short TO low", "UPDATE tt SET n = 62 WHERE id = 7"),
    ("ALTER DOMAIN small DROP CONSTRAINT low", "UPDATE tt SET n = 63 WHERE id = 7"),
    ("ALTER DOMAIN small SET NOT NULL", "UPDATE tt SET n = NULL WHERE id = 7"),
    ("ALTER DOMAIN small DROP NOT NULL", "UPDATE tt SET n = NULL WHERE id = 6"),
    ("ALTER TABLE tt ADD PRIMARY KEY (id)", "UPDATE tt SET n = 1 WHERE id = 6"),
    ("ALTER VIEW shown RENAME COLUMN m TO feels", "UPDATE tt SET n = 2 WHERE id = 6"),
    ("ALTER VIEW shown RENAME TO seen", "UPDATE tt SET n = 3 WHERE id = 6"),
)
"""DDL, and what is written after it."""


@pytest.fixture
def theirs(judge: Judge) -> Iterator[Judge]:
    with judge.connect() as connection:
        connection.execute("CREATE SCHEMA redefined")
        yield judge
        connection.execute("DROP SCHEMA redefined CASCADE")


def of_postgres(judge: Judge, statement: str) -> Answer:
    """In a session of its own, for PostgreSQL keeps what it knew of a domain's base."""
    with judge.connect() as connection:
        connection.execute("SET search_path TO redefined")
        try:
            found = connection.execute(statement)
        except psycopg.Error as error:
            return error.sqlstate or "", ()
        return "", tuple(sorted(str(text) for (text,) in found.fetchall())) if found.description else ()


async def of_headwater(client: SimClient, statement: str) -> Answer:
    try:
        return "", tuple(sorted(str(text) for (text,) in await client.query(statement)))
    except SqlError as error:
        return error.sqlstate.value, ()


def test_what_is_maintained_follows_ddl_beneath_it(theirs: Judge) -> None:
    async def law(world: World) -> None:
        client = world.client()
        await client.query("DROP TABLE t")
        for statement in [SETUP, *(f"CREATE VIEW {name} AS {query}" for name, query in QUERIES.items())]:
            await client.query(statement)
            assert of_postgres(theirs, statement) == ("", ())
        for name, query in QUERIES.items():
            await client.query(f"CREATE MATERIALIZED VIEW kept_{name} AS {query}; CREATE DEFAULT INDEX ON {name}")
        await client.query("CREATE MATERIALIZED VIEW on_kept AS SELECT * FROM kept_texts; CREATE INDEX ON t (m)")
        views = {name: name for name in QUERIES}
        for number, (ddl, write) in enumerate(STEPS):
            for statement in (ddl, write):
                assert await of_headwater(client, statement) == of_postgres(theirs, statement) == ("", ()), statement
            if ddl.startswith("ALTER VIEW shown RENAME TO"):
                views["shown"] = "seen"
            wanted = {name: of_postgres(theirs, shown(view)) for name, view in views.items()}
            for refreshed in (False, True):
                for name, view in views.items():
                    for relation in (view, f"kept_{name}"):
                        assert await of_headwater(client, shown(relation)) == wanted[name], (ddl, relation)
                assert await of_headwater(client, shown("on_kept")) == wanted["texts"]
                if not refreshed:
                    for name in ("on_kept", *(f"kept_{name}" for name in QUERIES)):
                        await client.query(f"REFRESH MATERIALIZED VIEW {name}")
            for name in [name for name in views if wanted[name][0] == ""][number % 3 :: 3]:
                assert await client.query(f"CHECK VIEW kept_{name}") == []
                assert await client.query(f"CHECK VIEW {views[name]}") == []

    simulated(law)()


def shown(relation: str) -> str:
    return f"SELECT r::text FROM {relation} AS r"
