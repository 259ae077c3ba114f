"""numeric: Spark decimals of tracked precision and scale, so that no digit is lost unseen.

Results are exact in at most 38 digits; what does not fit is 22003, as in planner/functions/numbers/decimals.py. Where a
form of 38 digits could not hold all decimals beside the whole digits, it has 18. Where precision and scale prove that a
result fits, it has no error. Quotients are in compute/scalars/quotients.py.

The decimals that Spark computes have one scale a column. PostgreSQL gives a quotient so many decimals that 16 digits
count, and CASE, COALESCE and sums of such values have those of their parts: an expression beside the value's, which
Spark computes only where something writes the value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

from compute.scalars.failure import Failure, failing_when
from compute.scalars.family import Lower, Lowerings, checked, plain
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql, call, decimal_type, spark_type, when
from compute.scalars.value import Value, derived
from model.physical.columns import NUMERIC_PRECISION_MAX as PRECISION_MAX
from model.physical.columns import NUMERIC_SCALE_DEFAULT as SCALE_MAX
from model.physical.columns import decimal_bounds
from model.types.range_types import ranged
from model.types.scalar_type import NUMERIC, TEXT, ScalarType, TypeName, shown_scale
from planner.functions.numbers.decimals import min_scale, shown_decimals

Form = tuple[int, int]


def form_of(value: Value) -> Form:
    """Returns (precision, scale)."""
    return value.decimal if value.decimal is not None else decimal_bounds(value.type)


def to_form(layers: Layers, value: Value, target: Form, type_: ScalarType = NUMERIC) -> Value:
    """Converts to another form, rounding to fewer decimals; raises 22003 for a value that does not fit."""
    precision, scale = form_of(value)
    if (precision, scale) == target:
        return replace(value, type=type_, decimal=target)
    carry = 1 if scale > target[1] else 0
    if precision - scale + carry <= target[0] - target[1]:
        return derived(f"CAST({value.sql} AS {decimal_type(target)})", type_, value, decimal=target, shown=value.shown)
    value = layers.once(value)
    text = f"try_cast({value.sql} AS {decimal_type(target)})"
    cast = checked(layers, text, type_, Failure.NUMERIC_OVERFLOW, value, decimal=target)
    return replace(cast, shown=value.shown)


def exactly(layers: Layers, value: Value, target: Form, type_: ScalarType = NUMERIC) -> Value:
    """Converts to another form; raises 22003 for a value that would lose digits."""
    own = form_of(value)
    if own[1] <= target[1]:
        return to_form(layers, value, target, type_)
    if isinstance(value.constant, Decimal) and _fits(value.constant, target):
        return to_form(layers, value, target, type_)
    value = layers.once(value)
    cut = layers.once(derived(f"try_cast({value.sql} AS {decimal_type(target)})", type_, plain(value), decimal=target))
    text = when((f"try_cast({cut.sql} AS {decimal_type(own)}) = {value.sql}", cut.sql))
    exact = checked(layers, text, type_, Failure.NUMERIC_OVERFLOW, value, decimal=target, over=(cut,))
    return replace(exact, shown=value.shown)


def _fits(value: Decimal, form: Form) -> bool:
    return min_scale(value) <= form[1] and value.adjusted() < form[0] - form[1]


def to_decimal(layers: Layers, value: Value, type_: ScalarType) -> Value:
    """Converts to the physical form of `type_`; raises 22003 for a value that does not fit exactly."""
    return exactly(layers, value, decimal_bounds(type_), type_)


def physical(layers: Layers, value: Value) -> Value:
    """Returns the value exactly as collections hold its type: numerics in the type's form (22003 for others), and
    parts that may be NULL, because Spark takes the parts of a new struct for present, even in a NULL struct."""
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
    """Returns a form that holds as many digits of all values as possible."""
    forms = [form_of(value) for value in values]
    return _bounded_form(max(precision - scale for precision, scale in forms), max(scale for _, scale in forms))


def _bounded_form(whole: int, scale: int) -> Form:
    """Returns a form of at most 38 digits: decimals beyond the 18th give way to whole digits."""
    if whole + scale <= PRECISION_MAX:
        return whole + scale, scale
    return PRECISION_MAX, min(scale, max(SCALE_MAX, PRECISION_MAX - whole))


def common_decimal(values: list[Value], layers: Layers | None = None) -> tuple[list[Value], Form]:
    """Converts all values to one form."""
    form = common_form(values)
    layers = layers if layers is not None else Layers(inline=True)
    return [exactly(layers, value, form) for value in values], form


def rounded_to_scale(layers: Layers, value: Value, scale: int) -> Value:
    """Rounds half away from zero, where the value may have more decimals."""
    precision, own = form_of(value)
    if own <= scale:
        return value
    return to_form(layers, value, (min(precision - own + 1 + scale, PRECISION_MAX), scale))


def _exact_at(layers: Layers, value: Value, scale: int) -> Value:
    """Returns the value with `scale` decimals; raises SqlError 22003 if the value has more decimals."""
    precision, own = form_of(value)
    if own <= scale:
        return value
    return exactly(layers, value, (max(precision - own + scale, 1), scale))


def _sum(symbol: str, function: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        (lp, ls), (rp, rs) = map(form_of, arguments)
        whole, scale = max(lp - ls, rp - rs) + 1, max(ls, rs)
        if whole + scale <= PRECISION_MAX:
            left, right = arguments
            return derived(f"({left.sql} {symbol} {right.sql})", type_, left, right, decimal=(whole + scale, scale))
        form = _bounded_form(whole, scale)
        left, right = layers.once_all(*(_exact_at(layers, argument, form[1]) for argument in arguments))
        return checked(
            layers, call(function, left.sql, right.sql), type_, Failure.NUMERIC_OVERFLOW, left, right, decimal=form
        )

    return lower


def multiply(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    (lp, ls), (rp, rs) = map(form_of, arguments)
    precision, scale = lp + rp + 1, ls + rs
    if precision <= PRECISION_MAX:
        left, right = arguments
        return derived(f"({left.sql} * {right.sql})", type_, left, right, decimal=(precision, scale))
    left, right = layers.once_all(*(_exact_at(layers, argument, SCALE_MAX) for argument in arguments))
    if scale > SCALE_MAX:
        return _wide_product(layers, left, right, type_)
    text = call("try_multiply", left.sql, right.sql)
    form = (PRECISION_MAX, scale)
    return checked(layers, text, type_, Failure.NUMERIC_OVERFLOW, left, right, decimal=form)


_HALF_SCALE = SCALE_MAX // 2
_HALF = decimal_type((PRECISION_MAX, _HALF_SCALE))
_LEAST_DECIMAL = "0.000000000000000001BD"


def _wide_product(layers: Layers, left: Value, right: Value, type_: ScalarType) -> Value:
    """Multiplies wide numerics: Spark has no product of two (38,18)s, so each is cut into its first 9 decimals and the
    rest, which is seldom any.

    (a + x)(b + y) = ab + (ay + xb) + xy, with 18, 27 and 36 decimals. Beyond the 18th all must add up to nothing, or to
    one more of the 18th.
    """
    a, b = (layers.once(derived(f"try_cast({v.sql} AS {_HALF})", type_, plain(v))) for v in (left, right))
    x, y = (
        layers.once(derived(f"try_cast(try_subtract({v.sql}, {whole.sql}) AS DECIMAL(18,18))", type_, plain(v), whole))
        for v, whole in ((left, a), (right, b))
    )
    whole = layers.once(derived(call("try_multiply", a.sql, b.sql), type_, a, b))
    crossed = call("try_add", call("try_multiply", a.sql, y.sql), call("try_multiply", x.sql, b.sql))
    cross = layers.once(derived(crossed, type_, a, b, x, y))
    first = layers.once(derived(f"try_cast({cross.sql} AS DECIMAL(38,18))", type_, cross))
    beyond = f"try_cast(try_subtract({cross.sql}, {first.sql}) AS DECIMAL(36,36))"
    least = layers.once(derived(f"({beyond} + ({x.sql} * {y.sql}))", type_, cross, first, x, y))
    held = f"{least.sql} IN (0BD, {_LEAST_DECIMAL}, (- {_LEAST_DECIMAL}))"
    rest = call("try_add", first.sql, f"try_cast({least.sql} AS DECIMAL(38,18))")
    text = when(
        (f"{x.sql} = 0 AND {y.sql} = 0", whole.sql), (held, f"try_cast(try_add({whole.sql}, {rest}) AS DECIMAL(38,18))")
    )
    form = (PRECISION_MAX, SCALE_MAX)
    return checked(
        layers, text, type_, Failure.NUMERIC_OVERFLOW, left, right, decimal=form, over=(whole, x, y, first, least)
    )


def modulo(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    values, form = common_decimal(list(arguments), layers)
    left, right = layers.once_all(*values)
    value = derived(call("try_mod", left.sql, right.sql), type_, left, right, decimal=form)
    if right.constant is not None and right.constant != 0:
        return value
    zero = failing_when(f"{right.sql} = 0 AND {left.sql} IS NOT NULL", Failure.DIVISION_BY_ZERO)
    return derived(value.sql, type_, left, right, decimal=form, error=zero)


def _with_sign(text: str) -> Lower:
    """Lowers minus and abs as a difference: Spark's own keep 34 digits, a difference keeps all."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        (value,) = layers.once_all(*arguments)
        form = form_of(value)
        return derived(f"CAST({text.format(value.sql)} AS {decimal_type(form)})", type_, value, decimal=form)

    return lower


