"""Arithmetic and mathematics of numeric: exact where the result is, else rounded to PostgreSQL's decimals."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from decimal import Decimal

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.numerics import EXACT, WHOLE_DIGITS_MAX, overflow, with_exponent
from model.types.scalar_type import INT4, INT8, NUMERIC
from planner.functions.failures import (
    complex_power,
    division_by_zero,
    logarithm_of_negative,
    logarithm_of_zero,
    negative_root,
    zero_to_negative_power,
)
from planner.functions.numbers.arithmetic import check_int4
from planner.functions.numbers.decimals import (
    BASE_DIGITS,
    INFINITY,
    NAN,
    ROUNDED_MAX,
    SIGNIFICANT_DIGITS,
    SPECIAL,
    ZERO,
    Rounding,
    bounded,
    hold,
    leading_digit,
    logarithm_weight,
    min_scale,
    quotient_at,
    quotient_scale,
    result_scale,
    root_at,
    round_to,
    shown_decimals,
    truncate_to,
    whole,
    with_decimals,
    working,
)
from planner.functions.rows import function, operator, with_whole
from planner.functions.signature import Function

_ONE, _MINUS_ONE = Decimal(1), Decimal(-1)
_LOG_E = 0.434294481903252
_EXPONENT_MAX = 6000
"""Of e, beyond which PostgreSQL computes no power."""
_ESTIMATE_MAX = 2000
_FACTORIAL_MAX = 32_177
_INT4_MAX = 2**31
_FACTORS = 8


def add(left: Decimal, right: Decimal) -> Decimal:
    return hold(SPECIAL.add(left, right))


def subtract(left: Decimal, right: Decimal) -> Decimal:
    return hold(SPECIAL.subtract(left, right))


def multiply(left: Decimal, right: Decimal) -> Decimal:
    return hold(SPECIAL.multiply(left, right))


def _special_quotient(left: Decimal, right: Decimal) -> Decimal | None:
    """Returns the quotient where an operand is NaN or infinite; None where both are finite. Raises 22012."""
    if left.is_nan() or right.is_nan():
        return NAN
    if not right:
        raise division_by_zero()
    if left.is_infinite():
        return NAN if right.is_infinite() else left.copy_sign(left if right > 0 else left.copy_negate())
    return ZERO if right.is_infinite() else None


def _quotient(left: Decimal, right: Decimal) -> Decimal | Rounding:
    special = _special_quotient(left, right)
    if special is not None:
        return special
    return Rounding(quotient_scale(left, right), lambda scale: quotient_at(left, right, scale))


divide = bounded(_quotient)
divide_whole = whole(_quotient)


def whole_quotient(left: Decimal, right: Decimal) -> Decimal:
    """Divides and truncates toward zero."""
    special = _special_quotient(left, right)
    return hold(EXACT.divide_int(left, right)) if special is None else special


def remainder(left: Decimal, right: Decimal) -> Decimal:
    """Returns the remainder with the dividend's sign."""
    special = _special_quotient(left, right)
    if special is None:
        return hold(EXACT.remainder(left, right))
    return NAN if special.is_nan() or left.is_infinite() else left


def _square_root(value: Decimal) -> Decimal | Rounding:
    if value.is_nan():
        return NAN
    if value < 0:
        raise negative_root()
    if value.is_infinite():
        return value
    return Rounding(square_root_scale(value), lambda scale: root_at(value, scale))


def square_root_scale(value: Decimal) -> int:
    """Returns the number of decimals that PostgreSQL gives to a square root."""
    _, weight = leading_digit(value)
    half = weight * BASE_DIGITS // 2 + 1 if weight >= 0 else 1 - (1 - weight * BASE_DIGITS) // 2
    return result_scale(half, value)


def _exponential(value: Decimal) -> Decimal | Rounding:
    if value.is_nan():
        return NAN
    if value.is_infinite():
        return value if value > 0 else ZERO
    weight = int(max(min(float(value) * _LOG_E, _ESTIMATE_MAX), -_ESTIMATE_MAX))
    return _raised(value, result_scale(weight, value))


