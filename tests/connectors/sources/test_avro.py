"""Avro records to rows: any schema, any record; schemas that change; bytes that are none."""

from __future__ import annotations

import datetime
import decimal
import io
import itertools
import json
import random
import uuid
from typing import Any

import fastavro
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.kafka.source.records import RECORDS_SCHEMA
from connectors.sources.decode.avro import avro_reader
from connectors.sources.decode.framing import WriterSchemas
from connectors.sources.decode.rows import decoded_rows
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.record_schemas import described_fields
from model.external.records import RecordEncoding, SchemaFields, SchemaLanguage, encoded_columns
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow
from model.types.datum import Datum, Row
from model.types.decimals_columns import with_decimals_columns
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT
from tests.draws import draws

_REGISTRY = GlobalId.user(7)
_AT = datetime.datetime(2026, 11, 23, tzinfo=datetime.UTC)
_EXAMPLES = 40
_NUMBERS = itertools.count()


def avro(schema: Any, **options: Any) -> SchemaFields:
    return described_fields(SchemaLanguage.AVRO, json.dumps(schema), "data", **options)


def written(schema: Any, datum: Any) -> bytes:
    stream = io.BytesIO()
    fastavro.schemaless_writer(stream, fastavro.parse_schema(schema), datum)
    return stream.getvalue()


def decoded(fields: SchemaFields, *values: bytes | None, writers: WriterSchemas | None = None) -> list[Row]:
    rows: list[dict[str, Any]] = [
        {"partition": 0, "offset": at, "timestamp": _AT, "key": None, "value": value, "headers": []}
        for at, value in enumerate(values)
    ]
    encoding = RecordEncoding(None, fields, ())
    stored = with_decimals_columns(RelationDesc(encoded_columns(encoding)))
    desc = RelationDesc((*stored.columns, ColumnDesc("err", TEXT)))
    records = pa.Table.from_pylist(rows, schema=RECORDS_SCHEMA)
    return rows_from_arrow(decoded_rows(records, encoding, desc, {_REGISTRY: writers or {}}), desc)


def record(*fields: tuple[str, Any], name: str = "r") -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": field, "type": type_} for field, type_ in fields]}


