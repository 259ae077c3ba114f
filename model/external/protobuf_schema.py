"""Protocol Buffers schemas: what their messages are as rows (source: the language specification, proto2 and proto3).

    bool                         boolean         string, enum         text: an enum's by its name
    int32, sint32, sfixed32      int4            bytes                bytea
    int64, sint64, sfixed64      int8            message              record
    uint32, fixed32              uint4           repeated             list
    uint64, fixed64              uint8           map<k, v>            map[text=>…]
    float, double                float4, float8

A schema is a FileDescriptorSet, as `protoc --include_imports --descriptor_set_out` writes it, or a FileDescriptorProto,
in hexadecimal (with \\x before it or not) or base64. What has presence (messages, `optional`, members of a oneof) is
NULL where it is absent; what has none is its default then. Messages that hold themselves have no columns. Everything is
bounded: a schema comes from elsewhere.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from google.protobuf import any_pb2, duration_pb2, empty_pb2, field_mask_pb2, struct_pb2, timestamp_pb2, wrappers_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.avro_schema import COLUMNS_MAX, SCHEMA_LENGTH_MAX
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import (
    BOOL,
    BYTEA,
    FLOAT4,
    FLOAT8,
    INT4,
    INT8,
    TEXT,
    UINT4,
    UINT8,
    ScalarType,
    TypeName,
    list_of,
    map_of,
)

_KEPT = 256
_TYPES_MAX = 10_000
_DEPTH_MAX = 50
_WELL_KNOWN: Mapping[str, FileDescriptor] = {
    each.DESCRIPTOR.name: each.DESCRIPTOR
    for each in (any_pb2, duration_pb2, empty_pb2, field_mask_pb2, struct_pb2, timestamp_pb2, wrappers_pb2)
}
_SCALARS: Mapping[int, ScalarType] = {
    FieldDescriptor.TYPE_BOOL: BOOL,
    FieldDescriptor.TYPE_INT32: INT4,
    FieldDescriptor.TYPE_SINT32: INT4,
    FieldDescriptor.TYPE_SFIXED32: INT4,
    FieldDescriptor.TYPE_INT64: INT8,
    FieldDescriptor.TYPE_SINT64: INT8,
    FieldDescriptor.TYPE_SFIXED64: INT8,
    FieldDescriptor.TYPE_UINT32: UINT4,
    FieldDescriptor.TYPE_FIXED32: UINT4,
    FieldDescriptor.TYPE_UINT64: UINT8,
    FieldDescriptor.TYPE_FIXED64: UINT8,
    FieldDescriptor.TYPE_FLOAT: FLOAT4,
    FieldDescriptor.TYPE_DOUBLE: FLOAT8,
    FieldDescriptor.TYPE_STRING: TEXT,
    FieldDescriptor.TYPE_ENUM: TEXT,
    FieldDescriptor.TYPE_BYTES: BYTEA,
}


@lru_cache(_KEPT)
def load_protobuf(schema: str, message: str | None) -> Descriptor:
    """Returns the message type with a name, which may lack its package where that is unambiguous; without a name,
    the only type of the last file, or the first type of a single file. Raises SqlError where there is none."""
    files, alone = _files(schema)
    pool = DescriptorPool()
    waiting = {file.name: file for file in files}
    try:
        for file in files:
            _add(file, pool, waiting, 0)
        own = [pool.FindFileByName(file.name) for file in files]
    except (TypeError, KeyError, ValueError) as error:
        raise _malformed(f"{type(error).__name__}: {error}"[:500]) from None
    if message is not None:
        return _named(own, message)
    messages = list(own[-1].message_types_by_name.values())
    if not messages or (len(messages) > 1 and not alone):
        names = sorted(each.full_name for file in own for each in file.message_types_by_name.values())
        hint = f"Say MESSAGE: one of {', '.join(names[:10])}." if names else None
        message = "a Protobuf schema of several messages, or none, must be told which one records are"
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message, hint=hint)
    return messages[0]


def protobuf_columns(message: Descriptor) -> tuple[ColumnDesc, ...]:
    """Returns a column each field. Raises SqlError for a message without any, or of what no column can be."""
    if not message.fields:
        raise _unsupported(f"the message {message.full_name}, which has no fields,")
    if len(message.fields) > COLUMNS_MAX:
        raise SqlError(Sqlstate.TOO_MANY_COLUMNS, f"a source has at most {COLUMNS_MAX} columns")
    types = _Types()
    return tuple(ColumnDesc(field.name, types.of(field, (message.full_name,))) for field in message.fields)


def is_map(field: FieldDescriptor) -> bool:
    """Tells whether a field is a map<k, v>, which is encoded as a list of entries."""
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def place_in_file(message: Descriptor) -> tuple[int, ...]:
    """Returns the place of a message type in its file, as the indexes of Confluent's wire format."""
    outer = message.containing_type
    beside = message.file.message_types_by_name.values() if outer is None else outer.nested_types
    at = [each.full_name for each in beside].index(message.full_name)
    return (at,) if outer is None else (*place_in_file(outer), at)


