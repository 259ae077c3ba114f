"""Converts the defaults in a reader's schema to the values that decoding gives, since JSON has fewer kinds of values
(source: the Avro specification, 1.12, "Complex Types").

The default of a type bytes, fixed or decimal is a text whose code points 0 to 255 are the bytes: "\u00ff" is the byte
255.
"""

from __future__ import annotations

from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_FLOATS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_Names = dict[str, Any]


class _Unfit(Exception):
    """Raised for a default that is no value of its type."""


def convert_defaults(schema: Any) -> None:
    """Replaces the defaults of a schema that fastavro has parsed by values. Raises SqlError 22023 for a default that
    is no value of its field's type."""
    names: _Names = {}
    records: list[Any] = []
    _collect(schema, names, records)
    written = {id(field): field["default"] for record in records for field in record["fields"] if "default" in field}
    for record in records:
        for field in record["fields"]:
            if "default" in field:
                try:
                    field["default"] = _value(field["type"], written[id(field)], names, written)
                except _Unfit:
                    message = f'malformed Avro schema: the default of field "{field["name"]}" is no value of its type'
                    raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message[:500]) from None


def _collect(schema: Any, names: _Names, records: list[Any]) -> None:
    if isinstance(schema, list):
        for branch in schema:
            _collect(branch, names, records)
    elif isinstance(schema, dict):
        if "name" in schema:
            names[schema["name"]] = schema
        match schema["type"]:
            case "record" | "error":
                records.append(schema)
                for field in schema["fields"]:
                    _collect(field["type"], names, records)
            case "array":
                _collect(schema["items"], names, records)
            case "map":
                _collect(schema["values"], names, records)
            case inner if not isinstance(inner, str):
                _collect(inner, names, records)


def _value(schema: Any, told: Any, names: _Names, written: dict[int, Any]) -> Any:
    """Converts one default; in a union, by the first branch that it fits."""
    if isinstance(schema, list):
        for branch in schema:
            try:
                return _value(branch, told, names, written)
            except _Unfit:
                continue
        raise _Unfit
    if isinstance(schema, str):
        return _value(names[schema], told, names, written) if schema in names else _plain(schema, told)
    match schema["type"], told:
        case "array", list():
            return [_value(schema["items"], each, names, written) for each in told]
        case "map", dict():
            return {key: _value(schema["values"], each, names, written) for key, each in told.items()}
        case (("record" | "error"), dict()):
            return {field["name"]: _of_field(field, told, names, written) for field in schema["fields"]}
        case "enum", str() if told in schema["symbols"]:
            return told
        case "fixed", str() if len(told) == schema["size"]:
            return _bytes(told)
        case (("array" | "map" | "record" | "error" | "enum" | "fixed"), _):
            raise _Unfit
        case inner, _:
            return _value(inner, told, names, written)


def _of_field(field: Any, told: dict[str, Any], names: _Names, written: dict[int, Any]) -> Any:
    name = field["name"]
    if name not in told and id(field) not in written:
        raise _Unfit
    return _value(field["type"], told[name] if name in told else written[id(field)], names, written)


def _plain(kind: str, told: Any) -> Any:
    match kind, told:
        case ("null", None) | ("boolean", bool()) | ("string", str()):
            return told
        case (("int" | "long"), int()) if not isinstance(told, bool):
            return told
        case (("float" | "double"), int() | float()) if not isinstance(told, bool):
            return float(told)
        case (("float" | "double"), str()) if told in _FLOATS:
            return _FLOATS[told]
        case "bytes", str():
            return _bytes(told)
    raise _Unfit


def _bytes(told: str) -> bytes:
    try:
        return told.encode("latin-1")
    except UnicodeEncodeError:
        raise _Unfit from None
