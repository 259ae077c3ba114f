"""PostgreSQL 16: REFRESH MATERIALIZED VIEW whenever its answer is wanted."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable
from pathlib import Path

import psycopg

from benchmarks.loading import Connection, copy_in
from benchmarks.peers.course import QUERIES, Row, run
from benchmarks.server import postgresql


class PostgreSql:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def load(self, folder: Path, workload: str) -> None:
        execute = self._connection.execute
        execute("SET client_min_messages = warning")
        execute("DROP TABLE IF EXISTS facts, dimension, leaving CASCADE")
        execute("CREATE TABLE facts (id bigint PRIMARY KEY, k bigint, x bigint)")
        execute("CREATE TABLE dimension (k bigint PRIMARY KEY, g bigint)")
        execute("CREATE TEMP TABLE leaving (id bigint, k bigint, x bigint)")
        copy_in(self._connection, "dimension", (folder / "dimension.csv").read_bytes())
        execute(f"CREATE MATERIALIZED VIEW grouped AS {QUERIES[workload]}".encode())

    def apply(self, inserts: Path, deletes: Path) -> None:
        copy_in(self._connection, "facts", inserts.read_bytes())
        copy_in(self._connection, "leaving", deletes.read_bytes())
        self._connection.execute("DELETE FROM facts USING leaving WHERE facts.id = leaving.id")
        self._connection.execute("TRUNCATE leaving")

    def read(self) -> Iterable[Row]:
        self._connection.execute("REFRESH MATERIALIZED VIEW grouped")
        return [(int(k), int(n), int(s)) for k, n, s in self._connection.execute("SELECT * FROM grouped")]


def main() -> None:
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(postgresql())
        connection = stack.enter_context(psycopg.connect(url, autocommit=True))
        run(functools.partial(PostgreSql, connection))


if __name__ == "__main__":
    main()
