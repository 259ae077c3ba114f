"""Where queries run: on executors of their own.

Without `--whole` executors answer the first records of each file alone, and no later tick of a view is wide
(`compute/maintain/test_wide_on_executors.py` has later ones of fewer rows).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.polling import polls
from tests.server_process import ServerProcess, start_server
from tests.slt.records import files, parse
from tests.slt.runner import own_schema, run

pytestmark = [pytest.mark.spark, pytest.mark.slow]

# Kinds that run otherwise on executors: Python functions, shuffles, aggregates, correlated subqueries, writes.
_FILES = ("arrays", "dml", "grouping", "joins", "subqueries")
_RECORDS_MAX, _FIRST_RECORDS = 40, 8


@pytest.fixture(scope="module")
def on_executors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = start_server(tmp_path_factory.mktemp("executors"), "--spark-master", "local-cluster[2,1,2048]")
    try:
        yield server
    finally:
        server.stop()


@pytest.mark.timeout(600)
def test_large_inputs_are_read_by_executors(on_executors: ServerProcess) -> None:
    with on_executors.connect() as connection:
        connection.execute("CREATE TABLE large (a int, b text)")
        with connection.cursor().copy("COPY large FROM STDIN") as copy:
            for n in range(80_000):
                copy.write_row((n, f"row {n}"))
        asked = connection.execute("SELECT a % 3, count(*), sum(a), max(b) FROM large GROUP BY 1 ORDER BY 1")
        assert asked.fetchall() == [
            (r, len(range(r, 80_000, 3)), sum(range(r, 80_000, 3)), max(f"row {n}" for n in range(r, 80_000, 3)))
            for r in range(3)
        ]
        # What Spark has no function for runs as Python, in the executors.
        asked = connection.execute("SELECT sum(length(to_char(a, 'FM999,999'))) FROM large")
        assert asked.fetchall() == [(sum(len(f"{n:,}") for n in range(80_000)),)]
    jvms = [" ".join(each.cmdline()) for each in psutil.Process(on_executors.process.pid).children(recursive=True)]
    assert sum("CoarseGrainedExecutorBackend" in line for line in jvms) == 2


@pytest.mark.timeout(1800)
def test_large_views_are_hydrated_by_executors(on_executors: ServerProcess, whole: bool) -> None:
    rows, times = 400_000, 8
    with on_executors.connect() as connection:
        connection.execute("CREATE TABLE many (k int, x int)")
        connection.execute("CREATE TABLE few (k int, name text)")
        connection.execute(f"INSERT INTO many SELECT g % 1000, g FROM generate_series(1, {rows}) AS g".encode())
        for _ in range(3):
            connection.execute("INSERT INTO many SELECT * FROM many")
        connection.execute("INSERT INTO few SELECT g, 'key ' || g FROM generate_series(0, 999) AS g")
        connection.execute(
            "CREATE MATERIALIZED VIEW named AS"
            " SELECT name, count(*) AS n, sum(x) AS s, max(x) AS most FROM many JOIN few USING (k) GROUP BY name"
        )
        asked = "SELECT name, n, s, most FROM named WHERE name IN ('key 0', 'key 7', 'key 999') ORDER BY name"

        def expected(further: int, more: int = 0) -> list[tuple[str, int, int, int]]:
            found = {k: [*range(k or 1000, rows + 1, 1000)] * times + [1] * (more // 1000) for k in (0, 7, 999)}
            found[7] += [further] * (further > 0)
            return [(f"key {k}", len(xs), sum(xs), max(xs)) for k, xs in found.items()]

        assert connection.execute(asked).fetchall() == expected(0)
        tasks = _tasks_of_wide_ticks(connection, 1)
        # Later ticks go on from what the tasks have sorted.
        connection.execute("INSERT INTO many VALUES (7, 1000000)")
        assert connection.execute(asked).fetchall() == expected(1_000_000)
        if not whole:
            return
        # Large ones are wide again.
        more, partitions = 2_000_000, 3
        connection.execute(f'ALTER CLUSTER "default" SET (PARTITIONS {partitions})'.encode())
        connection.execute(f"INSERT INTO many SELECT g % 1000, 1 FROM generate_series(1, {more}) AS g".encode())
        assert connection.execute(asked).fetchall() == expected(1_000_000, more)
        later = _tasks_of_wide_ticks(connection, 2)
        assert later > tasks and (later - tasks) % partitions == 0


def _tasks_of_wide_ticks(connection: psycopg.Connection[tuple[object, ...]], ticks: int) -> int:
    """How many tasks there were, once the replica has told of so many wide ticks, as it does now and then."""
    for _ in polls(600):
        told = connection.execute(
            "SELECT tasks FROM mz_internal.mz_dataflow_ticks AS t JOIN mz_objects AS o ON o.id = t.object_id"
            f" WHERE o.name = 'named' AND wide_ticks = {ticks}".encode()
        ).fetchone()
        if told is not None:
            assert isinstance(told[0], int)
            return told[0]
    raise AssertionError(f"there were not {ticks} wide ticks")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", [path for path in files() if path.stem in _FILES], ids=lambda path: path.stem)
def test_executors_answer_as_postgres_did(
    on_executors: ServerProcess, request: pytest.FixtureRequest, path: Path
) -> None:
    count = _RECORDS_MAX if request.config.getoption("--whole") else _FIRST_RECORDS
    records = [record for record in parse(path.read_text()) if not record.skipped][:count]
    with on_executors.connect() as connection, own_schema(connection, f"slt_{path.stem}"):
        differences = run(connection, records)
    assert not differences, f"{len(differences)} of {len(records)} differ\n" + "\n".join(map(str, differences))
