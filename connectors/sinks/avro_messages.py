"""Documents as Avro: the schema of their rows, and their bytes (source: the Avro specification, 1.12).

    bool                     boolean                       date          int, date
    int2, int4, uint2        int                           time          long, time-micros
    int8, uint4, oid         long                          timestamp(tz) long, timestamp-micros
    uint8                    bytes, decimal(20, 0)         uuid          string, uuid
    float4, float8           float, double                 json, jsonb   string, as Debezium calls it
    numeric(p, s)            bytes, decimal(p, s)          bytea         bytes
    all else                 string: as PostgreSQL writes it

A column that may be NULL is a union with null, which comes first. Before each message stand a zero and the schema's
number in four bytes, as Confluent's clients want it. Names that Avro doesn't know are made of what they have of it.
"""

from __future__ import annotations

import datetime
import decimal
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import fastavro
import pyarrow as pa

from connectors.sinks.message_parts import AFTER, BEFORE
from connectors.sinks.plain_columns import CHANGE_COLUMNS, DATED, text_column, within_calendars
from model.external.sinks import SinkEnvelope
from model.physical.columns import column_from_arrow, column_name, decimal_bounds
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT8, ScalarType, TypeName

_UNKNOWN = re.compile("[^A-Za-z0-9_]")
_DEBEZIUM_JSON = {"type": "string", "connect.name": "io.debezium.data.Json"}
_MICROSECONDS = {"type": "long", "logicalType": "timestamp-micros"}
_PLAIN: Mapping[TypeName, Any] = {
    TypeName.BOOL: "boolean",
    TypeName.INT2: "int",
    TypeName.INT4: "int",
    TypeName.UINT2: "int",
    TypeName.INT8: "long",
    TypeName.UINT4: "long",
    TypeName.OID: "long",
    TypeName.MZ_TIMESTAMP: "long",
    TypeName.UINT8: {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 0},
    TypeName.FLOAT4: "float",
    TypeName.FLOAT8: "double",
    TypeName.DATE: {"type": "int", "logicalType": "date"},
    TypeName.TIME: {"type": "long", "logicalType": "time-micros"},
    TypeName.TIMESTAMP: _MICROSECONDS,
    TypeName.TIMESTAMPTZ: _MICROSECONDS,
    TypeName.UUID: {"type": "string", "logicalType": "uuid"},
    TypeName.JSON: _DEBEZIUM_JSON,
    TypeName.JSONB: _DEBEZIUM_JSON,
    TypeName.BYTEA: "bytes",
}
_CHANGES = tuple(ColumnDesc(name, INT8, nullable=False) for name in CHANGE_COLUMNS)
_MAGIC = b"\0"
_NUMBER_BYTES = 4


@dataclass(frozen=True, slots=True)
class AvroPart:
    """The schema of the keys, or of the values, of messages. `names` are the columns' names in the schema, in the
    columns' order."""

    schema: str
    names: tuple[str, ...]

    @classmethod
    def of_keys(cls, desc: RelationDesc) -> AvroPart:
        """Builds the schema of keys, whose columns are never NULL."""
        types = [_avro_type(column.type) for column in desc.columns]
        return cls(json.dumps(_record(types, _names(desc))), _names(desc))

    @classmethod
    def of_values(cls, desc: RelationDesc, envelope: SinkEnvelope) -> AvroPart:
        row = _record([*map(_field, desc.columns)], _names(desc))
        match envelope:
            case SinkEnvelope.DEBEZIUM:
                fields = [{"name": BEFORE, "type": ["null", row]}, {"name": AFTER, "type": ["null", "row"]}]
                whole = {"type": "record", "name": "envelope", "fields": fields}
            case SinkEnvelope.CHANGES:
                names = (*_names(desc), *CHANGE_COLUMNS)
                whole = _record([*map(_field, (*desc.columns, *_CHANGES))], names)
            case SinkEnvelope.UPSERT:
                whole = row
        return cls(json.dumps(whole), _names(desc))

    def rows(self, documents: pa.Table, desc: RelationDesc) -> Sequence[dict[str, Any]]:
        """Returns the documents as rows that `encoder` takes."""
        columns = [_values(documents.column(column_name(at)), column.type) for at, column in enumerate(desc.columns)]
        return [dict(zip(self.names, row, strict=True)) for row in zip(*columns, strict=True)]

    def encoder(self, number: int) -> Callable[[Any], bytes]:
        """Returns the function that encodes one row, for a schema that is registered as `number`."""
        parsed = fastavro.parse_schema(json.loads(self.schema))
        frame = _MAGIC + number.to_bytes(_NUMBER_BYTES, "big")

        def encode(value: Any) -> bytes:
            data = io.BytesIO()
            data.write(frame)
            fastavro.schemaless_writer(data, parsed, value)
            return data.getvalue()

        return encode


def _names(desc: RelationDesc) -> tuple[str, ...]:
    """Returns the columns' names with the characters that Avro allows, made unique."""
    taken: list[str] = []
    for column in desc.columns:
        name = known = _UNKNOWN.sub("_", column.name)
        if not name or name[0].isdigit():
            name = known = f"_{name}"
        number = 1
        while name in taken:
            number += 1
            name = f"{known}_{number}"
        taken.append(name)
    return tuple(taken)


def _record(types: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
    fields = [{"name": name, "type": type_} for name, type_ in zip(names, types, strict=True)]
    return {"type": "record", "name": "row", "fields": fields}


def _field(column: ColumnDesc) -> Any:
    type_ = _avro_type(column.type)
    return ["null", type_] if column.nullable else type_


def _avro_type(type_: ScalarType) -> Any:
    if type_.name is TypeName.NUMERIC:
        precision, scale = decimal_bounds(type_)
        return {"type": "bytes", "logicalType": "decimal", "precision": precision, "scale": scale}
    return _PLAIN.get(type_.name, "string")


def _values(column: pa.ChunkedArray, type_: ScalarType) -> list[Any]:
    """Returns a column's values as the Python values that fastavro encodes."""
    if type_.name in DATED:
        column = within_calendars(column, "Avro")
    # fastavro would take 24:00:00 for midnight; as a number it is what Debezium writes for it.
    held = INT8 if type_.name is TypeName.TIME else type_
    known = type_.name in _PLAIN or type_.name is TypeName.NUMERIC
    values: list[Any] = column_from_arrow(column, held) if known else text_column(column, type_).to_pylist()
    match type_.name:
        case TypeName.TIMESTAMP:
            return [None if at is None else at.replace(tzinfo=datetime.UTC) for at in values]
        case TypeName.UINT8:
            return [None if value is None else decimal.Decimal(value) for value in values]
        case _:
            return values
