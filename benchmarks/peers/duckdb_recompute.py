"""DuckDB in memory: the query is run again whenever its answer is wanted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import duckdb

from benchmarks.peers.course import QUERIES, Row, run

_COLUMNS = "columns = {'id': 'BIGINT', 'k': 'BIGINT', 'x': 'BIGINT'}"


class DuckDb:
    def __init__(self) -> None:
        self._connection = duckdb.connect()
        self._query = ""

    def load(self, folder: Path, workload: str) -> None:
        self._query = QUERIES[workload]
        self._connection.execute("CREATE TABLE facts (id BIGINT, k BIGINT, x BIGINT)")
        self._connection.execute(
            f"CREATE TABLE dimension AS SELECT * FROM read_csv('{folder}/dimension.csv', header = false,"
            " columns = {'k': 'BIGINT', 'g': 'BIGINT'})"
        )

    def apply(self, inserts: Path, deletes: Path) -> None:
        self._connection.execute(f"INSERT INTO facts FROM read_csv('{inserts}', header = false, {_COLUMNS})")
        self._connection.execute(
            f"DELETE FROM facts WHERE id IN (SELECT id FROM read_csv('{deletes}', header = false, {_COLUMNS}))"
        )

    def read(self) -> Iterable[Row]:
        rows: list[Row] = self._connection.execute(self._query).fetchall()
        return rows


if __name__ == "__main__":
    run(DuckDb)
