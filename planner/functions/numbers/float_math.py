"""Arithmetic and mathematics of float4 and float8: infinities pass through, new ones are 22003, as in PostgreSQL."""

from __future__ import annotations

import math
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.floats import to_single
from model.types.scalar_type import FLOAT4, FLOAT8, INT4, ScalarType
from planner.functions.failures import (
    complex_power,
    division_by_zero,
    float_overflow,
    float_underflow,
    logarithm_of_negative,
    logarithm_of_zero,
    negative_root,
    zero_to_negative_power,
)
from planner.functions.numbers.arithmetic import check_int4
from planner.functions.rows import function, operator
from planner.functions.signature import Function

Rounding = Callable[[float], float]


def single(value: float) -> float:
    """Rounds to float4; raises 22003 when only the rounding makes it infinite or zero."""
    try:
        rounded = to_single(value)
    except OverflowError:
        raise float_overflow() from None
    if math.isinf(rounded) and not math.isinf(value):
        raise float_overflow()
    if rounded == 0 and value != 0:
        raise float_underflow()
    return rounded


def double(value: float) -> float:
    return value


def float_sum(left: float, right: float, rounded: Rounding = double) -> float:
    """Adds; raises 22003 for a sum that is infinite of finite numbers."""
    value = left + right
    if math.isinf(value) and not math.isinf(left) and not math.isinf(right):
        raise float_overflow()
    return rounded(value)


def float_product(left: float, right: float, rounded: Rounding = double) -> float:
    """Multiplies; raises 22003 for overflow and underflow."""
    value = left * right
    if math.isinf(value) and not math.isinf(left) and not math.isinf(right):
        raise float_overflow()
    if value == 0 and left != 0 and right != 0:
        raise float_underflow()
    return rounded(value)


def float_quotient(left: float, right: float, rounded: Rounding = double) -> float:
    """Divides; raises 22012 for a zero divisor, 22003 for overflow and underflow."""
    if right == 0:
        if left != left:
            return left
        raise division_by_zero()
    value = left / right
    if math.isinf(value) and not math.isinf(left):
        raise float_overflow()
    if value == 0 and left != 0 and not math.isinf(right):
        raise float_underflow()
    return rounded(value)


def _of_type(type_: ScalarType, rounded: Rounding) -> list[Function]:
    one, pair = (type_,), (type_, type_)
    return [
        operator("+", "add", pair, type_, lambda a, b: float_sum(a, b, rounded), fallible=True),
        operator("-", "subtract", pair, type_, lambda a, b: float_sum(a, -b, rounded), fallible=True),
        operator("*", "multiply", pair, type_, lambda a, b: float_product(a, b, rounded), fallible=True),
        operator("/", "divide", pair, type_, lambda a, b: float_quotient(a, b, rounded), fallible=True),
        operator("-", "negate", one, type_, lambda a: -a),
        operator("+", "plus", one, type_, lambda a: a),
        operator("@", "absolute", one, type_, abs),
        function("abs", one, type_, abs),
    ]


def power(base: float, exponent: float) -> float:
    """Computes IEEE's pow with PostgreSQL's errors."""
    if base == 0 and exponent < 0:
        raise zero_to_negative_power()
    if base < 0 and math.isfinite(exponent) and not exponent.is_integer():
        raise complex_power()
    try:
        value = math.pow(base, exponent)
    except OverflowError:
        raise float_overflow() from None
    except ValueError:
        raise complex_power() from None
    if value == 0 and base != 0 and math.isfinite(base) and math.isfinite(exponent):
        raise float_underflow()
    return value


def square_root(value: float) -> float:
    if value < 0:
        raise negative_root()
    return math.sqrt(value)


def cube_root(value: float) -> float:
    """Returns the cube root."""
    return math.cbrt(value)


def exponential(value: float) -> float:
    try:
        result = math.exp(value)
    except OverflowError:
        raise float_overflow() from None
    if result == 0 and value != -math.inf:
        raise float_underflow()
    return result


def logarithm(take: Callable[[float], float]) -> Callable[[float], float]:
    """Guards `take` with PostgreSQL's errors for what has no logarithm."""

    def evaluate(value: float) -> float:
        if value == 0:
            raise logarithm_of_zero()
        if value < 0:
            raise logarithm_of_negative()
        return take(value)

    return evaluate


