"""Makes keys of an arrangement from expressions: values without parts, equal exactly where the expressions are.

`known` keys are NULL where the value is, as `=` compares; `flagged` keys never are, as IS NOT DISTINCT FROM compares.
"""

from __future__ import annotations

from compute.scalars.comparisons import KEYED, holds
from model.physical.columns import NUMERIC_PRECISION_MAX, decimal_bounds
from model.types.range_types import ranged, subtype_of
from model.types.scalar_type import BOOL, INT4, TEXT, ScalarType, TypeName, array_of, numeric
from model.types.type_table import TYPES
from planner.functions.casts.table import find_cast
from planner.functions.registry import modifier_function
from planner.interpret.parameters import DEFAULT_STYLE
from planner.ir.scalar import TRUE, ArrayOf, Call, Coalesce, Literal, Scalar, scalar_type

_NEUTRAL = {name: value for name in TypeName if (value := TYPES[name].neutral) is not None}
"""A value of each type without parts, which stands for NULL beside a flag that says so."""
_UNLIKE = KEYED
_WRITTEN_DIFFERENTLY = (*_UNLIKE, TypeName.FLOAT4, TypeName.FLOAT8)


def identical(type_: ScalarType) -> bool:
    """Returns whether the type has no parts and holds equal values alike (floats by their zero and their NaN)."""
    return type_.name in _NEUTRAL and type_.name not in _UNLIKE


def known(scalar: Scalar) -> Scalar | None:
    """Returns a key that is NULL where the value is; None when the type has none."""
    type_ = scalar_type(scalar)
    if type_.name in _NEUTRAL:
        return scalar
    member = type_.element or type_.member
    parts = (member,) if member is not None else tuple(field for _, field in type_.fields)
    if (ranged(type_) and _identical_bounds(type_)) or (parts and all(map(identical, parts))):
        return _text_of(scalar)
    return None


def _identical_bounds(type_: ScalarType) -> bool:
    """Tells whether equal ranges, or multiranges, have equal texts."""
    subtype = subtype_of(type_)
    return identical(subtype) and subtype.name not in _WRITTEN_DIFFERENTLY


def flagged(key: Scalar) -> tuple[Scalar, Scalar]:
    """Returns a key that is never NULL for an expression that may be NULL."""
    type_ = scalar_type(key)
    stand_in = Coalesce((key, Literal(_NEUTRAL[type_.name], type_)), type_)
    return stand_in, Call("is_null_any", (key,), BOOL)


def identity(scalar: Scalar) -> tuple[Scalar, ...] | None:
    """Returns a key that is never NULL and tells apart even equal values with different texts; None without such a
    key."""
    type_ = scalar_type(scalar)
    key = None if any(holds(type_, name) for name in _WRITTEN_DIFFERENTLY) else known(scalar)
    if key is None:
        # As a text a char(n) loses the blanks at its end; within an array it keeps them.
        whole = ArrayOf((scalar,), array_of(type_)) if type_.name is TypeName.BPCHAR else scalar
        key = _text_of(whole)
    return None if key is None else flagged(key)


def aligned(left: Scalar, right: Scalar) -> tuple[Scalar, Scalar] | None:
    """Returns two keys in one common type; None for numerics without a common form."""
    types = scalar_type(left), scalar_type(right)
    if types[0].name is not TypeName.NUMERIC or types[0] == types[1]:
        return left, right
    (precision, scale), (other_precision, other_scale) = map(decimal_bounds, types)
    digits = max(precision - scale, other_precision - other_scale)
    decimals = max(scale, other_scale)
    if not 0 <= decimals <= digits + decimals <= NUMERIC_PRECISION_MAX:
        return None
    form = numeric(digits + decimals, decimals)
    return _in_form(left, form), _in_form(right, form)


def _in_form(scalar: Scalar, form: ScalarType) -> Scalar:
    if scalar_type(scalar) == form:
        return scalar
    return Call(modifier_function(form).key, (scalar, Literal(form.modifier, INT4), TRUE), form)


def _text_of(scalar: Scalar) -> Scalar | None:
    cast = find_cast(scalar_type(scalar), TEXT)
    if cast is None or cast.function.needs_system:
        return None
    # Any style will do that tells values apart.
    return Call(cast.function.key, (scalar, *(DEFAULT_STYLE for _ in cast.function.session)), TEXT)
