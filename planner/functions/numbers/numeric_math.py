"""Arithmetic and mathematics of numeric: exact where the result is, else with PostgreSQL's decimals, at most 18."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from decimal import Decimal

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.numerics import overflow
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
    EXACT,
    NAN,
    hold,
    hold_rounded,
    leading_digit,
    logarithm_weight,
    min_scale,
    quotient_scale,
    result_scale,
    round_to,
    shown_decimals,
    truncate_to,
    with_decimals,
)
from planner.functions.rows import function, operator
from planner.functions.signature import Function

_ONE = Decimal(1)
_EXPONENT_MAX = 10_000
_LOG_E = 0.434294481903252
_WORKING = decimal.Context(prec=80, rounding=decimal.ROUND_HALF_UP, Emax=999_999, Emin=-999_999, traps=[])


def add(left: Decimal, right: Decimal) -> Decimal:
    return hold(EXACT.add(left, right))


def subtract(left: Decimal, right: Decimal) -> Decimal:
    return hold(EXACT.subtract(left, right))


def multiply(left: Decimal, right: Decimal) -> Decimal:
    return hold(EXACT.multiply(left, right))


def divide(left: Decimal, right: Decimal) -> Decimal:
    """Divides; NaN over anything is NaN; anything else over zero is 22012."""
    if left.is_nan() or right.is_nan():
        return NAN
    if not right:
        raise division_by_zero()
    return hold_rounded(EXACT.divide(left, right), quotient_scale(left, right))


def whole_quotient(left: Decimal, right: Decimal) -> Decimal:
    """Divides and truncates toward zero."""
    if left.is_nan() or right.is_nan():
        return NAN
    if not right:
        raise division_by_zero()
    return hold(EXACT.divide_int(left, right))


def remainder(left: Decimal, right: Decimal) -> Decimal:
    """Returns the remainder with the dividend's sign."""
    if left.is_nan() or right.is_nan():
        return NAN
    if not right:
        raise division_by_zero()
    return hold(EXACT.remainder(left, right))


def square_root(value: Decimal) -> Decimal:
    if value.is_nan():
        return NAN
    if value < 0:
        raise negative_root()
    return hold_rounded(_WORKING.sqrt(value), square_root_scale(value))


def square_root_scale(value: Decimal) -> int:
    """Returns the number of decimals that PostgreSQL gives to a square root."""
    _, weight = leading_digit(value)
    half = weight * BASE_DIGITS // 2 + 1 if weight >= 0 else 1 - (1 - weight * BASE_DIGITS) // 2
    return result_scale(half, value)


def exponential(value: Decimal) -> Decimal:
    if value.is_nan():
        return NAN
    if abs(value) > _EXPONENT_MAX:
        raise overflow()
    return hold_rounded(_WORKING.exp(value), result_scale(int(float(value) * _LOG_E), value))


def _logarithm(take: Callable[[Decimal], Decimal], weight: Callable[[Decimal], int]) -> Callable[[Decimal], Decimal]:
    def evaluate(value: Decimal) -> Decimal:
        if value.is_nan():
            return NAN
        if not value:
            raise logarithm_of_zero()
        if value < 0:
            raise logarithm_of_negative()
        return hold_rounded(take(value), result_scale(weight(value), value))

    return evaluate


natural_logarithm = _logarithm(_WORKING.ln, logarithm_weight)
decimal_logarithm = _logarithm(_WORKING.log10, lambda value: logarithm_weight(value) - logarithm_weight(Decimal(10)))


def logarithm(base: Decimal, value: Decimal) -> Decimal:
    """Computes the logarithm of `value` to `base`; raises 22012 to base 1."""
    if base.is_nan() or value.is_nan():
        return NAN
    for operand in (base, value):
        if not operand:
            raise logarithm_of_zero()
        if operand < 0:
            raise logarithm_of_negative()
    below = _WORKING.ln(base)
    if not below:
        raise division_by_zero()
    weight = logarithm_weight(value) - logarithm_weight(base)
    return hold_rounded(_WORKING.divide(_WORKING.ln(value), below), result_scale(weight, base, value))


def power(base: Decimal, exponent: Decimal) -> Decimal:
    """Raises to a power; 1 to anything and anything to 0 are 1, NaN included."""
    if base.is_nan() or exponent.is_nan():
        return _ONE if base == 1 or exponent == 0 else NAN
    if not base:
        if exponent < 0:
            raise zero_to_negative_power()
        return hold_rounded(Decimal(0) if exponent else _ONE, result_scale(0, base, exponent))
    whole = exponent == exponent.to_integral_value()
    if base < 0 and not whole:
        raise complex_power()
    magnitude = _WORKING.multiply(exponent, _WORKING.ln(base.copy_abs()))
    if magnitude > 500:
        raise overflow()
    if magnitude < -500:
        raise overflow()
    result = EXACT.power(base, exponent) if whole and abs(exponent) < 500 else _WORKING.power(base, exponent)
    weight = math.log10(abs(base)) * float(exponent) if whole else float(magnitude) * _LOG_E
    return hold_rounded(result, result_scale(int(weight), base, exponent))


