"""Parquet files that are put together hold what they held, in their order, for every reader."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from server.coordinator.sequence.copying.joined_parquet import join_parquet


@pytest.mark.parametrize("seed", range(4))
def test_the_rows_of_all_files_are_there(tmp_path: Path, seed: int) -> None:
    source = random.Random(seed)
    options: list[dict[str, Any]] = [
        {"compression": "none"},
        {"write_page_index": True},
        {"use_dictionary": False, "compression": "zstd"},
        {"data_page_version": "2.0", "write_page_index": True},
    ]
    paths, tables = [], []
    for number in range(source.randrange(1, 40)):
        rows = range(source.randrange(1, 900))
        texts = [None if source.random() < 0.1 else "x" * source.randrange(9) for _ in rows]
        columns = {"a": list(rows), "b": texts, "c": [row / 3 for row in rows], "d": [row % 3 == 0 for row in rows]}
        tables.append(pa.table(columns))
        paths.append(tmp_path / f"{number}")
        pq.write_table(tables[-1], paths[-1], row_group_size=source.randrange(50, 900), **options[seed])
    whole = bytearray()
    join_parquet(paths, whole.extend)
    found = pq.ParquetFile(io.BytesIO(whole))
    assert found.read().equals(pa.concat_tables(tables))
    groups = [pq.read_metadata(path).num_row_groups for path in paths]
    assert found.num_row_groups == sum(groups)
    assert found.read_row_group(sum(groups[:-1])).equals(pq.ParquetFile(paths[-1]).read_row_group(0))
    assert pq.read_table(io.BytesIO(whole), filters=[("a", "=", 7)]).num_rows == sum(
        table.num_rows > 7 for table in tables
    )
