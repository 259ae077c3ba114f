"""EXPLAIN ANALYZE of what Spark reads, and of a view that a replica keeps up to date."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import pytest

from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark
_PATIENCE_S = 120.0


def _lines(session: psycopg.Connection[Any], sql: str) -> list[str]:
    return [line for (line,) in session.execute(sql.encode()).fetchall()]


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
