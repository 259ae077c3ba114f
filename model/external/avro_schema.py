"""Avro schemas: what their records are as rows (source: the Avro specification, 1.12).

    null in a union     NULL                     bytes, fixed         bytea
    boolean             bool                     … decimal(p, s)      numeric(p, s)
    int, long           int4, int8               string, enum         text
    … date              date                     … uuid               uuid
    … time-*            time                     array                list
    … timestamp-*       timestamp                map                  map[text=>…]
    float, double       float4, float8           record               record

A union of several types besides null is several columns, name1, name2, …, of which one is not NULL. Types that hold
themselves have no columns. Everything is bounded: a schema comes from elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.numerics import DIGITS_MAX
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import (
    BOOL,
    BYTEA,
    DATE,
    FLOAT4,
    FLOAT8,
    INT4,
    INT8,
    JSONB,
    NUMERIC,
    TEXT,
    TIME,
    TIMESTAMP,
    UUID,
    ScalarType,
    TypeName,
    list_of,
    map_of,
    numeric,
)

SCHEMA_LENGTH_MAX = 1 << 20
COLUMNS_MAX = 1_600
_FORMS_MAX = 10_000
_DEPTH_MAX = 50
_PRECISION_MAX = 1_000
"""As of numeric(p, s)."""
_DEBEZIUM_JSON, _DEBEZIUM_NUMERIC = "io.debezium.data.Json", "io.debezium.data.VariableScaleDecimal"


class AvroKind(StrEnum):
    """The kind of a value's encoding."""

    NULL = "null"
    BOOLEAN = "boolean"
    INT = "int"
    LONG = "long"
    FLOAT = "float"
    DOUBLE = "double"
    BYTES = "bytes"
    STRING = "string"
    FIXED = "fixed"
    ENUM = "enum"
    ARRAY = "array"
    MAP = "map"
    RECORD = "record"
    UNION = "union"


class AvroMeaning(StrEnum):
    """The meaning of a value beyond its encoding."""

    NONE = ""
    DATE = "date"
    TIME_MILLIS = "time-millis"
    TIME_MICROS = "time-micros"
    TIMESTAMP_MILLIS = "timestamp-millis"
    TIMESTAMP_MICROS = "timestamp-micros"
    LOCAL_TIMESTAMP_MILLIS = "local-timestamp-millis"
    LOCAL_TIMESTAMP_MICROS = "local-timestamp-micros"
    DECIMAL = "decimal"
    UUID = "uuid"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class AvroForm:
    """A schema. `members` are a record's fields, a union's branches, what an array or a map has; `count` is how many
    forms it is made of. A decimal has `precision` and `scale`; `numeric` is a record by which Debezium tells a numeric
    of any scale."""

    base: AvroKind
    meaning: AvroMeaning = AvroMeaning.NONE
    members: tuple[tuple[str, AvroForm], ...] = ()
    precision: int = 0
    scale: int = 0
    size: int = 0
    count: int = 1
    numeric: bool = False

    @property
    def type(self) -> ScalarType:
        """The SQL type of its values; for a union with one branch besides null, that branch's. Raises SqlError 0A000
        when there is none."""
        if self.meaning is not AvroMeaning.NONE:
            if self.meaning is AvroMeaning.DECIMAL:
                wide = self.precision > DIGITS_MAX
                return replace(numeric(self.precision, self.scale), name=TypeName.WIDE if wide else TypeName.NUMERIC)
            return _MEANT[self.meaning]
        match self.base:
            case AvroKind.RECORD:
                fields = tuple((name, _within(form.type)) for name, form in self.members)
                return ScalarType(TypeName.RECORD, fields=fields)
            case AvroKind.ARRAY:
                return list_of(_within(self.members[0][1].type))
            case AvroKind.MAP:
                return map_of(_within(self.members[0][1].type))
            case AvroKind.UNION:
                branches = self.branches
                if len(branches) != 1:
                    raise _unsupported("a union of several types within another type")
                return branches[0].type
            case AvroKind.NULL:
                raise _unsupported("null outside of unions")
            case base:
                return _PLAIN[base]

    @property
    def branches(self) -> tuple[AvroForm, ...]:
        """The branches of a union other than null; for any other form, itself."""
        if self.base is not AvroKind.UNION:
            return (self,)
        return tuple(form for _, form in self.members if form.base is not AvroKind.NULL)

    @property
    def empty(self) -> bool:
        """Tells whether its values may take no bytes."""
        match self.base:
            case AvroKind.NULL:
                return True
            case AvroKind.FIXED:
                return self.size == 0
            case AvroKind.RECORD:
                return all(form.empty for _, form in self.members)
            case _:
                return False


