"""The door to every type's text: parse_datum and format_datum, and the same as functions of one type for columns.

The input functions here don't look at modifiers; `modifiers.apply_modifier` does, as a second step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from model.errors.error_sources import INVALID_INT2, INVALID_INT4, INVALID_INT8
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.json import json_text
from model.search.query_text import format_query, parse_query
from model.search.vector_text import format_vector, parse_vector
from model.text import bits, booleans, bytea, floats, money, numerics, strings, uuids
from model.text.addresses import mac_addresses, networks
from model.text.arrays import array_formatter, array_parser, array_sign
from model.text.configurations import format_configuration, parse_configuration
from model.text.context import DEFAULT_CONTEXT, ObjectNames, TextContext
from model.text.coordinates import shapes
from model.text.coordinates.embeddings import format_embedding, parse_embedding
from model.text.enums import enum_formatter, enum_parser
from model.text.integers import format_place, integer_parser, natural_parser, parse_place, unsigned_parser
from model.text.jsonpaths.jsonpath_output import parse_jsonpath
from model.text.lists import list_formatter, list_parser, map_formatter, map_parser
from model.text.modifiers import apply_modifier
from model.text.ranges import multirange_formatter, multirange_parser, range_formatter, range_parser
from model.text.records import composite_parser, parse_record, record_formatter
from model.text.times.date_output import date_formatter, format_time, timestamp_formatter, timestamptz_formatter
from model.text.times.dates_and_times import date_parser, time_parser, timestamp_parser, timestamptz_parser
from model.text.times.interval_input import interval_parser
from model.text.times.interval_output import interval_formatter
from model.text.times.timetz import format_timetz, timetz_parser
from model.types.datum import Datum
from model.types.range_types import MULTIRANGE_NAMES, RANGE_NAMES, subtype_of
from model.types.scalar_type import REGISTERED, ScalarType, TypeName, length_limit, shown_scale, type_text

Parser = Callable[[str], Datum]
Formatter = Callable[[Any], str]

_OPERATORS = frozenset((TypeName.REGOPER, TypeName.REGOPERATOR))
_VECTORS = frozenset((TypeName.INT2VECTOR, TypeName.OIDVECTOR))
_BRACED = frozenset((TypeName.ARRAY, TypeName.LIST, TypeName.MAP))
_PARSERS: dict[TypeName, Parser] = {
    TypeName.BOOL: booleans.parse_bool,
    TypeName.INT2: integer_parser("smallint", 16, INVALID_INT2),
    TypeName.INT4: integer_parser("integer", 32, INVALID_INT4),
    TypeName.INT8: integer_parser("bigint", 64, INVALID_INT8),
    TypeName.UINT2: natural_parser("uint2", 16),
    TypeName.UINT4: natural_parser("uint4", 32),
    TypeName.UINT8: natural_parser("uint8", 64),
    TypeName.OID: unsigned_parser("oid", 32),
    TypeName.XID: unsigned_parser("xid", 32),
    TypeName.TID: parse_place,
    TypeName.MZ_TIMESTAMP: natural_parser("mz_timestamp", 64),
    TypeName.FLOAT4: floats.parse_float4,
    TypeName.FLOAT8: floats.parse_float8,
    TypeName.NUMERIC: numerics.parse_numeric,
    TypeName.MONEY: money.parse_money,
    TypeName.VECTOR: parse_embedding,
    TypeName.POINT: shapes.parse_point,
    TypeName.BOX: shapes.parse_box,
    TypeName.LSEG: shapes.parse_segment,
    TypeName.CIRCLE: shapes.parse_circle,
    TypeName.WIDE: numerics.parse_numeric,
    TypeName.TEXT: strings.parse_text,
    TypeName.VARCHAR: strings.parse_text,
    TypeName.UNKNOWN: strings.parse_text,
    TypeName.BPCHAR: strings.parse_text,
    TypeName.NAME: strings.parse_name,
    TypeName.CHAR: strings.parse_char,
    TypeName.BYTEA: bytea.parse_bytea,
    TypeName.BIT: bits.parse_bits,
    TypeName.VARBIT: bits.parse_bits,
    TypeName.UUID: uuids.parse_uuid,
    TypeName.INET: networks.parse_inet,
    TypeName.CIDR: networks.parse_cidr,
    TypeName.MACADDR: mac_addresses.parse_macaddr,
    TypeName.MACADDR8: mac_addresses.parse_macaddr8,
    TypeName.JSON: json_text.parse_json,
    TypeName.JSONB: json_text.parse_jsonb,
    TypeName.JSONPATH: parse_jsonpath,
    TypeName.TSVECTOR: parse_vector,
    TypeName.TSQUERY: parse_query,
    TypeName.REGCONFIG: parse_configuration,
    TypeName.RECORD: parse_record,
    TypeName.VOID: lambda text: "",
}
_CONTEXT_PARSERS: dict[TypeName, Callable[[TextContext], Parser]] = {
    TypeName.DATE: date_parser,
    TypeName.TIME: time_parser,
    TypeName.TIMETZ: timetz_parser,
    TypeName.TIMESTAMP: timestamp_parser,
    TypeName.TIMESTAMPTZ: timestamptz_parser,
    TypeName.INTERVAL: lambda context: interval_parser(context.interval_style == "sql_standard"),
}
_FORMATTERS: dict[TypeName, Formatter] = {
    TypeName.BOOL: booleans.format_bool,
    TypeName.CHAR: strings.format_char,
    TypeName.TIME: format_time,
    TypeName.TIMETZ: format_timetz,
    TypeName.MONEY: money.format_money,
    TypeName.VECTOR: format_embedding,
    TypeName.UUID: str,
    TypeName.INET: networks.format_inet,
    TypeName.CIDR: networks.format_cidr,
    TypeName.MACADDR: mac_addresses.format_mac_address,
    TypeName.TID: format_place,
    TypeName.MACADDR8: mac_addresses.format_mac_address,
    TypeName.TSVECTOR: format_vector,
    TypeName.TSQUERY: format_query,
    TypeName.REGCONFIG: format_configuration,
    TypeName.VOID: lambda value: "",
    **dict.fromkeys((TypeName.UINT2, TypeName.UINT4, TypeName.UINT8), str),
    **dict.fromkeys(
        (TypeName.INT2, TypeName.INT4, TypeName.INT8, TypeName.OID, TypeName.XID, TypeName.MZ_TIMESTAMP), str
    ),
    **dict.fromkeys(
        (
            TypeName.TEXT,
            TypeName.VARCHAR,
            TypeName.UNKNOWN,
            TypeName.NAME,
            TypeName.JSON,
            TypeName.JSONB,
            TypeName.JSONPATH,
            TypeName.BIT,
            TypeName.VARBIT,
            TypeName.PG_NODE_TREE,
            TypeName.ACLITEM,
        ),
        str,
    ),
}
_CONTEXT_FORMATTERS: dict[TypeName, Callable[[TextContext], Formatter]] = {
    TypeName.FLOAT4: lambda context: floats.float_formatter(True, context.extra_float_digits),
    TypeName.FLOAT8: lambda context: floats.float_formatter(False, context.extra_float_digits),
    TypeName.POINT: lambda context: shapes.point_formatter(context.extra_float_digits),
    TypeName.BOX: lambda context: shapes.box_formatter(context.extra_float_digits),
    TypeName.LSEG: lambda context: shapes.segment_formatter(context.extra_float_digits),
    TypeName.CIRCLE: lambda context: shapes.circle_formatter(context.extra_float_digits),
    TypeName.BYTEA: lambda context: (
        bytea.format_bytea_escape if context.bytea_output == "escape" else bytea.format_bytea_hex
    ),
    TypeName.DATE: date_formatter,
    TypeName.TIMESTAMP: timestamp_formatter,
    TypeName.TIMESTAMPTZ: timestamptz_formatter,
    TypeName.INTERVAL: lambda context: interval_formatter(context.interval_style),
}


def parse_datum(text: str, type_: ScalarType, *, context: TextContext = DEFAULT_CONTEXT) -> Datum:
    """Parses a value as PostgreSQL's input function of `type_`, without its modifier; raises SqlError of class 22,
    0A000 for a value that can't be held."""
    return parser(type_, context)(text)


