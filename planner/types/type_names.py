"""Type names in SQL to types, modifiers included."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from model.physical.columns import decimal_bounds
from model.text.coordinates.embeddings import DIMENSIONS_MAX
from model.text.names import type_by_typname, type_named
from model.text.numerics import DIGITS_MAX
from model.types.scalar_type import (
    ScalarType,
    TypeName,
    array_of,
    list_of,
    map_of,
    numeric,
    type_from_oid,
    type_text,
    type_within,
)
from planner.functions.collections.lists import holdable
from planner.scope.analysis import Analysis
from planner.scope.names import strings

_LENGTH_MAX = 10_485_760
_BITS_MAX = 8 * _LENGTH_MAX
_SECONDS_PRECISION_MAX = 6
_REFUSED = frozenset(("line", "path", "polygon", "xml"))
"""Types of PostgreSQL that are refused by name, unless a user has a type of that name."""
_SCHEMAS = ("pg_catalog", "mz_catalog", "information_schema")
_DOMAINS = {
    "sql_identifier": ScalarType(TypeName.NAME),
    "cardinal_number": ScalarType(TypeName.INT4),
    "character_data": ScalarType(TypeName.VARCHAR),
    "yes_or_no": ScalarType(TypeName.VARCHAR),
}


def type_from_node(analysis: Analysis, node: Any) -> ScalarType:
    """Returns the type that a TypeName means; raises 42704 for none, 22023 for a bad modifier, 0A000 for what isn't
    held."""
    shape = analysis.members.types.get(node.location)
    if shape is None:
        return _plain_type(analysis, node)
    if shape.value is None:
        type_ = _plain_type(analysis, node)
    else:
        type_ = map_of(_member(analysis, type_from_node(analysis, shape.value), node.location))
    for suffix in shape.suffixes:
        if suffix == "list":
            type_ = list_of(_member(analysis, type_, node.location))
        elif type_.element is None:
            type_ = _array(analysis, type_, node.location)
    return type_


def _member(analysis: Analysis, type_: ScalarType, location: int) -> ScalarType:
    """Returns a type that lists and maps may hold."""
    if not holdable(type_):
        raise analysis.unsupported(f"a list or a map of values of type {type_text(type_)}", location)
    return type_


def _array(analysis: Analysis, type_: ScalarType, location: int) -> ScalarType:
    if type_.member is not None:
        raise analysis.unsupported(f"an array of {type_}", location, hint=f"Use {type_} list.")
    return array_of(type_within(type_))


def _plain_type(analysis: Analysis, node: Any) -> ScalarType:
    if not node.names and node.type_oid:
        known = type_from_oid(node.type_oid)
        assert known is not None
        return known
    parts = strings(node.names)
    name, schema = parts[-1], parts[:-1]
    base: ScalarType | None
    if schema and schema[-1] == "information_schema":
        base = _DOMAINS.get(name)
    elif schema and schema[-1] not in _SCHEMAS:
        base = _users_type(analysis, parts, node.location)
    elif schema:
        base = type_by_typname(name) or _users_type(analysis, parts, node.location)
    else:
        base = type_named(name) or _users_type(analysis, parts, node.location)
    if base is None:
        shown = ".".join(parts)
        if name in _REFUSED:
            raise analysis.unsupported(f"type {shown}", node.location)
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, f'type "{shown}" does not exist', node.location)
    if node.setof or node.pct_type:
        raise analysis.unsupported("SETOF and %TYPE in a type name", node.location)
    type_ = _with_modifier(analysis, base, node)
    return _array(analysis, type_, node.location) if node.array_bounds else type_


def _users_type(analysis: Analysis, parts: tuple[str, ...], location: int) -> ScalarType | None:
    """Returns a type created by a user, or that of a relation's rows; notes that the statement depends on it, and the
    place of its name in the text."""
    context = analysis.context
    item = context.catalog.resolve_type(parts, context.search_path, context.database)
    if item is None:
        return None
    analysis.depends_on.add(item.id)
    analysis.used_items[location, len(parts)] = item
    return item.value_type


def _with_modifier(analysis: Analysis, base: ScalarType, node: Any) -> ScalarType:
    numbers = [_modifier_number(analysis, item, node.location) for item in node.typmods]
    if not numbers:
        # A bare `char` is char(1) in SQL, which the grammar spells out; nothing to add.
        return base
    match base.name:
        case TypeName.VARCHAR | TypeName.BPCHAR:
            return ScalarType(base.name, _length(analysis, base, numbers, node.location) + 4)
        case TypeName.VECTOR:
            return ScalarType(base.name, _dimensions(analysis, numbers, node.location))
        case TypeName.BIT | TypeName.VARBIT:
            return ScalarType(base.name, _length(analysis, base, numbers, node.location))
        case TypeName.NUMERIC:
            return _numeric(analysis, numbers, node.location)
        case TypeName.TIME | TypeName.TIMETZ | TypeName.TIMESTAMP | TypeName.TIMESTAMPTZ:
            return ScalarType(base.name, min(numbers[0], _SECONDS_PRECISION_MAX))
        case TypeName.INTERVAL:
            mask = numbers[0]
            precision = min(numbers[1], _SECONDS_PRECISION_MAX) if len(numbers) > 1 else 0xFFFF
            if mask == 0x7FFF and precision == 0xFFFF:
                return base
            return ScalarType(base.name, (mask << 16) | precision)
        case _:
            message = f'type modifier is not allowed for type "{base.name.value}"'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.location)


def _modifier_number(analysis: Analysis, item: Any, location: int) -> int:
    if item.WhichOneof("node") == "a_const" and item.a_const.WhichOneof("val") == "ival":
        return int(item.a_const.ival.ival)
    raise analysis.error(Sqlstate.SYNTAX_ERROR, "type modifiers must be simple constants or identifiers", location)


def _dimensions(analysis: Analysis, numbers: list[int], location: int) -> int:
    message = None
    if len(numbers) > 1:
        message = "invalid type modifier"
    elif numbers[0] < 1:
        message = "dimensions for type vector must be at least 1"
    elif numbers[0] > DIMENSIONS_MAX:
        message = f"dimensions for type vector cannot exceed {DIMENSIONS_MAX}"
    if message is not None:
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, location)
    return numbers[0]


def _length(analysis: Analysis, base: ScalarType, numbers: list[int], location: int) -> int:
    word = "char" if base.name is TypeName.BPCHAR else base.name.value
    longest = _BITS_MAX if base.name in (TypeName.BIT, TypeName.VARBIT) else _LENGTH_MAX
    if numbers[0] < 1:
        message = f"length for type {word} must be at least 1"
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, location)
    if numbers[0] > longest:
        message = f"length for type {word} cannot exceed {longest}"
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, location)
    return numbers[0]


def _numeric(analysis: Analysis, numbers: list[int], location: int) -> ScalarType:
    precision, scale = numbers[0], numbers[1] if len(numbers) > 1 else 0
    if not 1 <= precision <= 1000:
        message = f"NUMERIC precision {precision} must be between 1 and 1000"
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, location)
    if not -1000 <= scale <= 1000:
        message = f"NUMERIC scale {scale} must be between -1000 and 1000"
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, location)
    type_ = numeric(precision, scale)
    return type_ if decimal_bounds(type_)[0] <= DIGITS_MAX else ScalarType(TypeName.WIDE, type_.modifier)
