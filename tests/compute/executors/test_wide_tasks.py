"""How many tasks a step is worth, and which of their outputs become literal rows."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from compute.maintain import change
from compute.maintain.change import few_rows
from compute.spark import session
from compute.spark.row_files import write_rows
from compute.spark.session import wide_tasks_max

_SCHEMA = pa.schema([("c0", pa.string()), ("time", pa.int64())])


@pytest.mark.parametrize(
    ("master", "tasks"),
    [
        ("local", 1),
        ("local[1]", 1),
        ("local[3]", 3),
        ("local[40]", 4),
        ("local[*]", 4),
        ("local-cluster[2,1,1024]", 2),
        ("spark://there:7077", 12),
    ],
)
def test_tasks_are_no_more_than_slots_and_cores(master: str, tasks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "cores", lambda: 4)
    assert wide_tasks_max(master, lambda: 12) == tasks
    monkeypatch.setattr(session, "cores", lambda: 1)
    assert wide_tasks_max(master, lambda: 1) == (2 if master.startswith("spark:") else 1)


@pytest.mark.parametrize(("limit", "most"), [("LITERAL_ROWS_MAX", 20), ("LITERAL_BYTES_MAX", 20 * 200)])
def test_few_rows_of_files_are_rows_again(
    limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pa.table({"c0": pa.array(["t" * 100] * 10 + [None] * 6), "time": pa.array(range(16))}, schema=_SCHEMA)
    paths = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    for path in paths:
        write_rows(path, [table], _SCHEMA)
    monkeypatch.setattr(change, limit, most)
    few = few_rows(16, paths[:1], _SCHEMA)
    assert few is not None and few.equals(table)
    assert few_rows(0, [], _SCHEMA) == _SCHEMA.empty_table()
    monkeypatch.setattr(change, limit, most // 4)
    assert few_rows(32, paths, _SCHEMA) is None
