"""Spark without us: changes are appended to Parquet files, the query is run again whenever its answer is wanted.

Deletes are rows that count minus one, which is the cheapest that plain Spark can do with them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from pyspark.sql import SparkSession

from benchmarks.peers.course import Row, run
from compute.spark.session import Profile, SparkOptions, profile_sessions, start_session, stop_session

_COLUMNS = "id BIGINT, k BIGINT, x BIGINT"
_QUERIES = {
    "W1": "SELECT k, sum(d) AS n, sum(d * x) AS s FROM facts GROUP BY k",
    "W2": "SELECT g, sum(d) AS n, sum(d * x) AS s FROM facts JOIN dimension ON facts.k = dimension.k GROUP BY g",
}


class Spark:
    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._facts = Path(tempfile.mkdtemp()) / "facts"
        self._query = ""

    def load(self, folder: Path, workload: str) -> None:
        self._query = _QUERIES[workload]
        dimension = self._session.read.csv(str(folder / "dimension.csv"), schema="k BIGINT, g BIGINT")
        dimension.cache().createOrReplaceTempView("dimension")
        dimension.count()

    def apply(self, inserts: Path, deletes: Path) -> None:
        for path, sign in ((inserts, 1), (deletes, -1)):
            rows = self._session.read.csv(str(path), schema=_COLUMNS)
            rows.selectExpr("k", "x", f"{sign}L AS d").write.mode("append").parquet(str(self._facts))

    def read(self) -> Iterable[Row]:
        facts = self._session.read.schema("k BIGINT, x BIGINT, d BIGINT").parquet(str(self._facts))
        facts.createOrReplaceTempView("facts")
        return [(int(k), int(n), int(s)) for k, n, s in self._session.sql(self._query).collect() if n]


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        tempfile.tempdir = directory
        session = start_session(SparkOptions(app_dir=Path(directory) / "spark", memory="4g"))
        try:
            large = profile_sessions(session)[Profile.LARGE]
            run(lambda: Spark(large))
        finally:
            stop_session(session)


if __name__ == "__main__":
    main()
