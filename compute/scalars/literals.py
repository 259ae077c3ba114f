"""Literals as lowered values."""

from __future__ import annotations

import decimal

from compute.scalars.spark_sql import Sql, decimal_form, literal, numeric_literal
from compute.scalars.value import Value
from model.datum import Datum
from model.errors import NotSupported
from model.physical import NUMERIC_PRECISION_MAX
from model.scalar_type import ScalarType, TypeName


def literal_value(value: Datum, type_: ScalarType) -> Value:
    """A numeric literal is as narrow as its digits, so that products with it keep theirs."""
    if type_.name is not TypeName.NUMERIC:
        return Value(literal(value, type_), type_, simple=True, constant=value)
    if value is None:
        return Value(Sql("CAST(NULL AS DECIMAL(1,0))"), type_, (1, 0), simple=True)
    assert isinstance(value, decimal.Decimal)
    if value.is_nan():
        raise NotSupported("NaN as a numeric in a collection")
    form = decimal_form(value)
    if form[0] > NUMERIC_PRECISION_MAX:
        value = value.normalize(decimal.Context(prec=NUMERIC_PRECISION_MAX))
        form = decimal_form(value)
    return Value(numeric_literal(value, form), type_, form, simple=True, constant=value)
