"""Nothing of the function table is left out: what has no built-in lowering runs as it is in Spark's Python workers."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pyarrow as pa
import pytest

from compute.operators.aggregates import ANSWERS
from compute.operators.sums import SUMMED
from compute.scalars.lowerings import LOWERINGS
from compute.scalars.python_worker import AggregateWorker, ScalarWorker, TableWorker, error_text
from model.errors.sql_error import SqlError
from model.physical.columns import column_from_arrow, column_to_arrow
from model.types.scalar_type import INT4, INT8, TEXT, ScalarType, TypeName, array_of, list_of, map_of
from planner.functions.registry import AGGREGATES, FUNCTIONS, TABLE_FUNCTIONS
from planner.functions.signature import Function, Volatility
from tests.compute.agreement import POOLS

_STAND_INS = {
    TypeName.ANY: INT4,
    TypeName.ANYELEMENT: INT4,
    TypeName.ANYNONARRAY: INT4,
    TypeName.ANYCOMPATIBLE: INT4,
    TypeName.ANYARRAY: array_of(INT4),
    TypeName.ANYCOMPATIBLEARRAY: array_of(INT4),
    TypeName.ANYCOMPATIBLELIST: list_of(INT4),
    TypeName.ANYCOMPATIBLEMAP: map_of(INT4),
}
ROWS = 12


def _types(arguments: tuple[ScalarType, ...]) -> tuple[ScalarType, ...] | None:
    types = tuple(_STAND_INS.get(type_.name, type_) for type_ in arguments)
    return types if all(type_ in POOLS for type_ in types) else None


def _in_workers() -> list[Function]:
    return [
        row
        for key, row in FUNCTIONS.items()
        if not row.needs_system
        and not row.session
        and row.form != "modifier"
        and row.volatility is not Volatility.VOLATILE
        and _types(row.arguments)
        and not any(word in key for word in ("lpad", "rpad", "repeat", "fill", "factorial", "__reg"))
    ]


def _evaluated(row: Function, types: tuple[ScalarType, ...], arguments: tuple[Any, ...]) -> tuple[Any, str | None]:
    try:
        return row.evaluate(types, *arguments) if row.typed else row.evaluate(*arguments), None
    except SqlError as error:
        return None, error_text(error)
    except ArithmeticError:
        return None, "22003 value out of range"


def test_lowerings_name_functions_that_exist() -> None:
    assert not [key for key in LOWERINGS if key not in FUNCTIONS]
    assert not [key for key in (*ANSWERS, *SUMMED) if key not in AGGREGATES]


def test_workers_travel_by_pickle() -> None:
    for key, row in FUNCTIONS.items():
        types = _types(row.arguments)
        if types is not None:
            worker = ScalarWorker(key, types, INT4, True)
            assert pickle.loads(pickle.dumps(worker)) == worker


@pytest.mark.parametrize("seed", [1, 2])
def test_functions_in_workers_give_what_they_evaluate_to(seed: int) -> None:
    """Values and errors come out in a struct, in the physical form of the result."""
    dice = random.Random(seed)
    rows = _in_workers()
    assert len(rows) > 500
    for row in rows:
        types = _types(row.arguments)
        assert types is not None
        result = row.result(types) if callable(row.result) else row.result
        if result.name in (TypeName.RECORD, TypeName.INT2VECTOR, TypeName.OIDVECTOR, TypeName.VOID) or not types:
            continue
        if result.element is not None and result.element not in POOLS:
            continue
        cells = [[None if dice.random() < 0.1 else dice.choice(POOLS[t]) for _ in range(ROWS)] for t in types]
        worker = ScalarWorker(row.key, types, result, True)
        answer = worker(*(column_to_arrow(column, t) for column, t in zip(cells, types, strict=True)))
        errors = answer.field("err").to_pylist()
        values = column_from_arrow(answer.field("value"), result)
        for index, arguments in enumerate(zip(*cells, strict=True)):
            if row.strict and None in arguments:
                assert (values[index], errors[index]) == (None, None), row.key
                continue
            where = f"seed {seed} {row.key}{arguments}"
            wanted, error = _evaluated(row, types, arguments)
            if error is None and errors[index] is not None:
                # The function holds a number that no column can.
                assert errors[index].startswith(("22003", "0A000")), where
            else:
                assert (values[index] is None, errors[index]) == (wanted is None, error), where


def test_table_functions_give_lists_of_rows() -> None:
    worker = TableWorker(
        "generate_series_int8_int8", (INT8, INT8), TABLE_FUNCTIONS["generate_series_int8_int8"].result((INT8, INT8))
    )
    answer = worker(pa.array([1, None, 3], pa.int64()), pa.array([2, 2, 1], pa.int64()))
    rows = answer.field("value").to_pylist()
    assert rows == [[{"f0": 1}, {"f0": 2}], [], []]


def test_groups_are_sorted_by_their_order_then_by_value() -> None:
    worker = AggregateWorker("string_agg_text_text", (TEXT, TEXT), (INT4,), (True,), (False,), True, (), TEXT, False)
    cell = pa.struct([("a0", pa.string()), ("a1", pa.string()), ("k0", pa.int32())])
    group = [("a", 1), ("b", 2), ("c", 2), ("b", 0), ("d", None)]
    groups = pa.array([[{"a0": t, "a1": ",", "k0": k} for t, k in group], []], pa.list_(cell))
    assert worker(groups).to_pylist() == ["b,c,a,d", None]


def test_what_takes_nothing_answers_for_every_row() -> None:
    """A column that the function ignores says how many rows there are."""
    rows = pa.nulls(ROWS, pa.int32())
    for key, row in FUNCTIONS.items():
        if not (row.arguments or row.session or row.needs_system or row.variadic):
            result = row.result if isinstance(row.result, ScalarType) else row.result(())
            assert len(ScalarWorker(key, (), result, row.fallible)(rows)) == ROWS, key
