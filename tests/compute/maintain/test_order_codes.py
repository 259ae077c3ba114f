"""Codes never fall where values come later, and are the same for values that are equal."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from pyspark.sql import SparkSession

from compute.maintain.stages.order_codes import order_code
from compute.maintain.steps.prefix import CODED
from compute.operators.rendered import Rendered, physical_forms, scan
from model.order.datum_order import sort_key
from model.physical.columns import rows_to_arrow
from model.types.datum import Datum
from model.types.relation_desc import relation_desc
from model.types.scalar_type import FLOAT8, NUMERIC, TEXT, ScalarType, TypeName
from tests.compute.agreement import POOLS, D


def _floats(dice: random.Random) -> list[Any]:
    return [sign * dice.random() * 2.0 ** dice.randint(-80, 80) for sign in (1, -1) for _ in range(200)]


def _decimals(dice: random.Random) -> list[Any]:
    digits = [dice.randint(0, 10 ** dice.randint(0, 37)) for _ in range(300)]
    return [D(dice.choice((1, -1)) * number).scaleb(-18) for number in digits]


def _texts(dice: random.Random) -> list[Any]:
    return ["".join(dice.choices("ab\x00é😀", k=dice.randint(0, 9))) for _ in range(200)]


def _values(type_: ScalarType) -> list[Datum]:
    more = {FLOAT8: _floats, NUMERIC: _decimals, TEXT: _texts}.get(type_)
    return [*POOLS[type_], *(more(random.Random(1)) if more is not None else []), None]


@pytest.mark.spark
def test_codes_never_fall(spark: SparkSession) -> None:
    wrong = []
    for number, type_ in enumerate(type_ for type_ in POOLS if type_.name in CODED):
        values = _values(type_)
        desc = relation_desc(("v", type_))
        view = f"coded_{number}"
        spark.createDataFrame(rows_to_arrow([(value,) for value in values], desc)).createOrReplaceTempView(view)
        forms = physical_forms(desc)
        (column,) = Rendered(scan(view, forms), forms).values()
        for descending in (False, True):
            for nulls_first in (False, True):
                code = order_code(column, descending=descending, nulls_first=nulls_first)
                query = f"SELECT {code} AS code FROM ({scan(view, forms)})"
                codes = spark.sql(query).toArrow().column(0).to_pylist()
                wrong += [f"{type_} {fault}" for fault in _faults(values, codes, type_, descending, nulls_first)]
        spark.catalog.dropTempView(view)
    assert not wrong, "\n".join(wrong[:20])


def _faults(values: list[Datum], codes: list[int], type_: ScalarType, descending: bool, nulls_first: bool) -> list[str]:
    key = sort_key(type_)
    nulls = [code for value, code in zip(values, codes, strict=True) if value is None]
    present = [(key(value), code, value) for value, code in zip(values, codes, strict=True) if value is not None]
    present.sort(key=lambda item: item[0], reverse=descending)
    faults = []
    for (key_, code, value), (next_key, next_code, next_value) in pairwise(present):
        if code > next_code or (key_ == next_key and code != next_code):
            faults.append(f"{value!r} has {code}, {next_value!r} {next_code}")
    bound = (min if nulls_first else max)(code for _, code, _ in present)
    if any(null > bound if nulls_first else null < bound for null in nulls):
        faults.append(f"NULL has {nulls}, beside {bound}")
    return faults


def test_every_code_is_tried() -> None:
    """Times of a timeline are int8s by another name."""
    assert {type_.name for type_ in POOLS} >= CODED - {TypeName.MZ_TIMESTAMP}
