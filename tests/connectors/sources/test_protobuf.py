"""Protobuf records to rows: any schema, any message, as Protobuf's own JSON has it; bytes that are none."""

from __future__ import annotations

import base64
import datetime
import json
import math
import random
from typing import Any

import pyarrow as pa
import pytest
from google.protobuf import timestamp_pb2
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    OneofDescriptorProto,
)
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from connectors.kafka.source.records import RECORDS_SCHEMA
from connectors.sources.decode.rows import decoded_rows
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.protobuf_schema import load_protobuf
from model.external.record_schemas import described_fields
from model.external.records import RecordEncoding, SchemaFields, SchemaLanguage, encoded_columns
from model.physical.columns import rows_from_arrow
from model.types.datum import Datum, Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT, ScalarType, TypeName

_AT = datetime.datetime(2026, 11, 23, tzinfo=datetime.UTC)
_SEEDS = 60
_F = FieldDescriptorProto
_KEYS = (_F.TYPE_STRING, _F.TYPE_INT32, _F.TYPE_BOOL, _F.TYPE_FIXED64)
_SCALARS = tuple(kind for kind in _F.Type.values() if kind not in (_F.TYPE_GROUP, _F.TYPE_MESSAGE, _F.TYPE_ENUM))


def protobuf(*files: FileDescriptorProto, message: str | None = None, **options: Any) -> SchemaFields:
    schema = FileDescriptorSet(file=files).SerializeToString().hex()
    return described_fields(SchemaLanguage.PROTOBUF, schema, "data", message=message, **options)


def decoded(fields: SchemaFields, *values: bytes | None) -> list[Row]:
    rows: list[dict[str, Any]] = [
        {"partition": 0, "offset": at, "timestamp": _AT, "key": None, "value": value, "headers": []}
        for at, value in enumerate(values)
    ]
    encoding = RecordEncoding(None, fields, ())
    desc = RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))
    records = pa.Table.from_pylist(rows, schema=RECORDS_SCHEMA)
    return rows_from_arrow(decoded_rows(records, encoding, desc, {}), desc)