def _to_integral(rounding: str) -> Callable[[Decimal], Decimal]:
    def evaluate(value: Decimal) -> Decimal:
        return value if value.is_nan() else value.to_integral_value(rounding) or Decimal(0)

    return evaluate


def _negated(value: Decimal) -> Decimal:
    """Returns the number below zero; 0 and NaN have no sign."""
    return value if value.is_nan() or not value else value.copy_negate()


def _sign(value: Decimal) -> Decimal:
    return value if value.is_nan() else Decimal((value > 0) - (value < 0))


def _common_divisor(left: Decimal, right: Decimal) -> Decimal:
    if left.is_nan() or right.is_nan():
        return NAN
    left, right = left.copy_abs(), right.copy_abs()
    while right:
        left, right = right, EXACT.remainder(left, right)
    return hold(left)


def _common_multiple(left: Decimal, right: Decimal) -> Decimal:
    if left.is_nan() or right.is_nan():
        return NAN
    if not left or not right:
        return Decimal(0)
    return hold(EXACT.multiply(EXACT.divide(left, _common_divisor(left, right)), right).copy_abs())


def _factorial(value: int) -> Decimal:
    if value < 0:
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "factorial of a negative number is undefined")
    product = 1
    for factor in range(2, min(value, 100) + 1):
        product *= factor
    return hold(Decimal(product))


def _scale(value: Decimal) -> int | None:
    """Returns the decimals with which the value is shown."""
    return None if value.is_nan() else shown_decimals(value)


def _least_scale(value: Decimal) -> int | None:
    """Returns the decimals that the value needs."""
    return None if value.is_nan() else min_scale(value)


def _without_zeros(value: Decimal) -> Decimal:
    return value if value.is_nan() else with_decimals(value, 0)


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

FUNCTIONS: tuple[Function, ...] = (
    operator("+", "add", _NN, NUMERIC, add, fallible=True),
    operator("-", "subtract", _NN, NUMERIC, subtract, fallible=True),
    operator("*", "multiply", _NN, NUMERIC, multiply, fallible=True),
    operator("/", "divide", _NN, NUMERIC, divide, fallible=True),
    operator("%", "modulo", _NN, NUMERIC, remainder, fallible=True),
    function("mod", _NN, NUMERIC, remainder, fallible=True),
    function("div", _NN, NUMERIC, whole_quotient, fallible=True),
    operator("^", "power", _NN, NUMERIC, power, fallible=True),
    function("power", _NN, NUMERIC, power, fallible=True),
    function("pow", _NN, NUMERIC, power, fallible=True),
    operator("-", "negate", _N, NUMERIC, _negated),
    operator("+", "plus", _N, NUMERIC, lambda a: a),
    operator("@", "absolute", _N, NUMERIC, EXACT.abs),
    function("abs", _N, NUMERIC, EXACT.abs),
    function("sign", _N, NUMERIC, _sign),
    function("ceil", _N, NUMERIC, _to_integral(decimal.ROUND_CEILING)),
    function("ceiling", _N, NUMERIC, _to_integral(decimal.ROUND_CEILING)),
    function("floor", _N, NUMERIC, _to_integral(decimal.ROUND_FLOOR)),
    function("round", _N, NUMERIC, lambda a: hold(round_to(a, 0)), fallible=True),
    function("round", _NI, NUMERIC, lambda a, n: hold(round_to(a, n)), fallible=True),
    function("trunc", _N, NUMERIC, lambda a: truncate_to(a, 0)),
    function("trunc", _NI, NUMERIC, truncate_to),
    function("sqrt", _N, NUMERIC, square_root, fallible=True),
    function("exp", _N, NUMERIC, exponential, fallible=True),
    function("ln", _N, NUMERIC, natural_logarithm, fallible=True),
    function("log", _N, NUMERIC, decimal_logarithm, fallible=True),
    function("log10", _N, NUMERIC, decimal_logarithm, fallible=True),
    function("log", _NN, NUMERIC, logarithm, fallible=True),
    function("gcd", _NN, NUMERIC, _common_divisor, fallible=True),
    function("lcm", _NN, NUMERIC, _common_multiple, fallible=True),
    function("factorial", (INT8,), NUMERIC, _factorial, fallible=True),
    function("scale", _N, INT4, _scale),
    Function("shown_as_numeric_int4", "shown_as", _NI, NUMERIC, _shown_as, strict=False, form="modifier"),
    function("min_scale", _N, INT4, _least_scale),
    function("trim_scale", _N, NUMERIC, _without_zeros),
    function("width_bucket", (NUMERIC, NUMERIC, NUMERIC, INT4), INT4, width_bucket, fallible=True),
)
