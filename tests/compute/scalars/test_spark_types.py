"""Spark's name of a type is that of the Arrow type that collections hold."""

from __future__ import annotations

import pytest
from pyspark.sql.pandas.types import from_arrow_type

from compute.scalars.spark_sql import spark_type
from model.physical.columns import arrow_type, has_physical_form
from model.types.scalar_type import ScalarType, TypeName
from model.types.type_table import TYPES

_NAMED = [ScalarType(TypeName(name)) for name in TYPES if TYPES[name].held is not None]
_HELD = [type_ for type_ in _NAMED if has_physical_form(type_)]
_ARRAYS = [ScalarType(TypeName.ARRAY, element=type_) for type_ in _HELD]
_SHORT = {"timestamp_ltz": "timestamp"}


@pytest.mark.parametrize("type_", [*_HELD, *_ARRAYS])
def test_spark_holds_what_collections_hold(type_: ScalarType) -> None:
    name = spark_type(type_).lower().replace(" ", "")
    for ours, theirs in _SHORT.items():
        name = name.replace(ours, theirs)
    assert name == from_arrow_type(arrow_type(type_), prefer_timestamp_ntz=True).simpleString()
