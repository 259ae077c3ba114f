"""vector(n): what pgvector's documentation says of its values, distances and errors, in tables and views too."""

from __future__ import annotations

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
