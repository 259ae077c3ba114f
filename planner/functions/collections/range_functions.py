"""Ranges and multiranges: constructors, bounds, relations between ranges, and set operations (manual, 9.20).

Relations are written once, for multiranges: a range stands for the multirange of this range alone, an empty range for
the empty multirange.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import product
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.ranges import (
    Multirange,
    common_part,
    difference,
    discrete,
    intersection,
    lower_cut,
    make_range,
    multirange,
    remainder,
    span,
    upper_cut,
)
from model.text.numerics import EXACT
from model.types.arrays import Array
from model.types.datum import EMPTY_RANGE, Datum, Range
from model.types.range_types import MULTIRANGES, RANGE_NAMES, RANGES, multirange_of, range_in, subtype_of
from model.types.scalar_type import BOOL, DATE, FLOAT8, TEXT, TIMESTAMP, TIMESTAMPTZ, ScalarType, TypeName, array_of
from model.types.wide_time import AnyMoment, day_of
from planner.functions.casts.record_casts import EXPLICIT, cast
from planner.functions.rows import ANYELEMENT, ANYMULTIRANGE, ANYRANGE, first_type, function, operator, syntax
from planner.functions.signature import Cast, Function
from planner.functions.time.moments import micros_between

Types = tuple[ScalarType, ...]
_FLAGS = ("[]", "[)", "(]", "()")
_BOTH = (ANYRANGE, ANYMULTIRANGE)


def not_contiguous(what: str) -> SqlError:
    return SqlError(Sqlstate.DATA_EXCEPTION, f"result of range {what} would not be contiguous")


def _pieces(type_: ScalarType, value: Any) -> Multirange:
    if type_.name in RANGE_NAMES:
        return () if value.empty else (value,)
    pieces: Multirange = value
    return pieces


def contains(type_: ScalarType, left: Multirange, right: Multirange) -> bool:
    return not remainder(type_, right, left)


def _overlap(type_: ScalarType, left: Multirange, right: Multirange) -> bool:
    return bool(common_part(type_, left, right))


def _before(type_: ScalarType, left: Multirange, right: Multirange) -> bool:
    return bool(left and right) and upper_cut(left[-1], type_).key <= lower_cut(right[0], type_).key


def _ends_within(type_: ScalarType, left: Multirange, right: Multirange) -> bool:
    return bool(left and right) and upper_cut(left[-1], type_).key <= upper_cut(right[-1], type_).key


def _begins_within(type_: ScalarType, left: Multirange, right: Multirange) -> bool:
    return bool(left and right) and lower_cut(left[0], type_).key >= lower_cut(right[0], type_).key


def _adjacent(type_: ScalarType, left: Multirange, right: Multirange) -> bool:
    if not left or not right:
        return False
    ends = upper_cut(left[-1], type_).key == lower_cut(right[0], type_).key
    return ends or upper_cut(right[-1], type_).key == lower_cut(left[0], type_).key


_Relation = Callable[[ScalarType, Multirange, Multirange], bool]


def _swapped(relation: _Relation) -> _Relation:
    return lambda type_, left, right: relation(type_, right, left)


_RELATIONS: tuple[tuple[str, str, _Relation], ...] = (
    ("@>", "contains", contains),
    ("<@", "contained", _swapped(contains)),
    ("&&", "overlaps", _overlap),
    ("<<", "before", _before),
    (">>", "behind", _swapped(_before)),
    ("&<", "ends_within", _ends_within),
    ("&>", "begins_within", _begins_within),
    ("-|-", "adjacent", _adjacent),
)


def _related(symbol: str, word: str, relation: _Relation, sides: Types) -> Function:
    def evaluate(types: Types, left: Any, right: Any) -> bool:
        return relation(types[0], _pieces(types[0], left), _pieces(types[1], right))

    return operator(symbol, word, sides, BOOL, evaluate, typed=True)


def _holds(types: Types, whole: Any, value: Datum) -> bool:
    """Tells whether a range or multirange contains a value. The value is compared as a range that includes both bounds,
    not as one that ends before the next value: the greatest integer has no next value."""
    type_ = types[0]
    one = Range(value, value, True, True)
    low, high = lower_cut(one, type_).key, upper_cut(one, type_).key
    return any(
        lower_cut(piece, type_).key <= low and high <= upper_cut(piece, type_).key for piece in _pieces(type_, whole)
    )


def _held(types: Types, value: Datum, whole: Any) -> bool:
    return _holds(types[::-1], whole, value)


def _union(types: Types, left: Range, right: Range) -> Range:
    parts = multirange(types[0], (left, right))
    if len(parts) > 1:
        raise not_contiguous("union")
    return parts[0] if parts else EMPTY_RANGE


def _difference(types: Types, left: Range, right: Range) -> Range:
    parts = difference(types[0], left, right)
    if len(parts) > 1:
        raise not_contiguous("difference")
    return parts[0] if parts else EMPTY_RANGE


def _constructor(type_: ScalarType) -> Callable[..., Range]:
    def make(lower: Datum, upper: Datum, flags: str | None = "[)") -> Range:
        if flags is None:
            raise SqlError(Sqlstate.DATA_EXCEPTION, "range constructor flags argument must not be null")
        if flags not in _FLAGS:
            hint = 'Valid values are "[]", "[)", "(]", and "()".'
            raise SqlError(Sqlstate.SYNTAX_ERROR, "invalid range bound flags", hint=hint)
        return make_range(type_, lower, upper, flags[0] == "[", flags[1] == "]")

    return make


def _multirange_constructor(type_: ScalarType) -> Callable[..., Multirange | None]:
    def make(*ranges: Range | None) -> Multirange | None:
        """Makes a multirange of ranges. NULL alone gives NULL; a NULL among several ranges is an error."""
        if ranges == (None,):
            return None
        present = [range_ for range_ in ranges if range_ is not None]
        if len(present) < len(ranges):
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "multirange values cannot contain null members")
        return multirange(type_, present)

    return make


def _made(types: Types, form: None, lower: Datum, upper: Datum, flags: str | None = "[)") -> Range:
    return _constructor(types[0])(lower, upper, flags)


def _multirange_made(types: Types, form: None, *ranges: Range | None) -> Multirange | None:
    return _multirange_constructor(types[0])(*ranges)


def _multirange_of_array(types: Types, form: None, ranges: Array | None) -> Multirange | None:
    if ranges is None or not len(ranges):
        return None if ranges is None else ()
    return _multirange_constructor(types[0])(*ranges)


def _constructors() -> Iterator[Function]:
    for type_, subtype in RANGES.items():
        make, name = _constructor(type_), type_.name.value
        yield function(name, (subtype, subtype), type_, make, strict=False, fallible=True)
        yield function(name, (subtype, subtype, TEXT), type_, make, strict=False, fallible=True)
    for type_, range_ in MULTIRANGES.items():
        several, name = _multirange_constructor(type_), type_.name.value
        yield function(name, (), type_, lambda: ())
        yield function(name, (range_,), type_, several, strict=False, fallible=True, variadic=True)


def _supports() -> Iterator[Function]:
    """Yields the functions with which PostgreSQL's range types are defined: the canonical form, and the distance of
    two bounds."""
    for type_, subtype in RANGES.items():
        if discrete(subtype):
            yield function(f"{type_.name.value}_canonical", (type_,), type_, lambda range_: range_)
        distance = _DISTANCES.get(subtype, _number_distance)
        yield function(f"{type_.name.value}_subdiff", (subtype, subtype), FLOAT8, distance)


def _number_distance(left: Any, right: Any) -> float:
    exact = isinstance(left, Decimal)
    return float(EXACT.subtract(left, right) if exact else left - right)


def _moment_distance(left: AnyMoment, right: AnyMoment) -> float:
    return micros_between(left, right) / 1e6


_DISTANCES: dict[ScalarType, Callable[[Any, Any], float]] = {
    DATE: lambda left, right: float(day_of(left) - day_of(right)),
    TIMESTAMP: _moment_distance,
    TIMESTAMPTZ: _moment_distance,
}


def _subtype(types: Types) -> ScalarType:
    return subtype_of(types[0])


def _ends(name: str, result: Any, of: Callable[[Range, bool], Any], last: bool) -> Iterator[Function]:
    """Yields a function for ranges, and for the first or the last range of multiranges; `of` is told whether there
    is one."""
    yield function(name, (ANYRANGE,), result, lambda range_: of(range_, not range_.empty))
    at = -1 if last else 0
    yield function(
        name, (ANYMULTIRANGE,), result, lambda ranges: of(ranges[at] if ranges else EMPTY_RANGE, bool(ranges))
    )


def _bounds() -> Iterator[Function]:
    yield from _ends("lower", _subtype, lambda range_, filled: range_.lower, False)
    yield from _ends("upper", _subtype, lambda range_, filled: range_.upper, True)
    yield from _ends("lower_inc", BOOL, lambda range_, filled: range_.lower_included, False)
    yield from _ends("upper_inc", BOOL, lambda range_, filled: range_.upper_included, True)
    yield from _ends("lower_inf", BOOL, lambda range_, filled: filled and range_.lower is None, False)
    yield from _ends("upper_inf", BOOL, lambda range_, filled: filled and range_.upper is None, True)
    yield from _ends("isempty", BOOL, lambda range_, filled: not filled, False)


def _range_type(types: Types) -> ScalarType:
    return range_in(types[0])


def _multirange_type(types: Types) -> ScalarType:
    return multirange_of(types[0])


_RANGE_PAIR, _MULTIRANGE_PAIR = (ANYRANGE, ANYRANGE), (ANYMULTIRANGE, ANYMULTIRANGE)

MAKE_RANGE, MAKE_RANGE_BY_FLAGS, MAKE_MULTIRANGE, MAKE_MULTIRANGE_OF_ARRAY = (
    syntax(word, arguments, first_type, make, strict=False, fallible=True, typed=True, variadic=variadic)
    for word, arguments, make, variadic in (
        ("make_range", (ANYRANGE, ANYELEMENT, ANYELEMENT), _made, False),
        ("make_range_by_flags", (ANYRANGE, ANYELEMENT, ANYELEMENT, TEXT), _made, False),
        ("make_multirange", (ANYMULTIRANGE, ANYRANGE), _multirange_made, True),
        ("make_multirange_of_array", (ANYMULTIRANGE, array_of(ANYRANGE)), _multirange_of_array, False),
    )
)
"""The constructors of users' ranges and multiranges, for which the planner writes the calls: a NULL of the type that
they make comes first."""

FUNCTIONS: tuple[Function, ...] = (
    *(MAKE_RANGE, MAKE_RANGE_BY_FLAGS, MAKE_MULTIRANGE, MAKE_MULTIRANGE_OF_ARRAY),
    *_constructors(),
    *_bounds(),
    *_supports(),
    *(_related(*row, sides) for row in _RELATIONS for sides in product(_BOTH, _BOTH)),
    *(operator("@>", "contains", (side, ANYELEMENT), BOOL, _holds, typed=True) for side in _BOTH),
    *(operator("<@", "contained", (ANYELEMENT, side), BOOL, _held, typed=True) for side in _BOTH),
    operator("+", "add", _RANGE_PAIR, first_type, _union, typed=True, fallible=True),
    operator("-", "subtract", _RANGE_PAIR, first_type, _difference, typed=True, fallible=True),
    operator("*", "multiply", _RANGE_PAIR, first_type, lambda types, a, b: intersection(types[0], a, b), typed=True),
    operator("+", "add", _MULTIRANGE_PAIR, first_type, lambda types, a, b: multirange(types[0], a + b), typed=True),
    operator("-", "subtract", _MULTIRANGE_PAIR, first_type, lambda types, a, b: remainder(types[0], a, b), typed=True),
    operator(
        "*", "multiply", _MULTIRANGE_PAIR, first_type, lambda types, a, b: common_part(types[0], a, b), typed=True
    ),
    function("range_merge", _RANGE_PAIR, first_type, lambda types, a, b: span(types[0], (a, b)), typed=True),
    function("range_merge", (ANYMULTIRANGE,), _range_type, lambda types, ranges: span(types[0], ranges), typed=True),
    function("multirange", (ANYRANGE,), _multirange_type, lambda types, range_: _pieces(types[0], range_), typed=True),
)

CASTS: tuple[Cast, ...] = tuple(
    cast(range_, type_, EXPLICIT, lambda value: () if value.empty else (value,))
    for type_, range_ in (*MULTIRANGES.items(), (ScalarType(TypeName.MULTIRANGE), ScalarType(TypeName.RANGE)))
)