_PLAIN = {
    AvroKind.BOOLEAN: BOOL,
    AvroKind.INT: INT4,
    AvroKind.LONG: INT8,
    AvroKind.FLOAT: FLOAT4,
    AvroKind.DOUBLE: FLOAT8,
    AvroKind.BYTES: BYTEA,
    AvroKind.FIXED: BYTEA,
    AvroKind.STRING: TEXT,
    AvroKind.ENUM: TEXT,
}
_MEANT = {
    AvroMeaning.DATE: DATE,
    AvroMeaning.TIME_MILLIS: TIME,
    AvroMeaning.TIME_MICROS: TIME,
    AvroMeaning.TIMESTAMP_MILLIS: TIMESTAMP,
    AvroMeaning.TIMESTAMP_MICROS: TIMESTAMP,
    AvroMeaning.LOCAL_TIMESTAMP_MILLIS: TIMESTAMP,
    AvroMeaning.LOCAL_TIMESTAMP_MICROS: TIMESTAMP,
    AvroMeaning.UUID: UUID,
    AvroMeaning.JSON: JSONB,
}
_MEANINGS = {
    AvroKind.INT: (AvroMeaning.DATE, AvroMeaning.TIME_MILLIS),
    AvroKind.LONG: (
        AvroMeaning.TIME_MICROS,
        AvroMeaning.TIMESTAMP_MILLIS,
        AvroMeaning.TIMESTAMP_MICROS,
        AvroMeaning.LOCAL_TIMESTAMP_MILLIS,
        AvroMeaning.LOCAL_TIMESTAMP_MICROS,
    ),
    AvroKind.STRING: (AvroMeaning.UUID,),
    AvroKind.FIXED: (AvroMeaning.UUID,),
}
_UUID_BYTES = 16