def _half_even(value: float) -> float:
    if not math.isfinite(value):
        return value
    return math.copysign(float(round(value)), value)


def _whole(take: Callable[[float], int]) -> Callable[[float], float]:
    def evaluate(value: float) -> float:
        return math.copysign(float(take(value)), value) if math.isfinite(value) else value

    return evaluate


def _sign(value: float) -> float:
    return math.copysign(1.0, value) if value > 0 or value < 0 else 0.0


def _input_out_of_range() -> SqlError:
    return SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "input is out of range")


def _bounded(take: Callable[[float], float]) -> Callable[[float], float]:
    """Functions whose input must lie in their domain."""

    def evaluate(value: float) -> float:
        if value != value:
            return value
        try:
            return take(value)
        except ValueError:
            raise _input_out_of_range() from None
        except OverflowError:
            raise float_overflow() from None

    return evaluate


def _cotangent(value: float) -> float:
    tangent = math.tan(value)
    if tangent == 0:
        return math.copysign(math.inf, value)
    return 1.0 / tangent


def _inverse_hyperbolic_tangent(value: float) -> float:
    return math.copysign(math.inf, value) if abs(value) == 1 else math.atanh(value)


def _hyperbolic(take: Callable[[float], float], even: bool) -> Callable[[float], float]:
    def evaluate(value: float) -> float:
        try:
            return take(value)
        except OverflowError:
            return math.inf if even else math.copysign(math.inf, value)

    return evaluate


_EXACT_SINES = {0.0: 0.0, 30.0: 0.5, 90.0: 1.0}


def _sine_of_quadrant(degrees: float) -> float:
    """Returns the sine of an angle of 0 to 90 degrees; exact for 0, 30 and 90 degrees, whose sines are rational."""
    if degrees in _EXACT_SINES:
        return _EXACT_SINES[degrees]
    if degrees <= 30:
        return math.sin(math.radians(degrees)) / math.sin(math.radians(30)) / 2
    return 1 - (1 - math.cos(math.radians(90 - degrees))) / (1 - math.cos(math.radians(60))) / 2


def _sine_in_degrees(value: float) -> float:
    angle = math.fmod(value, 360.0)
    sign = 1.0
    if angle < 0:
        sign, angle = -1.0, -angle
    if angle > 180:
        sign, angle = -sign, 360 - angle
    if angle > 90:
        angle = 180 - angle
    return sign * _sine_of_quadrant(angle)


def _cosine_in_degrees(value: float) -> float:
    angle = math.fmod(abs(value), 360.0)
    if angle > 180:
        angle = 360 - angle
    return -_sine_of_quadrant(angle - 90) if angle > 90 else _sine_of_quadrant(90 - angle)


def _tangent_in_degrees(value: float) -> float:
    cosine, sine = _cosine_in_degrees(value), _sine_in_degrees(value)
    if cosine == 0:
        return math.copysign(math.inf, sine)
    return sine / cosine + 0.0


def _arc_sine_of_quadrant(value: float) -> float:
    """Returns the angle, in degrees from 0 to 90, with a sine from 0 to 1; exact for 0, 30 and 90 degrees."""
    if value <= 0.5:
        return math.asin(value) / math.asin(0.5) * 30.0
    return 90.0 - math.acos(value) / math.acos(0.5) * 60.0


def _arc_cosine_of_quadrant(value: float) -> float:
    if value <= 0.5:
        return 90.0 - math.asin(value) / math.asin(0.5) * 30.0
    return math.acos(value) / math.acos(0.5) * 60.0


def _arc_sine_in_degrees(value: float) -> float:
    return _arc_sine_of_quadrant(value) if value >= 0 else -_arc_sine_of_quadrant(-value)


def _arc_cosine_in_degrees(value: float) -> float:
    return _arc_cosine_of_quadrant(value) if value >= 0 else 90.0 + _arc_sine_of_quadrant(-value)


def _arc_tangent_in_degrees(value: float) -> float:
    return math.atan(value) / math.atan(1.0) * 45.0


def _arc_tangent_of_two_in_degrees(y: float, x: float) -> float:
    return math.atan2(y, x) / math.atan(1.0) * 45.0


def _cotangent_in_degrees(value: float) -> float:
    sine, cosine = _sine_in_degrees(value), _cosine_in_degrees(value)
    if sine == 0:
        return math.copysign(math.inf, cosine)
    return cosine / sine + 0.0


