"""JSON of many levels: every function answers for as deep a value as may be, and what is deeper is refused by name."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import product
from typing import Any

import pytest

from compute.scalars.python_worker import scalar_evaluator
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_order import jsonb_order_bytes
from model.json.json_text import JSON_DEPTH_MAX, check_depth
from model.text.dispatch import parser
from model.types.scalar_type import BOOL, INT4, INT8, JSON, JSONB, JSONPATH, TEXT, ScalarType, array_of
from planner.functions.registry import AGGREGATES, FUNCTIONS, TABLE_FUNCTIONS
from planner.functions.signature import AggregateFunction, Function

_STACK_BYTES = 64 << 20
_FRAMES_MAX = 30_000
_OTHERS: dict[ScalarType, Any] = {
    TEXT: "a",
    INT4: 0,
    INT8: 0,
    BOOL: False,
    JSONPATH: '$."a"',
    array_of(TEXT): ("a",),
}


def _arrays(depth: int) -> str:
    return "[" * depth + "]" * depth


def _objects(depth: int) -> str:
    return '{"a": ' * depth + "1" + "}" * depth


@contextmanager
def _room() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Runs what it is given with as much room as servers, replicas and workers have."""
    frames, stack = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(_FRAMES_MAX)

    def run(work: Callable[[], None]) -> None:
        failed: list[BaseException] = []

        def caught() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001  (it is raised where the test runs)
                failed.append(error)

        thread = threading.Thread(target=caught)
        thread.start()
        thread.join()
        if failed:
            raise failed[0]

    try:
        yield run
    finally:
        sys.setrecursionlimit(frames)
        threading.stack_size(stack)


def _calls(types: tuple[ScalarType, ...], texts: list[str]) -> Iterator[tuple[Any, ...]]:
    """Arguments with each of the texts in place of JSON."""
    if all(type_ in (JSON, JSONB) or type_ in _OTHERS for type_ in types):
        yield from product(*(texts if type_ in (JSON, JSONB) else [_OTHERS[type_]] for type_ in types))


def _scalar(name: str) -> Function:
    """The form of it that takes something."""
    return next(row for row in FUNCTIONS.values() if row.name == name and row.arguments)


def _aggregate(name: str) -> AggregateFunction:
    return next(row for row in AGGREGATES.values() if row.name == name)


_KEYS = sorted(key for key, row in FUNCTIONS.items() if not row.needs_system and {JSON, JSONB} & set(row.arguments))


def test_every_function_takes_values_of_every_depth_that_is_allowed() -> None:
    texts = [_arrays(JSON_DEPTH_MAX), _objects(JSON_DEPTH_MAX)]
    called = set()

    def work() -> None:
        for key in _KEYS:
            row = FUNCTIONS[key]
            session = ("UTC",) * len(row.session)
            evaluate = scalar_evaluator(key, (*row.arguments, *(TEXT for _ in session)))
            for arguments in _calls(row.arguments, texts):
                called.add(key)
                with suppress(*([SqlError] if row.fallible else [])):
                    evaluate(*arguments, *session)

    with _room() as run:
        run(work)
    assert len(called) > 40, called


def test_every_table_function_takes_them_too() -> None:
    texts = [_arrays(JSON_DEPTH_MAX), _objects(JSON_DEPTH_MAX)]
    called = set()

    def work() -> None:
        for key, row in TABLE_FUNCTIONS.items():
            if row.needs_system or row.typed or row.session:
                continue
            for arguments in _calls(row.arguments, texts):
                if {JSON, JSONB} & set(row.arguments):
                    called.add(key)
                    with suppress(SqlError):
                        list(row.evaluate(*arguments))

    with _room() as run:
        run(work)
    assert len(called) >= 4, called


@pytest.mark.parametrize("nested", [_arrays, _objects])
@pytest.mark.parametrize("type_", [JSON, JSONB])
def test_what_is_deeper_does_not_enter(type_: ScalarType, nested: Callable[[int], str]) -> None:
    parse = parser(type_)

    def work() -> None:
        deep = nested(JSON_DEPTH_MAX)
        assert parse(deep) == deep
        assert len(jsonb_order_bytes(deep)) > JSON_DEPTH_MAX
        for text in (nested(JSON_DEPTH_MAX + 1), nested(1_000_000), "[" * 1_000_000):
            with pytest.raises(SqlError) as refused:
                parse(text)
            assert refused.value.sqlstate == Sqlstate.STATEMENT_TOO_COMPLEX

    with _room() as run:
        run(work)


def test_what_is_made_is_no_deeper() -> None:
    """By any of those that put values into others; so is what aggregates collect."""
    deep = _arrays(JSON_DEPTH_MAX)

    def work() -> None:
        for row, types, arguments in (
            (_scalar("jsonb_build_array"), (JSONB,), (deep,)),
            (_scalar("jsonb_build_object"), (TEXT, JSONB), ("a", deep)),
            (_scalar("json_build_array"), (JSON,), (deep,)),
            (_scalar("json_build_object"), (TEXT, JSON), ("a", deep)),
            (_scalar("array_to_json"), (array_of(JSON),), ((deep,),)),
            (_scalar("to_jsonb"), (array_of(JSONB),), ((deep,),)),
            (_aggregate("jsonb_agg"), (JSONB,), ([(deep,)],)),
            (_aggregate("json_agg"), (JSON,), ([(deep,)],)),
            (_aggregate("jsonb_object_agg"), (TEXT, JSONB), ([("a", deep)],)),
            (_aggregate("json_object_agg"), (TEXT, JSON), ([("a", deep)],)),
        ):
            assert row.fallible, row.key
            with pytest.raises(SqlError) as refused:
                row.evaluate(types, *arguments, "UTC")
            assert refused.value.sqlstate == Sqlstate.STATEMENT_TOO_COMPLEX

    with _room() as run:
        run(work)


def test_many_brackets_beside_each_other_and_in_texts_are_not_deep() -> None:
    for text in ("[" + ", ".join(["[]"] * 20_000) + "]", '["' + "[" * 20_000 + '\\"' + "{" * 20_000 + '"]'):
        assert check_depth(text) == text
    closed = "[" * (JSON_DEPTH_MAX // 2) + "]" * (JSON_DEPTH_MAX // 2)
    assert check_depth(f"[{closed}, {closed}, {closed}]")
