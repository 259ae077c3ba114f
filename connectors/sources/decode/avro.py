"""Decodes Avro: a record's fields, by the schema of its writer and the source's own (the reader's).

fastavro decodes the bytes by the schemas; the meanings beyond that (dates, decimals, …) are applied here, so that a
value out of range is an error of its record. Schemas that would let a few bytes decode to something endless or deep are
refused: arrays of empty items, and recursive types.
"""

from __future__ import annotations

import datetime
import decimal
import io
import re
import uuid
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import fastavro

from connectors.sources.decode.avro_defaults import convert_defaults
from connectors.sources.decode.debezium import require_followable
from connectors.sources.decode.framing import WriterSchemas, unframed
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.avro_schema import (
    AvroForm,
    AvroKind,
    AvroMeaning,
    avro_form,
    avro_part,
    load_avro,
    python_kind,
    without_meanings,
)
from model.external.records import SchemaFields
from model.json.json_text import parse_jsonb
from model.physical.wide_times import LAST_MICROS
from model.text.numerics import DECIMALS_MAX, EXACT, fits_decimal, unstorable, with_exponent
from model.types.datum import MICROSECONDS_PER_DAY, Datum, Row
from model.types.maps import map_from
from model.types.time_of_day import time_from_micros
from model.types.wide_time import MICROS_MIN, AnyDate, AnyMoment, date_at, moment_at

_ADDRESSES = re.compile("0x[0-9a-f]{6,}")
_KEPT = 256
_VALUE_BYTES_MAX = 8192
"""Of a number of 38 digits with all the zeros behind the point that a numeric may have."""

_Convert = Callable[[Any], Datum]
"""What decoding gave to a datum. It raises SqlError."""


def avro_reader(fields: SchemaFields, writers: WriterSchemas) -> Callable[[bytes], Row | None]:
    """Returns the function that decodes one record; it returns None where the field that holds the columns is NULL.
    Raises SqlError for an unusable schema; the function raises SqlError for bytes that are no record."""
    reader = _reader(fields.schema, fields.within, fields.numerics)
    known = None if fields.registry is None else writers
    return lambda value: reader.row(value, fields.framed, known)


def avro_loader(fields: SchemaFields, writers: WriterSchemas) -> Callable[[bytes], Any]:
    """Returns the function that decodes everything in a record, with records as dicts, by its writer's schema.
    Raises SqlError as `avro_reader` does."""
    reader = _reader(fields.schema, fields.within, fields.numerics)
    known = None if fields.registry is None else writers
    return lambda value: reader.loaded(value, fields.framed, known)


@lru_cache(_KEPT)
def _reader(schema: str, within: str | None, numerics: bool) -> _AvroReader:
    return _AvroReader(schema, within, numerics)


class _AvroReader:
    """Decodes records of any writer's schema, by one reader's schema."""

    def __init__(self, schema: str, within: str | None, numerics: bool) -> None:
        self._text = schema
        self._within = within
        loaded = load_avro(schema)
        self._form = avro_form(loaded)
        self._schema = _parsed(loaded)
        convert_defaults(self._schema)
        part = avro_part(self._form, within)
        self._record = part.base is AvroKind.RECORD
        fields = part.members if self._record else (("", part),)
        self._converters = tuple(
            (name, column) for name, form in fields for column in _column_converters(form, numerics)
        )
        self._writers = lru_cache(_KEPT)(self._resolved)

    def row(self, value: bytes, framed: bool, writers: WriterSchemas | None) -> Row | None:
        """Decodes exactly one record; raises SqlError for anything else."""
        told, begin = _unframed(value, framed, writers)
        if told is None or told == self._text:
            datum = _read(value, begin, self._schema, None)
        else:
            writer = self._writers(told)
            if isinstance(writer, SqlError):
                raise writer
            datum = _read(value, begin, writer, self._schema)
        if self._within is not None:
            change, datum = datum, datum[self._within]
            require_followable(change.get("op"), gone=datum is None)
            if datum is None:
                return None
        if self._record:
            return tuple([None if (x := datum[name]) is None else convert(x) for name, convert in self._converters])
        return tuple([None if datum is None else convert(datum) for _, convert in self._converters])

    def loaded(self, value: bytes, framed: bool, writers: WriterSchemas | None) -> Any:
        """Decodes exactly one record by the schema that it was written with, and does not convert it to the reader's
        schema; raises SqlError for anything else."""
        told, begin = _unframed(value, framed, writers)
        return _read(value, begin, self._schema if told is None or told == self._text else _alone(told), None)

    def _resolved(self, text: str) -> Any | SqlError:
        """Returns a parsed writer's schema, or the SqlError that says why its records can't be read with the reader's
        schema."""
        try:
            loaded = load_avro(text)
            form = avro_form(loaded)
            _require_same_meaning(form, self._form, "")
            return _parsed(loaded)
        except SqlError as error:
            return error


