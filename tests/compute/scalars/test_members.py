"""IN a long list of constants: Spark answers what the interpreter answers, however a value is written."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from compute.operators.rendered import Rendered, physical_forms, scan
from compute.scalars.layers import Layers
from compute.scalars.lower import Lowering
from compute.scalars.members import MEMBERS_MIN
from compute.scalars.python_function import PythonFunctions
from model.types.scalar_type import DATE, FLOAT8, INT4, INT8, INTERVAL, NUMERIC, TEXT, TIMESTAMPTZ, ScalarType, array_of
from planner.ir.scalar import ArrayOf, Literal, QuantifiedArray, Quantifier, Scalar
from tests.compute.agreement import POOLS, column_of, disagreements, table
from tests.compute.scalars.test_generated_expressions import said

SEED = 5
ROWS = 60
TYPES = (INT4, INT8, FLOAT8, NUMERIC, TEXT, DATE, TIMESTAMPTZ, INTERVAL)


def _membership(type_: ScalarType, *, has_null: bool, among: int, is_listed: bool = False) -> Scalar:
    """Of every second value of the pool, again and again."""
    chosen = POOLS[type_][::2]
    items = tuple(chosen[i % len(chosen)] for i in range(among)) + ((None,) if has_null else ())
    array: Scalar = Literal(items, array_of(type_))
    if is_listed:
        array = ArrayOf(tuple(Literal(item, type_) for item in items), array_of(type_))
    return QuantifiedArray(Quantifier.ANY, f"eq_{type_.name}_{type_.name}", column_of(type_), array)


@pytest.mark.spark
def test_membership_in_a_long_list_agrees_with_the_interpreter(spark: SparkSession) -> None:
    scalars = [
        _membership(type_, has_null=has_null, among=MEMBERS_MIN) for type_ in TYPES for has_null in (False, True)
    ]
    found = disagreements(spark, SEED, ROWS, scalars)
    lines = [f"{said(scalar)[:200]}\n   Spark {ours} interpreter {wanted}" for scalar, _, ours, wanted in found[:3]]
    assert not found, f"{len(found)} differ\n" + "\n".join(lines)


@pytest.mark.spark
def test_what_spark_plans_does_not_grow_with_the_list(spark: SparkSession) -> None:
    forms = physical_forms(table(SEED, 1)[0])
    source = Rendered(scan("any", forms), forms)
    functions = PythonFunctions(spark, passing=True)
    sizes = []
    for among, is_listed in ((MEMBERS_MIN, False), (100 * MEMBERS_MIN, False), (100 * MEMBERS_MIN, True)):
        layers = Layers()
        membership = _membership(INT4, has_null=True, among=among, is_listed=is_listed)
        value = Lowering(source.values(), layers, functions).lower(membership)
        sizes.append(len(layers.over(source.source)) + len(value.sql))
    functions.forget()
    assert max(sizes) <= sizes[0] + len("00"), sizes
