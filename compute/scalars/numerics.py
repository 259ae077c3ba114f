"""numeric: Spark decimals of tracked precision and scale, so that no digit is lost unseen.

Results have at most 18 decimals (rounded half away from zero) and 38 digits; more is 22003, as in
planner/functions/numbers/decimals.py. Where precision and scale prove that a result fits, it has no error.
"""

from __future__ import annotations

from compute.scalars.failure import Error, Failure, failing_when, first_error
from compute.scalars.family import Lower, Lowerings, checked
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import call, decimal_type, spark_type, when
from compute.scalars.value import Value, derived
from model.physical import NUMERIC_PRECISION_MAX as PRECISION_MAX
from model.physical import NUMERIC_SCALE_DEFAULT as SCALE_MAX
from model.physical import decimal_bounds
from model.range_types import ranged
from model.scalar_type import NUMERIC, ScalarType, TypeName

Form = tuple[int, int]


def form_of(value: Value) -> Form:
    """(precision, scale)."""
    return value.decimal if value.decimal is not None else decimal_bounds(value.type)


def to_form(layers: Layers, value: Value, target: Form, type_: ScalarType = NUMERIC) -> Value:
    """The value in another form, rounded when it has fewer decimals; 22003 when it does not fit."""
    precision, scale = form_of(value)
    if (precision, scale) == target:
        return Value(value.sql, type_, target, value.error, value.level, value.simple, value.constant)
    carry = 1 if scale > target[1] else 0
    if precision - scale + carry <= target[0] - target[1]:
        cast = derived(f"CAST({value.sql} AS {decimal_type(target)})", type_, value, decimal=target)
        return cast
    value = layers.once(value)
    text = f"try_cast({value.sql} AS {decimal_type(target)})"
    return checked(layers, text, type_, Failure.NUMERIC_OVERFLOW, value, decimal=target)


def to_decimal(layers: Layers, value: Value, type_: ScalarType) -> Value:
    """The value in the physical form of `type_`."""
    return to_form(layers, value, decimal_bounds(type_), type_)


def physical(layers: Layers, value: Value) -> Value:
    """The value exactly as a collection holds its type: numerics in its form (22003 when they do not fit), and parts
    that may be NULL, since Spark takes the parts of a struct it has just made for present, even where the whole is
    not."""
    match value.type.name:
        case TypeName.NUMERIC:
            return to_decimal(layers, value, value.type)
        case TypeName.INTERVAL | TypeName.ARRAY | TypeName.RECORD | TypeName.LIST | TypeName.MAP:
            return derived(f"CAST({value.sql} AS {spark_type(value.type)})", value.type, value)
        case _ if ranged(value.type):
            return derived(f"CAST({value.sql} AS {spark_type(value.type)})", value.type, value)
        case _:
            return value


def common_form(values: list[Value]) -> Form:
    forms = [form_of(value) for value in values]
    scale = max(scale for _, scale in forms)
    whole = max(precision - scale for precision, scale in forms)
    if whole + scale <= PRECISION_MAX:
        return whole + scale, scale
    return PRECISION_MAX, min(scale, SCALE_MAX)


def common_decimal(values: list[Value], layers: Layers | None = None) -> tuple[list[Value], Form]:
    """All values in one form."""
    form = common_form(values)
    layers = layers if layers is not None else Layers(inline=True)
    return [to_form(layers, value, form) for value in values], form


def at_most_scale(layers: Layers, value: Value, scale: int) -> Value:
    precision, own = form_of(value)
    if own <= scale:
        return value
    return to_form(layers, value, (min(precision - own + 1 + scale, PRECISION_MAX), scale))


