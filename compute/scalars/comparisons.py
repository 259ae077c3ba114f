"""= <> < <= > >= and IS [NOT] DISTINCT FROM, by an ordering form of each type; IS [NOT] NULL; NOT and IS TRUE.

Spark compares most physical types as PostgreSQL does (NaN is greatest and equal to itself, text goes by bytes). An
interval compares by its span, a tsquery by its key; jsonb sorts and groups by a key that Python makes. Comparisons of
jsonb go to Python, also where it is in arrays, lists, maps or records.
"""

from __future__ import annotations

from compute.scalars.family import Lower, Lowerings, shared, template
from compute.scalars.layers import Layers
from compute.scalars.numerics import common_decimal
from compute.scalars.spark_sql import Sql, call, when
from compute.scalars.value import Value, derived
from model.errors.sql_error import NotSupported
from model.physical.arrays import ITEMS, SHAPE
from model.physical.ranges import BOUNDS, FIELDS
from model.types.range_types import range_in, subtype_of
from model.types.scalar_type import BOOL, ScalarType, TypeName
from model.types.type_table import TYPES, TypeOrder

SYMBOLS = {
    "eq": "({0} = {1})",
    "ne": "({0} <> {1})",
    "lt": "({0} < {1})",
    "le": "({0} <= {1})",
    "gt": "({0} > {1})",
    "ge": "({0} >= {1})",
    "not_distinct": "({0} <=> {1})",
    "distinct": "(NOT ({0} <=> {1}))",
}
_NATIVE = (*(name.value for name in TypeName if TYPES[name].order is TypeOrder.AS_HELD), "anyenum")
"""Types whose values Spark compares as they are compared."""
_WITH_PARTS = (TypeName.ARRAY, TypeName.RECORD, TypeName.LIST, TypeName.MAP, TypeName.OIDVECTOR)
JSONB_KEY = "python_jsonb_key"
"""The function from jsonb to bytes in the order of its values, which every session has."""
KEYED = (TypeName.INTERVAL, TypeName.JSONB, TypeName.TSQUERY, TypeName.WIDE, TypeName.BPCHAR)
"""Types whose equal values may lie unlike, so that something else is grouped by."""
_MONTH, _DAY = "2592000000000", "86400000000"


def interval_span(sql: str) -> Sql:
    """Months of 30 days of 24 hours, in microseconds, as a decimal: 64 bits do not hold the extremes."""
    parts = (
        f"CAST({sql}.months AS DECIMAL(10,0)) * {_MONTH}BD",
        f"CAST({sql}.days AS DECIMAL(10,0)) * {_DAY}BD",
        f"CAST({sql}.microseconds AS DECIMAL(19,0))",
    )
    return Sql(f"({' + '.join(parts)})")


def query_key(sql: str) -> Sql:
    """Returns the part of a tsquery that compares, whose length stands before."""
    length = f"CAST(conv(hex(substring({sql}, 1, 4)), 16, 10) AS INT)"
    return Sql(f"substring({sql}, 5, {length})")


def wide_key(sql: str) -> Sql:
    """Returns the part of a wide numeric that compares: all but the number of decimals."""
    return Sql(f"substring({sql}, 1, length({sql}) - 2)")


def holds(type_: ScalarType, name: TypeName) -> bool:
    """Returns whether values of the type are, or contain, values of the type `name`."""
    if type_.element is not None:
        return holds(type_.element, name)
    if type_.member is not None:
        return holds(type_.member, name)
    if type_.range is not None:
        return holds(type_.range.subtype, name)
    return type_.name is name or any(holds(field, name) for _, field in type_.fields)


def ranges_natively(type_: ScalarType) -> bool:
    """Tells whether Spark compares the structs of ranges as PostgreSQL compares ranges: of PostgreSQL's own types
    always."""
    if type_.range is None:
        return True
    subtype = type_.range.subtype
    return subtype.name not in _WITH_PARTS and not any(holds(subtype, name) for name in KEYED)