def bucket(operand: float, low: float, high: float, count: int) -> int:
    """Computes width_bucket of floats; their bounds must be finite."""
    problem = None
    if count <= 0:
        problem = "count must be greater than zero"
    elif any(map(math.isnan, (operand, low, high))):
        problem = "operand, lower bound, and upper bound cannot be NaN"
    elif math.isinf(low) or math.isinf(high):
        problem = "lower and upper bounds must be finite"
    elif low == high:
        problem = "lower bound cannot equal upper bound"
    if problem is not None:
        raise SqlError(Sqlstate.INVALID_ARGUMENT_FOR_WIDTH_BUCKET_FUNCTION, problem)
    if low > high:
        operand, low, high = -operand, -low, -high
    if operand < low:
        return 0
    if operand >= high:
        return check_int4(count + 1)
    if math.isinf(high - low):
        operand, low, high = operand / 2, low / 2, high / 2
    return min(int(count * ((operand - low) / (high - low))), count - 1) + 1


def _radians(value: float) -> float:
    return value * (math.pi / 180.0)


def _degrees(value: float) -> float:
    result = value / (math.pi / 180.0)
    if math.isinf(result) and not math.isinf(value):
        raise float_overflow()
    return result


_ONE = (FLOAT8,)
_TWO = (FLOAT8, FLOAT8)
_UNARY: tuple[tuple[str, Callable[[float], float], bool], ...] = (
    ("sqrt", square_root, True),
    ("cbrt", cube_root, False),
    ("exp", exponential, True),
    ("ln", logarithm(math.log), True),
    ("log", logarithm(math.log10), True),
    ("log10", logarithm(math.log10), True),
    ("ceil", _whole(math.ceil), False),
    ("ceiling", _whole(math.ceil), False),
    ("floor", _whole(math.floor), False),
    ("round", _half_even, False),
    ("trunc", _whole(math.trunc), False),
    ("sign", _sign, False),
    ("degrees", _degrees, True),
    ("radians", _radians, False),
    ("sin", _bounded(math.sin), True),
    ("cos", _bounded(math.cos), True),
    ("tan", _bounded(math.tan), True),
    ("cot", _bounded(_cotangent), True),
    ("asin", _bounded(math.asin), True),
    ("acos", _bounded(math.acos), True),
    ("atan", math.atan, False),
    ("sinh", _hyperbolic(math.sinh, False), False),
    ("cosh", _hyperbolic(math.cosh, True), False),
    ("tanh", math.tanh, False),
    ("asinh", math.asinh, False),
    ("acosh", _bounded(math.acosh), True),
    ("atanh", _bounded(_inverse_hyperbolic_tangent), True),
    ("sind", _bounded(_sine_in_degrees), True),
    ("cosd", _bounded(_cosine_in_degrees), True),
    ("tand", _bounded(_tangent_in_degrees), True),
    ("cotd", _bounded(_cotangent_in_degrees), True),
    ("asind", _bounded(_arc_sine_in_degrees), True),
    ("acosd", _bounded(_arc_cosine_in_degrees), True),
    ("atand", _arc_tangent_in_degrees, False),
    ("erf", math.erf, False),
    ("erfc", math.erfc, False),
)

FUNCTIONS: tuple[Function, ...] = (
    *_of_type(FLOAT4, single),
    *_of_type(FLOAT8, double),
    *(function(name, _ONE, FLOAT8, take, fallible=fallible) for name, take, fallible in _UNARY),
    function("atan2", _TWO, FLOAT8, math.atan2),
    function("atan2d", _TWO, FLOAT8, _arc_tangent_of_two_in_degrees),
    function("width_bucket", (FLOAT8, FLOAT8, FLOAT8, INT4), INT4, bucket, fallible=True),
    function("pi", (), FLOAT8, lambda: math.pi),
    function("pow", _TWO, FLOAT8, power, fallible=True),
    function("power", _TWO, FLOAT8, power, fallible=True),
    operator("^", "power", _TWO, FLOAT8, power, fallible=True),
    operator("|/", "square_root", _ONE, FLOAT8, square_root, fallible=True),
    operator("||/", "cube_root", _ONE, FLOAT8, cube_root),
)