class _Schemas:
    """Files that a seed decides."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def file(self) -> FileDescriptorProto:
        syntax = self.chance.choice(("proto2", "proto3"))
        file = FileDescriptorProto(name="a.proto", package="p.q", syntax=syntax)
        first = 0 if syntax == "proto3" else self.chance.choice((0, 3))
        numbers = range(first, first + 3)
        values = [{"name": f"E{number}", "number": number} for number in numbers]
        file.enum_type.append(EnumDescriptorProto(name="E", value=values))
        for number in range(3):
            file.message_type.append(self.message(f"M{number}", number, syntax))
        return file

    def message(self, name: str, inner: int, syntax: str) -> DescriptorProto:
        """`inner` messages come before it."""
        message = DescriptorProto(name=name)
        for number in range(1, self.chance.randrange(2, 7)):
            field = message.field.add(name=f"f{number}", number=number * 3, label=_F.LABEL_OPTIONAL)
            self._typed(field, inner)
            match self.chance.randrange(6):
                case 0:
                    field.label = _F.LABEL_REPEATED
                case 1:
                    self._map(message, field, inner)
                case 2 if syntax == "proto3":
                    field.MergeFrom(_F(proto3_optional=True, oneof_index=len(message.oneof_decl)))
                    message.oneof_decl.append(OneofDescriptorProto(name=f"_{field.name}"))
        if self.chance.random() < 0.4 and not message.oneof_decl:
            message.oneof_decl.append(OneofDescriptorProto(name="o"))
            for number in (1, 2):
                field = message.field.add(name=f"o{number}", number=100 + number, label=_F.LABEL_OPTIONAL)
                self._typed(field, inner)
                field.MergeFrom(_F(oneof_index=0))
        return message

    def _typed(self, field: FieldDescriptorProto, inner: int, *, enums: bool = True) -> None:
        match self.chance.randrange(5):
            case 0 if inner:
                field.type, field.type_name = _F.TYPE_MESSAGE, f".p.q.M{self.chance.randrange(inner)}"
            case 1 if enums:
                field.type, field.type_name = _F.TYPE_ENUM, ".p.q.E"
            case _:
                field.type = self.chance.choice(_SCALARS)

    def _map(self, message: DescriptorProto, field: FieldDescriptorProto, inner: int) -> None:
        entry = message.nested_type.add(name=f"{field.name.title()}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, label=_F.LABEL_OPTIONAL, type=self.chance.choice(_KEYS))
        self._typed(entry.field.add(name="value", number=2, label=_F.LABEL_OPTIONAL), inner, enums=False)
        field.label, field.type = _F.LABEL_REPEATED, _F.TYPE_MESSAGE
        field.type_name = f".p.q.{message.name}.{entry.name}"

    def fill(self, message: Any) -> None:
        for field in message.DESCRIPTOR.fields:
            if self.chance.random() < 0.3:
                continue
            held = getattr(message, field.name)
            if field.message_type is not None and field.message_type.GetOptions().map_entry:
                key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
                for _ in range(self.chance.randrange(3)):
                    if value.message_type is None:
                        held[self.value(key)] = self.value(value)
                    else:
                        self.fill(held[self.value(key)])
            elif field.is_repeated:
                for _ in range(self.chance.randrange(3)):
                    if field.message_type is None:
                        held.append(self.value(field))
                    else:
                        self.fill(held.add())
            elif field.message_type is not None:
                held.SetInParent()
                self.fill(held)
            else:
                setattr(message, field.name, self.value(field))

    def value(self, field: Any) -> Any:
        chance = self.chance
        match field.cpp_type:
            case field.CPPTYPE_BOOL:
                return chance.random() < 0.5
            case field.CPPTYPE_ENUM:
                return chance.choice(field.enum_type.values).number
            case field.CPPTYPE_STRING if field.type == field.TYPE_BYTES:
                return chance.randbytes(chance.randrange(4))
            case field.CPPTYPE_STRING:
                return "".join(chance.choice("aé\n😀") for _ in range(chance.randrange(4)))
            case field.CPPTYPE_FLOAT | field.CPPTYPE_DOUBLE:
                return chance.choice((0.0, -0.0, 1.5, math.inf, math.nan, -2.25))
            case field.CPPTYPE_INT32:
                return chance.choice((0, 1, -1, 2**31 - 1, -(2**31)))
            case field.CPPTYPE_INT64:
                return chance.choice((0, 1, -1, 2**63 - 1, -(2**63)))
            case field.CPPTYPE_UINT32:
                return chance.choice((0, 1, 2**32 - 1))
            case _:
                return chance.choice((0, 1, 2**64 - 1))


def _as_json(datum: Datum, type_: ScalarType) -> Any:
    """A datum as Protobuf's JSON writes it. What is absent from a message is left out there."""
    match type_.name:
        case _ if datum is None:
            return None
        case TypeName.RECORD:
            assert isinstance(datum, tuple)
            named = zip(type_.fields, datum, strict=True)
            return {name: _as_json(each, of) for (name, of), each in named if each is not None}
        case TypeName.LIST:
            assert isinstance(datum, tuple) and type_.member is not None
            return [_as_json(each, type_.member) for each in datum]
        case TypeName.MAP:
            assert isinstance(datum, tuple) and type_.member is not None
            pairs: list[Any] = list(datum)
            return {key: _as_json(value, type_.member) for key, value in pairs}
        case TypeName.INT8 | TypeName.UINT8:
            return str(datum)
        case TypeName.BYTEA:
            assert isinstance(datum, bytes)
            return base64.b64encode(datum).decode()
        case TypeName.FLOAT4 | TypeName.FLOAT8:
            assert isinstance(datum, float)
            return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(datum, "NaN" if math.isnan(datum) else datum)
        case _:
            return datum


def _own_json(message: Message) -> Any:
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


@pytest.mark.parametrize("seed", range(_SEEDS))
def test_any_message_is_as_protobufs_own_json_has_it(seed: int) -> None:
    schemas = _Schemas(random.Random(seed))
    fields = protobuf(schemas.file(), message="M2")
    make = GetMessageClass(load_protobuf(fields.schema, "M2"))
    messages = [make() for _ in range(5)]
    for message in messages:
        schemas.fill(message)
    record = ScalarType(TypeName.RECORD, fields=tuple((each.name, each.type) for each in fields.columns))
    rows = decoded(fields, *(message.SerializeToString() for message in messages))
    assert [row[-1] for row in rows] == [None] * 5
    assert [_as_json(row[:-1], record) for row in rows] == [_own_json(message) for message in messages]


@pytest.mark.parametrize("seed", range(_SEEDS))
def test_what_is_no_message_is_an_error_of_its_record_alone(seed: int) -> None:
    chance = random.Random(seed)
    fields = protobuf(_Schemas(chance).file(), message="p.q.M1")
    hostile = [chance.randbytes(chance.randrange(1, 60)) for _ in range(20)]
    rows = decoded(fields, b"", *hostile, b"\xff" * 50)
    assert rows[0][-1] is None
    assert "malformed Protobuf" in str(rows[-1][-1])
    for row in rows:
        assert row[-1] is None or set(row[:-1]) == {None}


def _file(*messages: DescriptorProto, **more: Any) -> FileDescriptorProto:
    return FileDescriptorProto(name="a.proto", syntax="proto3", message_type=messages, **more)