def _sum(symbol: str, function: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        left, right = (at_most_scale(layers, argument, SCALE_MAX) for argument in arguments)
        (lp, ls), (rp, rs) = form_of(left), form_of(right)
        scale = max(ls, rs)
        precision = max(lp - ls, rp - rs) + 1 + scale
        if precision <= PRECISION_MAX:
            return derived(f"({left.sql} {symbol} {right.sql})", type_, left, right, decimal=(precision, scale))
        left, right = layers.once_all(left, right)
        form = (PRECISION_MAX, scale)
        return checked(
            layers, call(function, left.sql, right.sql), type_, Failure.NUMERIC_OVERFLOW, left, right, decimal=form
        )

    return lower


def multiply(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    left, right = (at_most_scale(layers, argument, SCALE_MAX) for argument in arguments)
    (lp, ls), (rp, rs) = form_of(left), form_of(right)
    precision, scale = lp + rp + 1, ls + rs
    if precision <= PRECISION_MAX:
        product = derived(f"({left.sql} * {right.sql})", type_, left, right, decimal=(precision, scale))
        return at_most_scale(layers, product, SCALE_MAX)
    left, right = layers.once_all(left, right)
    if scale > SCALE_MAX:
        return _wide_product(layers, left, right, type_)
    text = call("try_multiply", left.sql, right.sql)
    form = (PRECISION_MAX, scale)
    return checked(layers, text, type_, Failure.NUMERIC_OVERFLOW, left, right, decimal=form)


_HALF_SCALE = SCALE_MAX // 2
_HALF = decimal_type((PRECISION_MAX, _HALF_SCALE))


def _wide_product(layers: Layers, left: Value, right: Value, type_: ScalarType) -> Value:
    """Spark has no product of two (38,18)s: each is cut into its first 9 decimals and the rest, which is seldom any.

    (a + x)(b + y) = ab + (ay + xb + xy), where ab has 18 decimals and the others are rounded to as many.
    """
    a, b = (layers.once(derived(f"try_cast({v.sql} AS {_HALF})", type_, v)) for v in (left, right))
    x, y = (
        layers.once(derived(f"try_cast(try_subtract({v.sql}, {whole.sql}) AS DECIMAL(18,18))", type_, v, whole))
        for v, whole in ((left, a), (right, b))
    )
    whole = layers.once(derived(call("try_multiply", a.sql, b.sql), type_, a, b))
    cross = call("try_add", call("try_multiply", a.sql, y.sql), call("try_multiply", x.sql, b.sql))
    least = f"CAST(({x.sql} * {y.sql}) AS DECIMAL(28,27))"
    rest = f"try_cast({call('try_add', cross, least)} AS DECIMAL(38,18))"
    text = when((f"{x.sql} = 0 AND {y.sql} = 0", whole.sql), otherwise=call("try_add", whole.sql, rest))
    value = derived(text, type_, whole, x, y)
    named = layers.once(Value(value.sql, type_, (PRECISION_MAX, SCALE_MAX), None, value.level))
    missing = f"{named.sql} IS NULL AND {left.sql} IS NOT NULL AND {right.sql} IS NOT NULL"
    error = failing_when(missing, Failure.NUMERIC_OVERFLOW)
    return derived(named.sql, type_, left, right, named, decimal=(PRECISION_MAX, SCALE_MAX), error=error)


def divide(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Both in (38,18), for which Spark's quotient is a (38,18) too."""
    left, right = layers.once_all(*(to_decimal(layers, argument, NUMERIC) for argument in arguments))
    form = (PRECISION_MAX, SCALE_MAX)
    value = checked(
        layers, call("try_divide", left.sql, right.sql), type_, Failure.NUMERIC_OVERFLOW, left, right, decimal=form
    )
    zero = failing_when(f"{right.sql} = 0 AND {left.sql} IS NOT NULL", Failure.DIVISION_BY_ZERO)
    return _with_first_error(value, left, right, zero)


def _with_first_error(value: Value, left: Value, right: Value, own: Error) -> Value:
    error = first_error(left.error, right.error, own, value.error)
    return Value(value.sql, value.type, value.decimal, error, value.level)


def modulo(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    values, form = common_decimal(list(arguments), layers)
    left, right = layers.once_all(*values)
    value = derived(call("try_mod", left.sql, right.sql), type_, left, right, decimal=form)
    if right.constant is not None and right.constant != 0:
        return value
    zero = failing_when(f"{right.sql} = 0 AND {left.sql} IS NOT NULL", Failure.DIVISION_BY_ZERO)
    return derived(value.sql, type_, left, right, decimal=form, error=zero)


def _with_sign(text: str) -> Lower:
    """Spark's own minus and abs keep 34 digits; a difference keeps all."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        (value,) = layers.once_all(*arguments)
        form = form_of(value)
        return derived(f"CAST({text.format(value.sql)} AS {decimal_type(form)})", type_, value, decimal=form)

    return lower


def _whole(function: str) -> Lower:
    """ceil, floor: Spark gives (p - s + 1, 0)."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        (value,) = arguments
        precision, scale = form_of(value)
        form = (max(min(precision - scale + 1, PRECISION_MAX), 1), 0)
        return derived(f"CAST({function}({value.sql}) AS {decimal_type(form)})", type_, value, decimal=form)

    return lower


def round_(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    """Half away from zero; digits must be a literal, from 0 up."""
    value = arguments[0]
    digits = arguments[1].constant if len(arguments) == 2 else 0
    if not isinstance(digits, int) or digits < 0:
        return None
    precision, scale = form_of(value)
    if digits >= scale:
        return value
    return to_form(layers, value, (min(precision - scale + 1 + digits, PRECISION_MAX), digits))


def sign(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    value = layers.once(arguments[0])
    text = when((f"{value.sql} > 0", "1BD"), (f"{value.sql} < 0", "-1BD"), (f"{value.sql} = 0", "0BD"))
    return derived(text, type_, value, decimal=(1, 0))


def same(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    return arguments[0]


LOWERINGS: Lowerings = {
    "add_numeric_numeric": _sum("+", "try_add"),
    "subtract_numeric_numeric": _sum("-", "try_subtract"),
    "multiply_numeric_numeric": multiply,
    "divide_numeric_numeric": divide,
    "modulo_numeric_numeric": modulo,
    "mod_numeric_numeric": modulo,
    "negate_numeric": _with_sign("(0BD - {0})"),
    "plus_numeric": same,
    "absolute_numeric": _with_sign("CASE WHEN {0} < 0 THEN (0BD - {0}) ELSE {0} END"),
    "abs_numeric": _with_sign("CASE WHEN {0} < 0 THEN (0BD - {0}) ELSE {0} END"),
    "sign_numeric": sign,
    "ceil_numeric": _whole("ceil"),
    "ceiling_numeric": _whole("ceil"),
    "floor_numeric": _whole("floor"),
    "round_numeric": round_,
    "round_numeric_int4": round_,
    "trim_scale_numeric": same,
}