def _raised(value: Decimal, scale: int) -> Decimal | Rounding:
    """Returns e to the power of a finite value; raises 22003 beyond the powers that PostgreSQL computes."""
    if value >= _EXPONENT_MAX:
        raise overflow()
    if value <= -_EXPONENT_MAX:
        return with_exponent(ZERO, scale)
    weight = int(float(value) * _LOG_E) + 1
    return Rounding(scale, lambda decimals: with_exponent(working(weight + decimals).exp(value), decimals))


def _checked_logarithm(value: Decimal) -> None:
    if not value:
        raise logarithm_of_zero()
    if value < 0:
        raise logarithm_of_negative()


def _natural_logarithm(value: Decimal) -> Decimal | Rounding:
    if value.is_nan():
        return NAN
    _checked_logarithm(value)
    if value.is_infinite():
        return value
    weight = logarithm_weight(value)
    return Rounding(
        result_scale(weight, value),
        lambda scale: with_exponent(working(max(weight, 0) + scale + 1).ln(value), scale),
    )


def _logarithm(base: Decimal, value: Decimal) -> Decimal | Rounding:
    """Computes the logarithm of `value` to `base`; raises 22012 to base 1."""
    if base.is_nan() or value.is_nan():
        return NAN
    if base.is_infinite() or value.is_infinite():
        if base < 0 or value < 0:
            raise logarithm_of_negative()
        _checked_logarithm(base)
        _checked_logarithm(value)
        if base.is_infinite():
            return NAN if value.is_infinite() else ZERO
        return value
    _checked_logarithm(base)
    _checked_logarithm(value)
    if base == 1:
        raise division_by_zero()
    weight = logarithm_weight(value) - logarithm_weight(base)

    def at(scale: int) -> Decimal:
        context = working(max(weight, 0) + scale + BASE_DIGITS)
        return with_exponent(context.divide(context.ln(value), context.ln(base)), scale)

    return Rounding(result_scale(weight, base, value), at)


def _decimal_logarithm(value: Decimal) -> Decimal | Rounding:
    return _logarithm(Decimal(10), value)


def _power(base: Decimal, exponent: Decimal) -> Decimal | Rounding:
    """Raises to a power; 1 to anything and anything to 0 are 1, NaN included."""
    if base.is_nan() or exponent.is_nan():
        return _ONE if base == 1 or exponent == 0 else NAN
    if not base and exponent < 0:
        raise zero_to_negative_power()
    integral = exponent.is_infinite() or exponent == exponent.to_integral_value()
    if base < 0 and not integral:
        raise complex_power()
    if base.is_infinite() or exponent.is_infinite():
        return _infinite_power(base, exponent)
    if integral and -_INT4_MAX <= exponent < _INT4_MAX:
        return _integer_power(base, int(exponent), shown_decimals(exponent))
    if not base:
        return with_exponent(ZERO, SIGNIFICANT_DIGITS)
    magnitude = base.copy_abs()
    weight = logarithm_weight(magnitude)
    context = working(8 - weight + max(weight, 0))
    estimate = float(context.multiply(context.ln(magnitude), exponent))
    if estimate > 3.01 * _ESTIMATE_MAX:
        raise overflow()
    if estimate < -3.01 * _ESTIMATE_MAX:
        return with_exponent(ZERO, ROUNDED_MAX)
    digits = int(estimate * _LOG_E)

    def at(decimals: int) -> Decimal:
        context = working(max(digits, 0) + decimals + BASE_DIGITS)
        power = context.multiply(context.ln(magnitude), exponent)
        raised = with_exponent(context.exp(power), decimals)
        return raised.copy_negate() if base < 0 and _odd(exponent) else raised

    return Rounding(result_scale(digits, base, exponent), at)


def _odd(value: Decimal) -> bool:
    return bool(EXACT.remainder(value, Decimal(2)))


def _infinite_power(base: Decimal, exponent: Decimal) -> Decimal:
    """Returns a power of which one operand at least is infinite, as POSIX defines it."""
    if base == 1 or not exponent:
        return _ONE
    if not base:
        return ZERO
    if exponent.is_infinite():
        if base == _MINUS_ONE:
            return _ONE
        return INFINITY if (base.copy_abs() > 1) == (exponent > 0) else ZERO
    if exponent < 0:
        return ZERO
    return base if base > 0 or _odd(exponent) else INFINITY


