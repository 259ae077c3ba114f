"""What Spark answers can be put together, whatever it knows of NULLs."""

from __future__ import annotations

import pyarrow as pa

from server.reads.reading import _plain_table


def test_batches_that_say_different_things_of_nulls_make_one_table() -> None:
    sure = pa.record_batch([pa.array(["a"])], schema=pa.schema([pa.field("c0", pa.string(), nullable=False)]))
    unsure = pa.record_batch([pa.array([None], pa.string())], names=["c0"])
    whole = pa.concat_tables([_plain_table(sure), _plain_table(unsure)])
    assert whole.column("c0").to_pylist() == ["a", None]


def test_a_batch_without_columns_keeps_its_rows() -> None:
    rows = pa.table({"c0": [1, 2, 3]}).select([]).to_batches()
    assert sum(_plain_table(batch).num_rows for batch in rows) == sum(batch.num_rows for batch in rows)


def test_tables_fit_together_whatever_spark_knows_of_what_is_inside_values() -> None:
    """Of a literal interval it knows that none of its parts is NULL, and of a literal array that no element is."""

    def spans(*, unsure: bool) -> pa.RecordBatch:
        parts = pa.struct([pa.field(name, pa.int64(), nullable=unsure) for name in ("months", "days")])
        items = pa.list_(pa.field("element", parts, nullable=unsure))
        whole = pa.struct([pa.field("items", items, nullable=unsure), pa.field("shape", pa.binary())])
        return pa.record_batch({"c0": pa.array([{"items": [{"months": 1, "days": 2}], "shape": b"s"}, None], whole)})

    whole = pa.concat_tables([_plain_table(spans(unsure=True)), _plain_table(spans(unsure=False))])
    assert whole.column("c0").to_pylist() == [{"items": [{"months": 1, "days": 2}], "shape": b"s"}, None] * 2
