"""No function fails but as SQL does for numbers at the ends of their types, nor for texts with thousands of digits.

Python converts no text of more than 4,300 digits to an integer, and no infinity: such a failure would be an internal
error, and in a view that of all its rows.
"""

from __future__ import annotations

import datetime
import itertools
import re
import uuid
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from model.errors.sql_error import SqlError
from model.text.dispatch import parse_datum
from model.types.datum import Interval
from model.types.scalar_type import ScalarType, TypeName, array_of
from model.types.type_table import TYPES
from tests.planner.functions.tempting_calls import Call, Row, callable_rows, drawn_calls

_DIGITS = "9" * 4_400
_ZEROS = "0" * 4_400 + "8"
_OTHER_DIGITS = ("²", "٣")
"""Characters that Python takes for digits, and PostgreSQL does not."""
_FORMS = [
    "{}",
    "-{}",
    "+{}",
    "1e{}",
    "1e-{}",
    "{}.{}",
    "0x{}",
    "0b{}",
    "{}:00",
    "00:{}",
    "P{}Y",
    "PT{}S",
    "[{}:{}]={{1}}",
    "{{{}}}",
    "({})",
    "[1,{})",
    "1.1.1.1/{}",
    "::1/{}",
    "{}.1.1.1",
    "${}",
    "$[{}]",
    "%{}s",
    "%{}$s",
    "a{{{}}}",
    "\\{}",
    "{}-01-01",
    "01/01/{}",
    "Etc/GMT+{}",
    "J{}",
    "[{}]",
    '{{"a":{}}}',
    "1:{}",
    "\\+{}",
]
_SPACED = ("{} days", "@ {} ago", "{} kB", "$.a[{} to last]", "2020-01-01 00:00:00+{}", "2020-01-01 00:00:00.{}")
_TEXTS = (
    *(
        form.replace("{}", digits).replace("{{", "{").replace("}}", "}")
        for digits in (_DIGITS, _ZEROS, *_OTHER_DIGITS)
        for form in (*_FORMS, *_SPACED)
    ),
    "YYYY",
    "J",
    "99",
    "a",
    "",
)
_INTERVALS = (Interval(0, 0, 0), Interval(2**31 - 1, 2**31 - 1, 2**63 - 1), Interval(-(2**31), -(2**31), -(2**63)))
_POOLS: dict[TypeName, tuple[Any, ...]] = {
    TypeName.BOOL: (True,),
    TypeName.INT2: (0, -(2**15), 2**15 - 1),
    TypeName.INT4: (0, 1, -1, -(2**31), 2**31 - 1),
    TypeName.INT8: (0, 1, -1, -(2**63), 2**63 - 1),
    TypeName.FLOAT4: (0.0, 3.4028234663852886e38, float("inf"), float("nan")),
    TypeName.FLOAT8: (
        0.0,
        -0.0,
        5e-324,
        1.7976931348623157e308,
        -1e308,
        1e18,
        float("inf"),
        float("-inf"),
        float("nan"),
    ),
    TypeName.NUMERIC: (
        Decimal(0),
        Decimal(10) ** 37,
        -(Decimal(10) ** 37),
        Decimal("1e-18"),
        Decimal("NaN"),
    ),
    TypeName.TEXT: _TEXTS,
    TypeName.VARCHAR: _TEXTS[:6],
    TypeName.BPCHAR: _TEXTS[:6],
    TypeName.NAME: ("9" * 63,),
    TypeName.BYTEA: (b"", b"\xff" * 9),
    TypeName.JSON: (f"[{_DIGITS}]", f'{{"a": {_DIGITS}}}', _DIGITS, "[1]"),
    TypeName.JSONB: ("[1]", '{"a": 1}', "1e37"),
    TypeName.DATE: (datetime.date.min, datetime.date.max),
    TypeName.TIME: (datetime.time.max,),
    TypeName.TIMESTAMP: (datetime.datetime.min, datetime.datetime.max),
    TypeName.TIMESTAMPTZ: (
        datetime.datetime(1, 1, 1, tzinfo=datetime.UTC),
        datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC),
    ),
    TypeName.INTERVAL: _INTERVALS,
    TypeName.UUID: (uuid.UUID(int=0),),
    TypeName.OID: (0, 2**32 - 1),
}
_KINDS = (TypeName.INT8, TypeName.TEXT, TypeName.FLOAT8, TypeName.NUMERIC)
_CALLS, _CALLS_WHOLE = 1, 6
_LEFT_OUT = re.compile(
    "modify_+bpchar|.*(?:matches|regexp)|substring_text_text|to_(?:char|date|timestamp|number)_.*text"
)
"""Modifiers are types', and no larger than 10,485,760; patterns and templates take long to be read."""


def _failures(row: Row, call: Call, calls: int) -> Iterator[str]:
    for types, values in drawn_calls(row, _POOLS, _KINDS, calls):
        try:
            call(types, values)
        except (SqlError, ArithmeticError) as error:
            if not row.fallible:
                yield f"{row.key}{_shown(values)} fails, which it does not announce: {error!r}"
            elif not isinstance(error, SqlError | ZeroDivisionError):
                yield f"{row.key}{_shown(values)}: {error!r}"
        except Exception as error:  # noqa: BLE001 - any other is what is looked for
            yield f"{row.key}{_shown(values)}: {type(error).__name__}: {str(error)[:80]}"


def _shown(values: object) -> str:
    return repr(values).replace(_DIGITS, "99…")


def test_functions_fail_as_sql_does_for_huge_values(whole: bool) -> None:
    calls = _CALLS_WHOLE if whole else _CALLS
    rows = [(row, call) for row, call in callable_rows() if not _LEFT_OUT.match(row.key)]
    assert len(rows) > 1_000
    assert not list(itertools.chain.from_iterable(_failures(row, call, calls) for row, call in rows))


_OF_OTHERS = (TypeName.ARRAY, TypeName.RANGE, TypeName.MULTIRANGE)
"""Types that are made of other ones."""


def test_texts_with_thousands_of_digits_are_read_or_refused() -> None:
    wrong = []
    for name, text in itertools.product(TypeName, _TEXTS):
        if name.value not in TYPES or name in _OF_OTHERS:
            continue
        for type_ in (ScalarType(name), array_of(ScalarType(name))):
            try:
                parse_datum(text, type_)
            except SqlError:
                continue
            except Exception as error:  # noqa: BLE001 - any other is what is looked for
                wrong.append(f"{_shown(text)}::{type_}: {type(error).__name__}: {str(error)[:80]}")
    assert not wrong, "\n".join(wrong)
