"""vector(n): what pgvector's documentation says of its values, distances and errors, in tables and views too."""

from __future__ import annotations

import random
import struct

import psycopg
import pytest

from tests.server.memory_server import memory_server

_ERRORS = (
    ("SELECT '[1,2]'::vector(3)", "22000", "expected 3 dimensions, not 2"),
    ("SELECT '[]'::vector", "22000", "vector must have at least 1 dimension"),
    ("SELECT '[1,,2]'::vector", "22P02", 'invalid input syntax for type vector: "[1,,2]"'),
    ("SELECT '1,2'::vector", "22P02", 'invalid input syntax for type vector: "1,2"'),
    ("SELECT '[nan]'::vector", "22000", "NaN not allowed in vector"),
    ("SELECT '[inf]'::vector", "22000", "infinite value not allowed in vector"),
    ("SELECT '[1e40]'::vector", "22003", '"1e40" is out of range for type vector'),
    ("CREATE TABLE b (v vector(0))", "22023", "dimensions for type vector must be at least 1"),
    ("CREATE TABLE b (v vector(16001))", "22023", "dimensions for type vector cannot exceed 16000"),
    ("SELECT '[1,2]'::vector <-> '[1]'", "22000", "different vector dimensions 2 and 1"),
    ("SELECT '[3e38]'::vector + '[3e38]'", "22003", "value out of range: overflow"),
    ("SELECT '[1e-37]'::vector * '[1e-37]'", "22003", "value out of range: underflow"),
    ("SELECT ARRAY[1, NULL]::vector", "22004", "array must not contain nulls"),
    ("SELECT ARRAY[[1], [2]]::vector", "22000", "array must be 1-D"),
    ("SELECT ARRAY[1, 2]::vector(3)", "22000", "expected 3 dimensions, not 2"),
    ("SELECT sum(v) FROM (VALUES ('[1,2]'::vector), ('[3]')) AS x (v)", "22000", "different vector dimensions 2 and 1"),
)
_ANSWERS = (
    ("SELECT ' [ 1.5 , -2e3,.5 ] '::vector(3)", ("[1.5,-2000,0.5]",)),
    (
        "SELECT '[1,2]'::vector + '[3,4]', '[1,2]'::vector - '[3,4]', '[1,2]'::vector * '[3,4]'",
        ("[4,6]", "[-2,-2]", "[3,8]"),
    ),
    ("SELECT '[0,0]'::vector <-> '[3,4]', '[0,0]'::vector <+> '[3,4]', '[1,2]'::vector <#> '[3,4]'", (5.0, 7.0, -11.0)),
    ("SELECT '[1,0]'::vector <=> '[0,1]', inner_product('[1,2]'::vector, '[3,4]')", (1.0, 11.0)),
    (
        "SELECT vector_dims('[1,2]'::vector), vector_norm('[3,4]'::vector), l2_normalize('[3,4]'::vector)",
        (2, 5.0, "[0.6,0.8]"),
    ),
    ("SELECT l2_normalize('[0,0]'::vector), cosine_distance('[1,1]'::vector, '[-1,-1]')", ("[0,0]", 2.0)),
    (
        "SELECT ARRAY[1.5, 2]::vector(2), '{1,2}'::real[]::vector, '[1,2]'::vector::real[]",
        ("[1.5,2]", "[1,2]", [1.0, 2.0]),
    ),
    ("SELECT avg(v), sum(v) FROM (VALUES ('[1,2]'::vector), ('[3,5]'), (NULL)) AS x (v)", ("[2,3.5]", "[4,7]")),
    ("SELECT '[1]'::vector < '[1,0]', '[-1]'::vector < '[1]', '[1,2]'::vector = '[1,2.0]'", (True, True, True)),
    ("SELECT format_type('vector'::regtype, 3)", ("vector(3)",)),
)


def test_values_distances_and_errors_are_pgvectors() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.autocommit = True
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        for sql, answer in _ANSWERS:
            assert connection.execute(sql.encode()).fetchone() == answer, sql
        for sql, sqlstate, message in _ERRORS:
            with pytest.raises(psycopg.Error) as error:
                connection.execute(sql.encode())
            assert (error.value.sqlstate, error.value.diag.message_primary) == (sqlstate, message), sql


