"""EXPLAIN ANALYZE of what Spark reads, with its operators, and of a view that a replica keeps up to date."""

from __future__ import annotations

import re
import time
from typing import Any

import psycopg
import pytest

from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark
_PATIENCE_S = 120.0


def _lines(session: psycopg.Connection[Any], sql: str) -> list[str]:
    return [line for (line,) in session.execute(sql.encode()).fetchall()]


def _operators(lines: list[str]) -> list[tuple[str, int]]:
    """The operators of Spark that count rows, each with how many, from the plan's first down."""
    found = (re.match(r" +([A-Z][a-z ]+).*\(actual rows=(\d+) loops=1\)$", line) for line in lines)
    return [(each[1].strip(), int(each[2])) for each in found if each is not None]


def _eventually(session: psycopg.Connection[Any], sql: str, found: str) -> list[str]:
    """The plan once it has a line with a text: figures come some seconds after a change."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        lines = _lines(session, sql)
        if any(found in line for line in lines):
            return lines
        assert time.monotonic() < until, lines
        time.sleep(0.3)


def test_spark_tells_its_time_and_a_view_its_ticks(headwater_server: ServerProcess) -> None:
    with psycopg.connect(headwater_server.dsn(), autocommit=True) as session:
        session.execute("CREATE TABLE sold (item text, amount int)")
        session.execute("INSERT INTO sold SELECT 'i' || i % 3, i FROM generate_series(1, 9) AS s (i)")
        try:
            read = _lines(session, "EXPLAIN (ANALYZE, BUFFERS) SELECT item, sum(amount) FROM sold GROUP BY item")
            assert read[0].endswith("rows=3 loops=1)") and read[1].startswith("  Spark (actual ")
            told = dict(line.strip().split(": ", 1) for line in read if ": " in line)
            assert float(told["Spark Time"].removesuffix(" ms")) > 0 and int(told["Bytes"]) > 0
            session.execute("CREATE MATERIALIZED VIEW sums AS SELECT item, sum(amount) FROM sold GROUP BY item")
            session.execute("REFRESH MATERIALIZED VIEW sums")
            session.execute("INSERT INTO sold VALUES ('i1', 100)")
            ticks = _eventually(session, "EXPLAIN ANALYZE MATERIALIZED VIEW sums", "  Last Rows Written: ")
            assert any(line.startswith("  Median Time: ") for line in ticks)
            steps = [at for at, line in enumerate(ticks) if line.lstrip().startswith("With l0 = ")]
            told = dict(line.strip().split(": ", 1) for line in ticks[steps[0] + 1 : steps[0] + 5])
            assert list(told) == ["Rows In", "Rows Read", "Rows Out", "Step Time"]
            assert int(told["Rows In"]) > 0 and int(told["Rows Out"]) > 0
            assert float(told["Step Time"].removesuffix(" ms")) > 0
            kept = _eventually(session, "EXPLAIN ANALYZE MEMORY FOR MATERIALIZED VIEW sums", "Records: ")
            arrangement = next(at for at, line in enumerate(kept) if line.lstrip().startswith("Arrangement "))
            assert "With l0 = " in kept[arrangement - 1], "an arrangement stands beneath its step"
            assert not any("Median Time" in line for line in kept)
            print("\n".join([*read, "", *ticks]))
        finally:
            session.execute("DROP TABLE sold CASCADE")


def test_operators_that_spark_ran_are_told_with_their_rows_prepared_or_as_a_job(
    headwater_server: ServerProcess,
) -> None:
    with psycopg.connect(headwater_server.dsn(), autocommit=True) as session:
        session.execute("CREATE TABLE parts (part int, amount int)")
        session.execute("INSERT INTO parts SELECT i % 3, i FROM generate_series(1, 9) AS s (i)")
        grouped = "EXPLAIN (ANALYZE, BUFFERS) SELECT part, sum(amount) FROM parts WHERE amount > 3 GROUP BY part"
        try:
            first, again = _operators(_lines(session, grouped)), _operators(_lines(session, grouped))
            assert first == again, "a plan that is kept counts each run by itself"
            assert first[0] == ("Hash aggregate", 3) and first[-2:] == [("Filter", 6), ("Scan existing rdd", 9)]
            session.execute("INSERT INTO parts SELECT i % 3, i FROM generate_series(10, 60000) AS s (i)")
            for _ in range(2):
                job = _lines(session, grouped)
                told = _operators(job)
                assert told[0] == ("Hash aggregate", 3)
                # Spark filters rows at once that are at hand where it plans, and others as they are read.
                assert sum(rows for name, rows in told if "scan" in name.lower()) in (59_997, 60_000)
                exchange = next(at for at, line in enumerate(job) if line.lstrip().startswith("Exchange "))
                assert "Operator Time: " in job[exchange + 1] and "Bytes: " in job[exchange + 2]
                assert any(line.lstrip().startswith("Generated code (") for line in job)
        finally:
            session.execute("DROP TABLE parts")