def _integer_power(base: Decimal, exponent: int, decimals: int) -> Decimal | Rounding:
    """Raises to the power of an int4 that is shown with `decimals`."""
    weight = exponent * _logarithm_of_digits(base.copy_abs()) if base else 0.0
    if weight > WHOLE_DIGITS_MAX:
        raise overflow()
    if weight + 1 < -ROUNDED_MAX:
        return with_exponent(ZERO, ROUNDED_MAX)
    scale = min(max(SIGNIFICANT_DIGITS - int(weight), shown_decimals(base), decimals, 0), ROUNDED_MAX)
    if exponent == 0:
        return with_exponent(_ONE, scale)
    if not base:
        return with_exponent(ZERO, scale)
    if exponent == -1:
        return Rounding(scale, lambda places: quotient_at(_ONE, base, places))
    digits = max(int(weight), 0) + len(str(exponent))
    if exponent in (1, 2):
        return Rounding(scale, lambda places: with_exponent(EXACT.power(base, exponent), places))
    return Rounding(
        scale, lambda places: with_exponent(working(digits + places).power(base, Decimal(exponent)), places)
    )


def _logarithm_of_digits(value: Decimal) -> float:
    """Returns the logarithm to base 10 of a positive number, from its first digits."""
    return math.log10(value.scaleb(-value.adjusted(), context=EXACT)) + value.adjusted()


def _to_integral(rounding: str) -> Callable[[Decimal], Decimal]:
    def evaluate(value: Decimal) -> Decimal:
        return value.to_integral_value(rounding) or ZERO if value.is_finite() else value

    return evaluate


def _negated(value: Decimal) -> Decimal:
    """Returns the number below zero; 0 and NaN have no sign."""
    return value if value.is_nan() or not value else value.copy_negate()


def _sign(value: Decimal) -> Decimal:
    return value if value.is_nan() else Decimal((value > 0) - (value < 0))


def _common_divisor(left: Decimal, right: Decimal) -> Decimal:
    if not (left.is_finite() and right.is_finite()):
        return NAN
    decimals = max(shown_decimals(left), shown_decimals(right))
    wholes = (int(value.scaleb(decimals, context=EXACT)) for value in (left, right))
    return Decimal(math.gcd(*wholes)).scaleb(-decimals, context=EXACT)


def _common_multiple(left: Decimal, right: Decimal) -> Decimal:
    if not (left.is_finite() and right.is_finite()):
        return NAN
    decimals = max(shown_decimals(left), shown_decimals(right))
    if not left or not right:
        return with_exponent(ZERO, decimals)
    product = EXACT.multiply(EXACT.divide_int(left, _common_divisor(left, right)), right).copy_abs()
    return hold(with_exponent(product, decimals) if product.adjusted() <= WHOLE_DIGITS_MAX else product)


def _factorial(value: int) -> Decimal:
    if value < 0:
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "factorial of a negative number is undefined")
    if value > _FACTORIAL_MAX:
        raise overflow()
    return _product(1, value + 1)


def _product(start: int, end: int) -> Decimal:
    """Returns the product of the integers from `start` until before `end`, in halves: decimals are quick at large
    products of equal sizes."""
    if end - start > _FACTORS:
        middle = (start + end) // 2
        return EXACT.multiply(_product(start, middle), _product(middle, end))
    return Decimal(math.prod(range(start, end)))


def _scale(value: Decimal) -> int | None:
    """Returns the decimals with which the value is shown."""
    return shown_decimals(value) if value.is_finite() else None


def _least_scale(value: Decimal) -> int | None:
    """Returns the decimals that the value needs."""
    return min_scale(value) if value.is_finite() else None


def _without_zeros(value: Decimal) -> Decimal:
    return with_decimals(value, 0) if value.is_finite() else value


def _shown_as(value: Decimal | None, decimals: int | None) -> Decimal | None:
    """Returns a number shown with so many decimals, as columns of plans tell them."""
    return value if value is None or decimals is None or not value.is_finite() else with_decimals(value, decimals)