def test_nearest_rows_are_found_and_maintained() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.autocommit = True
        connection.execute("CREATE TABLE items (id int PRIMARY KEY, embedding vector(3))")
        with connection.cursor() as cursor, cursor.copy("COPY items FROM STDIN") as copy:
            copy.write("1\t[1,2,3]\n2\t[4,5,6]\n3\t[7,8,9]\n4\t\\N\n")
        nearest = "SELECT id FROM items ORDER BY embedding <-> '[3,1,2]' LIMIT 2"
        connection.execute(f"CREATE MATERIALIZED VIEW near AS {nearest}".encode())
        assert connection.execute(nearest.encode()).fetchall() == [(1,), (2,)]
        connection.execute("DELETE FROM items WHERE id = 1")
        assert connection.execute("SELECT id FROM near ORDER BY id").fetchall() == [(2,), (3,)]
        asked = "SELECT embedding FROM items ORDER BY embedding <-> %s LIMIT 1"
        (row,) = connection.execute(asked, ("[7,8,9]",), binary=True).fetchall()
        assert row == (struct.pack(">hhfff", 3, 0, 7, 8, 9),)


_NUMBERS = ("0", "0", "1", "-1", "0.5", "1e30", "3e38")
_ORDERS = (
    "embedding {} {}",
    "embedding {} {} DESC",
    "embedding {} {} NULLS FIRST, kind DESC",
    "{1} {0} embedding DESC NULLS LAST, id DESC",
)
_CONDITIONS = (
    "",
    "WHERE kind = 'a'",
    "WHERE id % 3 = 0",
    "WHERE kind <> 'a' AND embedding {} {} < 2",
    "WHERE kind IS NULL",
)


def _vector(source: random.Random) -> str:
    return "[" + ",".join(source.choice(_NUMBERS) for _ in range(2)) + "]"


def test_the_nearest_rows_by_an_index_are_those_of_all_rows_sorted() -> None:
    source = random.Random(5)
    with memory_server() as server, server.connect() as connection:
        connection.execute(
            "CREATE TABLE items (id int, kind text, embedding vector(2));"
            "CREATE TABLE bare (id int, kind text, embedding vector(2)); CREATE INDEX by_id ON items (id)"
        )

        def change(sql: str, *values: object) -> None:
            for table in ("items", "bare"):
                connection.execute(sql.format(table).encode(), values)

        for number in range(40):
            vector = None if source.random() < 0.2 else _vector(source)
            change("INSERT INTO {} VALUES (%s, %s, %s)", number, source.choice(["a", "b", None]), vector)
        by_index = 0
        for _ in range(40):
            match source.randrange(4):
                case 0:
                    change("DELETE FROM {} WHERE id = %s", source.randrange(40))
                case 1:
                    change("UPDATE {} SET embedding = %s WHERE id = %s", _vector(source), source.randrange(40))
                case _:
                    change("INSERT INTO {0} SELECT * FROM {0} WHERE id = %s LIMIT 1", source.randrange(40))
            operator, to = source.choice(["<->", "<=>", "<#>", "<+>"]), f"'{_vector(source)}'::vector"
            order, condition = (
                text.format(operator, to) for text in (source.choice(_ORDERS), source.choice(_CONDITIONS))
            )
            limit = f"LIMIT {source.randrange(8)} OFFSET {source.choice([0, 0, 2])}"
            asked = (
                f"SELECT id, kind, embedding, embedding {operator} {to} FROM {{}} {condition} ORDER BY {order} {limit}"
            )
            rows = connection.execute(asked.format("items").encode()).fetchall()
            assert repr(rows) == repr(connection.execute(asked.format("bare").encode()).fetchall()), asked
            analyzed = connection.execute(f"EXPLAIN ANALYZE {asked.format('items')}".encode()).fetchall()
            by_index += any("Index neighbours of public.items" in line for (line,) in analyzed)
        assert by_index > 25


def test_what_the_nearest_rows_by_an_index_leave_to_others() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE items (id int, embedding vector); CREATE INDEX by_id ON items (id)")
        connection.execute("INSERT INTO items VALUES (1, '[1,2]'), (2, '[3,4]')")
        nearest = "SELECT id FROM items ORDER BY embedding <-> %s::vector LIMIT 1"
        assert connection.execute(nearest, ("[3,3]",)).fetchall() == [(2,)]
        with connection.transaction():
            connection.execute("INSERT INTO items VALUES (3, '[3,3]')")
            assert connection.execute(nearest, ("[3,3]",)).fetchall() == [(3,)]
        connection.execute("DELETE FROM items WHERE id = 3")
        assert connection.execute(nearest, (None,)).fetchall() == [(1,)]
        with pytest.raises(psycopg.Error, match="different vector dimensions 2 and 3"):
            connection.execute(nearest, ("[1,2,3]",))
        connection.execute("INSERT INTO items VALUES (4, '[1]')")
        with pytest.raises(psycopg.Error, match="different vector dimensions"):
            connection.execute(nearest, ("[3,3]",))
        connection.execute("DELETE FROM items WHERE id = 4")
        assert connection.execute(nearest, ("[3,3]",)).fetchall() == [(2,)]
        with pytest.raises(psycopg.Error, match="LIMIT must not be negative"):
            connection.execute("SELECT id FROM items ORDER BY embedding <-> '[1,2]' LIMIT -1")
