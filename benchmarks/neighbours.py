"""The ten nearest of many vectors of 384 dimensions, by an index and by Spark, through SQL."""

from __future__ import annotations

import statistics
import struct
import time
from collections.abc import Iterator

import numpy as np
import psycopg

from benchmarks.report import Measure

_DIMENSIONS = 384
_ASKED, _ASKED_OF_SPARK = 15, 3
_TARGET_MS = 300.0
_OPERATORS = ("<->", "<=>", "<#>", "<+>")
_AT_ONCE_ROWS = 1_000

Connection = psycopg.Connection[tuple[object, ...]]


def measure_neighbours(url: str, rows: int) -> Iterator[Measure]:
    """`rows` vectors drawn from a normal distribution, and as many classes of rows as make one of them a thousandth."""
    random = np.random.default_rng(1)
    name = f"10 of {rows:,} vectors of {_DIMENSIONS} dimensions"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE items (id int, class int, embedding vector({_DIMENSIONS}))")
        _load(connection, rows, random)
        spark = [_asked(connection, "<->", random) for _ in range(_ASKED_OF_SPARK)]
        yield Measure(f"{name}, no index, <->: median", statistics.median(spark), "ms", None)
        connection.execute("CREATE INDEX items_by_id ON items (id)")
        while "Index neighbours" not in _analyzed(connection, random):
            time.sleep(1)
        for operator in _OPERATORS:
            first = _asked(connection, operator, random)
            found = [_asked(connection, operator, random) for _ in range(_ASKED)]
            target = _TARGET_MS if operator != "<+>" else None
            note = f"first {first:,.0f} ms, slowest {max(found):,.0f} ms"
            yield Measure(f"{name}, {operator}: median", statistics.median(found), "ms", target, False, note)
        found = [_asked(connection, "<->", random, "WHERE class = 7") for _ in range(_ASKED)]
        yield Measure(f"{name}, one class of 100: median", statistics.median(found), "ms", _TARGET_MS, False)
        connection.execute(f"UPDATE items SET class = class + 1 WHERE id < {rows // 100}")
        _asked(connection, "<->", random)
        found = [_asked(connection, "<->", random) for _ in range(_ASKED)]
        yield Measure(
            f"{name}, after a hundredth was updated: median", statistics.median(found), "ms", _TARGET_MS, False
        )


def _load(connection: Connection, rows: int, random: np.random.Generator) -> None:
    head = struct.pack(">11sii", b"PGCOPY\n\xff\r\n\0", 0, 0)
    with connection.cursor().copy("COPY items FROM STDIN (FORMAT binary)") as copy:
        copy.write(head)
        for begin in range(0, rows, _AT_ONCE_ROWS):
            vectors = random.standard_normal((min(_AT_ONCE_ROWS, rows - begin), _DIMENSIONS)).astype(">f4")
            for number, vector in enumerate(vectors, start=begin):
                numbers = struct.pack(">hiiii", 3, 4, number, 4, number % 100)
                copy.write(numbers + struct.pack(">ihh", 4 + vector.nbytes, _DIMENSIONS, 0) + vector.tobytes())
        copy.write(struct.pack(">h", -1))


def _text(random: np.random.Generator) -> str:
    return "[" + ",".join(f"{number:.6f}" for number in random.standard_normal(_DIMENSIONS)) + "]"


def _asked(connection: Connection, operator: str, random: np.random.Generator, where: str = "") -> float:
    """How long the ten nearest take, in milliseconds."""
    sql = f"SELECT id FROM items {where} ORDER BY embedding {operator} %s LIMIT 10"
    vector = _text(random)
    began = time.monotonic()
    rows = connection.execute(sql.encode(), (vector,)).fetchall()
    took = (time.monotonic() - began) * 1e3
    assert len(rows) == 10, rows
    return took


def _analyzed(connection: Connection, random: np.random.Generator) -> str:
    sql = "EXPLAIN ANALYZE SELECT id FROM items ORDER BY embedding <-> %s LIMIT 10"
    return "\n".join(str(line) for (line,) in connection.execute(sql, (_text(random),)).fetchall())
