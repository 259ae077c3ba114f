"""The sender and the receiver of a type in a format: datum to bytes, bytes to datum, NULL apart."""

from __future__ import annotations

import struct
from functools import lru_cache

from model.errors.sql_error import NotSupported
from model.text.context import TextContext
from model.text.dispatch import formatter, parser
from model.text.encodings import ClientEncoding
from model.text.modifiers import apply_modifier
from model.types.range_types import MULTIRANGE_NAMES, RANGE_NAMES, range_in, subtype_of
from model.types.scalar_type import INT2, OID, ScalarType, TypeName, length_limit, shown_scale, type_text
from server.pgwire.encoding import numbers, searches, shapes, strings, times
from server.pgwire.encoding.containers import (
    Receiver,
    Sender,
    array_receiver,
    array_sender,
    composite_receiver,
    receive_record,
    record_sender,
)
from server.pgwire.encoding.embeddings import receive_embedding, send_embedding
from server.pgwire.encoding.encoded_ranges import multirange_receiver, multirange_sender, range_receiver, range_sender
from server.pgwire.encoding.lists import list_receiver, map_receiver, map_sender
from server.pgwire.encoding.networks import network_receiver, network_sender, receive_macaddr, receive_macaddr8
from server.pgwire.messages import BINARY_FORMAT

