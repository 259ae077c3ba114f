"""The stored form of arrays gives back their shape, and sorts as PostgreSQL sorts arrays."""

import datetime
import struct
from math import prod
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from model.order.datum_order import sort_key
from model.physical.arrays import ITEMS, PLAIN, SHAPE
from model.physical.columns import column_from_arrow, column_to_arrow
from model.types.arrays import Array, shaped
from model.types.scalar_type import INT4, TIME, array_of

_DIMENSION = st.tuples(st.sampled_from((1, 0, -3, 7, -(2**31), 2**31 - 9)), st.integers(1, 3))


@st.composite
def _arrays(draw: st.DrawFn) -> Array:
    dimensions = tuple(draw(st.lists(_DIMENSION, max_size=3)))
    count = prod(length for _, length in dimensions) if dimensions else 0
    return shaped(draw(st.lists(st.integers(0, 1), min_size=count, max_size=count)), dimensions)


@given(st.lists(st.none() | _arrays(), max_size=8))
def test_arrays_come_back_with_their_shape(arrays: list[Array | None]) -> None:
    column = column_to_arrow(arrays, array_of(INT4))
    assert column_from_arrow(column, array_of(INT4)) == arrays
    assert column_from_arrow(column.slice(1), array_of(INT4)) == arrays[1:]


def test_elements_that_are_held_otherwise_come_back_in_rows_and_alone() -> None:
    noon = datetime.time(12)
    arrays = [shaped((noon, None), ((1, 1), (0, 2))), (noon,), None]
    assert column_from_arrow(column_to_arrow(arrays, array_of(TIME)), array_of(TIME)) == arrays


@given(_arrays(), _arrays())
def test_the_stored_form_sorts_as_the_arrays_do(left: Array, right: Array) -> None:
    key = sort_key(array_of(INT4))
    assert (key(left) < key(right)) == (_stored(left) < _stored(right))
    assert (key(left) == key(right)) == (_stored(left) == _stored(right))


def _stored(array: Array) -> tuple[Any, ...]:
    (stored,) = column_to_arrow([array], array_of(INT4)).to_pylist()
    return stored[ITEMS], stored[SHAPE]


def test_the_plain_shape_is_one_dimension_from_one() -> None:
    assert struct.unpack(">BI", PLAIN) == (1, 2**31 + 1)
