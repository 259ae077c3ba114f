"""Distances of many vectors are, bit by bit, those that the functions answer one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.scalars.distance_worker import DistanceWorker
from compute.scalars.python_worker import ScalarWorker
from model.types.embedding import held_embedding
from model.types.scalar_type import FLOAT8, VECTOR
from planner.functions.registry import FUNCTIONS
from planner.functions.types.distances import DISTANCES
from tests.draws import draws

_VECTORS = st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=3)
_COLUMN = st.lists(st.none() | _VECTORS.map(held_embedding), min_size=1, max_size=8)


def _told(answers: pa.Array) -> list[tuple[Any, Any]]:
    return [(repr(each["value"]), each["err"]) for each in answers.to_pylist()]


@draws(200)
@given(_COLUMN, _COLUMN, st.booleans(), st.sampled_from(sorted(DISTANCES)))
def test_a_batch_of_distances_is_as_each_row(left: list[Any], right: list[Any], constant: bool, name: str) -> None:
    count = min(len(left), len(right))
    columns = (
        pa.array(left[:count], pa.binary()),
        pa.array([right[0]] * count if constant else right[:count], pa.binary()),
    )
    one_by_one = ScalarWorker(f"{name}_vector_vector", (VECTOR, VECTOR), FLOAT8, True)
    assert _told(DistanceWorker(name)(*columns)) == _told(one_by_one(*columns))
    sliced = [column.slice(1) for column in columns]
    assert _told(DistanceWorker(name)(*sliced)) == _told(one_by_one(*sliced))


@pytest.mark.parametrize("dimensions", [1, 7, 8, 9, 127, 128, 129, 384, 1000])
@pytest.mark.parametrize("name", sorted(DISTANCES))
def test_how_many_rows_are_asked_together_changes_no_bit(name: str, dimensions: int) -> None:
    random = np.random.default_rng(dimensions)
    rows = random.standard_normal((50, dimensions)).astype(np.float32)
    to = held_embedding(random.standard_normal(dimensions).tolist())
    column = pa.array([held_embedding(row.tolist()) for row in rows], pa.binary())
    together = DistanceWorker(name)(column, pa.array([to] * len(rows), pa.binary()))
    evaluate = FUNCTIONS[f"{name}_vector_vector"].evaluate
    assert together.field("value").to_pylist() == [evaluate(row, to) for row in column.to_pylist()]
