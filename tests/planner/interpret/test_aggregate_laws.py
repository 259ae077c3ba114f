"""Aggregates don't depend on the order of rows, sums of floats are exact, and statistics are their definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from model.types.scalar_type import FLOAT8, INT4
from planner.functions.registry import AGGREGATES
from planner.functions.signature import AggregateFunction

_FLOATS = st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300), max_size=8)
_INTEGERS = st.lists(st.integers(-5, 5), max_size=8)


def _run(row: AggregateFunction, values: list[Any]) -> Any:
    rows = [(value,) for value in values]
    return row.evaluate(row.arguments, rows) if row.typed else row.evaluate(rows)


def _same(left: Any, right: Any) -> bool:
    return bool(left == right or (left != left and right != right))


@given(_FLOATS, st.randoms(use_true_random=False))
def test_float_aggregates_do_not_depend_on_order(values: list[float], randomness: Any) -> None:
    shuffled = list(values)
    randomness.shuffle(shuffled)
    for row in AGGREGATES.values():
        if row.arguments == (FLOAT8,):
            try:
                first = _run(row, values)
            except Exception as error:  # noqa: BLE001
                first = str(error)
            try:
                second = _run(row, shuffled)
            except Exception as error:  # noqa: BLE001
                second = str(error)
            assert _same(first, second), row.key


@given(_INTEGERS, st.randoms(use_true_random=False))
def test_integer_aggregates_do_not_depend_on_order(values: list[int], randomness: Any) -> None:
    shuffled = list(values)
    randomness.shuffle(shuffled)
    for row in AGGREGATES.values():
        if row.arguments == (INT4,):
            assert _run(row, values) == _run(row, shuffled), row.key


@given(_FLOATS.filter(bool))
def test_a_float_sum_is_the_exact_sum_rounded_once(values: list[float]) -> None:
    assert _run(AGGREGATES["sum_float8"], values) == float(sum(map(Fraction, values)))


@given(_INTEGERS.filter(lambda values: len(values) > 1))
def test_variance_is_the_mean_square_deviation(values: list[int]) -> None:
    mean = Fraction(sum(values), len(values))
    deviation = sum((value - mean) ** 2 for value in values)
    assert math.isclose(_run(AGGREGATES["var_samp_int4"], values), deviation / (len(values) - 1), abs_tol=1e-15)
    assert math.isclose(_run(AGGREGATES["var_pop_int4"], values), deviation / len(values), abs_tol=1e-15)
