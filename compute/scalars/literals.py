"""Literals as lowered values."""

from __future__ import annotations

import decimal

from compute.scalars.failure import Failure, failing_when
from compute.scalars.spark_sql import Sql, decimal_form, literal, numeric_literal
from compute.scalars.value import Value
from model.physical.columns import NUMERIC_PRECISION_MAX
from model.text.numerics import EXACT, unheld, within_digits
from model.types.datum import Datum
from model.types.scalar_type import ScalarType, TypeName
from planner.functions.numbers.decimals import min_scale


def literal_value(value: Datum, type_: ScalarType) -> Value:
    """Returns a literal. A numeric literal is as narrow as its digits, so that products keep all digits."""
    if type_.name is not TypeName.NUMERIC:
        return Value(literal(value, type_), type_, simple=True, constant=value)
    if value is None:
        return Value(Sql("CAST(NULL AS DECIMAL(1,0))"), type_, (1, 0), simple=True)
    assert isinstance(value, decimal.Decimal)
    if not value.is_finite():
        raise unheld(value)
    if not within_digits(value):
        error = failing_when("true", Failure.NUMERIC_OVERFLOW)
        return Value(Sql("CAST(NULL AS DECIMAL(1,0))"), type_, (1, 0), error, simple=True)
    form = decimal_form(value)
    if form[0] > NUMERIC_PRECISION_MAX:
        value = value.quantize(decimal.Decimal(1).scaleb(-min_scale(value)), context=EXACT)
        form = decimal_form(value)
    return Value(numeric_literal(value, form), type_, form, simple=True, constant=value)
