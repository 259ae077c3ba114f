"""A lowered expression: Spark SQL for its value, and for its error if fallible.

The value is NULL where the error is not NULL. Evaluating either never raises, for any row: Spark evaluates early, late
and twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compute.scalars.failure import Error, first_error
from compute.scalars.spark_sql import Sql, decimal_type, spark_type
from model.physical.columns import NUMERIC_PRECISION_MAX, NUMERIC_SCALE_DEFAULT, decimal_bounds
from model.types.datum import Datum
from model.types.scalar_type import ScalarType, TypeName


@dataclass(frozen=True, slots=True)
class Value:
    """A lowered expression.

    `sql`, `type`: Spark SQL for the value, and the value's type.
    `decimal`: the (precision, scale) of a numeric in Spark: as narrow as exactness allows; at most 18 decimals.
    `error`: Spark SQL for the error, or None.
    `level`: the number of projections that must stand below.
    `simple`: whether the expression is a name or a literal, cheap to repeat.
    `constant`: a literal's datum; None for a literal NULL and for other expressions.
    `shown`: Spark SQL for the number of decimals with which a numeric is shown, where that hangs on the values; NULL
        only where the value is. None where the type tells it, or nothing does.
    """

    sql: Sql
    type: ScalarType
    decimal: tuple[int, int] | None = None
    error: Error | None = None
    level: int = 0
    simple: bool = False
    constant: Datum = None
    shown: Sql | None = None

    @property
    def spark_type(self) -> str:
        return decimal_type(self.decimal) if self.decimal is not None else spark_type(self.type)


def column(
    name: str, type_: ScalarType, decimal: tuple[int, int] | None = None, level: int = 0, shown: Sql | None = None
) -> Value:
    """Returns a column of the input, or of a layer below."""
    if type_.name is TypeName.NUMERIC and decimal is None:
        decimal = decimal_bounds(type_)
    return Value(Sql(name), type_, decimal, level=level, simple=True, shown=shown)


def derived(
    sql: str,
    type_: ScalarType,
    *sources: Value,
    decimal: tuple[int, int] | None = None,
    error: Error | None = None,
    shown: Sql | None = None,
) -> Value:
    """Returns an expression over `sources`: strict in their errors, with its own error after them."""
    if type_.name is TypeName.NUMERIC and decimal is None:
        decimal = (NUMERIC_PRECISION_MAX, NUMERIC_SCALE_DEFAULT)
    errors = first_error(*(source.error for source in sources), error)
    return Value(Sql(sql), type_, decimal, errors, level_of(*sources), shown=shown)


def level_of(*sources: Value) -> int:
    return max((source.level for source in sources), default=0)


def retyped(value: Value, type_: ScalarType) -> Value:
    """Returns the same datum under another type with the same physical form."""
    return replace(value, type=type_)
