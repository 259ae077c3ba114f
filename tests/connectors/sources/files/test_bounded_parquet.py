"""A Parquet file is read so that what its rows decode to is bounded, whatever few bytes they are in."""

from __future__ import annotations

import io
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from connectors.files.source import bounded_parquet
from connectors.files.source.bounded_parquet import BATCH_BYTES_MAX, BoundedParquet
from connectors.files.source.parquet_columns import parquet_desc, parquet_rows

_LONG = "x" * (1 << 20)


def _shared() -> pa.Array:
    """Returns half a gigabyte, which is not held while other tests run."""
    return pa.array([_LONG] * 500)


def _few() -> pa.Array:
    return pa.array([_LONG] * 40)


_WRITTEN: dict[str, Callable[[io.BytesIO], None]] = {
    "a dictionary": lambda file: pq.write_table(pa.table({"a": _shared().dictionary_encode()}), file),
    "a dictionary of the file alone": lambda file: pq.write_table(
        pa.table({"a": _shared()}), file, use_dictionary=["a"], store_schema=False, compression="zstd"
    ),
    "what each has in common with the one before": lambda file: pq.write_table(
        pa.table({"a": _shared()}), file, use_dictionary=False, column_encoding={"a": "DELTA_BYTE_ARRAY"}
    ),
    "a structure": lambda file: pq.write_table(pa.table({"a": pa.StructArray.from_arrays([_few()], ["x"])}), file),
    "lists": lambda file: pq.write_table(
        pa.table({"a": pa.ListArray.from_arrays(pa.array(range(41), pa.int32()), _few())}), file
    ),
    "maps": lambda file: pq.write_table(
        pa.table({"a": pa.MapArray.from_arrays(pa.array(range(41), pa.int32()), pa.array(["k"] * 40), _few())}), file
    ),
    "large bytes": lambda file: pq.write_table(pa.table({"a": _few().cast(pa.large_binary())}), file),
    "a view": lambda file: pq.write_table(pa.table({"a": _few().cast(pa.string_view())}), file),
    "JSON": lambda file: pq.write_table(
        pa.table({"a": pa.ExtensionArray.from_storage(pa.json_(pa.string()), _few())}), file
    ),
    "bytes of a fixed length": lambda file: pq.write_table(
        pa.table({"a": _few().cast(pa.binary()).cast(pa.binary(1 << 20))}), file
    ),
    "bytes": lambda file: pq.write_table(
        pa.table({"a": _shared().cast(pa.binary()).dictionary_encode()}), file, compression="zstd"
    ),
}


def _file(write: Callable[[io.BytesIO], None]) -> io.BytesIO:
    file = io.BytesIO()
    write(file)
    return file


@pytest.mark.in_part(4)
@pytest.mark.parametrize("how", _WRITTEN)
def test_texts_that_rows_share_are_decoded_a_few_at_once(how: str) -> None:
    file = _file(_WRITTEN[how])
    assert len(file.getvalue()) < 2 << 20
    parquet = BoundedParquet(file)
    desc = parquet_desc(parquet.schema)
    count = 0
    for batch in parquet.batches():
        rows = parquet_rows(pa.Table.from_batches([batch]), desc)
        assert rows.nbytes <= BATCH_BYTES_MAX + (1 << 20) and batch.num_rows < 20
        count += rows.num_rows
    assert count == parquet.metadata.num_rows


def test_rows_come_in_their_order_whatever_their_size() -> None:
    texts = [None if n % 7 == 0 else f"{n % 13}" * (n % 90_000) for n in range(5_000)]
    table = pa.table({"n": range(5_000), "t": texts, "l": [[n, n + 1] for n in range(5_000)]})
    parquet = BoundedParquet(_file(lambda file: pq.write_table(table, file, row_group_size=1_700)))
    found = pa.concat_tables(
        pa.table(
            [column.cast(field.type) for column, field in zip(batch.columns, table.schema, strict=True)],
            table.schema.names,
        )
        for batch in parquet.batches()
    )
    assert found.to_pydict() == table.to_pydict()


def test_columns_and_row_groups_are_chosen() -> None:
    table = pa.table({"n": range(300), "t": ["a"] * 300})
    parquet = BoundedParquet(_file(lambda file: pq.write_table(table, file, row_group_size=100)))
    (batch,) = parquet.batches(columns=["n"], row_groups=[1])
    assert batch.to_pydict() == {"n": list(range(100, 200))}


def test_parts_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    file = _file(lambda file: pq.write_table(pa.table({"a": [[1] * 5_000, [2]]}), file))
    monkeypatch.setattr(bounded_parquet, "NESTED_VALUES_MAX", 5_000)
    with pytest.raises(ValueError, match="lists of a row group"):
        BoundedParquet(file)
    monkeypatch.setattr(bounded_parquet, "CHUNK_BYTES_MAX", 10)
    with pytest.raises(ValueError, match="a column of a row group"):
        BoundedParquet(file)


@pytest.mark.parametrize("nested", [pa.list_(pa.string()), pa.map_(pa.string(), pa.string())])
def test_a_row_that_decodes_to_too_much_is_refused(nested: pa.DataType, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["x" * 1_000] * 100
    row = texts if pa.types.is_list(nested) else [(str(number), text) for number, text in enumerate(texts)]
    file = _file(lambda file: pq.write_table(pa.table({"a": pa.array([None, [], row, row], nested)}), file))
    assert sum(batch.num_rows for batch in BoundedParquet(file).batches()) == 4
    monkeypatch.setattr(bounded_parquet, "BATCH_BYTES_MAX", 10_000)
    monkeypatch.setattr(bounded_parquet, "ROW_BYTES_MAX", 50_000)
    with pytest.raises(ValueError, match="a row has more than 50000 bytes"):
        list(BoundedParquet(file).batches())
