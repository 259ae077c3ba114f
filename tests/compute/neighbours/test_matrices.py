"""Matrices of vectors are kept within a bound, and counted once."""

from __future__ import annotations

import pyarrow as pa
import pytest

from compute.arrangement.batch import Block
from compute.neighbours import matrices
from compute.neighbours.matrices import Matrices, VectorMatrix, vector_matrix
from model.physical.columns import column_to_arrow
from model.types.embedding import held_embedding
from model.types.scalar_type import VECTOR


def _block() -> Block:
    vectors = column_to_arrow([held_embedding([1.0, 2.0]), held_embedding([3.0, 4.0])], VECTOR)
    hashes = pa.array([1, 2], pa.int64())
    return Block.of(pa.RecordBatch.from_arrays([hashes, vectors], names=["h", "c0"]))


def test_reads_that_decode_a_block_together_count_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, blocks = Matrices(1 << 20), [_block()]

    def decoded_meanwhile(column: pa.Array, dimensions: int) -> VectorMatrix:
        monkeypatch.setattr(matrices, "vector_matrix", vector_matrix)
        kept.of(blocks[0], 0, dimensions, kept.begin())
        return vector_matrix(column, dimensions)

    monkeypatch.setattr(matrices, "vector_matrix", decoded_meanwhile)
    matrix = kept.of(blocks[0], 0, 2, kept.begin())
    assert kept.bytes == matrix.bytes
    blocks.clear()
    assert kept.bytes == 0