def _whole(function: str) -> Lower:
    """Lowers ceil and floor: Spark gives (p - s + 1, 0)."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        (value,) = arguments
        precision, scale = form_of(value)
        form = (max(min(precision - scale + 1, PRECISION_MAX), 1), 0)
        return derived(f"CAST({function}({value.sql}) AS {decimal_type(form)})", type_, value, decimal=form)

    return lower


def round_(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    """Rounds half away from zero; digits must be a literal, from 0 up."""
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


_Rule = Callable[[Sequence[Sql]], Sql]


def decimals_of(value: Value) -> Sql | None:
    """Returns the number of decimals with which a numeric is shown; None where nothing tells it."""
    told = shown_scale(value.type)
    if told is not None:
        return Sql(str(told))
    if isinstance(value.constant, Decimal) and value.constant.is_finite():
        return Sql(str(shown_decimals(value.constant)))
    return value.shown


def hangs_on_values(value: Value) -> bool:
    """Tells whether something other than the value's type tells how many decimals are shown."""
    return value.type.name is TypeName.NUMERIC and shown_scale(value.type) is None and decimals_of(value) is not None


def with_decimals(key: str, value: Value, arguments: Sequence[Value]) -> Value:
    """Returns a function's result with its number of decimals, where the arguments' tell it."""
    if value.type.name is not TypeName.NUMERIC or shown_scale(value.type) is not None or value.shown is not None:
        return value
    rule = _RULES.get(key)
    parts = [decimals_of(argument) for argument in arguments if argument.type.name is TypeName.NUMERIC]
    known = [part for part in parts if part is not None]
    if rule is None or not known or len(known) < len(parts):
        return value
    return replace(value, shown=rule(known))