def _unframed(value: bytes, framed: bool, writers: WriterSchemas | None) -> tuple[str | None, int]:
    """Returns the writer's schema, where it is known apart, and where the record's own bytes begin."""
    if not framed:
        return None, 0
    number, begin = unframed(value)
    told = None if writers is None else writers[number]
    if isinstance(told, SqlError):
        raise told
    return told, begin


def _read(value: bytes, begin: int, writer: Any, reader: Any) -> Any:
    """Decodes one record that ends where the bytes end; raises SqlError otherwise."""
    stream = io.BytesIO(value)
    stream.seek(begin)
    datum: Any
    try:
        datum = fastavro.schemaless_reader(stream, writer, reader)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (bytes from elsewhere; the library says what it likes)
        raise _malformed(_told(error)) from None
    if stream.tell() != len(value):
        raise _malformed(f"{len(value) - stream.tell()} bytes are left")
    return datum


@lru_cache(_KEPT)
def _alone(text: str) -> Any:
    """Returns a writer's schema, to be read by alone. Raises SqlError where it can't be."""
    loaded = load_avro(text)
    avro_form(loaded)
    return _parsed(loaded)


def _parsed(schema: Any) -> Any:
    try:
        return fastavro.parse_schema(without_meanings(schema))
    except Exception as error:  # noqa: BLE001  (a schema from elsewhere)
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE, f"malformed Avro schema: {type(error).__name__}: {error}"[:500]
        ) from None


_NUMBERS = (AvroKind.INT, AvroKind.LONG)
_TEXTS = (AvroKind.BYTES, AvroKind.FIXED, AvroKind.STRING)


def _require_same_meaning(writer: AvroForm, reader: AvroForm, path: str) -> None:
    """Raises SqlError where a number in a record of the writer's schema means another time or another amount than in
    the reader's schema. Other differences between the schemas are found by fastavro."""
    for left in writer.branches:
        for right in reader.branches:
            if left.base is AvroKind.RECORD is right.base:
                wanted = dict(right.members)
                for name, form in left.members:
                    if name in wanted:
                        _require_same_meaning(form, wanted[name], f"{path}.{name}" if path else name)
            elif left.base is right.base and left.base in (AvroKind.ARRAY, AvroKind.MAP):
                _require_same_meaning(left.members[0][1], right.members[0][1], path)
            elif _alike(left.base, right.base) and _scaled(left) != _scaled(right):
                message = f"the writer's {_described(left)} {path} can't be read as {_described(right)}"
                raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)


def _alike(left: AvroKind, right: AvroKind) -> bool:
    return any(left in family and right in family for family in (_NUMBERS, _TEXTS))


def _scaled(form: AvroForm) -> tuple[AvroMeaning, int]:
    """Returns a form's meaning and scale, equal for forms whose numbers mean the same; local times count as times."""
    meaning = AvroMeaning(form.meaning.removeprefix("local-"))
    return (AvroMeaning.NONE, 0) if meaning in (AvroMeaning.UUID, AvroMeaning.JSON) else (meaning, form.scale)


def _described(form: AvroForm) -> str:
    return f"{form.meaning or form.base}({form.scale})" if form.scale else form.meaning or form.base


def _column_converters(form: AvroForm, numerics: bool) -> list[_Convert]:
    """Returns a converter for each column of a field."""
    branches = form.branches
    if len(branches) == 1:
        return [_numeric if numerics and branches[0].numeric else _converter(branches[0])]
    return [_if_kind(python_kind(each), _converter(each)) for each in branches]


def _if_kind(kind: type, convert: _Convert) -> _Convert:
    return lambda value: convert(value) if type(value) is kind else None