_UNSIGNED = (
    TypeName.OID,
    TypeName.XID,
    TypeName.REGCLASS,
    TypeName.REGTYPE,
    TypeName.REGPROC,
    TypeName.REGPROCEDURE,
    TypeName.REGOPER,
    TypeName.REGOPERATOR,
    TypeName.REGNAMESPACE,
    TypeName.REGROLE,
    TypeName.REGCONFIG,
)
_TEXTS = (TypeName.TEXT, TypeName.VARCHAR, TypeName.NAME, TypeName.UNKNOWN, TypeName.JSON, TypeName.PG_NODE_TREE)
_CONVERTED = frozenset((*_TEXTS, TypeName.BPCHAR, TypeName.ENUM, TypeName.JSONB, TypeName.JSONPATH))
"""Types of single texts in binary format, some with a version before."""
_OF_TEXTS = (TypeName.MAP, TypeName.TSVECTOR, TypeName.TSQUERY)
_SENDERS: dict[TypeName, Sender] = {
    TypeName.BOOL: numbers.send_bool,
    TypeName.INT2: numbers.fixed_sender(">h"),
    TypeName.INT4: numbers.fixed_sender(">i"),
    TypeName.INT8: numbers.fixed_sender(">q"),
    TypeName.MONEY: numbers.fixed_sender(">q"),
    TypeName.UINT2: numbers.fixed_sender(">H"),
    TypeName.UINT4: numbers.fixed_sender(">I"),
    TypeName.UINT8: numbers.fixed_sender(">Q"),
    TypeName.MZ_TIMESTAMP: numbers.fixed_sender(">Q"),
    TypeName.TID: lambda place: place.to_bytes(6, "big"),
    **dict.fromkeys(_UNSIGNED, numbers.fixed_sender(">I")),
    TypeName.FLOAT4: numbers.send_float4,
    TypeName.FLOAT8: struct.Struct(">d").pack,
    **dict.fromkeys(_TEXTS, strings.send_text),
    TypeName.CHAR: strings.send_char,
    TypeName.BYTEA: bytes,
    TypeName.BIT: strings.send_bits,
    TypeName.VARBIT: strings.send_bits,
    TypeName.UUID: strings.send_uuid,
    TypeName.INET: network_sender(cidr=False),
    TypeName.CIDR: network_sender(cidr=True),
    TypeName.MACADDR: bytes,
    TypeName.MACADDR8: bytes,
    TypeName.TSVECTOR: searches.send_vector,
    TypeName.VECTOR: send_embedding,
    **dict.fromkeys((TypeName.POINT, TypeName.BOX, TypeName.LSEG, TypeName.CIRCLE), bytes),
    TypeName.TSQUERY: searches.send_query,
    TypeName.JSONB: strings.send_jsonb,
    TypeName.JSONPATH: strings.send_jsonb,
    TypeName.DATE: times.send_date,
    TypeName.TIME: times.send_time,
    TypeName.TIMETZ: times.send_timetz,
    TypeName.TIMESTAMP: times.send_timestamp,
    TypeName.TIMESTAMPTZ: times.send_timestamptz,
    TypeName.INTERVAL: times.send_interval,
    TypeName.VOID: lambda value: b"",
}
_RECEIVERS: dict[TypeName, Receiver] = {
    TypeName.BOOL: numbers.receive_bool,
    TypeName.INT2: numbers.fixed_receiver(">h"),
    TypeName.INT4: numbers.fixed_receiver(">i"),
    TypeName.INT8: numbers.fixed_receiver(">q"),
    TypeName.MONEY: numbers.fixed_receiver(">q"),
    TypeName.UINT2: numbers.fixed_receiver(">H"),
    TypeName.UINT4: numbers.fixed_receiver(">I"),
    TypeName.UINT8: numbers.fixed_receiver(">Q"),
    TypeName.MZ_TIMESTAMP: numbers.fixed_receiver(">Q"),
    TypeName.TID: numbers.receive_place,
    **dict.fromkeys(_UNSIGNED, numbers.fixed_receiver(">I")),
    TypeName.FLOAT4: numbers.receive_float(">f"),
    TypeName.FLOAT8: numbers.receive_float(">d"),
    TypeName.NUMERIC: numbers.receive_numeric,
    TypeName.WIDE: numbers.receive_numeric,
    TypeName.TEXT: strings.receive_text,
    TypeName.VARCHAR: strings.receive_text,
    TypeName.UNKNOWN: strings.receive_text,
    TypeName.BPCHAR: strings.receive_text,
    TypeName.NAME: strings.receive_name,
    TypeName.CHAR: strings.receive_char,
    TypeName.BYTEA: bytes,
    TypeName.BIT: strings.receive_bits,
    TypeName.VARBIT: strings.receive_bits,
    TypeName.UUID: strings.receive_uuid,
    TypeName.INET: network_receiver(cidr=False),
    TypeName.CIDR: network_receiver(cidr=True),
    TypeName.MACADDR: receive_macaddr,
    TypeName.MACADDR8: receive_macaddr8,
    TypeName.JSON: strings.receive_json,
    TypeName.TSVECTOR: searches.receive_vector,
    TypeName.VECTOR: receive_embedding,
    TypeName.POINT: shapes.shape_receiver(16),
    TypeName.BOX: shapes.receive_box,
    TypeName.LSEG: shapes.shape_receiver(32),
    TypeName.CIRCLE: shapes.receive_circle,
    TypeName.TSQUERY: searches.receive_query,
    TypeName.JSONB: strings.receive_jsonb,
    TypeName.JSONPATH: strings.receive_jsonpath,
    TypeName.DATE: times.receive_date,
    TypeName.TIME: times.receive_time,
    TypeName.TIMETZ: times.receive_timetz,
    TypeName.TIMESTAMP: times.receive_timestamp,
    TypeName.TIMESTAMPTZ: times.receive_timestamptz,
    TypeName.INTERVAL: times.receive_interval,
    TypeName.RECORD: receive_record,
    TypeName.VOID: lambda data: "",
}
_VECTORS = {TypeName.INT2VECTOR: INT2, TypeName.OIDVECTOR: OID}


@lru_cache(maxsize=4096)
def sender(type_: ScalarType, format_: int, context: TextContext) -> Sender:
    """Returns the function that encodes a value."""
    if format_ == BINARY_FORMAT:
        send = _binary_sender(type_)
        if context.encoding is None or not _is_converted(type_, context.encoding):
            return send
    else:
        send = _text_sender(type_, context)
    encoding = context.encoding
    return send if encoding is None else lambda value: encoding.from_utf8(send(value))


def _text_sender(type_: ScalarType, context: TextContext) -> Sender:
    write = formatter(type_, context)
    if write is str:
        return lambda value: str(value).encode()
    return lambda value: write(value).encode()


