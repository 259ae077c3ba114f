"""float4, float8: IEEE arithmetic; an infinity or a zero that the operands do not explain is 22003.

Functions that libraries round differently in the last digit (exp, ln, sin …) go to Python.
"""

from __future__ import annotations

from compute.scalars.failure import Error, Failure, failing_when, first_error
from compute.scalars.family import Lower, Lowerings, shared, template
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import when
from compute.scalars.value import Value, derived
from model.types.scalar_type import ScalarType

_INFINITY = "double('Infinity')"


def _infinite(sql: str) -> str:
    return f"abs({sql}) = {_INFINITY}"


def _finite(sql: str) -> str:
    return f"abs({sql}) <> {_INFINITY}"


def _judged(result: Value, type_: ScalarType, errors: list[Error], *arguments: Value) -> Value:
    """Returns the result where no error is."""
    error = first_error(*(argument.error for argument in arguments), *errors)
    return Value(result.sql, type_, None, error, result.level)


def _where_right(layers: Layers, value: Value) -> Value:
    """Returns the value, NULL where an error is."""
    named = layers.once(value)
    assert named.error is not None
    return derived(when((f"{named.error.sql} IS NULL", named.sql)), value.type, named)


def _sum(symbol: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        left, right = layers.once_all(*arguments)
        result = layers.once(_plain(f"({left.sql} {symbol} {right.sql})", type_, left, right))
        over = f"{_infinite(result.sql)} AND {_finite(left.sql)} AND {_finite(right.sql)}"
        errors = [failing_when(over, Failure.FLOAT_OVERFLOW)]
        return _where_right(layers, _judged(result, type_, errors, left, right))

    return lower


def _plain(text: str, type_: ScalarType, *arguments: Value) -> Value:
    value = derived(text, type_, *arguments)
    return Value(value.sql, type_, None, None, value.level)


def _product(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    left, right = layers.once_all(*arguments)
    result = layers.once(_plain(f"({left.sql} * {right.sql})", type_, left, right))
    over = f"{_infinite(result.sql)} AND {_finite(left.sql)} AND {_finite(right.sql)}"
    under = f"{result.sql} = 0 AND {left.sql} <> 0 AND {right.sql} <> 0"
    errors = [failing_when(over, Failure.FLOAT_OVERFLOW), failing_when(under, Failure.FLOAT_UNDERFLOW)]
    return _where_right(layers, _judged(result, type_, errors, left, right))


def _quotient(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    left, right = layers.once_all(*arguments)
    divided = f"CAST(({left.sql} / nullif({right.sql}, 0)) AS {left.spark_type})"
    text = when((f"{right.sql} = 0 AND isnan({left.sql})", left.sql), otherwise=divided)
    result = layers.once(_plain(text, type_, left, right))
    zero = f"{right.sql} = 0 AND NOT isnan({left.sql}) AND {left.sql} IS NOT NULL"
    over = f"{_infinite(result.sql)} AND {_finite(left.sql)}"
    under = f"{result.sql} = 0 AND {left.sql} <> 0 AND {_finite(right.sql)}"
    errors = [
        failing_when(zero, Failure.DIVISION_BY_ZERO),
        failing_when(over, Failure.FLOAT_OVERFLOW),
        failing_when(under, Failure.FLOAT_UNDERFLOW),
    ]
    return _where_right(layers, _judged(result, type_, errors, left, right))


def _square_root(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    (value,) = layers.once_all(*arguments)
    text = when((f"{value.sql} < 0", "NULL"), otherwise=f"sqrt({value.sql})")
    return derived(text, type_, value, error=failing_when(f"{value.sql} < 0", Failure.NEGATIVE_ROOT))


def _whole(text: str) -> Lower:
    """Lowers ceil and floor, which return 64-bit integers in Spark: large numbers, whole anyway, pass; zero keeps
    its sign."""
    return shared(
        "CASE WHEN abs({0}) < 4503599627370496D THEN "
        f"(CASE WHEN {text} = 0 AND {{0}} < 0 THEN -0.0D ELSE CAST({text} AS DOUBLE) END) ELSE {{0}} END"
    )


def _of(name: str) -> dict[str, Lower]:
    return {
        f"add_{name}_{name}": _sum("+"),
        f"subtract_{name}_{name}": _sum("-"),
        f"multiply_{name}_{name}": _product,
        f"divide_{name}_{name}": _quotient,
        f"negate_{name}": template("(- {0})"),
        f"plus_{name}": template("{0}"),
        f"absolute_{name}": template("abs({0})"),
        f"abs_{name}": template("abs({0})"),
    }


LOWERINGS: Lowerings = {
    **_of("float4"),
    **_of("float8"),
    "sqrt_float8": _square_root,
    "square_root_float8": _square_root,
    "ceil_float8": _whole("ceil({0})"),
    "ceiling_float8": _whole("ceil({0})"),
    "floor_float8": _whole("floor({0})"),
    "round_float8": template("rint({0})"),
    "trunc_float8": _whole("(CASE WHEN {0} < 0 THEN ceil({0}) ELSE floor({0}) END)"),
    "radians_float8": template("({0} * 0.017453292519943295D)"),
    "sign_float8": shared(
        "CASE WHEN isnan({0}) THEN 0D WHEN {0} > 0 THEN 1D WHEN {0} < 0 THEN -1D WHEN {0} IS NOT NULL THEN 0D END"
    ),
}
