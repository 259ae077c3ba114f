"""A spool gives back every row, in order, however much of it lies in a file."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from compute.spark.spool import CHUNK_BYTES, Spool
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


def _batch(*values: int) -> pa.RecordBatch:
    return pa.record_batch({"c0": pa.array(values, pa.int64())})


@pytest.mark.parametrize("memory_bytes", [0, 40, 1 << 20])
def test_rows_come_back_in_their_order(tmp_path: Path, memory_bytes: int) -> None:
    spool = Spool(tmp_path, None, memory_bytes)
    for number in range(20):
        spool.append(_batch(number, number) if number != 3 else _batch())
    spool.finish()
    rows = [value for chunk in spool.chunks() for value in chunk.column(0).to_pylist()]
    assert rows == [number for number in range(20) if number != 3 for _ in range(2)] and spool.rows == 38
    spool.close()
    assert list(tmp_path.iterdir()) == []


def test_chunks_are_not_much_larger_than_their_bound(tmp_path: Path) -> None:
    spool = Spool(tmp_path, None)
    spool.append(_batch(*range(3 * CHUNK_BYTES // 8 + 1)))
    spool.finish()
    chunks = list(spool.chunks())
    assert max(chunk.nbytes for chunk in chunks) <= CHUNK_BYTES
    assert [value for chunk in chunks for value in chunk.column(0).to_pylist()] == list(range(3 * CHUNK_BYTES // 8 + 1))
    spool.close()


def test_an_answer_larger_than_it_may_be_is_an_error(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 100)
    spool.append(_batch(1))
    with pytest.raises(SqlError) as caught:
        spool.append(_batch(*range(100)))
    assert caught.value.sqlstate is Sqlstate.PROGRAM_LIMIT_EXCEEDED
    spool.close()


def test_an_answer_without_batches_has_no_chunks(tmp_path: Path) -> None:
    spool = Spool(tmp_path, None)
    spool.finish()
    assert list(spool.chunks()) == []
    spool.close()