def sortable(sql: str, type_: ScalarType, depth: int = 0) -> Sql:
    """Returns an expression that Spark orders as PostgreSQL orders the values; inside what has parts NULL is greatest.

    Raises 0A000 for arrays, lists and maps of jsonb: the function that makes keys of jsonb can't be called for each
    member."""
    match type_.name:
        case TypeName.INTERVAL:
            return interval_span(sql)
        case TypeName.BPCHAR:
            return call("rtrim", sql)
        case TypeName.JSONB:
            return call(JSONB_KEY, sql)
        case TypeName.TSQUERY:
            return query_key(sql)
        case TypeName.WIDE:
            return wide_key(sql)
        case TypeName.ARRAY | TypeName.LIST | TypeName.MAP if holds(type_, TypeName.JSONB):
            raise NotSupported(f"an order or a grouping by {type_.name.value}s of jsonb of a collection's rows")
        case TypeName.ARRAY:
            assert type_.element is not None
            items = sortable(f"{sql}.{ITEMS}", ScalarType(TypeName.LIST, member=type_.element), depth)
            return Sql(f"CASE WHEN {sql} IS NULL THEN NULL ELSE struct({items}, {sql}.{SHAPE}) END")
        case TypeName.LIST | TypeName.MAP:
            member = type_.member
            assert member is not None
            item = f"x{depth}"
            key, value = ("", item) if type_.name is not TypeName.MAP else (f"{item}.key, ", f"{item}.value")
            inner = sortable(value, member, depth + 1)
            return Sql(f"transform({sql}, {item} -> struct({key}{value} IS NULL, {inner}))")
        case TypeName.RECORD:
            parts = ", ".join(
                f"{sql}.f{i} IS NULL, {sortable(f'{sql}.f{i}', field, depth)}"
                for i, (_, field) in enumerate(type_.fields)
            )
            return Sql(f"CASE WHEN {sql} IS NULL THEN NULL ELSE struct({parts}) END")
        case TypeName.RANGE if not ranges_natively(type_):
            bound = subtype_of(type_)
            held = ", ".join(
                sortable(f"{sql}.{name}", bound, depth) if name in BOUNDS else f"{sql}.{name}" for name in FIELDS
            )
            return Sql(f"CASE WHEN {sql} IS NULL THEN NULL ELSE struct({held}) END")
        case TypeName.MULTIRANGE if not ranges_natively(type_):
            if holds(type_, TypeName.JSONB):
                raise NotSupported("an order or a grouping by multiranges of jsonb of a collection's rows")
            item = f"x{depth}"
            return Sql(f"transform({sql}, {item} -> {sortable(item, range_in(type_), depth + 1)})")
        case _:
            return Sql(sql)


def group_key(sql: str, type_: ScalarType) -> Sql | None:
    """Returns an expression to group by, so that equal values meet; None when the value itself serves."""
    if any(holds(type_, name) for name in KEYED):
        return sortable(sql, type_)
    return None


def zero_text(sql: str) -> Sql:
    """Returns a float zero as text, -0 before 0; NULL for other numbers."""
    return when((f"{sql} = 0", f"CAST({sql} AS STRING)"))


def comparable(value: Value) -> Value | None:
    """Returns an expression that Spark compares, groups and joins as PostgreSQL compares the value; None without
    one."""
    match value.type.name:
        case TypeName.INTERVAL:
            return derived(interval_span(value.sql), value.type, value)
        case TypeName.BPCHAR:
            return derived(call("rtrim", value.sql), value.type, value)
        case TypeName.TSQUERY:
            return derived(query_key(value.sql), value.type, value)
        case TypeName.WIDE:
            return derived(wide_key(value.sql), value.type, value)
        case TypeName.JSONB | TypeName.JSON | TypeName.ARRAY | TypeName.RECORD | TypeName.OIDVECTOR:
            return None
        case TypeName.LIST | TypeName.MAP:
            return None
        case TypeName.RANGE | TypeName.MULTIRANGE if not ranges_natively(value.type):
            return None
        case _:
            return value


def _numeric(text: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        values, _ = common_decimal(list(arguments), layers)
        return derived(text.format(*(value.sql for value in values)), BOOL, *values)

    return lower


def _interval(text: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        spans = [interval_span(value.sql) for value in layers.once_all(*arguments)]
        return derived(text.format(*spans), BOOL, *arguments)

    return lower


def unless_compared_by_keys(lower: Lower) -> Lower:
    """Returns the lowering of a function for ranges Spark compares; the function of other ranges goes to Python."""

    def native(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        return lower(layers, arguments, type_) if all(ranges_natively(each.type) for each in arguments) else None

    return native


def _is_null(text: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        (value,) = arguments
        if value.type.name is TypeName.RECORD:
            return None
        return derived(text.format(value.sql), BOOL, value)

    return lower


def _rows() -> dict[str, Lower]:
    rows: dict[str, Lower] = {}
    for word, text in SYMBOLS.items():
        for name in _NATIVE:
            rows[f"{word}_{name}_{name}"] = template(text)
        for name in ("anyrange", "anymultirange"):
            rows[f"{word}_{name}_{name}"] = unless_compared_by_keys(template(text))
        rows[f"{word}_numeric_numeric"] = _numeric(text)
        rows[f"{word}_interval_interval"] = _interval(text)
        rows[f"{word}_tsquery_tsquery"] = shared(text.format(query_key("{0}"), query_key("{1}")))
        rows[f"{word}_wide_wide"] = shared(text.format(wide_key("{0}"), wide_key("{1}")))
        rows[f"{word}_bpchar_bpchar"] = template(text.format("rtrim({0})", "rtrim({1})"))
    return rows


LOWERINGS: Lowerings = {
    **_rows(),
    "eq_xid_xid": template(SYMBOLS["eq"]),
    "ne_xid_xid": template(SYMBOLS["ne"]),
    "is_null_any": _is_null("({0} IS NULL)"),
    "is_not_null_any": _is_null("({0} IS NOT NULL)"),
    "not_bool": template("(NOT {0})"),
    "is_true_bool": template("({0} <=> true)"),
    "is_not_true_bool": template("(NOT ({0} <=> true))"),
    "is_false_bool": template("({0} <=> false)"),
    "is_not_false_bool": template("(NOT ({0} <=> false))"),
    "is_unknown_bool": template("({0} IS NULL)"),
    "is_not_unknown_bool": template("({0} IS NOT NULL)"),
}