def _message(name: str, *fields: tuple[str, int | str]) -> DescriptorProto:
    message = DescriptorProto(name=name)
    for number, (field, type_) in enumerate(fields, 1):
        of = {"type": type_} if isinstance(type_, int) else {"type": _F.TYPE_MESSAGE, "type_name": type_}
        message.field.add(name=field, number=number, label=_F.LABEL_OPTIONAL, **of)
    return message


def test_a_schema_is_a_set_or_a_file_in_hexadecimal_or_base64() -> None:
    file = _file(_message("A", ("n", _F.TYPE_INT32)), _message("B", ("t", _F.TYPE_STRING)))
    of_set, alone = FileDescriptorSet(file=[file]).SerializeToString(), file.SerializeToString()
    for data in (of_set, alone):
        for text in (data.hex(), "\\x" + data.hex(), base64.b64encode(data).decode()):
            fields = described_fields(SchemaLanguage.PROTOBUF, text, "data", message="B")
            assert [column.name for column in fields.columns] == ["t"]
    assert described_fields(SchemaLanguage.PROTOBUF, alone.hex(), "data").columns[0].name == "n"


def test_files_that_are_imported_may_stand_anywhere_and_the_well_known_nowhere() -> None:
    event = _message("Event", ("at", ".google.protobuf.Timestamp"), ("of", ".Other"))
    other = FileDescriptorProto(name="o.proto", syntax="proto3", message_type=[_message("Other", ("n", _F.TYPE_INT64))])
    file = _file(event, dependency=["google/protobuf/timestamp.proto", "o.proto"])
    fields = protobuf(other, file, message="Event")
    assert fields.columns == protobuf(file, other, message="Event").columns
    value = b"\x0a" + bytes([len(at := timestamp_pb2.Timestamp(seconds=7).SerializeToString())]) + at
    assert decoded(fields, value) == [((7, 0), None, None)]


def test_confluents_wire_format_names_the_message_of_the_file() -> None:
    file = _file(_message("A", ("n", _F.TYPE_INT32)), _message("B", ("n", _F.TYPE_INT32)))
    head = b"\0\0\0\0\x05"
    first, second = (protobuf(file, message=name, framed=True) for name in "AB")
    assert decoded(first, head + b"\0\x08\x07", head + b"\x02\0\x08\x08") == [(7, None), (8, None)]
    assert decoded(second, head + b"\x02\x02\x08\x07") == [(7, None)]
    for wrong in (b"", head, head + b"\x02", head + b"\x02\x02\x08\x07", b"\x01" + head, head + b"\xff" * 9):
        assert "err" not in str(decoded(first, wrong)[0][0])
        assert decoded(first, wrong)[0][1] is not None


@pytest.mark.parametrize(
    ("schema", "message", "sqlstate"),
    [
        ("zz", None, Sqlstate.INVALID_PARAMETER_VALUE),
        ("", None, Sqlstate.INVALID_PARAMETER_VALUE),
        ("ff" * 20, None, Sqlstate.INVALID_PARAMETER_VALUE),
        ("a" * ((1 << 20) + 1), None, Sqlstate.PROGRAM_LIMIT_EXCEEDED),
        (_file(_message("A", ("n", _F.TYPE_INT32))), "B", Sqlstate.UNDEFINED_OBJECT),
        (_file(_message("A")), "A", Sqlstate.FEATURE_NOT_SUPPORTED),
        (_file(_message("A", ("a", ".A"))), "A", Sqlstate.FEATURE_NOT_SUPPORTED),
        (_file(_message("A", ("b", ".B")), _message("B", ("a", ".A"))), "A", Sqlstate.FEATURE_NOT_SUPPORTED),
        (_file(_message("A", ("b", ".Absent"))), "A", Sqlstate.INVALID_PARAMETER_VALUE),
        (_file(_message("A", ("n", _F.TYPE_INT32)), dependency=["x.proto"]), "A", Sqlstate.INVALID_PARAMETER_VALUE),
        (
            _file(_message("A", ("n", _F.TYPE_INT32)), _message("B", ("n", _F.TYPE_INT32))),
            None,
            Sqlstate.INVALID_PARAMETER_VALUE,
        ),
        (
            _file(
                *(
                    _message(
                        f"M{at}", *((f"f{each}", f".M{at + 1}" if at < 12 else _F.TYPE_INT32) for each in range(9))
                    )
                    for at in range(13)
                )
            ),
            "M0",
            Sqlstate.INVALID_PARAMETER_VALUE,
        ),
    ],
)
def test_schemas_that_mean_nothing_are_refused_in_words(
    schema: str | FileDescriptorProto, message: str | None, sqlstate: Sqlstate
) -> None:
    text = schema if isinstance(schema, str) else FileDescriptorSet(file=[schema]).SerializeToString().hex()
    with pytest.raises(SqlError) as told:
        described_fields(SchemaLanguage.PROTOBUF, text, "data", message=message)
    assert told.value.sqlstate is sqlstate
    assert json.dumps(told.value.message)
