"""Rows with tsvectors and tsqueries keep their bytes on every way: COPY in both formats, views, and what SUBSCRIBE
retracts where a query becomes another that PostgreSQL calls equal."""

from __future__ import annotations

from tests.server.maintained.copies import copied_in_both_formats
from tests.server.memory_server import memory_server

_ROWS = b"1\t'a b':1A c\tx & y:*\tsimple\t{\"a:1\",b}\n2\t\\N\t\\N\tenglish\t\\N\n"


def test_values_come_back_from_both_formats_of_copy() -> None:
    with memory_server() as running, running.connect() as connection:
        columns = "id int, v tsvector, q tsquery, c regconfig, a tsvector[]"
        for _ in copied_in_both_formats(connection, columns, _ROWS):
            assert connection.execute("SELECT * FROM two EXCEPT SELECT * FROM one").fetchall() == []
            shown = connection.execute("SELECT v, q, c, a FROM two ORDER BY id").fetchall()
            assert shown == [("'a b':1A 'c'", "'x' & 'y':*", "simple", ["'a':1", "'b'"]), (None, None, "english", None)]


def test_an_equal_query_that_is_written_differently_is_retracted_as_it_was() -> None:
    with memory_server() as running, running.connect() as connection, running.connect() as reader:
        connection.execute("CREATE TABLE asked (id int PRIMARY KEY, q tsquery)")
        connection.execute("INSERT INTO asked VALUES (1, 'x & y:*')")
        connection.execute("CREATE MATERIALIZED VIEW m AS SELECT id, q FROM asked WHERE 'x y'::tsvector @@ q")
        reader.execute("BEGIN")
        reader.execute("DECLARE s CURSOR FOR SUBSCRIBE m")
        changes = [row[1:] for row in reader.execute("FETCH 1 s").fetchall()]
        connection.execute("UPDATE asked SET q = 'x:A & y' WHERE q = 'y & x' OR q = 'x & y'")
        changes += [row[1:] for _ in range(2) for row in reader.execute("FETCH 1 s").fetchall()]
        told = sorted((diff, query) for diff, _, query in changes)
        assert told == [(-1, "'x' & 'y':*"), (1, "'x' & 'y':*"), (1, "'x':A & 'y'")]
        reader.execute("COMMIT")
