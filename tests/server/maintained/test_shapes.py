"""Rows with points, boxes, segments and circles keep their bytes on every way: COPY in both formats, drivers that know
them, and what SUBSCRIBE retracts where a box becomes another of the same area."""

from __future__ import annotations

import struct

import asyncpg

from tests.server.maintained.copies import copied_in_both_formats
from tests.server.memory_server import memory_server

_ROWS = b"1\t(-0,NaN)\t(3,4),(1,2)\t[(1,2),(3,4)]\t<(1,2),3>\t{(3,4),(1,2);(7,8),(5,6)}\n2\t\\N\t\\N\t\\N\t\\N\t{}\n"


def test_shapes_come_back_from_both_formats_of_copy() -> None:
    with memory_server() as running, running.connect() as connection:
        columns = "id int, p point, b box, l lseg, c circle, bs box[]"
        for _ in copied_in_both_formats(connection, columns, _ROWS):
            with connection.cursor().copy("COPY (SELECT * FROM two ORDER BY id) TO STDOUT") as copy:
                assert b"".join(map(bytes, copy)) == _ROWS


async def test_asyncpg_sends_and_gets_shapes() -> None:
    with memory_server() as running:
        connection = await asyncpg.connect(host="127.0.0.1", port=running.port, user="headwater", database="headwater")
        try:
            point, box = asyncpg.Point(1, -2.5), asyncpg.Box((3, 4), (1, 2))
            segment, circle = asyncpg.LineSegment((0, 0), (3, 4)), asyncpg.Circle((1, 2), 3)
            row = await connection.fetchrow(
                "SELECT $1::point, $2::box, $3::lseg, $4::circle, ARRAY[$2::box]", point, box, segment, circle
            )
            assert tuple(row) == (point, box, segment, circle, [box])
        finally:
            await connection.close()


def test_a_box_of_the_same_area_is_retracted_as_it_was() -> None:
    with memory_server() as running, running.connect() as connection, running.connect() as reader:
        connection.execute("CREATE TABLE boxes (id int PRIMARY KEY, b box)")
        connection.execute("INSERT INTO boxes VALUES (1, '0,0,2,2')")
        connection.execute("CREATE MATERIALIZED VIEW m AS SELECT id, b FROM boxes WHERE b @> point '0,0'")
        reader.execute("BEGIN")
        reader.execute("DECLARE s CURSOR FOR SUBSCRIBE m")
        changes = [row[1:] for row in reader.execute("FETCH 1 s").fetchall()]
        connection.execute("UPDATE boxes SET b = '0,0,1,4' WHERE b = box '5,5,6,9'")
        changes += [row[1:] for _ in range(2) for row in reader.execute("FETCH 1 s").fetchall()]
        told = sorted((diff, box) for diff, _, box in changes)
        assert told == [(-1, "(2,2),(0,0)"), (1, "(1,4),(0,0)"), (1, "(2,2),(0,0)")]
        reader.execute("COMMIT")
        sent = connection.execute("SELECT b FROM m", binary=True).fetchall()
        assert sent == [(struct.pack(">4d", 1, 4, 0, 0),)]
