"""int2, int4, int8: exact, or 22003; division truncates, and division by zero is 22012."""

from __future__ import annotations

from compute.scalars.failure import Error, Failure, failing_when, first_error
from compute.scalars.family import Lower, Lowerings, checked, plain, template
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import call, when
from compute.scalars.value import Value, derived
from model.types.scalar_type import ScalarType, TypeName

_FAILURES = {
    TypeName.INT2: Failure.SMALLINT_RANGE,
    TypeName.INT4: Failure.INTEGER_RANGE,
    TypeName.INT8: Failure.BIGINT_RANGE,
}
_LEAST = {TypeName.INT2: -(1 << 15), TypeName.INT4: -(1 << 31), TypeName.INT8: -(1 << 63)}
LEAST_BIGINT = "(-9223372036854775808L)"


def range_failure(type_: ScalarType) -> Failure:
    return _FAILURES[type_.name]


def _try(function: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        arguments = layers.once_all(*arguments)
        text = call(function, *(argument.sql for argument in arguments))
        return checked(layers, text, type_, range_failure(type_), *arguments)

    return lower


def _zero(left: Value, right: Value) -> Error | None:
    if right.constant is not None and right.constant != 0:
        return None
    return failing_when(f"{right.sql} = 0 AND {left.sql} IS NOT NULL", Failure.DIVISION_BY_ZERO)


def divide(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    left, right = layers.once_all(*arguments)
    divisor = right.sql if _zero(left, right) is None else call("nullif", right.sql, "0")
    zero = _zero(left, right)
    if right.constant is not None and right.constant not in (0, -1):
        return derived(f"CAST(({left.sql} div {divisor}) AS {left.spark_type})", type_, left, right)
    # The least number by -1 is the one quotient out of range, and Spark's `div` would raise.
    out = f"{left.sql} = {_least(type_)} AND {right.sql} = -1"
    quotient = when((out, "NULL"), otherwise=f"CAST(({left.sql} div {divisor}) AS {left.spark_type})")
    own = first_error(left.error, right.error, zero, failing_when(out, range_failure(type_)))
    value = derived(quotient, type_, left, right)
    return Value(value.sql, type_, None, own, value.level)


def _least(type_: ScalarType) -> str:
    return LEAST_BIGINT if type_.name is TypeName.INT8 else f"({_LEAST[type_.name]})"


def modulo(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    left, right = layers.once_all(*arguments)
    zero = _zero(left, right)
    divisor = right.sql if zero is None else call("nullif", right.sql, "0")
    return derived(f"({left.sql} % {divisor})", type_, left, right, error=zero)


def _of_magnitude(text: str) -> Lower:
    """Fails for the least number only."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        value = layers.once(arguments[0])
        least = f"{value.sql} = {_least(type_)}"
        guarded = when((least, "NULL"), otherwise=text.format(value.sql))
        return derived(guarded, type_, value, error=failing_when(least, range_failure(type_)))

    return lower


def _shift(function: str, bits: int) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        count = arguments[1].constant
        if bits < 32 or not isinstance(count, int):
            return None
        return derived(
            call(function, arguments[0].sql, str(count % bits)),
            type_,
            *(plain(a) for a in arguments[:1]),
            error=arguments[0].error,
        )

    return lower


def _of(name: str, bits: int) -> dict[str, Lower]:
    return {
        f"add_{name}_{name}": _try("try_add"),
        f"subtract_{name}_{name}": _try("try_subtract"),
        f"multiply_{name}_{name}": _try("try_multiply"),
        f"divide_{name}_{name}": divide,
        f"modulo_{name}_{name}": modulo,
        f"mod_{name}_{name}": modulo,
        f"negate_{name}": _of_magnitude("(- {0})"),
        f"plus_{name}": template("{0}"),
        f"absolute_{name}": _of_magnitude("abs({0})"),
        f"abs_{name}": _of_magnitude("abs({0})"),
        f"bit_and_{name}_{name}": template("({0} & {1})"),
        f"bit_or_{name}_{name}": template("({0} | {1})"),
        f"bit_xor_{name}_{name}": template("({0} ^ {1})"),
        f"bit_not_{name}": template("(~ {0})"),
        f"shift_left_{name}_int4": _shift("shiftleft", bits),
        f"shift_right_{name}_int4": _shift("shiftright", bits),
    }


LOWERINGS: Lowerings = {**_of("int2", 16), **_of("int4", 32), **_of("int8", 64)}
