"""Expressions of many operators in each other: Spark answers what the interpreter answers, errors and guards too, and
what Spark's planner sees does not grow with them."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from compute.operators.rendered import Rendered, physical_forms, scan
from compute.scalars.layers import Layers
from compute.scalars.long_expressions import FALLIBLE_DEPTH_MAX, is_long
from compute.scalars.lower import Lowering
from compute.scalars.python_function import PythonFunctions
from model.types.scalar_type import BOOL, FLOAT8, INT2, INT4, INT8, NUMERIC, TEXT, ScalarType
from planner.ir.scalar import And, Call, Case, Coalesce, Literal, Or, Scalar
from tests.compute.agreement import COPIES, POOLS, column_of, disagreements, table
from tests.compute.scalars.test_generated_expressions import said

SEED = 11
ROWS = 60
CHAINS = 40
_ARITHMETIC = ("add", "subtract", "multiply", "divide")


def _operand(dice: random.Random, type_: ScalarType) -> Scalar:
    if dice.random() < 0.3:
        return Literal(dice.choice([*POOLS[type_], None]), type_)
    return column_of(type_, dice.randrange(COPIES))


def _chain(dice: random.Random, type_: ScalarType, length: int) -> Scalar:
    """Operators in each other, some under guards."""
    value = _operand(dice, type_)
    for _ in range(length):
        other = _operand(dice, type_)
        pair = (value, other) if dice.random() < 0.7 else (other, value)
        choice = dice.random()
        if choice < 0.1:
            value = Coalesce(pair, type_)
        elif choice < 0.2:
            less = Call(f"lt_{type_.name}_{type_.name}", pair, BOOL)
            word = And if dice.random() < 0.5 else Or
            condition = word((less, Call(f"eq_{type_.name}_{type_.name}", (other, other), BOOL)))
            value = Case(((condition, value),), other, type_)
        else:
            value = Call(f"{dice.choice(_ARITHMETIC)}_{type_.name}_{type_.name}", pair, type_)
    return value


@pytest.mark.spark
def test_long_expressions_agree_with_the_interpreter(spark: SparkSession) -> None:
    dice = random.Random(SEED)
    types = (INT2, INT4, INT8, FLOAT8)
    scalars = [_chain(dice, dice.choice(types), dice.randrange(3, 40)) for _ in range(CHAINS)]
    assert sum(map(is_long, scalars)) > CHAINS / 3
    found = disagreements(spark, SEED, ROWS, scalars)
    lines = [f"{said(scalar)}\n   Spark {ours} interpreter {wanted}" for scalar, _, ours, wanted in found[:3]]
    assert not found, f"{len(found)} differ\n" + "\n".join(lines)


_FAMILIES: dict[str, Callable[[int], Scalar]] = {
    "a chain of integers": lambda n: _nested(n, "add_int4_int4", INT4),
    "a chain of numerics": lambda n: _nested(n, "add_numeric_numeric", NUMERIC),
    "a chain of texts": lambda n: _nested(n, "concat_text_text", TEXT),
    "calls of calls": lambda n: _unary(n, "abs_int4", INT4),
    "a list of operators that may fail": lambda n: Or(
        tuple(Call("eq_int4_int4", (_nested(1, "add_int4_int4", INT4), Literal(i, INT4)), BOOL) for i in range(n))
    ),
}


def _nested(length: int, key: str, type_: ScalarType) -> Scalar:
    value: Scalar = column_of(type_)
    for number in range(length):
        value = Call(key, (value, column_of(type_, number % COPIES)), type_)
    return value


def _unary(length: int, key: str, type_: ScalarType) -> Scalar:
    value: Scalar = column_of(type_)
    for _ in range(length):
        value = Call(key, (value,), type_)
    return value


@pytest.mark.spark
@pytest.mark.parametrize("family", _FAMILIES)
def test_what_spark_plans_does_not_grow_with_an_expression(spark: SparkSession, family: str) -> None:
    desc, _ = table(SEED, 1)
    forms = physical_forms(desc)
    source = Rendered(scan("any", forms), forms)
    functions = PythonFunctions(spark, passing=True)
    sizes = []
    for length in (40 * FALLIBLE_DEPTH_MAX, 100 * FALLIBLE_DEPTH_MAX):
        layers = Layers()
        value = Lowering(source.values(), layers, functions).lower(_FAMILIES[family](length))
        sizes.append(len(layers.over(source.source)) + len(value.sql))
    functions.forget()
    assert sizes[1] <= sizes[0] + len("00"), sizes
