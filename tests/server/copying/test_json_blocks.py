"""Blocks of lines of JSON hold what their lines hold, or are left to be read line by line."""

from __future__ import annotations

import json
import random
from typing import Any

import pyarrow as pa
import pytest

from model.errors.sql_error import SqlError
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.text.context import DEFAULT_CONTEXT
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import (
    BOOL,
    DATE,
    FLOAT4,
    FLOAT8,
    INT4,
    INT8,
    INTERVAL,
    JSONB,
    NUMERIC,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    ScalarType,
    array_of,
    has_own_decimals,
    numeric,
)
from server.pgwire.copy.copied_columns import ColumnReader
from server.statements.copying import json_blocks
from server.statements.copying.json_rows import JsonDecoder

_NUMBERS = [
    "0", "-0", "7", "-5", "1.0", "1e2", "1E2", "2147483648", "9223372036854775808", "1e400", "1e-400", "1e39", "1e-46",
    "0.1", "16777217", "3.4028236e38", "5e-324", "1.255", "123456.5", "-0.0", "NaN", "-Infinity", "01", "1.", ".5",
    "0." + "0" * 42 + "1", "true", "false", "null", '"12"', '"1.5"', '"x"', '" 12 "', '"NaN"', '"0x1F"', "[1]", "{}",
]  # fmt: skip
_TIMES = [
    '"2020-02-29"', '"2019-02-29"', '"2020-01-01 10"', '"2020-01-01T10"', '"2020-01-01\\u002010"', '"2020-01-01 10:11"',
    '"2020-01-01 10:11:12"', '"2020-01-01T10:11:12.123456"', '"2020-01-01 10:11:12.1234567"', '"2020-01-01 10:11:12Z"',
    '"2020-01-01 10:11:12+02"', '"2020-01-01 10:11:12.5-02:30"', '"2020-01-01 10:11:12+16"', '"0000-01-01"', '""', "5",
    '"0001-01-01 00:00:00+05"', '"9999-12-31 23:00:00-05"', '"2020-01-01Z"', '" 2020-01-01 "', '"infinity"', "null",
]  # fmt: skip
_WORDS = [
    '"x"', '""', '"\\u00e9\\n\\"\\\\"', '"\\u0000"', '"\\ud83d\\ude00"', '"\\ud800"', '"a\tb"', "1", "1.50", "true",
    "null", '"NaN"', '"{}\\n{"', '[1, "x"]', '{"a": 1}', '"{1,NULL}"', '"1 day"', "'x'", '"\\x"', '"é"', '"t"',
    '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"',
]  # fmt: skip
_ALL = [*_WORDS, *_NUMBERS]
_TEXTS: dict[ScalarType, list[str]] = {
    **dict.fromkeys((INT4, INT8, FLOAT4, FLOAT8, NUMERIC, numeric(5, 2)), _NUMBERS),
    **dict.fromkeys((DATE, TIMESTAMP, TIMESTAMPTZ), _TIMES),
    **dict.fromkeys((TEXT, BOOL, INTERVAL, UUID, array_of(INT4)), _ALL),
}


@pytest.fixture(autouse=True)
def _blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_blocks, "_BYTES_MIN", 0)


def _read(columns: tuple[tuple[str, ScalarType], ...], data: bytes, *, at_once: bool) -> tuple[object, int]:
    """Rows or an error, and how many blocks were read at once."""
    desc = relation_desc(*columns)
    with pytest.MonkeyPatch.context() as patched:
        if not at_once:
            patched.setattr(json_blocks.JsonBlocks, "read", lambda *_: None)
        decoder = JsonDecoder(ColumnReader("t", desc, DEFAULT_CONTEXT))
        tables, rows = 0, list[Row]()
        try:
            for batch in (decoder.feed(data[: len(data) // 2]), decoder.feed(data[len(data) // 2 :]), decoder.finish()):
                tables += isinstance(batch, pa.Table)
                rows += rows_from_arrow(batch if isinstance(batch, pa.Table) else rows_to_arrow(batch, desc), desc)
        except SqlError as error:
            return (error.sqlstate, error.message, error.detail, error.context), tables
        except pa.ArrowInvalid:
            return "does not fit", tables
    return repr(rows), tables


@pytest.mark.parametrize("type_", _TEXTS, ids=str)
def test_a_block_holds_what_its_lines_hold(type_: ScalarType) -> None:
    read = 0
    for text in _TEXTS[type_]:
        for line in (f'{{"a": {text}}}', f'{{"z": [{text}], "a": {text}, "b": "x", "z": {text}}}'):
            columns = (("a", type_), ("b", TEXT))
            data = f"{line}\n".encode()
            found, tables = _read(columns, data, at_once=True)
            assert found == _read(columns, data, at_once=False)[0], line
            read += tables
    # Of numerics that have decimals of their own the text is needed.
    assert bool(read) is not has_own_decimals(type_), "some values are plain"


@pytest.mark.parametrize(
    "data",
    [
        '{"a":1}{"a":2}\n\n',
        '{"a":1}{"b":\n{}}\n',
        '{"a":1}\n \n{"a":2}{"a":3}\n',
        '{"a":1,\n"b":"x"}\n',
        '{"a":1,"a":2}\n',
        '{"a":1} \n\t{"a":2}\n',
        '{"a":1}\r\n{"a":2}\r\n',
        '\ufeff{"a":1}\n',
        '{"a":1}\n[2]\n',
        "{}\n{}\n",
        '{"a":1}\n{"a":2}\n{"a":',
        '{"a":1}\n{"a":2}\n{"b":"\\u0000"}\n',
        "\n",
        "",
    ],
)
def test_objects_are_alone_in_their_lines(data: str) -> None:
    columns = (("a", INT4), ("b", TEXT))
    assert _read(columns, data.encode(), at_once=True)[0] == _read(columns, data.encode(), at_once=False)[0]


def test_what_is_no_utf8_is_refused() -> None:
    for data in (b'{"b":"\xff"}\n', b'{"z":"\xff"}\n', b'{"\xff":1}\n'):
        columns = (("a", INT4), ("b", TEXT))
        assert _read(columns, data, at_once=True)[0] == _read(columns, data, at_once=False)[0]


def test_documents_are_read_line_by_line() -> None:
    assert json_blocks.json_blocks(relation_desc(("j", JSONB)), []) is None


@pytest.mark.parametrize("seed", range(5))
def test_any_lines_are_read_as_one_by_one(seed: int) -> None:
    source = random.Random(seed)
    columns = (("a", INT4), ("b", TEXT), ("f", FLOAT8), ("at", TIMESTAMPTZ))
    plain: dict[str, Any] = {"a": 7, "b": 'é"\n{}', "f": 0.25, "at": "2020-01-01 10:11:12+00", "z": {"x": [1, "}\n{"]}}
    odd: list[Any] = [None, "x", "5", 1.5, True, [], {"a": 1}, "2020-01-01 10+00", "", 10**12]
    tables = 0
    for _ in range(200):
        lines = []
        for _ in range(source.randint(1, 5)):
            names = source.sample(list(plain), source.randint(0, len(plain)))
            value = {name: source.choice(odd) if source.random() < 0.05 else plain[name] for name in names}
            lines.append(json.dumps(value, ensure_ascii=source.random() < 0.5))
        data = ("\n".join(lines) + source.choice(("\n", ""))).encode()
        found, count = _read(columns, data, at_once=True)
        assert found == _read(columns, data, at_once=False)[0], data
        tables += count
    assert tables > 20, "some are read at once"
