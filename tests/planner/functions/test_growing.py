"""A function that is not said to grow answers with no more than twice its arguments and a page."""

from __future__ import annotations

from decimal import Decimal

import pytest

from model.errors.sql_error import SqlError
from model.types.datum import Datum
from model.types.scalar_type import BYTEA, FLOAT8, INT4, INT8, JSON, JSONB, NUMERIC, TEXT, VARCHAR, ScalarType, array_of
from planner.functions.growing import bounded_call, bytes_of, grows
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Function, Volatility

_LONG = "a1,%s" * 2000
_DEEP = "[" * 60 + '"' + "x" * 4000 + '"' + "]" * 60
_LARGE: dict[ScalarType, tuple[Datum, ...]] = {
    TEXT: (_LONG, "%"),
    VARCHAR: (_LONG,),
    BYTEA: (b"ab" * 4000,),
    JSON: (_DEEP,),
    JSONB: (_DEEP,),
    INT4: (1_000_000_000, 7),
    INT8: (1_000_000_000_000, 7),
    FLOAT8: (1e15,),
    NUMERIC: (),
    array_of(TEXT): (("x" * 100,) * 80,),
    array_of(INT4): (tuple(range(2000)),),
}
_PAGE = 4096


def _judged() -> list[Function]:
    return [
        function
        for function in FUNCTIONS.values()
        if not grows(function)
        and not function.needs_system
        and not function.session
        and not function.typed
        and function.volatility is Volatility.IMMUTABLE
        and all(_LARGE.get(type_) for type_ in function.arguments)
    ]


def _calls(types: tuple[ScalarType, ...]) -> list[tuple[Datum, ...]]:
    first = tuple(_LARGE[type_][0] for type_ in types)
    last = tuple(_LARGE[type_][-1] for type_ in types)
    mixed = tuple(_LARGE[type_][at % len(_LARGE[type_])] for at, type_ in enumerate(types))
    return list(dict.fromkeys([first, last, mixed, mixed[:1] + last[1:]]))


@pytest.mark.parametrize("function", _judged(), ids=lambda function: function.key)
def test_an_answer_is_bounded_by_what_was_given(function: Function) -> None:
    for values in _calls(function.arguments):
        try:
            answer = function.evaluate(*values)
        except SqlError:
            continue
        assert bytes_of(answer) <= 2 * sum(map(bytes_of, values)) + _PAGE, values


def test_most_functions_are_judged() -> None:
    assert len(_judged()) > 150


def test_a_call_that_an_argument_makes_large_is_not_made_while_planning() -> None:
    assert not bounded_call(FUNCTIONS["repeat_text_int4"], ("x", 1_000_000_000))
    assert bounded_call(FUNCTIONS["repeat_text_int4"], ("x", 3))
    assert not bounded_call(FUNCTIONS["upper_text"], ("x" * 100_000,))


@pytest.mark.parametrize("name", ["power_numeric_numeric", "exp_numeric", "power_float8_float8"])
def test_what_is_no_number_makes_nothing_large(name: str) -> None:
    function = FUNCTIONS[name]
    nan: Datum = Decimal("NaN") if function.arguments[0] is NUMERIC else float("nan")
    assert bounded_call(function, (nan,) * len(function.arguments))