def _converter(form: AvroForm) -> _Convert:
    if form.meaning is AvroMeaning.DECIMAL:
        return _decimal(form.precision, form.scale)
    if form.meaning is not AvroMeaning.NONE:
        return _MEANT[form.meaning]
    match form.base:
        case AvroKind.UNION:
            return _converter(form.branches[0])
        case AvroKind.RECORD:
            members = tuple((name, _converter(each)) for name, each in form.members)
            return lambda value: tuple(
                [None if (x := value[name]) is None else convert(x) for name, convert in members]
            )
        case AvroKind.ARRAY:
            item = _converter(form.members[0][1])
            return lambda value: tuple([None if each is None else item(each) for each in value])
        case AvroKind.MAP:
            held = _converter(form.members[0][1])
            return lambda value: map_from(
                (_text(key), None if each is None else held(each)) for key, each in value.items()
            )
        case AvroKind.STRING | AvroKind.ENUM:
            return _text
        case AvroKind.INT:
            return _int
        case AvroKind.LONG:
            return _long
        case _:
            return _itself


def _itself(value: Any) -> Datum:
    datum: Datum = value
    return datum


def _text(value: str) -> str:
    if "\0" in value:
        raise SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, 'invalid byte sequence for encoding "UTF8": 0x00')
    return value


def _int(value: int) -> int:
    if not -(2**31) <= value < 2**31:
        raise _malformed(f"{value} is no int")
    return value


def _long(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        raise _malformed(f"{value} is no long")
    return value


def _date(days: int) -> AnyDate:
    try:
        return date_at(days)
    except OverflowError:
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f"date out of range: {days} days") from None


def _time(factor: int) -> _Convert:
    def convert(count: int) -> datetime.time:
        if not 0 <= count * factor <= MICROSECONDS_PER_DAY:
            raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f"time out of range: {count}")
        return time_from_micros(count * factor)

    return convert


def _timestamp(factor: int) -> _Convert:
    def convert(count: int) -> AnyMoment:
        micros = count * factor
        if not MICROS_MIN <= micros <= LAST_MICROS:
            raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f"timestamp out of range: {count}")
        return moment_at(micros)

    return convert


def _decimal(precision: int, scale: int) -> _Convert:
    end = 10**precision

    def convert(value: bytes) -> decimal.Decimal:
        unscaled = int.from_bytes(value, "big", signed=True)
        if not -end < unscaled < end:
            message = f"a decimal has more than {precision} digits"
            raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message)
        return decimal.Decimal(unscaled).scaleb(-scale, context=EXACT)

    return convert


def _numeric(told: Mapping[str, Any]) -> decimal.Decimal:
    """Returns the numeric that Debezium tells by its scale and its digits, as a column without a modifier holds it."""
    value, scale = told["value"], told["scale"]
    if abs(scale) > DECIMALS_MAX or len(value) > _VALUE_BYTES_MAX:
        raise unstorable()
    number = decimal.Decimal(int.from_bytes(value, "big", signed=True)).scaleb(-scale, context=EXACT)
    if not fits_decimal(number):
        raise unstorable()
    return with_exponent(number, max(scale, 0))


def _uuid(value: str | bytes) -> uuid.UUID:
    try:
        return uuid.UUID(bytes=value) if isinstance(value, bytes) else uuid.UUID(value)
    except ValueError:
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, "invalid input syntax for type uuid") from None


_MILLIS = 1_000
_MEANT: Mapping[AvroMeaning, _Convert] = {
    AvroMeaning.DATE: _date,
    AvroMeaning.TIME_MILLIS: _time(_MILLIS),
    AvroMeaning.TIME_MICROS: _time(1),
    AvroMeaning.TIMESTAMP_MILLIS: _timestamp(_MILLIS),
    AvroMeaning.TIMESTAMP_MICROS: _timestamp(1),
    AvroMeaning.LOCAL_TIMESTAMP_MILLIS: _timestamp(_MILLIS),
    AvroMeaning.LOCAL_TIMESTAMP_MICROS: _timestamp(1),
    AvroMeaning.UUID: _uuid,
    AvroMeaning.JSON: parse_jsonb,
}


def _told(error: Exception) -> str:
    """Returns a library's error in words that are the same each time the record is read: addresses in memory are
    removed."""
    if isinstance(error, EOFError):
        return "it ends too early"
    return f"{type(error).__name__}: {_ADDRESSES.sub('…', str(error))}"


def _malformed(why: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_BINARY_REPRESENTATION, f"malformed Avro: {why}"[:500])
