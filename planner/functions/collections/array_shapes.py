"""The shape of arrays: dimensions and bounds, elements and slices by subscripts, making, nesting and joining arrays."""

from __future__ import annotations

from math import prod
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.arrays import (
    DIMENSIONS_MAX,
    Array,
    Dimensions,
    check_depth,
    dimensions_of,
    items_of,
    parts_of,
    shaped,
    slice_items,
)
from model.types.datum import Datum
from model.types.scalar_type import INT4, TEXT, ScalarType, TypeName, array_of, type_text
from planner.functions.rows import (
    ANYARRAY,
    ANYCOMPATIBLE,
    ANYCOMPATIBLEARRAY,
    ANYELEMENT,
    element_of,
    element_of_first,
    first_type,
    function,
    lower_bound,
    operator,
    syntax,
)
from planner.functions.signature import Function

Types = tuple[ScalarType, ...]

_ITEMS_MAX = 134_217_727
_BOUND_END = 1 << 31


def dimensions(types: Types, array: Array) -> Dimensions:
    """Returns the dimensions of an array of the first type, which may be a vector."""
    return dimensions_of(array, lower_bound(types[0]))


def _error(sqlstate: Sqlstate, message: str, detail: str | None = None) -> SqlError:
    return SqlError(sqlstate, message, detail=detail)


def subscript(types: Types, array: Array, *places: int) -> Datum:
    """Returns the element at the given places, one per dimension; NULL for a place outside the array, and for another
    number of places than dimensions."""
    shape = dimensions(types, array)
    if len(places) != len(shape):
        return None
    index = 0
    for place, (lower, length) in zip(places, shape, strict=True):
        if not lower <= place < lower + length:
            return None
        index = index * length + place - lower
    return items_of(array)[index]


def slice_array(types: Types, array: Array | None, *bounds: int | None) -> Array | None:
    """Returns the part between each two bounds, both included, as an array from 1 on; dimensions without bounds are
    whole."""
    if array is None or None in bounds:
        return None
    shape = dimensions(types, array)
    if len(bounds) // 2 > len(shape):
        return ()
    asked = list(zip(bounds[::2], bounds[1::2], strict=True))
    asked += [(-_BOUND_END, _BOUND_END)] * (len(shape) - len(asked))
    inside = [
        (max(low or 0, lower), min(high or 0, lower + length - 1))
        for (low, high), (lower, length) in zip(asked, shape, strict=True)
    ]
    if any(high < low for low, high in inside):
        return ()
    return shaped(slice_items(items_of(array), shape, inside), tuple((1, high - low + 1) for low, high in inside))


def _dimension(types: Types, array: Array, number: int) -> tuple[int, int] | None:
    shape = dimensions(types, array)
    return shape[number - 1] if 1 <= number <= len(shape) else None


def _length(types: Types, array: Array, number: int) -> int | None:
    found = _dimension(types, array, number)
    return None if found is None else found[1]


def _lower(types: Types, array: Array, number: int) -> int | None:
    found = _dimension(types, array, number)
    return None if found is None else found[0]


def _upper(types: Types, array: Array, number: int) -> int | None:
    found = _dimension(types, array, number)
    return None if found is None else found[0] + found[1] - 1


def _written(types: Types, array: Array) -> str | None:
    shape = dimensions(types, array)
    return "".join(f"[{lower}:{lower + length - 1}]" for lower, length in shape) or None


def _longer(array: Array | None, item: Datum, *, before: bool) -> Array:
    """Returns an array with one more element; its first subscript stays."""
    shape = dimensions_of(array or ())
    if len(shape) > 1:
        raise _error(Sqlstate.DATA_EXCEPTION, "argument must be empty or one-dimensional array")
    items = items_of(array or ())
    ((lower, length),) = shape or ((1, 0),)
    return shaped((item, *items) if before else (*items, item), ((lower, length + 1),))


def _append(array: Array | None, item: Datum) -> Array:
    return _longer(array, item, before=False)


def _prepend(item: Datum, array: Array | None) -> Array:
    return _longer(array, item, before=True)


def _incompatible(detail: str) -> SqlError:
    return _error(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "cannot concatenate incompatible arrays", detail)


def concatenate(left: Array | None, right: Array | None) -> Array | None:
    """Concatenates along the first dimension; an array of one dimension less is one more part of the other."""
    if not left or not right:
        return right if left is None or (right is not None and not left) else left
    one, other = dimensions_of(left), dimensions_of(right)
    if abs(len(one) - len(other)) > 1:
        detail = f"Arrays of {len(one)} and {len(other)} dimensions are not compatible for concatenation."
        raise _incompatible(detail)
    added = 1
    if len(one) == len(other):
        longer, inner, added = one, other[1:], other[0][1]
    else:
        longer, inner = (one, other) if len(one) > len(other) else (other, one)
    if longer[1:] != inner:
        same = "differing element dimensions" if len(one) == len(other) else "differing dimensions"
        raise _incompatible(f"Arrays with {same} are not compatible for concatenation.")
    (lower, length), *rest = longer
    return shaped(items_of(left) + items_of(right), ((lower, length + added), *rest))


def nest(*arrays: Array | None) -> Array:
    """Makes ARRAY[…] of arrays: one more dimension. All of them are alike in shape, or all are empty or NULL."""
    present = [array for array in arrays if array]
    if not present:
        return ()
    shape = dimensions_of(present[0])
    check_depth(len(shape) + 1)
    if len(present) < len(arrays) or any(dimensions_of(array) != shape for array in present):
        message = "multidimensional arrays must have array expressions with matching dimensions"
        raise _error(Sqlstate.ARRAY_SUBSCRIPT_ERROR, message)
    return shaped([item for array in present for item in items_of(array)], ((1, len(present)), *shape))


