"""Arrays, lists and maps, greatest and least, and the single row of a scalar subquery."""

from __future__ import annotations

from compute.scalars.comparisons import SYMBOLS, comparable, group_key, holds, sortable
from compute.scalars.failure import Failure, failing_when
from compute.scalars.family import Lower, Lowerings, shared, template
from compute.scalars.layers import Layers
from compute.scalars.numerics import common_decimal, to_decimal
from compute.scalars.spark_sql import NULL, call, spark_type, when
from compute.scalars.value import Value, derived
from model.physical.arrays import ITEMS, LOWER_BIAS, PLAIN, SHAPE
from model.physical.columns import decimal_bounds
from model.types.scalar_type import BOOL, ScalarType, TypeName

_MEMBERED = ("anycompatiblelist", "anycompatiblemap")
_PLACE_MAX = (1 << 31) - 1
_NOT_COMPARED = (TypeName.JSON, TypeName.JSONB)


def _single_value(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    rows, value = layers.once_all(*arguments)
    several = f"{rows.sql} > 1"
    text = when((several, "NULL"), otherwise=value.sql)
    error = failing_when(several, Failure.MORE_THAN_ONE_ROW)
    return derived(text, type_, rows, value, decimal=value.decimal, error=error)


def _extreme(function: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        values, decimal = list(arguments), None
        if len(values) < 2 or group_key("", type_) is not None or any(comparable(value) is None for value in values):
            return None
        if type_.name is TypeName.NUMERIC:
            values, decimal = common_decimal(values, layers)
        return derived(call(function, *(value.sql for value in values)), type_, *values, decimal=decimal)

    return lower


def _compared(text: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        left, right = layers.once_all(*arguments)
        element = left.type.element or left.type.member
        if element is None or left.type != right.type or element.name is TypeName.JSON:
            return None
        if holds(element, TypeName.JSONB):
            return None
        return derived(text.format(*(sortable(v.sql, v.type) for v in (left, right))), BOOL, left, right)

    return lower


def _compared_records(text: str) -> Lower:
    """Compares records of one type; NULL fields are equal to each other."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        left, right = layers.once_all(*arguments)
        fields = [[field for _, field in value.type.fields] for value in (left, right)]
        if fields[0] != fields[1] or any(holds(left.type, name) for name in _NOT_COMPARED):
            return None
        return derived(text.format(*(sortable(v.sql, v.type) for v in (left, right))), BOOL, left, right)

    return lower


def _length(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    array, dimension = arguments
    if dimension.constant != 1 or array.type.element is None:
        return None
    array = layers.once(array)
    items = f"size({array.sql}.{ITEMS})"
    text = when((_flat(array), f"nullif({items}, 0)"), otherwise=f"CAST({_number(array, 0)} AS INT)")
    return derived(text, type_, array)


def _flat(array: Value) -> str:
    """Returns a condition for an array with one dimension or none."""
    return f"length({array.sql}.{SHAPE}) = {len(PLAIN)}"


def _number(array: Value, place: int) -> str:
    """Returns the number at a place of an array's shape."""
    packed = f"hex(substring({array.sql}.{SHAPE}, {4 * place + 2}, 4))"
    return f"CAST(conv({packed}, 16, 10) AS BIGINT)"


def _field(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    record, at = arguments
    bounds = decimal_bounds(type_) if type_.name is TypeName.NUMERIC else None
    assert isinstance(at.constant, int), "the planner says which field"
    return derived(f"{record.sql}.f{at.constant}", type_, record, decimal=bounds)


def _subscript(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    if arguments[0].type.element is None or len(arguments) > 2:
        return None
    array, place = layers.once_all(*arguments)
    offset = f"({place.sql} - ({_number(array, 0)} - {LOWER_BIAS}L))"
    plain = f"{array.sql}.{SHAPE} = X'{PLAIN.hex()}'"
    text = when(
        (f"{plain} AND {place.sql} >= 1", f"get({array.sql}.{ITEMS}, {place.sql} - 1)"),
        (f"{plain} OR NOT {_flat(array)} OR {offset} < 0 OR {offset} > {_PLACE_MAX}", NULL),
        otherwise=f"get({array.sql}.{ITEMS}, CAST({offset} AS INT))",
    )
    return derived(text, type_, array, place)


def _list(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    assert type_.member is not None
    member = type_.member
    values = [to_decimal(layers, v, member) if member.name is TypeName.NUMERIC else v for v in arguments]
    text = f"CAST(array({', '.join(value.sql for value in values)}) AS {spark_type(type_)})"
    return derived(text, type_, *values)


def _item(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    """Lowers the place of an item: Spark's places are of 32 bits, and no list is as long."""
    text = f"CASE WHEN {{1}} BETWEEN 1 AND {_PLACE_MAX} THEN get({{0}}, CAST({{1}} - 1 AS INT)) END"
    return shared(text)(layers, arguments, type_)


LOWERINGS: Lowerings = {
    "single_value_int8_anyelement": _single_value,
    "greatest_anyelement": _extreme("greatest"),
    "least_anyelement": _extreme("least"),
    **{f"{word}_anyarray_anyarray": _compared(text) for word, text in SYMBOLS.items()},
    **{f"{word}_{name}_{name}": _compared(text) for word, text in SYMBOLS.items() for name in _MEMBERED},
    "list_of_anyelement": _list,
    "list_item_anycompatiblelist_int8": _item,
    "list_length_anycompatiblelist": template("size({0})"),
    "map_length_anycompatiblemap": template("size({0})"),
    "array_length_anyarray_int4": _length,
    "cardinality_anyarray": template(f"size({{0}}.{ITEMS})"),
    "subscript_anyarray_int4": _subscript,
    "field_record_int4": _field,
    **{f"{word}_record_record": _compared_records(text) for word, text in SYMBOLS.items()},
}
