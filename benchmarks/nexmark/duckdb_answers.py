"""DuckDB's batch answers to the suite's questions; runs in DuckDB's own environment.

    python benchmarks/nexmark/duckdb_answers.py FOLDER

FOLDER holds person.parquet, auction.parquet, bid.parquet and queries.json; into it come answers `NAME.parquet`, and
seconds.json, which says how long each took.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import duckdb


def main() -> None:
    folder = Path(sys.argv[1])
    seconds = {}
    with duckdb.connect() as connection:
        for table in ("person", "auction", "bid"):
            connection.execute(f"CREATE TABLE {table} AS SELECT * FROM read_parquet('{folder / table}.parquet')")
        for name, query in json.loads((folder / "queries.json").read_text()).items():
            began = time.monotonic()
            connection.execute(f"CREATE TABLE answer AS {query}")
            seconds[name] = time.monotonic() - began
            connection.execute(f"COPY answer TO '{folder / name}.parquet' (FORMAT parquet)")
            connection.execute("DROP TABLE answer")
    (folder / "seconds.json").write_text(json.dumps(seconds))


if __name__ == "__main__":
    main()
