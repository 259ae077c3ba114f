"""What Spark answers can be put together, whatever it knows of NULLs."""

from __future__ import annotations

import pyarrow as pa

from server.coordinator.reading import _plain_table


def test_batches_that_say_different_things_of_nulls_make_one_table() -> None:
    sure = pa.record_batch([pa.array(["a"])], schema=pa.schema([pa.field("c0", pa.string(), nullable=False)]))
    unsure = pa.record_batch([pa.array([None], pa.string())], names=["c0"])
    whole = pa.concat_tables([_plain_table(sure), _plain_table(unsure)])
    assert whole.column("c0").to_pylist() == ["a", None]


def test_a_batch_without_columns_keeps_its_rows() -> None:
    rows = pa.table({"c0": [1, 2, 3]}).select([]).to_batches()
    assert sum(_plain_table(batch).num_rows for batch in rows) == sum(batch.num_rows for batch in rows)