def of_case(conditions: Sequence[Value], results: Sequence[Value]) -> Sql | None:
    """Returns the decimals of a CASE: those of the arm that is taken."""
    parts = _parts(results)
    if parts is None:
        return None
    arms = [(condition.sql, part) for condition, part in zip(conditions, parts)]
    return when(*arms, otherwise=parts[-1])


def of_coalesce(operands: Sequence[Value]) -> Sql | None:
    """Returns the decimals of a COALESCE: those of the first operand that is no NULL."""
    parts = _parts(operands)
    if parts is None:
        return None
    arms = [(f"{operand.sql} IS NOT NULL", part) for operand, part in zip(operands[:-1], parts)]
    return when(*arms, otherwise=parts[-1])


def _parts(values: Sequence[Value]) -> list[Sql] | None:
    parts = ["0" if value.sql.startswith("CAST(NULL") else decimals_of(value) for value in values]
    known = [Sql(part) for part in parts if part is not None]
    return known if len(known) == len(parts) else None


def written(layers: Layers, value: Value, decimals: Sql) -> Value:
    """Writes a numeric as text with so many decimals, or with all that it needs where these are more."""
    needed = layers.once(derived(_without_trailing_zeros(value), TEXT, value))
    length = f"greatest(instr({needed.sql}, '.') + coalesce({decimals}, 0), length({needed.sql}))"
    return derived(f"trim(TRAILING '.' FROM rpad({needed.sql}, {length}, '0'))", TEXT, needed)


def _without_trailing_zeros(value: Value) -> str:
    """Returns the SQL of a numeric's text with a point, and behind it no more decimals than the value needs."""
    text = f"CAST({value.sql} AS STRING)"
    return f"trim(TRAILING '0' FROM {text})" if form_of(value)[1] else f"concat({text}, '.')"


def _greatest(parts: Sequence[Sql]) -> Sql:
    return Sql(call("greatest", *parts)) if len(parts) > 1 else parts[0]


def _added(parts: Sequence[Sql]) -> Sql:
    return Sql(f"({' + '.join(parts)})")


_RULES: dict[str, _Rule] = {
    **{f"{word}_numeric_numeric": _greatest for word in ("add", "subtract", "modulo", "mod")},
    "multiply_numeric_numeric": _added,
    **{f"{word}_numeric": _greatest for word in ("negate", "plus", "absolute", "abs")},
}


def _without_zeros(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    return replace(arguments[0], shown=None, constant=None)


def _scale(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    (value,) = arguments
    told = decimals_of(value)
    if told is None:
        needed = layers.once(derived(_without_trailing_zeros(value), TEXT, value))
        told = Sql(f"length({needed.sql}) - instr({needed.sql}, '.')")
        value = needed
    return derived(when((f"{value.sql} IS NOT NULL", f"CAST({told} AS INT)")), type_, value)


def _shown_as(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    value, decimals = arguments
    decimals = layers.once(decimals)
    shown = derived(value.sql, type_, value, decimals, decimal=form_of(value), shown=decimals.sql)
    return replace(shown, simple=value.simple)


LOWERINGS: Lowerings = {
    "shown_as_numeric_int4": _shown_as,
    "add_numeric_numeric": _sum("+", "try_add"),
    "subtract_numeric_numeric": _sum("-", "try_subtract"),
    "multiply_numeric_numeric": multiply,
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
    "trim_scale_numeric": _without_zeros,
    "scale_numeric": _scale,
}