def format_datum(datum: Datum, type_: ScalarType, context: TextContext = DEFAULT_CONTEXT) -> str:
    """Writes a datum as the output function of `type_` does; `datum` is not NULL, which has no text."""
    return formatter(type_, context)(datum)


def parser(type_: ScalarType, context: TextContext = DEFAULT_CONTEXT) -> Parser:
    """Returns the input function of `type_`, for many texts."""
    return _parser(type_, context) if context.objects is not None else _kept_parser(type_, context)


def _refused_aclitem(_text: str) -> Datum:
    """Refuses a value; an empty array of them has none."""
    raise NotSupported("input of a value of type aclitem")


def _parser(type_: ScalarType, context: TextContext) -> Parser:
    name = type_.name
    if name is TypeName.ARRAY:
        assert type_.element is not None
        return array_parser(parser(type_.element, context), array_sign(type_.element))
    if type_.member is not None:
        make = list_parser if name is TypeName.LIST else map_parser
        return make(_modified_parser(type_.member, context), type_.member.name in _BRACED)
    if type_.enum is not None:
        return enum_parser(type_.enum)
    if type_.composite is not None:
        return composite_parser([_modified_parser(field, context) for _, field in type_.fields])
    if name in _PARSERS:
        return _PARSERS[name]
    if name in _CONTEXT_PARSERS:
        return _CONTEXT_PARSERS[name](context)
    if name in RANGE_NAMES:
        return range_parser(type_, parser(subtype_of(type_), context))
    if name in MULTIRANGE_NAMES:
        return multirange_parser(type_, range_parser(type_, parser(subtype_of(type_), context)))
    if name in REGISTERED:
        return _registered_parser(name, context.objects)
    if name in _VECTORS:
        return _vector_parser(TypeName.INT2 if name is TypeName.INT2VECTOR else TypeName.OID)
    if name is TypeName.ACLITEM:
        return _refused_aclitem
    raise NotSupported(f"input of a value of type {type_text(type_)}")


