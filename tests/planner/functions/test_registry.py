"""The table keeps what it promises to the planner and to the lowering."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable
from typing import Any

import pytest

from model.errors.sql_error import SqlError
from model.text.context import TextContext
from model.types.scalar_type import (
    BOX,
    BPCHAR,
    BYTEA,
    CIRCLE,
    FLOAT4,
    FLOAT8,
    INT4,
    JSON,
    LSEG,
    NAME,
    POINT,
    TEXT,
    VARCHAR,
    array_of,
    numeric,
    varchar,
)
from planner.functions.casts.table import find_cast
from planner.functions.registry import (
    AGGREGATES,
    FUNCTIONS,
    TABLE_FUNCTIONS,
    functions_named,
    modifier_function,
    operators_named,
)
from planner.functions.rows import key_of
from planner.functions.signature import Function, Volatility
from planner.interpret.context import EvaluationContext
from planner.ir.scalar import SessionName
from tests.planner.empty_catalog import run_select
from tests.planner.functions.recordings import files, read
from tests.planner.functions.test_system_functions import OneTable

_NOW = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)


def test_keys_are_a_word_and_the_types_of_the_arguments() -> None:
    for key, row in FUNCTIONS.items():
        assert key == row.key
        if row.form not in ("modifier", "cast"):
            suffix = key_of("", row.arguments)
            assert key.endswith(suffix), key
            assert key.removesuffix(suffix), key
    assert FUNCTIONS["add_int4_int4"].name == "+"
    assert FUNCTIONS["subscript_anyarray_int4"].form == "syntax"
    assert FUNCTIONS["cast_int4_text"].form == "cast"
    assert AGGREGATES["count_star"].arguments == ()
    assert TABLE_FUNCTIONS["generate_series_int4_int4"].name == "generate_series"


def test_rows_are_found_by_name_and_form() -> None:
    assert {row.key for row in functions_named("power")} == {"power_float8_float8", "power_numeric_numeric"}
    assert {row.key for row in operators_named("^")} == {"power_float8_float8", "power_numeric_numeric"}
    assert functions_named("=") == ()
    assert modifier_function(varchar(3)).key == "modify_varchar"
    assert modifier_function(array_of(numeric(4, 2))).key == "modify__numeric"


def test_casts_are_found_whatever_the_modifiers() -> None:
    cast = find_cast(numeric(4, 2), INT4)
    assert cast is not None and cast.function.key == "cast_numeric_int4"
    elements = find_cast(array_of(varchar(3)), array_of(INT4))
    assert elements is not None and elements.function.key == "cast__varchar__int4"
    assert find_cast(JSON, INT4) is None
    assert find_cast(VARCHAR, TEXT) is not None


def test_what_reads_the_session_is_not_immutable() -> None:
    """But for texts of floats, of shapes made of them, and of bytea, which PostgreSQL takes in indexes."""
    immutable = {row.key for row in FUNCTIONS.values() if row.volatility is Volatility.IMMUTABLE}
    of_settings = {row.key for row in FUNCTIONS.values() if row.session or row.needs_system}
    strings = (TEXT, VARCHAR, BPCHAR, NAME)
    sources = [form for each in (FLOAT4, FLOAT8, POINT, BOX, LSEG, CIRCLE, BYTEA) for form in (each, array_of(each))]
    casts = {key_of("cast", (source, target)) for source in sources for target in strings}
    element_by_element = {key_of("cast", (source, array_of(target))) for source in sources[1::2] for target in strings}
    assert immutable & of_settings == casts | element_by_element


def _watched(row: Function, evaluate: Callable[..., Any]) -> Callable[..., Any]:
    def watch(*arguments: Any) -> Any:
        try:
            return evaluate(*arguments)
        except SqlError as error:
            raise AssertionError(f"{row.key} is marked infallible, and failed: {error}") from error

    return watch


def test_what_is_marked_infallible_never_fails_on_a_recorded_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, row in list(FUNCTIONS.items()):
        if not row.fallible:
            monkeypatch.setitem(FUNCTIONS, key, dataclasses.replace(row, evaluate=_watched(row, row.evaluate)))
    for path in files():
        zone, recordings = read(path)
        context = EvaluationContext(
            TextContext(time_zone=zone, now=_NOW), {SessionName.TIME_ZONE: zone, SessionName.NOW: _NOW}, OneTable()
        )
        for recording in recordings:
            try:
                run_select(f"SELECT {recording.expression}", context)
            except SqlError:
                assert recording.answer.startswith("!"), recording.expression
