"""Spark Structured Streaming: files arrive in a folder, a stateful aggregate in complete mode keeps the answer."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from benchmarks.peers.course import Row, run
from compute.spark.session import Profile, SparkOptions, profile_sessions, start_session, stop_session

_COLUMNS = "id BIGINT, k BIGINT, x BIGINT"
_QUERIES = {
    "W1": "SELECT k, sum(d) AS n, sum(d * x) AS s FROM facts GROUP BY k",
    "W2": "SELECT g, sum(d) AS n, sum(d * x) AS s FROM facts JOIN dimension ON facts.k = dimension.k GROUP BY g",
}


class Streaming:
    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._home = Path(tempfile.mkdtemp())
        self._query: StreamingQuery | None = None

    def load(self, folder: Path, workload: str) -> None:
        for each in self._session.streams.active:
            each.stop()
        dimension = self._session.read.csv(str(folder / "dimension.csv"), schema="k BIGINT, g BIGINT")
        dimension.cache().createOrReplaceTempView("dimension")
        facts = self._changes("inserts", 1).unionAll(self._changes("deletes", -1))
        facts.createOrReplaceTempView("facts")
        answer = self._session.sql(_QUERIES[workload])
        stream = answer.writeStream.outputMode("complete").format("memory").queryName(self._home.name)
        self._query = stream.option("checkpointLocation", str(self._home / "checkpoint")).start()

    def _changes(self, name: str, sign: int) -> DataFrame:
        folder = self._home / name
        folder.mkdir()
        rows = self._session.readStream.schema(_COLUMNS).csv(str(folder))
        return rows.selectExpr("k", "x", f"{sign}L AS d")

    def apply(self, inserts: Path, deletes: Path) -> None:
        for source, name in ((inserts, "inserts"), (deletes, "deletes")):
            # A file must come whole: what is copied has a hidden name until it is.
            hidden = self._home / name / f".{source.name}"
            shutil.copyfile(source, hidden)
            hidden.rename(self._home / name / source.name)

    def read(self) -> Iterable[Row]:
        assert self._query is not None
        self._query.processAllAvailable()
        rows = self._session.table(f"`{self._home.name}`").collect()
        return [(int(k), int(n), int(s)) for k, n, s in rows if n]


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        tempfile.tempdir = directory
        session = start_session(SparkOptions(app_dir=Path(directory) / "spark", memory="4g"))
        try:
            large = profile_sessions(session)[Profile.LARGE]
            run(lambda: Streaming(large))
            for each in large.streams.active:
                each.stop()
        finally:
            stop_session(session)


if __name__ == "__main__":
    main()
