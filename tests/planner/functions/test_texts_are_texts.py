"""No function gives a text that PostgreSQL's can't be: with a zero character, with half a pair of surrogates.

Each function is called with values of its arguments' types that tempt it: bytes that are no UTF-8, json whose escapes
stand for no character, code points at every bound.
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import re
import uuid
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from model.errors.sql_error import SqlError
from model.types.datum import Interval
from model.types.scalar_type import TypeName
from planner.functions.registry import FUNCTIONS
from tests.planner.functions.tempting_calls import Call, Row, callable_rows, drawn_calls

_JSON = (
    r'{"a": "x\u0000y", "b": [1, "\u0000"]}',
    r'{"\u0000": 1}',
    r'"\ud800"',
    r'["\udc00", {"a": "\ud83d"}]',
    r'{"a": "\ud83d\ude00"}',
    "[1, 2]",
    '{"a": null}',
)
_CODES = (-1, 0, 1, 0x7F, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0x10FFFF, 0x110000, 2**31 - 1, -(2**31))
_TEXTS = ("", "a", "\\0000", "\\d800", "\\udc00\\ud800", "\\000", "\\x00", "\\", "00", "eda080", "AA==", "7aCA", "UTF8")
_POOLS: dict[TypeName, tuple[Any, ...]] = {
    TypeName.BOOL: (True, False),
    TypeName.INT2: (0, 1, -1),
    TypeName.INT4: (-1, 0, 1, 2, 300),
    TypeName.INT8: (-1, 0, 1, 2, 300),
    TypeName.FLOAT8: (0.0, 1.5),
    TypeName.NUMERIC: (Decimal(0), Decimal("1.5")),
    TypeName.TEXT: (*_TEXTS, "latin1", "hex", "base64", "escape", "a", "b", "{a}", "$.a"),
    TypeName.VARCHAR: _TEXTS,
    TypeName.BPCHAR: _TEXTS,
    TypeName.NAME: ("UTF8", "LATIN1", "a"),
    TypeName.CHAR: ("", "a", "\xc8"),
    TypeName.BYTEA: (b"", b"\x00", b"a\x00b", b"\xed\xa0\x80", b"\xc0\x80", b"\xff", b"\xf4\x90\x80\x80", b"ab"),
    TypeName.JSON: _JSON,
    TypeName.JSONB: ('{"a": "x", "b": [1]}', "[1, null]", '"s"'),
    TypeName.DATE: (datetime.date(2020, 2, 29),),
    TypeName.TIME: (datetime.time(1, 2),),
    TypeName.TIMESTAMP: (datetime.datetime(2020, 2, 29),),
    TypeName.TIMESTAMPTZ: (datetime.datetime(2020, 2, 29, tzinfo=datetime.UTC),),
    TypeName.INTERVAL: (Interval(0, 1, 0),),
    TypeName.UUID: (uuid.UUID(int=0),),
    TypeName.BIT: ("101",),
    TypeName.VARBIT: ("101",),
    TypeName.OID: (0, 16),
}
_STANDING_FOR_ANY = (TypeName.JSON, TypeName.TEXT, TypeName.CHAR)
_STRAY = re.compile("[\0\ud800-\udfff]")
_CALLS = 60


def _stray(value: Any) -> bool:
    """Whether there is anywhere in a value what no text holds."""
    if isinstance(value, str):
        return _STRAY.search(value) is not None
    if isinstance(value, list | tuple):
        return any(map(_stray, value))
    return isinstance(value, dict) and any(map(_stray, value.items()))


def _failures(row: Row, call: Call) -> Iterator[str]:
    """What goes wrong with a function: texts that are none, errors that are no SQL's or that it does not announce."""
    for types, values in drawn_calls(row, _POOLS, _STANDING_FOR_ANY, _CALLS):
        try:
            result = call(types, values)
        except (SqlError, ArithmeticError) as error:
            if not row.fallible:
                yield f"{row.key}{values} fails, which it does not announce: {error}"
            continue
        except Exception as error:  # noqa: BLE001 - any other is what is looked for
            yield f"{row.key}{values}: {type(error).__name__}: {error}"
            continue
        if _stray(result):
            yield f"{row.key}{values} is {result!r}"


def test_functions_give_texts_that_are_texts() -> None:
    rows = callable_rows()
    assert len(rows) > 1_000
    assert not list(itertools.chain.from_iterable(_failures(row, call) for row, call in rows))


@pytest.mark.parametrize("code", _CODES)
def test_the_character_of_a_code_is_one(code: int) -> None:
    (row,) = (row for row in FUNCTIONS.values() if row.name == "chr")
    with contextlib.suppress(SqlError):
        assert not _stray(row.evaluate(code))


@pytest.mark.parametrize("value", ["a\0", ("a", ("\ud800",)), {"\udfff": 1}])
def test_strays_are_seen(value: object) -> None:
    assert _stray(value)
    assert not _stray(["a", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")])