class _Types:
    """Builds types, and limits their total size."""

    def __init__(self) -> None:
        self._count = 0

    def of(self, field: FieldDescriptor, within: tuple[str, ...]) -> ScalarType:
        if is_map(field):
            return map_of(self._one(field.message_type.fields_by_name["value"], within))
        one = self._one(field, within)
        return list_of(one) if field.is_repeated else one

    def _one(self, field: FieldDescriptor, within: tuple[str, ...]) -> ScalarType:
        self._count += 1
        if self._count > _TYPES_MAX:
            raise _malformed(f"it is made of more than {_TYPES_MAX} types")
        message = field.message_type
        if message is None:
            scalar: ScalarType = _SCALARS[field.type]
            return scalar
        if message.full_name in within:
            raise _unsupported(f"the message {message.full_name}, which holds itself,")
        if len(within) >= _DEPTH_MAX:
            raise _malformed(f"it is more than {_DEPTH_MAX} messages deep")
        inside = (*within, message.full_name)
        fields = tuple((each.name, self.of(each, inside)) for each in message.fields)
        return ScalarType(TypeName.RECORD, fields=fields)


def _files(schema: str) -> tuple[list[FileDescriptorProto], bool]:
    """Returns the files of a schema, and whether it is a single file, not a set."""
    if len(schema) > SCHEMA_LENGTH_MAX:
        message = f"a schema has at most {SCHEMA_LENGTH_MAX} characters"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    data = _bytes(schema)
    for read in (_of_set, _of_file):
        files = read(data)
        if files:
            return files, read is _of_file
    raise _malformed("it is no FileDescriptorSet")


def _bytes(schema: str) -> bytes:
    text = "".join(schema.split())
    readings: tuple[Callable[[str], bytes], ...] = (
        lambda text: bytes.fromhex(text.removeprefix("\\x")),
        lambda text: base64.b64decode(text, validate=True),
    )
    for read in readings:
        try:
            return read(text)
        except (ValueError, binascii.Error):
            continue
    hint = "protoc --include_imports --descriptor_set_out=FILE writes it."
    message = "a Protobuf schema is a FileDescriptorSet in hexadecimal or base64"
    raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message, hint=hint)


def _of_set(data: bytes) -> list[FileDescriptorProto]:
    try:
        files = list(FileDescriptorSet.FromString(data).file)
    except DecodeError:
        return []
    return files if all(file.name for file in files) else []


def _of_file(data: bytes) -> list[FileDescriptorProto]:
    try:
        file = FileDescriptorProto.FromString(data)
    except DecodeError:
        return []
    file.name = file.name or "schema.proto"
    return [file] if file.message_type else []


def _add(file: FileDescriptorProto, pool: DescriptorPool, waiting: dict[str, FileDescriptorProto], depth: int) -> None:
    """Adds a file to the pool, after the files that it imports."""
    if waiting.pop(file.name, None) is None:
        return
    if depth > _DEPTH_MAX:
        raise _malformed(f"files import each other more than {_DEPTH_MAX} deep")
    for name in file.dependency:
        if name in waiting:
            _add(waiting[name], pool, waiting, depth + 1)
        elif name in _WELL_KNOWN and not _has(pool, name):
            _add_well_known(_WELL_KNOWN[name], pool)
    pool.AddSerializedFile(file.SerializeToString())


def _add_well_known(file: FileDescriptor, pool: DescriptorPool) -> None:
    for each in file.dependencies:
        if not _has(pool, each.name):
            _add_well_known(each, pool)
    pool.AddSerializedFile(file.serialized_pb)


def _has(pool: DescriptorPool, name: str) -> bool:
    try:
        pool.FindFileByName(name)
    except KeyError:
        return False
    return True


def _named(files: Iterable[FileDescriptor], name: str) -> Descriptor:
    found = [each for file in files for each in _all(file.message_types_by_name.values())]
    wanted = name.removeprefix(".")
    exact = [each for each in found if each.full_name == wanted]
    chosen = exact or [each for each in found if each.full_name.endswith(f".{wanted}")]
    if len(chosen) == 1:
        return chosen[0]
    hint = f"There are {', '.join(sorted(each.full_name for each in found)[:10])}." if found else None
    raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'the Protobuf schema has no message "{name}"', hint=hint)


def _all(messages: Iterable[Descriptor]) -> Iterable[Descriptor]:
    for each in messages:
        yield each
        yield from _all(each.nested_types)


def _malformed(why: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"malformed Protobuf schema: {why}")


def _unsupported(what: str) -> SqlError:
    return SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"{what} in a Protobuf schema is not supported")
