"""Division of numerics: rounded half away from zero to as many decimals as PostgreSQL gives, at most 18.

The whole part is exact, since a decimal's remainder is; the fraction comes from Spark with 18 decimals, rounded. To
round it again to fewer would take a fraction just below a half for a half: there the remainder says which it is. 7 / 2
has the whole part 3, the rest 1 and the fraction 0.5.
"""

from __future__ import annotations

from compute.scalars.failure import Failure, failing_when, first_error
from compute.scalars.family import Lowerings, plain
from compute.scalars.layers import Layers
from compute.scalars.numerics import decimals_of, exactly, form_of
from compute.scalars.spark_sql import Sql, call, when
from compute.scalars.value import Value, derived
from model.physical.columns import NUMERIC_PRECISION_MAX as PRECISION_MAX
from model.physical.columns import NUMERIC_SCALE_DEFAULT as SCALE_MAX
from model.types.scalar_type import BOOL, INT4, INT8, NUMERIC, ScalarType, TypeName
from planner.functions.numbers.decimals import BASE_DIGITS, SIGNIFICANT_DIGITS

_FORM = (PRECISION_MAX, SCALE_MAX)
_DECIMAL = f"DECIMAL({PRECISION_MAX},{SCALE_MAX})"
_DIGIT_END = 10**BASE_DIGITS
_LEAST_WEIGHT = -5
"""Of a first digit, as PostgreSQL counts them, 18 places behind the point."""
_GREATEST_WEIGHT, _GREATEST_WEIGHT_OF_WHOLE = 4, 6
"""20 places before the point, and 28, which a sum of int8s may have."""


