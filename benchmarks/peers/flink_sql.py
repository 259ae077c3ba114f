"""Flink SQL: a streaming job over all files, with mini-batches of two seconds; its changelog is collected.

A bounded stream has no point at which a batch is known to be done, so only `once`; the job's submission is in the time.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from pyflink.common import RowKind
from pyflink.table import EnvironmentSettings, TableEnvironment

from benchmarks.peers.course import tell

_QUERIES = {
    "W1": "SELECT k, SUM(d) AS n, SUM(d * x) AS s FROM facts GROUP BY k",
    "W2": "SELECT g, SUM(d) AS n, SUM(d * x) AS s FROM facts JOIN dimension ON facts.k = dimension.k GROUP BY g",
}
_SETTINGS = {
    "parallelism.default": "2",
    "table.exec.mini-batch.enabled": "true",
    "table.exec.mini-batch.allow-latency": "2 s",
    "table.exec.mini-batch.size": "50000",
}


def main() -> None:
    folder, workload, batches = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    for name, value in _SETTINGS.items():
        environment.get_config().set(name, value)
    with tempfile.TemporaryDirectory() as directory:
        for name in ("inserts", "deletes"):
            target = Path(directory) / name
            target.mkdir()
            for batch in range(batches):
                shutil.copyfile(folder / f"{name}-{batch}.csv", target / f"{batch}.csv")
            _table(environment, name, "id BIGINT, k BIGINT, x BIGINT", target)
        _table(environment, "dimension", "k BIGINT, g BIGINT", folder / "dimension.csv")
        environment.execute_sql(
            "CREATE VIEW facts AS SELECT k, x, CAST(1 AS BIGINT) AS d FROM inserts"
            " UNION ALL SELECT k, x, CAST(-1 AS BIGINT) FROM deletes"
        )
        answer = {}
        began = time.monotonic()
        with environment.execute_sql(_QUERIES[workload]).collect() as rows:
            for row in rows:
                if row.get_row_kind() in (RowKind.INSERT, RowKind.UPDATE_AFTER):
                    answer[row[0]] = (row[1], row[2])
        seconds = time.monotonic() - began
    tell(seconds, None, [(k, n, s) for k, (n, s) in answer.items() if n])


def _table(environment: TableEnvironment, name: str, columns: str, path: Path) -> None:
    environment.execute_sql(
        f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv')"
    )


if __name__ == "__main__":
    main()