_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
_PLAIN: list[tuple[Any, st.SearchStrategy[Any]]] = [
    ("boolean", st.booleans()),
    ("int", st.integers(-(2**31), 2**31 - 1)),
    ("long", st.integers(-(2**63), 2**63 - 1)),
    ("float", st.floats(width=32, allow_nan=False)),
    ("double", st.floats(allow_nan=False)),
    ("bytes", st.binary(max_size=8)),
    ("string", _text),
    ({"type": "int", "logicalType": "date"}, st.dates()),
    (
        {"type": "int", "logicalType": "time-millis"},
        st.times().map(lambda t: t.replace(microsecond=t.microsecond // 1000 * 1000)),
    ),
    ({"type": "long", "logicalType": "time-micros"}, st.times()),
    ({"type": "long", "logicalType": "local-timestamp-micros"}, st.datetimes()),
    ({"type": "string", "logicalType": "uuid"}, st.uuids()),
    (
        {"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 3},
        st.integers(-(10**12) + 1, 10**12 - 1).map(lambda n: decimal.Decimal(n).scaleb(-3)),
    ),
]


def _as_map(pairs: dict[str, Any]) -> Any:
    return tuple(sorted(pairs.items()))


@st.composite
def _schemas(draw: st.DrawFn, depth: int = 2) -> tuple[Any, st.SearchStrategy[tuple[Any, Datum]]]:
    """A schema, and its values: as the writer takes them, and as datums."""
    kinds = ["plain", "optional", "fixed", "enum"] + (["record", "array", "map"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    name = f"n{next(_NUMBERS)}"
    if kind == "plain":
        schema, values = draw(st.sampled_from(_PLAIN))
        return schema, values.map(lambda v: (v, v))
    if kind == "fixed":
        return {"type": "fixed", "name": name, "size": 3}, st.binary(min_size=3, max_size=3).map(lambda v: (v, v))
    if kind == "enum":
        symbols = st.sampled_from(["red", "green", "blue"])
        return {"type": "enum", "name": name, "symbols": ["red", "green", "blue"]}, symbols.map(lambda v: (v, v))
    if kind == "optional":
        schema, values = draw(st.sampled_from(_PLAIN))
        union = draw(st.permutations(["null", schema]))
        return list(union), st.none().map(lambda _: (None, None)) | values.map(lambda v: (v, v))
    inner, members = draw(_schemas(depth - 1))
    if kind == "array":
        return {"type": "array", "items": inner}, st.lists(members, max_size=3).map(
            lambda each: ([w for w, _ in each], tuple(d for _, d in each))
        )
    if kind == "map":
        return {"type": "map", "values": inner}, st.dictionaries(_text, members, max_size=3).map(
            lambda each: ({k: w for k, (w, _) in each.items()}, _as_map({k: d for k, (_, d) in each.items()}))
        )
    other, others = draw(_schemas(depth - 1))
    return record(("a", inner), ("b", other), name=name), st.tuples(members, others).map(
        lambda pair: ({"a": pair[0][0], "b": pair[1][0]}, (pair[0][1], pair[1][1]))
    )


@st.composite
def _records(draw: st.DrawFn) -> tuple[dict[str, Any], list[tuple[dict[str, Any], Row]]]:
    parts = draw(st.lists(_schemas(), min_size=1, max_size=4))
    schema = record(*((f"f{at}", each) for at, (each, _) in enumerate(parts)), name="whole")
    rows = draw(st.lists(st.tuples(*(values for _, values in parts)), min_size=1, max_size=3))
    return schema, [({f"f{at}": w for at, (w, _) in enumerate(row)}, tuple(d for _, d in row)) for row in rows]


@draws(_EXAMPLES)
@given(_records())
def test_what_any_schema_writes_is_read_as_it_was(
    drawn: tuple[dict[str, Any], list[tuple[dict[str, Any], Row]]],
) -> None:
    schema, rows = drawn
    values = [written(schema, value) for value, _ in rows]
    assert decoded(avro(schema), *values, None) == [
        *((*row, None) for _, row in rows),
        (None,) * (len(rows[0][1]) + 1),
    ]


@draws(_EXAMPLES)
@given(_records(), st.randoms(use_true_random=False))
def test_readers_find_their_fields_in_what_other_schemas_wrote(
    drawn: tuple[dict[str, Any], list[tuple[dict[str, Any], Row]]], chance: random.Random
) -> None:
    """Fields that the writer has not have their defaults, those that the reader has not are left out, whatever their
    order is."""
    schema, rows = drawn
    kept = [at for at in range(len(schema["fields"])) if chance.random() < 0.6]
    chance.shuffle(kept)
    added = {"name": "added", "type": ["null", "string"], "default": None}
    defaulted = {"name": "defaulted", "type": "int", "default": 42}
    reader = {**schema, "fields": [*(schema["fields"][at] for at in kept), added, defaulted]}
    fields = avro(reader, framed=True, registry=_REGISTRY)
    values = [b"\0\0\0\1\5" + written(schema, value) for value, _ in rows]
    expected = [(*(row[at] for at in kept), None, 42, None) for _, row in rows]
    assert decoded(fields, *values, writers={0x105: json.dumps(schema)}) == expected


@draws(_EXAMPLES)
@given(_records(), st.randoms(use_true_random=False), st.booleans())
def test_any_bytes_are_a_row_or_an_error_of_their_record(
    drawn: tuple[dict[str, Any], list[tuple[dict[str, Any], Row]]], chance: random.Random, random_bytes: bool
) -> None:
    schema, rows = drawn
    broken = bytearray(written(schema, rows[0][0]))
    for _ in range(chance.randint(1, 4)):
        if random_bytes or not broken:
            broken = bytearray(chance.randbytes(chance.randint(0, 30)))
        else:
            broken[chance.randrange(len(broken))] = chance.randrange(256)
    good = written(schema, rows[0][0])
    first, bad, last = decoded(avro(schema), good, bytes(broken), good)
    assert first == last == (*rows[0][1], None)
    assert [bad] == decoded(avro(schema), good, bytes(broken))[1:], "it is told in the same words each time"
    assert bad[-1] is None or " the value of the record at partition 0, offset 1 can't be decoded: " in str(bad[-1])


def _varint(number: int) -> bytes:
    zigzag, out = (number << 1) ^ (number >> 63), bytearray()
    while zigzag & ~0x7F:
        out.append((zigzag & 0x7F) | 0x80)
        zigzag >>= 7
    return bytes((*out, zigzag))


_HUGE = _varint(2**40)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("string", _HUGE + b"abc"),
        ("bytes", _varint(-3) + b"abc"),
        ({"type": "array", "items": "int"}, _HUGE + bytes(10)),
        ({"type": "array", "items": "int"}, _varint(-(2**40)) + b"\x06" + bytes(10)),
        ({"type": "map", "values": "int"}, _HUGE + bytes(10)),
        ("int", _HUGE),
        ("long", b"\xff" * 30),
        ("string", b"\x02\xff"),
        ("string", b"\x02\x00"),
        ("boolean", b""),
        ("int", b"\x02\x02"),
        (["null", "int"], b"\x08"),
        ({"type": "int", "logicalType": "date"}, _varint(2**31 - 1)),
        ({"type": "int", "logicalType": "time-millis"}, _varint(-1)),
        ({"type": "long", "logicalType": "time-micros"}, _varint(86_400_000_001)),
        ({"type": "long", "logicalType": "timestamp-millis"}, _varint(2**62)),
        ({"type": "long", "logicalType": "timestamp-millis"}, _varint(2**63 // 1000 + 1)),
        ({"type": "long", "logicalType": "timestamp-micros"}, _varint(2**63 - 1)),
        ({"type": "bytes", "logicalType": "decimal", "precision": 2}, b"\x04\x7f\xff"),
        ({"type": "string", "logicalType": "uuid"}, b"\x02a"),
        ({"type": "string", "connect.name": "io.debezium.data.Json"}, b"\x02{"),
    ],
)
def test_what_is_out_of_range_is_an_error(type_: Any, value: bytes) -> None:
    ((datum, error),) = decoded(avro(record(("f", type_))), value)
    assert datum is None
    assert "can't be decoded" in str(error)


@pytest.mark.parametrize(
    ("schema", "sqlstate"),
    [
        (record(("next", ["null", "r"])), "0A000"),
        (record(("f", {"type": "array", "items": "null"})), "0A000"),
        (record(("f", {"type": "array", "items": record(name="nothing")})), "0A000"),
        (record(("f", "null")), "0A000"),
        (record(("f", ["int", "long"])), "0A000"),
        (record(("f", {"type": "array", "items": ["int", "string"]})), "0A000"),
        (record(("f", {"type": "bytes", "logicalType": "decimal", "precision": 9999})), "0A000"),
        (record(), "0A000"),
        (record(("f", "what")), "22023"),
        (record(("f", {"no": "type"})), "22023"),
        ({"type": "record", "name": "r"}, "22023"),
        ({"type": "fixed", "name": "r", "size": "3"}, "22023"),
        (17, "22023"),
        (record(*((f"f{at}", "int") for at in range(2000))), "0A000"),
    ],
)
def test_a_schema_that_makes_no_rows_is_refused(schema: Any, sqlstate: str) -> None:
    with pytest.raises(SqlError) as refused:
        avro(schema)
    assert refused.value.sqlstate.value == sqlstate


def test_a_schema_that_grows_without_bounds_is_refused() -> None:
    doubled: Any = "int"
    for at in range(40):
        doubled = record(("a", doubled), ("b", "int" if at == 0 else f"r{at - 1}"), name=f"r{at}")
    nested: Any = "int"
    for _ in range(60):
        nested = {"type": "array", "items": nested}
    for schema in (doubled, nested):
        with pytest.raises(SqlError, match="malformed Avro schema"):
            avro(schema)
    for text in ("[" * 100_000, "", "{", '"' + "a" * (2 << 20) + '"'):
        with pytest.raises(SqlError, match="malformed Avro schema"):
            described_fields(SchemaLanguage.AVRO, text, "data")


def test_a_union_of_several_types_is_several_columns() -> None:
    fields = avro(record(("u", ["null", "int", "string"]), ("v", "int")))
    assert [column.name for column in fields.columns] == ["u1", "u2", "v"]
    values = [b"\x00\x02", b"\x02\x04\x02", b"\x04\x02x\x02"]
    assert decoded(fields, *values) == [(None, None, 1, None), (2, None, 1, None), (None, "x", 1, None)]


def test_a_schema_without_fields_is_one_column() -> None:
    assert decoded(avro("string"), b"\x02x") == [("x", None)]
    id_ = uuid.uuid4()
    assert decoded(avro({"type": "fixed", "name": "f", "size": 16, "logicalType": "uuid"}), id_.bytes) == [(id_, None)]


def test_frames_are_told_and_their_schemas_must_fit() -> None:
    money = record(("m", {"type": "bytes", "logicalType": "decimal", "precision": 8, "scale": 2}))
    other = record(("m", {"type": "bytes", "logicalType": "decimal", "precision": 8, "scale": 3}))
    millis, micros = ({"type": "long", "logicalType": f"timestamp-{unit}"} for unit in ("millis", "micros"))
    fields = avro(money, framed=True, registry=_REGISTRY)
    value = b"\0\0\0\0\1" + written(money, {"m": decimal.Decimal("1.25")})
    missing = SqlError(Sqlstate.UNDEFINED_OBJECT, "there is none")
    assert decoded(fields, value, writers={1: json.dumps(money)}) == [(decimal.Decimal("1.25"), None)]
    for writers, why in (
        ({1: json.dumps(other)}, "decimal(3) m can't be read as decimal(2)"),
        ({1: "{"}, "malformed Avro schema"),
        ({1: json.dumps(record(("m", ["null", "m"])))}, "there is no type m"),
        ({1: json.dumps(record(("next", ["null", "r"])))}, "the recursive type r"),
        ({1: json.dumps(record(("n", "int")))}, "No default value for field m"),
        ({1: missing}, "there is none"),
    ):
        ((datum, error),) = decoded(fields, value, writers=writers)
        assert datum is None and why in str(error)
    for bad in (b"", b"\0\0\0\1", b"\1\0\0\0\1" + value[5:]):
        ((_, error),) = decoded(fields, bad, writers={1: json.dumps(money)})
        assert "does not begin with the number of a schema" in str(error)
    times = avro(record(("t", millis)), framed=True, registry=_REGISTRY)
    ((_, error),) = decoded(times, b"\0\0\0\0\1\x02", writers={1: json.dumps(record(("t", micros)))})
    assert "timestamp-micros t can't be read as timestamp-millis" in str(error)


_DEFAULTS: list[tuple[Any, Any, Datum]] = [
    ("bytes", "\u00ff\u0000a", b"\xff\x00a"),
    ({"type": "fixed", "name": "f", "size": 2}, "\u0080\u00fe", b"\x80\xfe"),
    ({"type": "bytes", "logicalType": "decimal", "precision": 5, "scale": 2}, "\u00ff\u0000", decimal.Decimal("-2.56")),
    (
        {"type": "fixed", "name": "d", "size": 2, "logicalType": "decimal", "precision": 5, "scale": 1},
        "\u0001\u0002",
        decimal.Decimal("25.8"),
    ),
    (["bytes", "null"], "\u00e9", b"\xe9"),
    (["null", "bytes"], None, None),
    (["null", "bytes"], "\u00e9", b"\xe9"),
    ("double", 1, 1.0),
    ("float", "NaN", "nan"),
    ("long", 7, 7),
    ("string", "\u00ff", "ÿ"),
    ({"type": "enum", "name": "e", "symbols": ["A"]}, "A", "A"),
    ({"type": "array", "items": "bytes"}, ["\u00ff", ""], (b"\xff", b"")),
    ({"type": "map", "values": "bytes"}, {}, ()),
    (
        {
            "type": "record",
            "name": "r",
            "fields": [{"name": "a", "type": "bytes"}, {"name": "b", "type": "bytes", "default": "\u00fe"}],
        },
        {"a": "\u00ff"},
        (b"\xff", b"\xfe"),
    ),
    ("boolean", True, True),
]


def _added(type_: Any, default: Any) -> SchemaFields:
    told = record(("k", "int"), ("x", type_), name="row")
    told["fields"][1]["default"] = default
    return avro(told, framed=True, registry=_REGISTRY)


@pytest.mark.parametrize(("type_", "default", "wanted"), _DEFAULTS, ids=str)
def test_a_default_is_the_value_that_its_json_tells(type_: Any, default: Any, wanted: Datum) -> None:
    """A text of bytes has a byte a code point."""
    writer = json.dumps(record(("k", "int"), name="row"))
    ((key, value, error),) = decoded(_added(type_, default), b"\0\0\0\0\1\2", writers={1: writer})
    assert (key, str(value) if wanted == "nan" else value, error) == (1, wanted, None)


@pytest.mark.parametrize(
    ("type_", "default"),
    [
        ("bytes", "\u0100"),
        ("bytes", 1),
        ({"type": "fixed", "name": "f", "size": 2}, "a"),
        ("int", True),
        (["null", "int"], "1"),
        ({"type": "array", "items": "int"}, ["x"]),
        ({"type": "enum", "name": "e", "symbols": ["A"]}, "B"),
        ({"type": "record", "name": "n", "fields": [{"name": "a", "type": "bytes"}]}, {}),
    ],
    ids=str,
)
def test_a_default_that_is_no_value_of_its_type_is_refused(type_: Any, default: Any) -> None:
    with pytest.raises(SqlError, match="malformed Avro schema") as refused:
        avro_reader(_added(type_, default), {})
    assert refused.value.sqlstate is Sqlstate.INVALID_PARAMETER_VALUE


_VARIABLE = {
    **record(("scale", "int"), ("value", "bytes"), name="v"),
    "connect.name": "io.debezium.data.VariableScaleDecimal",
}


def _numeric(digits: int, scale: int) -> dict[str, Any]:
    return {"scale": scale, "value": digits.to_bytes(70, "big", signed=True)}


def test_numerics_of_any_scale_show_the_decimals_that_debezium_tells() -> None:
    schema = record(("n", ["null", _VARIABLE]), ("s", "string"))
    told = [_numeric(150, 2), _numeric(-15, 1), _numeric(0, 3), _numeric(12, -2), None, _numeric(10**40, 40)]
    values = [written(schema, {"n": each, "s": "a"}) for each in told]
    shown = [row[0] for row in decoded(avro(schema, numerics=True), *values)]
    assert list(map(str, shown)) == ["1.50", "-1.5", "0.000", "1200", "None", f"1.{'0' * 40}"]
    # What was made before has them as the records that they are.
    assert [row[0] for row in decoded(avro(schema), values[0])] == [(2, _numeric(150, 2)["value"])]


@pytest.mark.parametrize(
    "told",
    [_numeric(10**40 + 1, 2), _numeric(1, 19), _numeric(1, -21), _numeric(1, 2**31 - 1), _numeric(1, -(2**31))]
    + [{"scale": 0, "value": b"\x7f" * 100_000}],
    ids=range(6),
)
def test_a_numeric_that_no_column_holds_is_an_error_of_its_record(told: dict[str, Any]) -> None:
    schema = record(("n", _VARIABLE))
    (row,) = decoded(avro(schema, numerics=True), written(schema, {"n": told}))
    assert row[0] is None
    assert str(row[-1]).startswith("22003 the value of the record at partition 0, offset 0")


def test_decimals_of_more_digits_than_tables_decimals_are_wide_columns() -> None:
    schema = record(("n", {"type": "bytes", "logicalType": "decimal", "precision": 60, "scale": 2}))
    digits = -(10**59) - 10
    (row,) = decoded(avro(schema), written(schema, {"n": decimal.Decimal(digits).scaleb(-2, decimal.Context(70))}))
    assert str(row[0]) == f"-1{'0' * 57}.10"
    with pytest.raises(SqlError, match="within another type"):
        avro(record(("n", {"type": "array", "items": schema["fields"][0]["type"]})))
