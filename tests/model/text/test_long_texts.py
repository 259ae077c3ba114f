"""A text of many characters is read in time that grows with them: what is no number after all is not tried anew from
each of its digits. Were it so, this test would take hours."""

from __future__ import annotations

import pytest

from model.errors.sql_error import SqlError
from model.text.dispatch import parse_datum
from model.types.scalar_type import FLOAT8, INT8, NUMERIC, ScalarType, TypeName

_LENGTH = 200_000
_TYPES = [FLOAT8, NUMERIC, INT8, *(ScalarType(name) for name in (TypeName.MACADDR, TypeName.DATE, TypeName.INTERVAL))]


@pytest.mark.parametrize("type_", _TYPES, ids=str)
@pytest.mark.parametrize(
    "text",
    [
        "9" * _LENGTH + "x",
        "1_" * _LENGTH + "x",
        "9" * _LENGTH + "." + "9" * _LENGTH + "x",
        "1e" + "9" * _LENGTH + "x",
        "0x" + "f" * _LENGTH + "z",
        " " * _LENGTH + "x",
        "1:" * _LENGTH + "x",
    ],
    ids=["digits", "underscores", "decimals", "exponent", "hexadecimal", "blanks", "colons"],
)
def test_a_long_text_that_is_no_number_is_refused(type_: ScalarType, text: str) -> None:
    with pytest.raises(SqlError) as raised:
        parse_datum(text, type_)
    assert raised.value.sqlstate.value[:2] == "22"


@pytest.mark.parametrize("type_", [ScalarType(TypeName.JSON), ScalarType(TypeName.JSONB)], ids=str)
def test_json_with_a_text_that_nothing_closes_is_refused(type_: ScalarType) -> None:
    with pytest.raises(SqlError):
        parse_datum("[" * 4_000 + '"' + '\\"' * _LENGTH, type_)
