"""Nothing computes a numeric in Python's own decimal context, which rounds to 28 digits without a word.

Whatever takes or gives numerics is called twice with the same values, while that context has few digits and while it
has many: the answers are the same.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from model.physical.columns import column_from_arrow, column_to_arrow
from model.text.context import DEFAULT_CONTEXT
from model.text.dispatch import formatter, parser
from model.text.modifiers import apply_modifier
from model.types.scalar_type import JSONB, NUMERIC, TypeName, numeric
from server.pgwire.encoding.dispatch import receiver, sender
from tests.planner.functions.tempting_calls import callable_rows, drawn_calls

_NUMERICS = tuple(
    map(
        Decimal,
        (
            "-12345678901234567890.123456789",
            "99999999999999999999.999999999999999999",
            "12345678901234567890123456789012345678",
            "-0.12345678901234567",
            "0.000000000000000001",
            "-1",
            "0",
            "2",
            "1.5",
            "7",
        ),
    )
)
_DOCUMENTS = (
    "-12345678901234567890.123456789",
    "[12345678901234567890123456789012345678, -1234567890123456789012345678.5]",
    '{"a": -12345678901234567890123456789.5}',
)
_POOLS: dict[TypeName, tuple[Any, ...]] = {
    TypeName.BOOL: (True,),
    TypeName.INT4: (-1, 0, 1, 2, 300),
    TypeName.INT8: (-1, 0, 1, 2, 300),
    TypeName.FLOAT8: (0.0, 1.5),
    TypeName.NUMERIC: _NUMERICS,
    TypeName.TEXT: (
        "9999999999999999999999999999999999999.9",
        "-12345678901234567890.123456789",
        "FM99999999999999999999999999999990.9999999999",
        "S99999999999999999999999999999999999D999999",
        "a",
    ),
    TypeName.JSON: _DOCUMENTS,
    TypeName.JSONB: _DOCUMENTS,
    TypeName.JSONPATH: ("$", "-$[*]", "$[*].abs()", "$[*] * 2", "-12345678901234567890.123456789", "$[*] / 3"),
}
_CALLS = 40
_FEW, _MANY = 6, 500


def _answers(call: Callable[[], Any]) -> tuple[str, str]:
    """What a call gives where Python's own context has few digits, and where it has many."""
    return _answer(call, _FEW), _answer(call, _MANY)


def _answer(call: Callable[[], Any], digits: int) -> str:
    with decimal.localcontext(decimal.Context(prec=digits)):
        try:
            return repr(call())
        except Exception as error:  # noqa: BLE001 - that it is the same one is what is looked at
            return f"{type(error).__name__} {error}"


def test_functions_compute_in_contexts_of_their_own() -> None:
    differing = []
    for row, call in callable_rows():
        for types, values in drawn_calls(row, _POOLS, (TypeName.NUMERIC,), _CALLS):
            few, many = _answers(lambda call=call, types=types, values=values: call(types, values))  # type: ignore[misc]
            if few != many:
                differing.append(f"{row.key}{values}: {few} | {many}")
    assert not differing


@pytest.mark.parametrize("value", _NUMERICS, ids=str)
def test_numerics_pass_unchanged(value: Decimal) -> None:
    text = formatter(NUMERIC)(value)
    send, receive = sender(NUMERIC, 1, DEFAULT_CONTEXT), receiver(NUMERIC, 1, DEFAULT_CONTEXT)
    scale = max(-int(value.as_tuple().exponent), 0)
    held = numeric(38, scale)
    calls: tuple[Callable[[], Any], ...] = (
        lambda: parser(NUMERIC)(text),
        lambda: receive(send(value)),
        lambda: apply_modifier(value, held, explicit=False),
        lambda: next(iter(column_from_arrow(column_to_arrow([value], held), held))),
        lambda: Decimal(str(parser(JSONB)(text))),
    )
    for call in calls:
        few, many = _answers(call)
        assert few == many
        assert call() == value
