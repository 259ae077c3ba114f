"""Names in the syntax tree, and the names that PostgreSQL gives to columns without one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from postgast import pg_query_pb2 as tree

ANONYMOUS = "?column?"
_NONE: Mapping[int, str] = MappingProxyType({})
_VALUE_FUNCTIONS = {
    tree.SVFOP_CURRENT_DATE: "current_date",
    tree.SVFOP_CURRENT_TIME: "current_time",
    tree.SVFOP_CURRENT_TIME_N: "current_time",
    tree.SVFOP_CURRENT_TIMESTAMP: "current_timestamp",
    tree.SVFOP_CURRENT_TIMESTAMP_N: "current_timestamp",
    tree.SVFOP_LOCALTIME: "localtime",
    tree.SVFOP_LOCALTIME_N: "localtime",
    tree.SVFOP_LOCALTIMESTAMP: "localtimestamp",
    tree.SVFOP_LOCALTIMESTAMP_N: "localtimestamp",
    tree.SVFOP_CURRENT_ROLE: "current_role",
    tree.SVFOP_CURRENT_USER: "current_user",
    tree.SVFOP_USER: "user",
    tree.SVFOP_SESSION_USER: "session_user",
    tree.SVFOP_CURRENT_CATALOG: "current_catalog",
    tree.SVFOP_CURRENT_SCHEMA: "current_schema",
}
_WEAK, _STRONG = 1, 2


def strings(nodes: Iterable[Any]) -> tuple[str, ...]:
    """Returns the parts of a dotted name."""
    return tuple(node.string.sval for node in nodes)


def range_parts(relation: Any) -> tuple[str, ...]:
    """Returns the parts of a RangeVar."""
    return tuple(part for part in (relation.catalogname, relation.schemaname, relation.relname) if part)


def column_name(node: Any, subqueries: Mapping[int, str] = _NONE) -> str:
    """Returns the name of a result column for an expression without AS; `subqueries`: column names of scalar
    subqueries, by location.
    """
    return _figure(node, subqueries)[0] or ANONYMOUS


def _figure(node: Any, subqueries: Mapping[int, str]) -> tuple[str, int]:
    """Returns a name and its strength: a cast's type gives way to the name of what is cast."""
    kind = node.WhichOneof("node")
    value: Any = getattr(node, kind) if kind else None
    match kind:
        case "column_ref":
            named = [field.string.sval for field in value.fields if field.WhichOneof("node") == "string"]
            return (named[-1], _STRONG) if named else ("", 0)
        case "a_indirection":
            named = [item.string.sval for item in value.indirection if item.WhichOneof("node") == "string"]
            return (named[-1], _STRONG) if named else _figure(value.arg, subqueries)
        case "func_call":
            return value.funcname[-1].string.sval, _STRONG
        case "a_expr":
            return ("nullif", _STRONG) if value.kind == tree.AEXPR_NULLIF else ("", 0)
        case "type_cast":
            name, strength = _figure(value.arg, subqueries)
            if strength <= _WEAK:
                return value.type_name.names[-1].string.sval, _WEAK
            return name, strength
        case "collate_clause":
            return _figure(value.arg, subqueries)
        case "case_expr":
            name, strength = _figure(value.defresult, subqueries) if value.HasField("defresult") else ("", 0)
            return (name, strength) if strength > _WEAK else ("case", _WEAK)
        case "a_array_expr":
            return "array", _STRONG
        case "row_expr":
            return "row", _STRONG
        case "coalesce_expr":
            return "coalesce", _STRONG
        case "min_max_expr":
            return ("greatest" if value.op == tree.IS_GREATEST else "least"), _STRONG
        case "sqlvalue_function":
            return _VALUE_FUNCTIONS[value.op], _STRONG
        case "json_array_constructor" | "json_array_query_constructor":
            return "json_array", _STRONG
        case "json_array_agg":
            return "json_arrayagg", _STRONG
        case "json_object_agg":
            return "json_objectagg", _STRONG
        case "json_object_constructor":
            return "json_object", _STRONG
        case "grouping_func":
            return "grouping", _STRONG
        case "sub_link":
            return _sublink(value, subqueries)
        case _:
            return "", 0


def _sublink(link: Any, subqueries: Mapping[int, str]) -> tuple[str, int]:
    if link.sub_link_type == tree.EXISTS_SUBLINK:
        return "exists", _STRONG
    if link.sub_link_type == tree.ARRAY_SUBLINK:
        return "array", _STRONG
    if link.sub_link_type == tree.EXPR_SUBLINK and link.location in subqueries:
        return subqueries[link.location], _STRONG
    return "", 0


def location_of(node: Any) -> int:
    """Returns the leftmost byte of an expression, -1 when unknown."""
    kind = node.WhichOneof("node")
    if kind is None:
        return -1
    value = getattr(node, kind)
    match kind:
        case "a_expr":
            own = [value.location] if value.location >= 0 else []
            left = location_of(value.lexpr) if value.HasField("lexpr") else -1
            return min([*own, left] if left >= 0 else own, default=-1)
        case "type_cast":
            places = [location_of(value.arg), value.location, value.type_name.location]
            return min((place for place in places if place >= 0), default=-1)
        case "bool_expr":
            places = [value.location, *(location_of(item) for item in value.args[:1])]
            return min((place for place in places if place >= 0), default=-1)
        case "null_test" | "boolean_test" | "a_indirection" | "collate_clause":
            places = [getattr(value, "location", -1), location_of(value.arg)]
            return min((place for place in places if place >= 0), default=-1)
        case "sub_link":
            places = [value.location, location_of(value.testexpr) if value.HasField("testexpr") else -1]
            return min((place for place in places if place >= 0), default=-1)
        case "json_array_agg" | "json_object_agg":
            return int(value.constructor.location)
        case "list":
            return location_of(value.items[0]) if value.items else -1
        case _:
            place = getattr(value, "location", -1)
            return place if isinstance(place, int) else -1
