"""kill -9 of a replica whose arrangement has a million rows: how long until an index is read, and until it and its view
are fresh again.

What was read anew is what the hydration relation counts: zero when the dataflows went on from their checkpoints.
"""

from __future__ import annotations

import json
import os
import signal
import time

import psutil
import psycopg

from benchmarks.loading import Connection
from benchmarks.report import Measure
from benchmarks.server import Headwater

_FRESH_S = 5.0
_READ_S = 2.0
# Longer than the time between checkpoints, so that hydration's state is in one.
_CHECKPOINT_WAIT_S = 15.0
_KEY = 3


def measure_restart(server: Headwater, rows: int) -> list[Measure]:
    """The index has `rows` rows, the table as many again in keys that come twice."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE lasting (k bigint, x bigint)")
        connection.execute(
            f"INSERT INTO lasting SELECT g % {rows}, g FROM generate_series(0, {2 * rows - 1}::bigint) AS g".encode()
        )
        connection.execute("CREATE MATERIALIZED VIEW lasting_totals AS SELECT k, sum(x) AS s FROM lasting GROUP BY k")
        connection.execute("CREATE INDEX lasting_by_k ON lasting_totals (k)")
        connection.execute("REFRESH MATERIALIZED VIEW lasting_totals")
        _look(connection)
        time.sleep(_CHECKPOINT_WAIT_S)
        os.kill(_replica(server), signal.SIGKILL)
        began = time.monotonic()
        before = _look(connection)
        looked = time.monotonic() - began
        connection.execute(f"INSERT INTO lasting VALUES ({_KEY}, 1)".encode())
        connection.execute("REFRESH MATERIALIZED VIEW lasting_totals")
        found = _look(connection)
        seconds = time.monotonic() - began
        processor = sum(psutil.Process(_replica(server)).cpu_times()[:2])
        read = _rows_read(connection)
        connection.execute("DROP TABLE lasting CASCADE")
    name = f"replica killed, {rows:,} rows arranged"
    return [
        Measure(f"{name}: first indexed read", looked, "s", _READ_S, at_least=False),
        Measure(f"{name}: fresh again, since the kill", seconds, "s", _FRESH_S, at_least=False),
        Measure(f"{name}: the new replica's Python, processor", processor, "s"),
        Measure(f"{name}: rows of inputs read anew", float(read), "", 0, at_least=False),
        Measure(
            f"{name}: wrong", float((before, found) != (2 * _KEY + rows, 2 * _KEY + rows + 1)), "", 0, at_least=False
        ),
    ]


def _look(connection: Connection) -> int:
    row = connection.execute(f"SELECT s FROM lasting_totals WHERE k = {_KEY}".encode()).fetchone()
    assert row is not None
    return int(row[0])


def _replica(server: Headwater) -> int:
    return int(json.loads((server.data_dir / "replica.json").read_text())["pid"])


def _rows_read(connection: Connection) -> int:
    row = connection.execute(
        "SELECT sum(rows) FROM mz_internal.mz_hydration_statuses WHERE object_id IN"
        " (SELECT id FROM mz_catalog.mz_objects WHERE name IN ('lasting_totals', 'lasting_by_k'))"
    ).fetchone()
    assert row is not None
    return int(row[0] or 0)