def width_bucket(operand: Decimal, low: Decimal, high: Decimal, count: int) -> int:
    """Returns the number of one of `count` equal buckets; 0 below, count + 1 above; the bounds may run downward."""
    problem = None
    if count <= 0:
        problem = "count must be greater than zero"
    elif operand.is_nan() or low.is_nan() or high.is_nan():
        problem = "operand, lower bound, and upper bound cannot be NaN"
    elif low.is_infinite() or high.is_infinite():
        problem = "lower and upper bounds must be finite"
    elif low == high:
        problem = "lower bound cannot equal upper bound"
    if problem is not None:
        raise SqlError(Sqlstate.INVALID_ARGUMENT_FOR_WIDTH_BUCKET_FUNCTION, problem)
    if low > high:
        operand, low, high = operand.copy_negate(), low.copy_negate(), high.copy_negate()
    if operand < low:
        return 0
    if operand >= high:
        return check_int4(count + 1)
    part = EXACT.multiply(EXACT.subtract(operand, low), Decimal(count))
    return int(EXACT.divide_int(part, EXACT.subtract(high, low))) + 1


_N, _NN, _NI = (NUMERIC,), (NUMERIC, NUMERIC), (NUMERIC, INT4)

_ROUNDED: tuple[Function, ...] = tuple(
    row
    for name, arguments, prepare in (
        ("power", _NN, _power),
        ("pow", _NN, _power),
        ("sqrt", _N, _square_root),
        ("exp", _N, _exponential),
        ("ln", _N, _natural_logarithm),
        ("log", _N, _decimal_logarithm),
        ("log10", _N, _decimal_logarithm),
        ("log", _NN, _logarithm),
    )
    for row in with_whole(function(name, arguments, NUMERIC, bounded(prepare), fallible=True), whole(prepare))
)

FUNCTIONS: tuple[Function, ...] = (
    operator("+", "add", _NN, NUMERIC, add, fallible=True),
    operator("-", "subtract", _NN, NUMERIC, subtract, fallible=True),
    operator("*", "multiply", _NN, NUMERIC, multiply, fallible=True),
    *with_whole(operator("/", "divide", _NN, NUMERIC, divide, fallible=True), divide_whole),
    operator("%", "modulo", _NN, NUMERIC, remainder, fallible=True),
    function("mod", _NN, NUMERIC, remainder, fallible=True),
    function("div", _NN, NUMERIC, whole_quotient, fallible=True),
    operator("^", "power", _NN, NUMERIC, bounded(_power), fallible=True),
    *_ROUNDED,
    operator("-", "negate", _N, NUMERIC, _negated),
    operator("+", "plus", _N, NUMERIC, lambda a: a),
    operator("@", "absolute", _N, NUMERIC, Decimal.copy_abs),
    function("abs", _N, NUMERIC, Decimal.copy_abs),
    function("sign", _N, NUMERIC, _sign),
    function("ceil", _N, NUMERIC, _to_integral(decimal.ROUND_CEILING)),
    function("ceiling", _N, NUMERIC, _to_integral(decimal.ROUND_CEILING)),
    function("floor", _N, NUMERIC, _to_integral(decimal.ROUND_FLOOR)),
    function("round", _N, NUMERIC, lambda a: hold(round_to(a, 0)), fallible=True),
    function("round", _NI, NUMERIC, lambda a, n: hold(round_to(a, n)), fallible=True),
    function("trunc", _N, NUMERIC, lambda a: truncate_to(a, 0)),
    function("trunc", _NI, NUMERIC, truncate_to),
    function("gcd", _NN, NUMERIC, _common_divisor, fallible=True),
    function("lcm", _NN, NUMERIC, _common_multiple, fallible=True),
    function("factorial", (INT8,), NUMERIC, _factorial, fallible=True),
    function("scale", _N, INT4, _scale),
    Function("shown_as_numeric_int4", "shown_as", _NI, NUMERIC, _shown_as, strict=False, form="modifier"),
    function("min_scale", _N, INT4, _least_scale),
    function("trim_scale", _N, NUMERIC, _without_zeros),
    function("width_bucket", (NUMERIC, NUMERIC, NUMERIC, INT4), INT4, width_bucket, fallible=True),
)