def _modified_parser(type_: ScalarType, context: TextContext) -> Parser:
    """Returns a parser that applies the modifier, for fields and members, which nobody modifies later."""
    parse = parser(type_.plain(), context)
    if type_.plain() == type_:
        return parse
    return lambda text: apply_modifier(parse(text), type_, explicit=False)


def formatter(type_: ScalarType, context: TextContext = DEFAULT_CONTEXT) -> Formatter:
    """Returns the output function of `type_`, for many datums."""
    return _formatter(type_, context) if context.objects is not None else _kept_formatter(type_, context)


def _formatter(type_: ScalarType, context: TextContext) -> Formatter:
    name = type_.name
    match name:
        case TypeName.ARRAY:
            assert type_.element is not None
            return array_formatter(formatter(type_.element, context), sign=array_sign(type_.element))
        case TypeName.LIST | TypeName.MAP:
            assert type_.member is not None
            braced, member = type_.member.name in _BRACED, formatter(type_.member, context)
            return list_formatter(member, braced) if name is TypeName.LIST else map_formatter(member, braced)
        case TypeName.ENUM:
            assert type_.enum is not None, "enums are written by their labels"
            return enum_formatter(type_.enum)
        case TypeName.RECORD:
            return record_formatter([formatter(field, context) for _, field in type_.fields])
        case TypeName.NUMERIC | TypeName.WIDE:
            return numerics.numeric_formatter(shown_scale(type_))
        case TypeName.BPCHAR:
            return strings.bpchar_formatter(length_limit(type_))
        case _ if name in RANGE_NAMES:
            return range_formatter(formatter(subtype_of(type_), context))
        case _ if name in MULTIRANGE_NAMES:
            return multirange_formatter(range_formatter(formatter(subtype_of(type_), context)))
        case _ if name in _FORMATTERS:
            return _FORMATTERS[name]
        case _ if name in _CONTEXT_FORMATTERS:
            return _CONTEXT_FORMATTERS[name](context)
        case _ if name in REGISTERED:
            return _registered_formatter(name, context.objects)
        case _ if name in _VECTORS:
            return lambda value: " ".join(map(str, value))
        case _:
            raise NotSupported(f"output of a value of type {type_text(type_)}")


# Names are looked up in one version of the catalog, or in a session, which would be kept with what reads them.
_kept_parser = lru_cache(maxsize=4096)(_parser)
_kept_formatter = lru_cache(maxsize=4096)(_formatter)


def _vector_parser(element: TypeName) -> Parser:
    parse = _PARSERS[element]
    return lambda text: tuple(parse(item) for item in text.split())


def _registered_parser(kind: TypeName, objects: ObjectNames | None) -> Parser:
    def parse(text: str) -> Datum:
        if text == "-" and kind not in _OPERATORS:
            return 0
        if text.isascii() and text.isdigit():
            return _PARSERS[TypeName.OID](text)
        if objects is not None:
            return objects.oid(kind, text)
        what = kind.value.removeprefix("reg")
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'{what} "{text}" does not exist')

    return parse


def _registered_formatter(kind: TypeName, objects: ObjectNames | None) -> Formatter:
    def write(value: int) -> str:
        if value == 0:
            return "0" if kind in _OPERATORS else "-"
        name = objects.name(kind, value) if objects is not None else None
        return str(value) if name is None else name

    return write
