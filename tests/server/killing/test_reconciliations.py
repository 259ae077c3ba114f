"""After kill -9 of the server its dataflows go on, of all kinds; what was changed meanwhile is replaced, and why."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.polling import polls
from tests.server_process import ServerProcess, start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_Connection = psycopg.Connection[tuple[object, ...]]

_OBJECTS = """
CREATE TABLE t (a int, b int);
CREATE TABLE edges (x int, y int);
INSERT INTO t SELECT n, n % 7 FROM generate_series(1, 500) AS g (n);
INSERT INTO edges SELECT n, n + 1 FROM generate_series(1, 20) AS g (n);

CREATE INDEX of_table ON t (a);
CREATE VIEW sums AS SELECT b, sum(a) AS s FROM t GROUP BY b;
CREATE INDEX of_view ON sums (b);
CREATE MATERIALIZED VIEW same_sums AS SELECT b, sum(a) AS s FROM t GROUP BY b;
CREATE INDEX of_materialized_view ON same_sums (s);
CREATE MATERIALIZED VIEW joined AS SELECT t.a, u.b FROM t JOIN t AS u ON t.a = u.b;
CREATE MATERIALIZED VIEW newest AS SELECT DISTINCT ON (b) b, a FROM t ORDER BY b, a DESC;
CREATE MATERIALIZED VIEW apart AS SELECT a FROM t EXCEPT SELECT y FROM edges;
CREATE MATERIALIZED VIEW reached AS WITH RECURSIVE r (x, y) AS (
    SELECT x, y FROM edges UNION SELECT r.x, edges.y FROM r JOIN edges ON r.y = edges.x) SELECT x, y FROM r;
CREATE VIEW near AS WITH MUTUALLY RECURSIVE n (x int) AS (
    SELECT 1 UNION SELECT y FROM n JOIN edges USING (x) WHERE y < 5) SELECT x FROM n;
CREATE INDEX of_recursive ON near (x);
CREATE VIEW recent AS SELECT a FROM t WHERE mz_now() <= (a + 4000000000000)::mz_timestamp;
CREATE INDEX of_temporal ON recent (a);
CREATE MATERIALIZED VIEW timely AS SELECT a FROM t WHERE mz_now() <= (a + 4000000000000)::mz_timestamp;

CREATE SOURCE counted FROM LOAD GENERATOR COUNTER (TICK INTERVAL '200 ms');
CREATE SOURCE house FROM LOAD GENERATOR AUCTION (TICK INTERVAL '200 ms') FOR ALL TABLES;
CREATE SINK to_sqlite FROM same_sums INTO SQLITE (PATH '{directory}/out.db', TABLE 'sums') KEY (b);
CREATE SINK to_files FROM joined INTO FILES (PATH '{directory}/out') FORMAT CSV;
"""
_PATIENCE_S = 240.0
"""Fifteen dataflows that hydrate on a Spark that has just begun took over a minute beside a dozen busy processes."""
_DATAFLOWS = 15
"""Five indexes, six materialized views, two sources, of which one has several tables, and two sinks."""
_LAST = "SELECT kept, replaced, reason FROM mz_internal.mz_reconciliations ORDER BY at DESC LIMIT 1"


def _last(connection: _Connection) -> tuple[object, ...]:
    """The last reconciliation, once there is one."""
    for _ in polls(_PATIENCE_S):
        found = connection.execute(_LAST).fetchone()
        if found is not None:
            return found
    raise AssertionError("no replica has reconciled anything")


def _running(connection: _Connection, *kinds: str) -> None:
    """Returns once all of these kinds run."""
    waiting: list[tuple[object, ...]] = []
    for _ in polls(_PATIENCE_S):
        asked = (f"SELECT * FROM mz_internal.mz_{kind}_statuses WHERE status <> 'running'" for kind in kinds)
        waiting = [row for sql in asked for row in connection.execute(sql.encode())]
        if not waiting:
            return
    raise AssertionError(waiting)


@pytest.mark.timeout(900)
def test_dataflows_of_all_kinds_go_on_after_the_server_was_killed(tmp_path: Path, whole: bool) -> None:
    options = ("--spark-master", "local[2]", "--replica-grace-ms", "240000")
    server: ServerProcess = start_server(tmp_path / "data", *options)
    try:
        with server.connect() as connection:
            assert _last(connection) == (0, 0, None)
            connection.execute(_OBJECTS.format(directory=tmp_path))
            _running(connection, "dataflow", "source", "sink")
        for _ in range(2 if whole else 1):
            server.kill()
            server = start_server(tmp_path / "data", *options)
            with server.connect() as connection:
                assert _last(connection) == (_DATAFLOWS, 0, None)
                connection.execute("INSERT INTO t VALUES (501, 3)")
        # What another server changes, of whose replica the first one's knows nothing.
        with server.connect() as connection:
            _running(connection, "dataflow", "source", "sink")
        server.kill()
        consensus, blob = f"sqlite:///{tmp_path}/data/consensus.sqlite", str(tmp_path / "data" / "blob")
        other = start_server(tmp_path / "other", *options, "--consensus", consensus, "--blob", blob)
        with other.connect() as connection:
            # The first one's sinks, which are without a server, leave the destinations to those of this one.
            _running(connection, "sink")
            ids = {str(name): id_ for name, id_ in connection.execute("SELECT name, id FROM mz_objects")}
            connection.execute("DROP INDEX of_table")
            connection.execute("DROP SINK to_files")
            connection.execute("CREATE OR REPLACE VIEW sums AS SELECT b, sum(a) + 1 AS s FROM t GROUP BY b")
        other.stop()
        server = start_server(tmp_path / "data", *options)
        with server.connect() as connection:
            reasons = (
                f"{ids['of_table']}: dropped; of_view ({ids['of_view']}): defined anew; {ids['to_files']}: dropped"
            )
            assert _last(connection) == (_DATAFLOWS - 3, 3, reasons)
    finally:
        server.stop()