def load_avro(text: str) -> Any:
    """Parses a schema as JSON; raises SqlError 22023 when it is none."""
    if len(text) > SCHEMA_LENGTH_MAX:
        raise _malformed(f"it has more than {SCHEMA_LENGTH_MAX} characters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        # A name alone is a schema, too.
        if text.strip() in _PLAIN or text.strip() == AvroKind.NULL:
            return text.strip()
        raise _malformed("it is no JSON") from None


def avro_form(schema: Any) -> AvroForm:
    """Reads a schema's form; raises SqlError 22023 for what is no schema, 0A000 for a recursive one."""
    return _Reader().form(schema, "", 0)


def without_meanings(schema: Any) -> Any:
    """Returns the schema without logical types: only bytes, numbers and texts."""
    if isinstance(schema, list):
        return [without_meanings(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if name not in ("logicalType", "precision", "scale")}
    for name in ("type", "items", "values"):
        if name in kept:
            kept[name] = without_meanings(kept[name])
    if isinstance(kept.get("fields"), list):
        kept["fields"] = [without_meanings(each) for each in kept["fields"]]
    return kept


def avro_part(form: AvroForm, field: str | None) -> AvroForm:
    """Returns the record in a field, which may be a union with null; the form itself for no field. Raises SqlError
    22023 where there is no such record."""
    if field is None:
        return form
    members = dict(form.members) if form.base is AvroKind.RECORD else {}
    found = members[field].branches if field in members else ()
    if len(found) != 1 or found[0].base is not AvroKind.RECORD:
        message = f'the Avro schema has no record in a field "{field}"'
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
    return found[0]


def avro_columns(form: AvroForm, name: str, *, numerics: bool = False) -> tuple[ColumnDesc, ...]:
    """Returns the columns of a record's fields; a form that is no record becomes one column named `name`. With
    `numerics`, a column of records that tell numerics of any scale is numeric. Raises SqlError 0A000 when there are no
    columns, or too many."""
    fields = form.members if form.base is AvroKind.RECORD else ((name, form),)
    columns = tuple(column for field, each in fields for column in _columns_of(field, each, numerics))
    if not 0 < len(columns) <= COLUMNS_MAX:
        raise _unsupported(f"a record of {len(columns)} columns")
    return columns


def _columns_of(name: str, form: AvroForm, numerics: bool) -> Iterator[ColumnDesc]:
    branches = form.branches
    if len(branches) == 1:
        yield ColumnDesc(name, NUMERIC if numerics and branches[0].numeric else branches[0].type)
        return
    if len({python_kind(each) for each in branches}) < len(branches) or not branches:
        raise _unsupported(f"the union of the field {name}: its types can't be told apart")
    for number, each in enumerate(branches, 1):
        yield ColumnDesc(f"{name}{number}", each.type)


def _within(type_: ScalarType) -> ScalarType:
    """Returns a type that stands within another. Raises SqlError 0A000 for one that only columns have."""
    if type_.name is TypeName.WIDE:
        raise _unsupported(f"a decimal of more than {DIGITS_MAX} digits within another type")
    return type_


_KINDS = {
    AvroKind.BOOLEAN: bool,
    AvroKind.INT: int,
    AvroKind.LONG: int,
    AvroKind.FLOAT: float,
    AvroKind.DOUBLE: float,
    AvroKind.BYTES: bytes,
    AvroKind.FIXED: bytes,
    AvroKind.STRING: str,
    AvroKind.ENUM: str,
    AvroKind.ARRAY: list,
    AvroKind.MAP: dict,
    AvroKind.RECORD: dict,
    AvroKind.NULL: type(None),
    AvroKind.UNION: type(None),
}


def python_kind(form: AvroForm) -> type:
    """Returns the Python type of a form's decoded values."""
    return _KINDS[form.base]


class _Reader:
    """Reads schemas, in which a named type may be used again by its name."""

    def __init__(self) -> None:
        self._named: dict[str, AvroForm | None] = {}
        self._count = 0

    def form(self, schema: Any, space: str, depth: int) -> AvroForm:
        if depth > _DEPTH_MAX:
            raise _malformed(f"it is nested more than {_DEPTH_MAX} deep")
        if isinstance(schema, str):
            return self._told(schema, space)
        if isinstance(schema, list):
            return self._made(AvroKind.UNION, tuple(("", self.form(each, space, depth + 1)) for each in schema))
        if not isinstance(schema, dict) or "type" not in schema:
            raise _malformed(f"{json.dumps(schema)[:100]} is no type")
        base = schema["type"]
        if not isinstance(base, str) or base not in set(AvroKind) - {AvroKind.UNION}:
            return self.form(base, space, depth + 1)
        match AvroKind(base):
            case AvroKind.RECORD | AvroKind.FIXED | AvroKind.ENUM as named:
                return self._define(named, schema, space, depth)
            case AvroKind.ARRAY | AvroKind.MAP as many:
                item = self.form(schema.get("items" if many is AvroKind.ARRAY else "values"), space, depth + 1)
                if many is AvroKind.ARRAY and item.empty:
                    raise _unsupported("an array of items that take no bytes")
                return self._made(many, (("", item),))
            case plain:
                return self._meant(AvroForm(plain), schema)

    def _told(self, name: str, space: str) -> AvroForm:
        if name in _PLAIN or name == AvroKind.NULL:
            return self._made(AvroKind(name))
        full = name if "." in name or not space else f"{space}.{name}"
        found = self._named.get(full, self._named.get(name, _UNKNOWN))
        if found is None:
            raise _unsupported(f"the recursive type {name}")
        if found is _UNKNOWN:
            raise _malformed(f"there is no type {name[:100]}")
        self._note(found.count)
        return found

    def _define(self, base: AvroKind, schema: dict[str, Any], space: str, depth: int) -> AvroForm:
        name = schema.get("name")
        if not isinstance(name, str):
            raise _malformed(f"a type {base.value} without a name")
        given = schema.get("namespace", space)
        full = name if "." in name or not given else f"{given}.{name}"
        within = full.rpartition(".")[0]
        self._named[full] = None
        if base is AvroKind.RECORD:
            form = self._made(base, tuple(self._fields(schema, within, depth)))
        else:
            size = schema.get("size", 0)
            if base is AvroKind.FIXED and (not isinstance(size, int) or size < 0):
                raise _malformed(f"the size of {full} is no number")
            form = AvroForm(base, size=size) if base is AvroKind.FIXED else AvroForm(base)
        if schema.get("connect.name") == _DEBEZIUM_NUMERIC and form.members == _NUMERIC_MEMBERS:
            form = replace(form, numeric=True)
        self._named[full] = form = self._meant(form, schema)
        return form

    def _fields(self, schema: dict[str, Any], space: str, depth: int) -> Iterator[tuple[str, AvroForm]]:
        fields = schema.get("fields")
        if not isinstance(fields, list):
            raise _malformed("a record without fields")
        for field in fields:
            if not isinstance(field, dict) or not isinstance(field.get("name"), str):
                raise _malformed("a field without a name")
            if isinstance(field.get("type"), str) and "logicalType" in field:
                # Written so by many, and understood by all.
                yield field["name"], self.form({**field, "name": None}, space, depth + 1)
            else:
                yield field["name"], self.form(field.get("type"), space, depth + 1)

    def _meant(self, form: AvroForm, schema: dict[str, Any]) -> AvroForm:
        """Returns the form with its logical type. Unknown and wrong logical types are ignored, as the specification
        says."""
        self._note(1)
        meaning = schema.get("logicalType")
        if form.base is AvroKind.STRING and schema.get("connect.name") == _DEBEZIUM_JSON:
            return AvroForm(form.base, AvroMeaning.JSON)
        if meaning == AvroMeaning.DECIMAL and form.base in (AvroKind.BYTES, AvroKind.FIXED):
            precision, scale = schema.get("precision"), schema.get("scale", 0)
            if not (isinstance(precision, int) and isinstance(scale, int) and 0 <= scale <= precision > 0):
                return form
            if precision > _PRECISION_MAX:
                raise _unsupported(f"a decimal of more than {_PRECISION_MAX} digits")
            return AvroForm(form.base, AvroMeaning.DECIMAL, (), precision, scale, form.size)
        if meaning in _MEANINGS.get(form.base, ()) and (form.base is not AvroKind.FIXED or form.size == _UUID_BYTES):
            return AvroForm(form.base, AvroMeaning(str(meaning)), size=form.size)
        return form

    def _made(self, base: AvroKind, members: tuple[tuple[str, AvroForm], ...] = ()) -> AvroForm:
        self._note(1)
        return AvroForm(base, members=members, count=1 + sum(form.count for _, form in members))

    def _note(self, count: int) -> None:
        self._count += count
        if self._count > _FORMS_MAX:
            raise _malformed(f"it is made of more than {_FORMS_MAX} types")


_NUMERIC_MEMBERS = (("scale", AvroForm(AvroKind.INT)), ("value", AvroForm(AvroKind.BYTES)))
_UNKNOWN = AvroForm(AvroKind.NULL, count=0)


def _malformed(why: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"malformed Avro schema: {why}")


def _unsupported(what: str) -> SqlError:
    return SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"{what} in an Avro schema is not supported")
