"""Aggregates computed from sums, whoever makes the sums: Spark's partial aggregation, or an arrangement of a group.

An answer is an expression over the sums of all rows, and so the same whether summed anew or maintained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from compute.scalars.casts import float8_to_float4
from compute.scalars.layers import Layers
from compute.scalars.numerics import decimals_of
from compute.scalars.quotients import divide, quotient_of_sum
from compute.scalars.spark_sql import when
from compute.scalars.value import Value, derived
from model.types.scalar_type import BOOL, FLOAT4, INT8, NUMERIC, TypeName


class Sums(Protocol):
    """Exact sums over the rows that one aggregate takes (its FILTER, its DISTINCT).

    Arguments are inputs of the aggregates; results are columns below `finals`.
    """

    @property
    def finals(self) -> Layers: ...

    def rows(self) -> Value:
        """Returns the number of rows; int8."""
        ...

    def present(self, value: Value) -> Value:
        """Returns the number of rows with a value; int8."""
        ...

    def total(self, value: Value) -> Value:
        """Sums integers as int8, NULL over no value; of values of 32 bits, more than 2**31 of which are needed to
        leave the range."""
        ...

    def wide_total(self, value: Value) -> Value:
        """Returns the sum of int8s as a numeric; NULL over no value."""
        ...

    def decimal_total(self, value: Value) -> Value:
        """Returns the sum as numeric, NULL without a value; raises 22003 for a sum that does not fit."""
        ...

    def most(self, value: Value) -> Value:
        """Returns the greatest of numbers that are not negative, mostly small; int4, NULL over no value."""
        ...

    def float_total(self, value: Value) -> Value:
        """Sums floats as float8, float4s too: exact, then rounded; NULL over no value, 22003 past the range."""
        ...

    def float_average(self, value: Value) -> Value:
        """Averages floats as float8: the rounded sum by the count; NULL over no value, 22003 where PostgreSQL has
        it."""
        ...


def halves(value: Value) -> tuple[Value, Value]:
    """Returns the upper and the lower 32 bits of an int8, each to be summed by itself: decimals are several times
    slower."""
    upper = derived(f"shiftright({value.sql}, 32)", INT8, value)
    return upper, derived(f"({value.sql} & 4294967295L)", INT8, value)


def from_halves(upper: Value, lower: Value) -> Value:
    """Combines the sums of `halves`."""
    text = f"(CAST({upper.sql} AS DECIMAL(19,0)) * 4294967296BD + CAST({lower.sql} AS DECIMAL(19,0)))"
    return derived(f"CAST({text} AS DECIMAL(28,0))", NUMERIC, upper, lower, decimal=(28, 0))


def _count_star(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    return sums.rows()


def _count(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    return sums.present(arguments[0])


def _total(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    return sums.total(arguments[0])


def _wide_total(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    return sums.wide_total(arguments[0])


def _decimal_total(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    return sums.decimal_total(arguments[0])


def _average_integer(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    """Returns the average of integers from the sum qn + r, with q and r of the sum's sign."""
    (value,) = arguments
    wide = value.type.name is TypeName.INT8
    total = sums.wide_total(value) if wide else sums.total(value)
    present = sums.present(value)
    total = sums.finals.once(total)
    number = sums.finals.once(derived(f"nullif({present.sql}, 0L)", INT8, present))
    n = number.sql
    rest = f"({total.sql} % {n})"
    if wide:
        rest = f"({total.sql} % CAST({n} AS DECIMAL(19,0)))"
    remainder = sums.finals.once(derived(rest, NUMERIC if wide else INT8, total, number))
    whole = f"(({total.sql} - {remainder.sql}) div {n})"
    return quotient_of_sum(sums.finals, total, number, remainder.sql, whole)


def _average_numeric(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    total = sums.decimal_total(arguments[0])
    if total.shown is None:
        total = replace(total, shown=decimals_of(arguments[0]))
    number = sums.present(arguments[0])
    n = derived(f"CAST(nullif({number.sql}, 0L) AS DECIMAL(19,0))", NUMERIC, number, decimal=(19, 0))
    return divide(sums.finals, (total, n), NUMERIC)


def _most(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    return sums.most(arguments[0])


def _sum_float4(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    return float8_to_float4(sums.finals, (sums.float_total(arguments[0]),), FLOAT4)


def _sum_float8(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    return sums.float_total(arguments[0])


def _average_float(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    return sums.float_average(arguments[0])


def _all_true(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    number, true = sums.present(arguments[0]), _true(sums, arguments[0])
    return derived(when((f"{number.sql} > 0", f"{true.sql} = {number.sql}")), BOOL, number, true)


def _any_true(sums: Sums, arguments: tuple[Value, ...]) -> Value:
    true = _true(sums, arguments[0])
    return derived(f"({true.sql} > 0)", BOOL, true)


def _true(sums: Sums, value: Value) -> Value:
    return sums.total(derived(f"CAST({value.sql} AS BIGINT)", INT8, value))


SUMMED: dict[str, Callable[[Sums, tuple[Value, ...]], Value]] = {
    "count_star": _count_star,
    "count_any": _count,
    "sum_int2": _total,
    "sum_int4": _total,
    "sum_int8": _wide_total,
    "sum_numeric": _decimal_total,
    "sum_float4": _sum_float4,
    "sum_float8": _sum_float8,
    "avg_int2": _average_integer,
    "avg_int4": _average_integer,
    "avg_int8": _average_integer,
    "avg_numeric": _average_numeric,
    "avg_float4": _average_float,
    "avg_float8": _average_float,
    "most_decimals_int4": _most,
    "bool_and_bool": _all_true,
    "every_bool": _all_true,
    "bool_or_bool": _any_true,
}
"""By the aggregates' function keys; the arguments are inputs."""