def _is_converted(type_: ScalarType, encoding: ClientEncoding) -> bool:
    """Tells whether a value in binary format is a text in the client's encoding. Raises SqlError 0A000 for what has
    texts within."""
    if type_.name in _CONVERTED:
        return True
    within = [each for each in (type_.element, type_.member) if each is not None]
    within += [field for _, field in type_.fields] if type_.name is TypeName.RECORD else []
    if any(_is_converted(each, encoding) for each in within) or type_.name in _OF_TEXTS:
        raise NotSupported(f"the binary format of type {type_text(type_)} in the encoding {encoding.name}")
    return False


def _binary_sender(type_: ScalarType) -> Sender:
    match type_.name:
        case TypeName.ARRAY:
            assert type_.element is not None
            return array_sender(type_.element, _binary_sender(type_.element))
        case TypeName.LIST:
            assert type_.member is not None
            return array_sender(type_.member, _binary_sender(type_.member))
        case TypeName.MAP:
            assert type_.member is not None
            return map_sender(_binary_sender(type_.member))
        case TypeName.RECORD:
            types = [field for _, field in type_.fields]
            return record_sender(types, [_binary_sender(field) for field in types])
        case TypeName.NUMERIC | TypeName.WIDE:
            return numbers.send_numeric(shown_scale(type_))
        case TypeName.BPCHAR:
            return strings.bpchar_sender(length_limit(type_))
        case TypeName.ENUM:
            write = formatter(type_)
            return lambda value: write(value).encode()
        case _ if type_.name in RANGE_NAMES:
            return range_sender(_binary_sender(subtype_of(type_)))
        case _ if type_.name in MULTIRANGE_NAMES:
            return multirange_sender(_binary_sender(range_in(type_)))
        case _ if type_.name in _SENDERS:
            return _SENDERS[type_.name]
        case _ if type_.name in _VECTORS:
            element = _VECTORS[type_.name]
            return array_sender(element, _SENDERS[element.name], lower_bound=0)
        case _:
            raise NotSupported(f"binary output of a value of type {type_text(type_)}")


@lru_cache(maxsize=4096)
def receiver(type_: ScalarType, format_: int, context: TextContext) -> Receiver:
    """Returns the function that decodes a value; it raises SqlError for wrong bytes. Modifiers are not applied."""
    encoding = context.encoding
    if format_ == BINARY_FORMAT:
        receive = _binary_receiver(type_)
        if encoding is None or not _is_converted(type_, encoding):
            return receive
        return lambda data: receive(encoding.decode(data).encode())
    parse = parser(type_, context)
    if encoding is not None:
        return lambda data: parse(encoding.decode(data))
    return lambda data: parse(strings.receive_text(data))


def _binary_receiver(type_: ScalarType) -> Receiver:
    if type_.name is TypeName.ARRAY:
        assert type_.element is not None
        return array_receiver(type_.element, _binary_receiver(type_.element))
    if type_.member is not None:
        receive = _modified_receiver(type_.member)
        return map_receiver(receive) if type_.name is TypeName.MAP else list_receiver(type_.member, receive)
    if type_.name is TypeName.ENUM:
        parse = parser(type_)
        return lambda data: parse(strings.receive_text(data))
    if type_.composite is not None:
        fields = [field for _, field in type_.fields]
        return composite_receiver(fields, [_modified_receiver(field) for field in fields])
    if type_.name in RANGE_NAMES:
        return range_receiver(type_, _binary_receiver(subtype_of(type_)))
    if type_.name in MULTIRANGE_NAMES:
        range_ = range_in(type_)
        return multirange_receiver(type_, range_receiver(range_, _binary_receiver(subtype_of(range_))))
    if type_.name in _RECEIVERS:
        return _RECEIVERS[type_.name]
    if type_.name in _VECTORS:
        element = _VECTORS[type_.name]
        return array_receiver(element, _RECEIVERS[element.name], lower_bound=0)
    raise NotSupported(f"binary input of a value of type {type_text(type_)}")


def _modified_receiver(type_: ScalarType) -> Receiver:
    """Returns a receiver that applies the modifier, for fields and members, which nobody modifies later."""
    receive = _binary_receiver(type_.plain())
    if type_.plain() == type_:
        return receive
    return lambda data: apply_modifier(receive(data), type_, explicit=False)
