"""Codes orders as int8: a later value never has a smaller code, and codes are equal on every machine and at any time.

Several values may share a code: more rows than needed are then read, and the answer is still right. Every step is
exact; a logarithm would differ in the last bit between machines, and a row must keep its code.
"""

from __future__ import annotations

from compute.scalars.comparisons import interval_span, sortable
from compute.scalars.numerics import form_of
from compute.scalars.spark_sql import Sql, when
from compute.scalars.value import Value
from model.types.scalar_type import TypeName

_FIRST, _LAST = "(-9223372036854775807L - 1L)", "9223372036854775807L"
_SATURATED = "1000000000000000000L"
_LONG_DIGITS = 18
_TEXT_BYTES = 7


def order_code(value: Value, *, descending: bool, nulls_first: bool) -> Sql:
    """Returns SQL for the order code of a value: a name or a literal of a type in CODED."""
    code = _ascending(value)
    if descending:
        code = Sql(f"(~ {code})")
    return Sql(f"coalesce({code}, {_FIRST if nulls_first else _LAST})")


def _ascending(value: Value) -> Sql:
    """Returns SQL for the code of a value in ascending order, which is NULL for NULL."""
    sql = value.sql
    match value.type.name:
        case TypeName.FLOAT4 | TypeName.FLOAT8:
            return _float(sql)
        case TypeName.NUMERIC:
            return _decimal(value)
        case TypeName.INTERVAL:
            # greatest and least pass over NULL.
            bounded = f"greatest(least({interval_span(sql)}, {_SATURATED[:-1]}BD), (- {_SATURATED[:-1]}BD))"
            return when((f"{sql} IS NOT NULL", f"CAST({bounded} AS BIGINT)"))
        case TypeName.DATE:
            return Sql(f"CAST(unix_date({sql}) AS BIGINT)")
        case TypeName.TIMESTAMP | TypeName.TIMESTAMPTZ:
            return Sql(f"unix_micros(CAST({sql} AS TIMESTAMP_LTZ))")
        case TypeName.BPCHAR:
            return _first_bytes(sortable(sql, value.type))
        case TypeName.TEXT | TypeName.VARCHAR | TypeName.NAME | TypeName.UUID | TypeName.BYTEA:
            return _first_bytes(sql)
        case _:
            return Sql(f"CAST({sql} AS BIGINT)")


def _first_bytes(sql: str) -> Sql:
    digits = f"rpad(hex(substring(CAST({sql} AS BINARY), 1, {_TEXT_BYTES})), {2 * _TEXT_BYTES}, '0')"
    return Sql(f"CAST(conv({digits}, 16, 10) AS BIGINT)")


def _float(sql: str) -> Sql:
    """Returns SQL for the code of a float: a fixed-point number, in three ranges of size, each finer than the ranges
    above.

    Multiplying by a power of two is exact, so that the code is the same on every machine.
    """
    size = f"abs(CAST({sql} AS DOUBLE))"
    tiny, small, large = "9.5367431640625E-7D", "1048576D", "1.152921504606847E18D"
    magnitude = when(
        (f"isnan({sql})", "4611686018427387905L"),
        (f"{size} < {tiny}", f"floor({size} * 1.152921504606847E18D)"),
        (f"{size} < {small}", f"(1099511627776L + floor({size} * 1.099511627776E12D))"),
        (f"{size} < {large}", f"(2305843009213693952L + floor({size}))"),
        (f"{sql} IS NOT NULL", "4611686018427387904L"),
    )
    return when((f"{sql} < 0", f"(- {magnitude})"), otherwise=magnitude)


def _decimal(value: Value) -> Sql:
    """Returns SQL for the code of a numeric: exact for types of at most 18 digits. Of larger types, six decimals count,
    and all values beyond a million million share the greatest code (or the least, if negative)."""
    precision, scale = form_of(value)
    if precision <= _LONG_DIGITS:
        return Sql(f"CAST(({value.sql} * {10**scale}BD) AS BIGINT)")
    near = f"CAST((try_cast(floor({value.sql}, 6) AS DECIMAL(18,6)) * 1000000BD) AS BIGINT)"
    far = when((f"{value.sql} > 0", _SATURATED), (f"{value.sql} < 0", f"(- {_SATURATED})"))
    return Sql(f"coalesce({near}, {far})")