def _whole_numbers(array: Array) -> list[int]:
    if len(dimensions_of(array)) > 1:
        detail = "Dimension array must be one dimensional."
        raise _error(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts", detail)
    numbers = [item for item in items_of(array) if isinstance(item, int)]
    if len(numbers) < len(array):
        raise _error(Sqlstate.NULL_VALUE_NOT_ALLOWED, "dimension values cannot be null")
    return numbers


def _filled(item: Datum, lengths: Array | None, lowers: Array | None = None, *_: Any) -> Array:
    if lengths is None or lowers is None:
        message = "dimension array or low bound array cannot be null"
        raise _error(Sqlstate.NULL_VALUE_NOT_ALLOWED, message)
    sizes = _whole_numbers(lengths)
    check_depth(len(sizes))
    begins = _whole_numbers(lowers)
    if len(begins) != len(sizes):
        detail = "Low bound array has different size than dimensions array."
        raise _error(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts", detail)
    if any(size < 0 for size in sizes) or prod(sizes) > _ITEMS_MAX:
        message = f"array size exceeds the maximum allowed ({_ITEMS_MAX})"
        raise _error(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    too_large = [lower for lower, size in zip(begins, sizes, strict=True) if lower + size >= _BOUND_END]
    if too_large:
        raise _error(Sqlstate.PROGRAM_LIMIT_EXCEEDED, f"array lower bound is too large: {too_large[0]}")
    count = prod(sizes) if sizes else 0
    return shaped((item,) * count, tuple(zip(begins, sizes, strict=True)) if count else ())


def _filled_from_one(item: Datum, lengths: Array | None) -> Array:
    return _filled(item, lengths, (1,) * min(len(lengths or ()), DIMENSIONS_MAX))


def _trimmed(types: Types, array: Array, count: int) -> Array:
    """Returns the array without the last `count` parts."""
    shape = dimensions(types, array)
    length = shape[0][1] if shape else 0
    if not 0 <= count <= length:
        message = f"number of elements to trim must be between 0 and {length}"
        raise _error(Sqlstate.ARRAY_SUBSCRIPT_ERROR, message)
    if not shape:
        return ()
    return slice_array(types, array, -_BOUND_END, shape[0][0] + length - count - 1) or ()


def shuffled(array: Array, order: list[int], lower: int) -> Array:
    """Returns the parts of the first dimension in this order, as many as it names; its subscripts begin at `lower`."""
    if not order:
        return ()
    parts = parts_of(array) if len(dimensions_of(array)) > 1 else [(item,) for item in items_of(array)]
    rest = dimensions_of(array)[1:]
    return shaped([item for place in order for item in items_of(parts[place])], ((lower, len(order)), *rest))


def _array_of_elements(types: Types) -> ScalarType:
    return array_of(element_of(types[0]))


def _array_of_item(types: Types) -> ScalarType:
    """Returns the array type of an item; raises 42704 for an array, of which there are no arrays."""
    if types[0].name is TypeName.ARRAY:
        message = f"could not find array type for data type {type_text(types[0])}"
        raise _error(Sqlstate.UNDEFINED_OBJECT, message)
    return array_of(types[0])


def _second_type(types: Types) -> ScalarType:
    return types[1]


_JOINED = (ANYCOMPATIBLEARRAY, ANYCOMPATIBLE)
_BOTH = (ANYCOMPATIBLEARRAY, ANYCOMPATIBLEARRAY)
_COUNTS = array_of(INT4)

FUNCTIONS: tuple[Function, ...] = (
    syntax("subscript", (ANYARRAY, INT4), element_of_first, subscript, variadic=True, typed=True),
    syntax("slice", (ANYARRAY, INT4, INT4), _array_of_elements, slice_array, strict=False, variadic=True, typed=True),
    syntax("nest", (ANYARRAY,), first_type, nest, strict=False, variadic=True, fallible=True),
    function("array_length", (ANYARRAY, INT4), INT4, _length, typed=True),
    function("array_upper", (ANYARRAY, INT4), INT4, _upper, typed=True),
    function("array_lower", (ANYARRAY, INT4), INT4, _lower, typed=True),
    function("array_ndims", (ANYARRAY,), INT4, lambda array: len(dimensions_of(array)) or None),
    function("array_dims", (ANYARRAY,), TEXT, _written, typed=True),
    function("cardinality", (ANYARRAY,), INT4, len),
    function("array_append", _JOINED, first_type, _append, strict=False, fallible=True),
    function("array_prepend", _JOINED[::-1], _second_type, _prepend, strict=False, fallible=True),
    function("array_cat", _BOTH, first_type, concatenate, strict=False, fallible=True),
    operator("||", "concat", _BOTH, first_type, concatenate, strict=False, fallible=True),
    operator("||", "concat", _JOINED, first_type, _append, strict=False, fallible=True),
    operator("||", "concat", _JOINED[::-1], _second_type, _prepend, strict=False, fallible=True),
    function("array_fill", (ANYELEMENT, _COUNTS), _array_of_item, _filled_from_one, strict=False, fallible=True),
    function("array_fill", (ANYELEMENT, _COUNTS, _COUNTS), _array_of_item, _filled, strict=False, fallible=True),
    function("trim_array", (ANYARRAY, INT4), first_type, _trimmed, typed=True, fallible=True),
)