def divide(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Divides numbers of at most 20 digits before the point."""
    left, right = layers.once_all(*(exactly(layers, argument, _FORM) for argument in arguments))
    scale = _scale(layers, (left, arguments[0]), (right, arguments[1]))
    size, divisor = (layers.once(derived(f"abs({value.sql})", NUMERIC, plain(value))) for value in (left, right))
    rest = layers.once(derived(call("try_mod", size.sql, divisor.sql), NUMERIC, size, divisor))
    whole = layers.once(derived(f"try_divide({size.sql} - {rest.sql}, {divisor.sql})", NUMERIC, size, rest, divisor))
    result = rounded_quotient(layers, whole, rest, divisor, scale)
    signed = when((f"({left.sql} < 0) <> ({right.sql} < 0)", f"(0BD - {result.sql})"), otherwise=result.sql)
    value = layers.once(
        derived(f"CAST({signed} AS {_DECIMAL})", type_, result, plain(left), plain(right), decimal=_FORM)
    )
    there = f"{left.sql} IS NOT NULL AND {right.sql} IS NOT NULL"
    lost = f"{there} AND ({value.sql} IS NULL OR ({value.sql} = 0 AND {left.sql} <> 0 AND {scale.sql} > {SCALE_MAX}))"
    zero = failing_when(f"{right.sql} = 0 AND {left.sql} IS NOT NULL", Failure.DIVISION_BY_ZERO)
    own = failing_when(lost, Failure.NUMERIC_OVERFLOW)
    error = first_error(left.error, right.error, zero, own)
    sources = (value, plain(left), plain(right), scale)
    return derived(value.sql, type_, *sources, decimal=_FORM, error=error, shown=result.shown)


def quotient_of_sum(layers: Layers, total: Value, number: Value, rest: str, whole: str) -> Value:
    """Divides `total` by a positive `number`, both whole: `whole` and `rest` have the total's sign."""
    scale = _scale(layers, (total, total), (number, number))
    remainder = layers.once(derived(f"abs(CAST({rest} AS {_DECIMAL}))", NUMERIC, total, number))
    part = layers.once(derived(f"abs(CAST({whole} AS {_DECIMAL}))", NUMERIC, total, number, remainder))
    divisor = layers.once(derived(f"CAST({number.sql} AS {_DECIMAL})", NUMERIC, number))
    result = rounded_quotient(layers, part, remainder, divisor, scale)
    signed = when((f"{total.sql} < 0", f"(0BD - {result.sql})"), otherwise=result.sql)
    return derived(f"CAST({signed} AS {_DECIMAL})", NUMERIC, result, total, decimal=_FORM, shown=result.shown)


def rounded_quotient(layers: Layers, whole: Value, rest: Value, divisor: Value, scale: Value) -> Value:
    """Rounds `whole` + `rest` / `divisor`, none of them negative, to `scale` decimals. Where these are more than 18,
    the quotient is shown with all if 18 are exact."""
    near = layers.once(
        derived(f"CAST(try_divide({rest.sql}, {divisor.sql}) AS DECIMAL(19,18))", NUMERIC, rest, divisor)
    )
    places = range(SCALE_MAX)
    arms = [(f"{scale.sql} = {k}", f"CAST(CAST({near.sql} AS DECIMAL(19,{k})) AS DECIMAL(19,18))") for k in places]
    rounded = layers.once(derived(when(*arms, otherwise=near.sql), NUMERIC, near, scale, decimal=(19, 18)))
    half = when(*((f"{scale.sql} = {k}", f"0.{'0' * k}5BD") for k in places))
    doubtful = f"({rounded.sql} - {near.sql}) = {half}"
    once = f"CAST(2 * {half} AS DECIMAL(19,18))"
    before, behind = _both_sides(rest, near, divisor)
    below = _below(before, behind, rest, near, divisor)
    exact = f"try_cast({before} AS DECIMAL(37,36)) = CAST({behind} AS DECIMAL(37,36))"
    shown = when((f"{scale.sql} <= {SCALE_MAX} OR {exact}", scale.sql), otherwise=str(SCALE_MAX))
    text = when((f"{doubtful} AND {below.sql}", f"({rounded.sql} - {once})"), otherwise=rounded.sql)
    fraction = layers.once(derived(f"CAST({text} AS DECIMAL(19,18))", NUMERIC, rounded, below, scale, decimal=(19, 18)))
    total = f"try_cast(try_add({whole.sql}, {fraction.sql}) AS {_DECIMAL})"
    return layers.once(derived(total, NUMERIC, whole, fraction, decimal=_FORM, shown=shown))


def _both_sides(rest: Value, fraction: Value, divisor: Value) -> tuple[Sql, Sql]:
    """Returns the two sides of rest = fraction * divisor, in 36 decimals, less what the divisor's whole part makes."""
    whole = f"floor({divisor.sql})"
    behind = f"(CAST({divisor.sql} - {whole} AS DECIMAL(18,18)) * CAST({fraction.sql} AS DECIMAL(19,18)))"
    before = f"CAST(try_subtract({rest.sql}, CAST(try_multiply({fraction.sql}, {whole}) AS {_DECIMAL})) AS {_DECIMAL})"
    return Sql(before), Sql(behind)


def _below(before: Sql, behind: Sql, *sources: Value) -> Value:
    """Returns whether the left side is less than the right one."""
    text = when(
        (f"{before} < 0", "true"),
        (f"{before} >= 1", "false"),
        otherwise=f"try_cast({before} AS DECIMAL(37,36)) < CAST({behind} AS DECIMAL(37,36))",
    )
    return derived(text, BOOL, *sources)


def _scale(layers: Layers, left: tuple[Value, Value], right: tuple[Value, Value]) -> Value:
    """Returns PostgreSQL's number of decimals for a quotient of two values, given with the operands that they are made
    of: enough for 16 significant digits, or as many as an operand shows."""
    codes = [layers.once(derived(_leading(value), INT8, plain(value))) for value, _ in (left, right)]
    first, other = (code.sql for code in codes)
    base = _DIGIT_END
    less = f"CASE WHEN {first} % {base} <= {other} % {base} THEN 1 ELSE 0 END"
    weight = f"(({first} div {base}) - ({other} div {base}) - {less})"
    text = f"CAST(greatest({SIGNIFICANT_DIGITS} - {BASE_DIGITS} * {weight}, 0) AS INT)"
    scale = layers.once(derived(text, INT4, *codes))
    own = [part for part in (_own(*left, scale.sql), _own(*right, scale.sql)) if part is not None]
    if not own:
        return scale
    return layers.once(derived(call("greatest", scale.sql, *own), INT4, scale, plain(left[0]), plain(right[0])))


def _own(value: Value, operand: Value, scale: Sql) -> Sql | None:
    """Returns the number of decimals that an operand shows, or needs where nothing tells it; None for none."""
    if operand.type.name is not TypeName.NUMERIC:
        return None
    told, most = decimals_of(operand), form_of(operand)[1]
    if told is not None:
        return None if told == "0" else told
    return _decimals(value, most, scale) if most else None


def _leading(value: Value) -> str:
    """Returns the first base-10,000 digit, plus 10,000 times its weight above the least weight."""
    size = f"abs({value.sql})"
    whole = value.type.name is not TypeName.NUMERIC or form_of(value)[1] == 0
    weights = range(_GREATEST_WEIGHT_OF_WHOLE, -1, -1) if whole else range(_GREATEST_WEIGHT, _LEAST_WEIGHT - 1, -1)
    arms = []
    for weight in weights:
        reached = f"{size} > 0" if weight == weights[-1] else f"{size} >= {_power(weight)}"
        digit = f"CAST(floor({size} * {_power(-weight)}) AS BIGINT)"
        arms.append((reached, f"{(weight - _LEAST_WEIGHT) * _DIGIT_END}L + {digit}"))
    return when(*arms, otherwise=f"{-_LEAST_WEIGHT * _DIGIT_END}L")


def _power(weight: int) -> str:
    """Returns a power of 10,000."""
    places = BASE_DIGITS * abs(weight)
    return f"1{'0' * places}BD" if weight >= 0 else f"0.{'0' * (places - 1)}1BD"


def _decimals(value: Value, most: int, scale: Sql) -> Sql:
    """Returns the number of a value's decimals, if it may exceed `scale`."""
    behind = f"substring_index(trim(TRAILING '0' FROM CAST({value.sql} AS STRING)), '.', -1)"
    return Sql(when((f"{scale} >= {most}", "0"), otherwise=f"length({behind})"))


LOWERINGS: Lowerings = {"divide_numeric_numeric": divide}
